"""What may be played, by cases from textbooks and from other programs' tests."""

import pytest

from cases import perform, position, read_cases

CASES = read_cases("rules")


def test_the_cases_are_all_there():
    assert len(CASES) == 343
    assert len({case.id for case in CASES}) == 343


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_rules_case(case):
    game = position(case)
    before = game.board.facts(), game.moves, game.to_play
    if case.expect in ("illegal", "error"):
        with pytest.raises(ValueError, match=r"expected|is not playable|must be|not empty"):
            perform(game, case.command)
        assert (game.board.facts(), game.moves, game.to_play) == before
        return
    answer = perform(game, case.command)
    game.board.check()
    if case.expect not in ("legal", "ok"):
        assert sorted(answer.split()) == sorted(case.expect.split()), case.why
    elif case.command.startswith("play"):
        game.undo()
        assert (game.board.facts(), game.moves, game.to_play) == before
