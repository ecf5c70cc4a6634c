"""What finished positions are worth, by cases from textbooks, games and other programs' tests."""

import pytest

from cases import Case, position, read_cases
from gtpengine.coords import format_vertex
from gtpengine.scoring import final_score, final_status, format_score

CASES = read_cases("scoring")


def points(score: str) -> float:
    """Read "B+3.5", "W+7" or "0"; positive for Black."""
    if score == "0":
        return 0.0
    return float(score[2:]) * (1 if score[:2] == "B+" else -1)


def answer(case: Case) -> str:
    """What the GTP command of the case prints, in one line."""
    game = position(case)
    command, *words = case.command.split()
    if command == "final_score":
        return format_score(final_score(game))
    stones: frozenset[int] = getattr(final_status(game), words[0])
    return " ".join(format_vertex(point) for point in stones)


def test_the_cases_are_all_there():
    assert len(CASES) == 261
    assert len({case.id for case in CASES}) == 261


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_scoring_case(case):
    got = answer(case)
    if case.command == "final_score":
        assert points(got) == points(case.expect), case.why
    elif case.compare == "none_of":
        assert not set(got.split()) & set(case.expect.split()), case.why
    else:
        assert sorted(got.split()) == sorted(case.expect.split()), case.why


DEAD_LISTS = [
    case for case in CASES if case.command == "final_status_list dead" and case.compare == "equal"
]


@pytest.mark.parametrize("case", DEAD_LISTS, ids=lambda case: case.id)
def test_what_is_proven_dead_is_dead(case):
    proven = final_status(position(case), proven_only=True).dead
    assert {format_vertex(point) for point in proven} <= set(case.expect.split()), case.why
