"""The search: right moves, exact repetition, memory, threads, the tree between moves."""

import threading
import time

import numpy as np
import pytest

from gtpengine.coords import format_vertex, parse_vertex, row_column
from gtpengine.core.board import Board
from gtpengine.core.evaluator import PlayoutEvaluator
from gtpengine.core.findings import Choice
from gtpengine.core.history import History
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.prior import shipped_prior
from positions import board_of, game_of, parse_moves, rules_of


def make_search(seed: int = 1, n_threads: int = 1, memory: int = 64 << 20) -> Search:
    evaluator = PlayoutEvaluator(
        prior=shipped_prior(),
        capture=900,
        nakade=500,
        pattern=900,
        self_atari=50,
        score_weight=0.03,
        prior_scale=0.035,
    )
    return Search(
        evaluator, memory=memory, n_threads=n_threads, seed=seed, exploration=0.3,
        amaf_bias=0.0005, prior_visits=10, prior_shift=0.8, expand_at=4, width=10, widening=0.9,
    )  # fmt: skip


def choices_after(
    game: Game, visits: int, color: int | None = None, komi: float = 0, **rules: object
) -> list[Choice]:
    search = make_search()
    search.set_position(game.history, color or game.to_play, komi=komi, **rules)  # type: ignore[arg-type]
    search.begin(visits)
    search.work(0)
    return search.choices()


# White's corner lives or dies at B7; with 40 points of komi that decides the game.
CORNER = """
    . . . O X . .
    O O O O X . .
    X X X X X . .
    . . . . . . .
    . . . . X . .
    . . X . . . .
    . . . . . . ."""


@pytest.mark.parametrize("color", ["B", "W"])
def test_the_vital_point_of_three_in_a_row_is_found_by_both(color: str) -> None:
    choices = choices_after(game_of(CORNER, color), 3000, komi=40)
    assert format_vertex(choices[0].point) == "B7"
    assert choices[0].win_rate > 0.5


def test_one_thread_and_one_seed_search_the_same_tree() -> None:
    def run(seed: int) -> tuple[list[Choice], list[int], list[list[float]]]:
        search = make_search(seed)
        search.set_position(History(Board(9)), BLACK, komi=7, superko="positional")
        search.begin(2000)
        search.work(0)
        assert search.visits == 2000
        return search.choices(), search.variation(), search.ownership().tolist()

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_visits_of_the_children_are_the_visits_of_the_root() -> None:
    search = make_search()
    search.set_position(History(Board(9)), BLACK, komi=7)
    search.begin(1000)
    search.work(0)
    assert sum(choice.visits for choice in search.choices()) == 999  # the first went to the root
    assert sum(choice.prior for choice in search.choices()) == pytest.approx(1, abs=1e-4)
    assert 0.3 < search.win_rate < 0.7
    assert all(0 <= choice.win_rate <= 1 for choice in search.choices())


def test_the_tree_follows_the_game() -> None:
    game = Game(9)
    search = make_search()
    search.set_position(game.history, BLACK, komi=7)
    search.begin(3000)
    search.work(0)
    first, second = search.variation()[:2]
    expected = make_visits(search, first)
    game.play(BLACK, first)
    assert search.set_position(game.history, WHITE, komi=7) == expected
    assert second in {choice.point for choice in search.choices()[:3]}
    replayed = Game(9)  # clear_board, and the same moves again
    replayed.play(BLACK, first)
    assert search.set_position(replayed.history, WHITE, komi=7) == expected
    assert search.set_position(replayed.history, WHITE, komi=6) == 0  # another komi, another tree
    assert search.set_position(replayed.history, BLACK, komi=6) == 0  # another player


def make_visits(search: Search, point: int) -> int:
    return next(choice.visits for choice in search.choices() if choice.point == point)


def test_full_memory_does_not_stop_the_search() -> None:
    search = make_search(memory=1 << 20)
    search.set_position(History(Board(19)), BLACK, komi=7)
    search.begin(3000)
    search.work(0)
    assert search.visits == 3000
    assert search.n_nodes < 1 << 14
    with pytest.raises(ValueError, match="memory of the tree must be at least"):
        make_search(memory=100)


def test_stop_ends_all_threads_at_once() -> None:
    search = make_search(n_threads=3)
    search.set_position(History(Board(19)), BLACK, komi=7)
    search.begin()
    threads = [threading.Thread(target=search.work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    before = time.monotonic()
    search.stop()
    for thread in threads:
        thread.join()
    assert time.monotonic() - before < 1
    # Threads may lose a count when they meet, not many.
    total = sum(choice.visits for choice in search.choices())
    assert total == pytest.approx(search.visits, rel=0.05)
    with pytest.raises(ValueError, match=r"thread must be 0\.\.2, got '3'"):
        search.work(3)


@pytest.mark.parametrize(
    ("ko", "is_searched"), [("simple", True), ("situational", True), ("positional", False)]
)
def test_superko_forbids_in_the_tree(ko: str, is_searched: bool) -> None:
    game = Game(3, rules_of("simple"))
    for color, point in parse_moves("B B3, W B1, B C2, W B2, B C1, W C3", 3):
        game.play(color, point)
    choices = choices_after(game, 300, BLACK, superko=ko)
    visited = {format_vertex(choice.point) for choice in choices if choice.visits}
    assert ("C2" in visited) is is_searched


def test_two_passes_end_the_game_where_every_stone_is_alive() -> None:
    # White leads on the board as it stands: after Black's pass, White's pass wins on the spot.
    game = game_of(
        """
        . . X O .
        . . X O .
        X X X O O
        O O O O .
        . . . . .""",
        "B",
    )
    game.play(BLACK, PASS)
    best = choices_after(game, 500, WHITE, komi=1, all_alive=True)
    passing = next(choice for choice in best if choice.point == PASS)
    assert passing.visits > 0
    assert passing.win_rate > 0.95
    assert passing.lead == pytest.approx(13 - 9 + 1 - 0, abs=3)


def test_ownership_is_that_of_the_board() -> None:
    board = board_of("""
        . X O . O
        X X O O .
        . X X O O
        X X O O .
        . X O . O""")
    search = make_search()
    search.set_position(History(board, BLACK), BLACK, komi=0)
    search.begin(300)
    search.work(0)
    owner = search.ownership()
    assert owner.dtype == np.float32
    assert owner[row_column(parse_vertex("A5", 5), 5)] > 0.9
    assert owner[row_column(parse_vertex("E5", 5), 5)] < -0.9


def test_filling_own_territory_costs_a_point_under_territory_rules() -> None:
    # All is settled: Black has five points, White four.  A stone in own land throws one away.
    diagram = """
        . . X X O . O
        X X X X O O O
        . . X X O . O
        X X X X O O O
        X X X X O . O
        X X . X O O O
        X X X X O O ."""
    choices = choices_after(game_of(diagram, "B"), 2000, komi=0.5, territory=True)
    passing = next(choice for choice in choices if choice.point == PASS)
    inside = next(choice for choice in choices if choice.point == parse_vertex("A7", 7))
    assert choices[0] == passing
    assert passing.win_rate > inside.win_rate
    assert passing.lead > inside.lead


def searched(game: Game, visits: int, **options: object) -> Search:
    search = make_search()
    search.set_position(game.history, game.to_play, komi=7, **options)  # type: ignore[arg-type]
    search.begin(visits)
    search.work(0)
    return search


def test_deviations_are_those_of_single_games() -> None:
    search = searched(Game(9), 2000)
    best = search.choices()[0]
    assert best.visits > 100
    assert best.deviation == pytest.approx((best.win_rate * (1 - best.win_rate)) ** 0.5, abs=0.05)
    assert 5 < best.lead_deviation < 60
    assert search.lead_deviation == pytest.approx(best.lead_deviation, rel=0.5)
    never = next(choice for choice in search.choices() if choice.visits == 0)
    assert 0 <= never.deviation <= 0.5
    assert never.lead_deviation == search.lead_deviation


def test_a_few_new_results_that_agree_do_not_make_a_move_sure() -> None:
    # The tree comes from an earlier search; since then hardly anything was counted.
    game, search = Game(9), make_search()
    search.set_position(game.history, BLACK, komi=7)
    search.begin(3000)
    search.work(0)
    for color, point in zip((BLACK, WHITE), search.variation()[:2], strict=True):
        game.play(color, point)
    kept = search.set_position(game.history, BLACK, komi=7)
    search.begin(kept + 30)
    search.work(0)
    visited = [choice for choice in search.choices() if choice.visits > 5]
    assert len(visited) > 3
    assert all(choice.deviation > 0.3 for choice in visited)


def test_moves_to_avoid_are_not_searched() -> None:
    game = Game(5)
    center, pass_ = parse_vertex("C3", 5), PASS
    search = searched(game, 500, avoid=[(BLACK, center, 1), (BLACK, pass_, 1)])
    assert not {center, pass_} & {choice.point for choice in search.choices()}
    search = searched(game, 500, avoid=[(WHITE, center, 2)])
    others = [choice.point for choice in search.choices() if choice.point != center]
    assert all(search.variation(point)[1:2] != [center] for point in others)
    everything = [(BLACK, point, 1) for point in [PASS, *game.board.points()]]
    assert searched(game, 50, avoid=everything).choices() == []


def test_a_restricted_tree_is_only_kept_for_the_same_question() -> None:
    game = Game(5)
    avoid = [(BLACK, PASS, 2)]
    search = searched(game, 100, avoid=avoid)
    assert search.set_position(game.history, BLACK, komi=7, avoid=avoid) == 100
    assert search.set_position(game.history, BLACK, komi=7) == 0
    search = searched(game, 100, avoid=avoid)
    game.play(BLACK, search.choices()[0].point)
    assert search.set_position(game.history, WHITE, komi=7, avoid=avoid) == 0


def test_owners_are_counted_on_while_the_root_stays() -> None:
    game = Game(5)
    search = searched(game, 200)
    before = search.ownership()
    search.set_position(game.history, BLACK, komi=7)
    assert (search.ownership() == before).all()
    game.play(BLACK, search.choices()[0].point)
    search.set_position(game.history, WHITE, komi=7)
    assert not search.ownership().any()


def test_owners_by_move() -> None:
    search = make_search()
    search.set_position(Game(5).history, BLACK, komi=7)
    search.begin(1000, detailed=True)
    search.work(0)
    best, last = search.choices()[0], search.choices()[-1]
    mean, spread = search.ownership_by_move(best.point)
    assert mean[row_column(best.point, 5)] > 0.5
    assert spread == pytest.approx((1 - mean**2) ** 0.5, abs=0.2)
    assert search.ownership_by_move()[0] == pytest.approx(search.ownership(), abs=0.02)
    assert not search.ownership_by_move(700)[0].any()
    assert last.visits < best.visits
    search.begin(1000)
    assert not search.ownership_by_move()[0].any()


def test_visits_along_the_main_line() -> None:
    search = searched(Game(5), 1000)
    best = search.choices()[0]
    visits = search.variation_visits(best.point)
    assert visits[0] == best.visits
    assert len(visits) == len(search.variation(best.point))
    assert visits == sorted(visits, reverse=True)
    assert (search.variation(700), search.variation_visits(700)) == ([700], [0])


def test_a_search_stopped_at_once_has_moves_wherever_the_tree_ended() -> None:
    """Also where the node that became the root had visits, but too few for children."""
    game, search = Game(9), make_search()
    search.set_position(game.history, BLACK, komi=7)
    search.begin(60)
    search.work(0)
    few = next(choice for choice in search.choices() if 0 < choice.visits < 4)
    game.play(BLACK, few.point)
    search.set_position(game.history, WHITE, komi=7)
    search.begin(1)
    search.work(0)
    assert len(search.choices()) > 70


@pytest.mark.parametrize("more", [-5, 0, 3])
def test_the_limit_of_visits_is_kept_unless_nothing_would_tell_who_owns_what(more: int) -> None:
    game, search = Game(9), make_search()
    search.set_position(game.history, BLACK, komi=7)
    search.begin(400)
    search.work(0)
    best = search.choices()[0]
    game.play(BLACK, best.point)
    known = search.set_position(game.history, WHITE, komi=7)
    assert known == best.visits > 30
    search.begin(known + more)
    search.work(0)
    assert search.visits == (known + more if more > 0 else known + 16)
    assert search.ownership().any()
