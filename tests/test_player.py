"""The player: clocks are kept, dead boards are passed, lost games resigned, orders obeyed."""

import threading
import time

import pytest

from gtpengine.clock import Budget, parse_kgs_time_settings, parse_time_settings
from gtpengine.coords import parse_vertex
from gtpengine.core.board import Board
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.player import RESIGN, Player
from gtpengine.report import take_snapshot
from gtpengine.rules import Rules
from gtpengine.settings import PlayerSettings
from gtpengine.status import Verdict, judge
from positions import WITH_DEAD, game_of

# Black owns the left, White the right; nothing is left to play.  Area 28 to 21.
DIVIDED = """
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    . X X X O . O
    X X . X O O O
    . X X X O O ."""


def quick(visits: int = 400, **settings: object) -> Player:
    chosen = {"visits": visits, "threads": 1, "seed": 1, "memory": 64, **settings}
    return Player(PlayerSettings(**chosen))  # type: ignore[arg-type]


def test_one_thread_one_seed_one_move() -> None:
    game = Game(9)
    moves = [quick().move(game, BLACK) for _ in range(2)]
    assert moves[0] == moves[1]
    assert not game.moves  # choosing is not playing


class Onlooker:
    """An observer who keeps what was played, what analysis named first, and the most visited."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seen: list[tuple[int, int, int]] = []

    def look(self, search: Search) -> None:
        pass

    def finish(self, search: Search, move: int) -> None:
        first = take_snapshot(search, self.game, self.game.to_play).candidates[0].choice.point
        self.seen.append((move, first, search.choices()[0].point))


def test_the_surest_move_is_played_and_named_first_be_it_the_most_visited_or_not() -> None:
    game, player = Game(9), quick(500, evaluator="playout", seed=2)
    onlooker = Onlooker(game)
    for _ in range(40):
        move = player.move(game, game.to_play, may_resign=False, observer=onlooker)
        game.play(game.to_play, move)
    assert all(move == first for move, first, _ in onlooker.seen)
    assert any(move != most_visited for move, _, most_visited in onlooker.seen)


def test_a_pass_that_wins_answers_a_pass() -> None:
    game = game_of(DIVIDED, "B")
    game.komi = 6.5
    game.play(WHITE, PASS)
    assert quick().move(game, BLACK) == PASS  # 28 - 21 - 6.5: Black wins by half a point
    game.komi = 7.5
    assert quick().move(game, BLACK, may_resign=False) == PASS  # lost, but nothing is left to do


def test_a_short_clock_leaves_no_time_to_judge_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    n_judged = 0

    def slowly(board: Board, proven_only: bool) -> Verdict:
        nonlocal n_judged
        n_judged += 1
        time.sleep(0.5)
        return judge(board, proven_only)

    monkeypatch.setattr("gtpengine.player.judge", slowly)
    game, player = game_of(DIVIDED, "B"), quick()
    game.komi = 6.5
    assert player.move(game, BLACK) == PASS  # at the end, as was found by judging
    assert n_judged == 1
    game.set_time(parse_time_settings(["1", "0", "0"]))
    for _ in range(3):
        player.move(game, BLACK, may_resign=False)
    assert n_judged == 1
    game.set_time(parse_time_settings(["600", "0", "0"]))
    assert player.move(game, BLACK) == PASS
    assert n_judged == 2


@pytest.mark.parametrize("clock", ["byoyomi 0 1.5 1", "byoyomi 0 1.5 2", "canadian 0 1.5 1"])
def test_the_last_period_is_long_enough_to_judge_the_board(
    clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = []

    def noting(board: Board, proven_only: bool) -> Verdict:
        boards.append(str(board))
        return judge(board, proven_only)

    def until_the_end(
        _: Player, search: Search, budget: Budget, started: float, *__: object
    ) -> None:
        time.sleep(max(started + budget.target - time.monotonic(), 0))

    monkeypatch.setattr("gtpengine.player.judge", noting)
    monkeypatch.setattr(Player, "_watch", until_the_end)
    game, player = game_of(DIVIDED, "B"), quick(visits=None)
    game.komi = 6.5
    game.set_time(parse_kgs_time_settings(clock.split()))
    assert player.move(game, BLACK) == PASS
    assert boards == [str(game)]


@pytest.mark.parametrize(("rules", "komi"), [("japanese", 3.5), ("chinese", 5.5)])
def test_a_cleanup_takes_what_the_score_hangs_on_though_no_time_is_left_to_judge(
    rules: str, komi: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Player, "_may_judge", lambda *_: False)
    game = game_of(
        """
        . X . X O . O
        X X X X O O O
        . X . X O . O
        X X X X O O O
        X O . X O . O
        X X X X O O O
        . X . X O O .""",
        "B",
        Rules.from_name(rules),
    )
    game.komi = komi  # with the white stone on the board Black's side is too small
    move = quick().move(game, BLACK, may_resign=False, cleanup=True)
    assert move == parse_vertex("C3", 7)


def test_a_pass_that_loses_is_not_the_answer_while_points_are_left() -> None:
    game = game_of(
        """
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . . . . . .
        . . . . . . .""",
        "B",
    )
    game.komi = 3.5
    game.play(WHITE, PASS)
    assert quick().move(game, BLACK) != PASS


def test_an_open_region_is_not_passed_by_where_territory_counts() -> None:
    game = game_of(
        """
        . . X X X X O . .
        . . X O O O . . .
        . . X X . . . O X
        X X O O X X . X .
        O O X . O X . X .
        O X X X X O . X .
        O O X O . O . X .
        . O O . O . . X .
        . . X O . . . . X""",
        "W",
        Rules.from_name("japanese"),
    )
    game.komi = 6.5
    game.play(BLACK, PASS)
    assert quick(150).move(game, WHITE, may_resign=False) != PASS


def test_a_pass_in_the_opening_is_no_end() -> None:
    game = Game(9, komi=7)
    game.play(BLACK, PASS)
    assert quick().move(game, WHITE) != PASS  # although White would win by the komi


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_dead_stones_may_stay_where_they_come_off(rules: str) -> None:
    game = game_of(WITH_DEAD, "B", Rules.from_name(rules))
    game.komi = 0.5
    game.play(WHITE, PASS)
    assert quick().move(game, BLACK) == PASS


def test_dead_stones_are_taken_where_every_stone_counts_as_alive() -> None:
    game = game_of(WITH_DEAD, "B", Rules.from_name("tromp-taylor"))
    game.komi = 0.5  # with the two white stones on the board Black's side is not his
    game.play(WHITE, PASS)
    assert quick(800).move(game, BLACK) != PASS
    player = quick(800, cleanup=True)
    for _ in range(12):
        if game.n_passes >= 2:
            break
        move = player.move(game, BLACK, may_resign=False)
        game.play(BLACK, move)
        game.play(WHITE, PASS)
    assert not [
        p for p in (parse_vertex("B2", 7), parse_vertex("C2", 7)) if game.board.color_at(p) == WHITE
    ]


@pytest.mark.parametrize("visits", [20, 200, 2000])
def test_after_a_disagreement_dead_stones_come_off_one_liberty_after_the_other(visits: int) -> None:
    for seed in (1, 2, 3):
        game = game_of(WITH_DEAD, "B", Rules.from_name("japanese"))
        game.komi = 0.5
        player = quick(visits, seed=seed)
        dead = {parse_vertex(vertex, 7) for vertex in ("B2", "C2")}
        for _ in range(4):
            if not dead & set(game.board.stones(WHITE)):
                break
            move = player.move(game, BLACK, may_resign=False, cleanup=True)
            assert move in game.board.liberties(min(dead))
            game.play(BLACK, move)
            game.play(WHITE, PASS)
        assert not dead & set(game.board.stones(WHITE))
        assert player.move(game, BLACK, may_resign=False, cleanup=True) == PASS


def test_hopeless_games_are_resigned_but_not_too_soon_and_never_if_told_so() -> None:
    game = game_of(
        """
        . . . . . . .
        . O O O O O .
        . O . O . O .
        . O O O O O .
        . . . . . . .
        . . . . . . .
        . . . . X . .""",
        "B",
    )
    player, moves = quick(200), []
    for _ in range(8):
        moves.append(player.move(game, BLACK))
        if moves[-1] == RESIGN:
            break
        game.play(BLACK, moves[-1])
        game.play(WHITE, PASS)
    assert moves[-1] == RESIGN
    assert RESIGN not in moves[:3]
    assert quick(200, resign=None).move(game, BLACK) != RESIGN
    assert player.move(game, BLACK, may_resign=False) != RESIGN


def test_no_move_but_own_eyes_is_a_pass() -> None:
    assert (
        quick().move(
            game_of(
                """
        . X . X
        X X X X
        X X X X
        . X X X""",
                "B",
            ),
            BLACK,
            may_resign=False,
        )
        == PASS
    )


def test_the_clock_rules() -> None:
    game = Game(9)
    game.set_time(parse_time_settings(["20", "0", "0"]))
    player = Player(PlayerSettings(threads=1, memory=64, seed=1, time_per_move=100))
    started = time.monotonic()
    player.move(game, BLACK)
    assert 0.05 < time.monotonic() - started < 3
    game.clocks[BLACK].set_left(0.05, 0)  # nothing to spare: at once
    started = time.monotonic()
    player.move(game, BLACK)
    assert time.monotonic() - started < 0.5


def test_time_per_move_bounds_a_move_without_a_clock() -> None:
    player = Player(PlayerSettings(threads=2, memory=64, time_per_move=0.3))
    started = time.monotonic()
    player.move(Game(9), BLACK)
    assert time.monotonic() - started < 1


def test_stop_answers_with_the_best_move_so_far() -> None:
    game = Game(19)
    player = Player(PlayerSettings(threads=1, memory=64, time_per_move=1000))
    threading.Timer(0.3, player.stop).start()
    started = time.monotonic()
    move = player.move(game, BLACK)
    assert time.monotonic() - started < 2
    assert game.legality(BLACK, move) == ""


def test_a_search_that_is_stopped_before_it_begins_still_has_moves() -> None:
    player, game = Player(PlayerSettings(threads=2, memory=64)), Game(9)
    search = player.search
    search.set_position(game.history, BLACK, komi=7)
    search.begin()
    search.stop()
    search.work(0)
    assert search.visits == 1
    assert len(search.choices()) == 82
    assert all(0 < choice.win_rate < 1 for choice in search.choices())  # guesses


def test_pondering_is_kept_for_the_next_move() -> None:
    game = Game(9)
    player = Player(PlayerSettings(threads=1, memory=64, visits=500, seed=1))
    game.play(BLACK, player.move(game, BLACK))
    player.start_ponder(game)
    deadline = time.monotonic() + 20
    while player.search.visits <= 500 and time.monotonic() < deadline:
        time.sleep(0.01)
    player.stop_ponder()
    answer = player.search.choices()[0]
    assert player.search.visits > 500
    game.play(WHITE, answer.point)
    player.start_ponder(game)
    player.stop_ponder()
    assert player.search.visits >= answer.visits


def test_genmove_never_breaks_superko() -> None:
    # Black's only sensible move, C2, would repeat a position: it is not chosen.
    game = Game(3)
    moves = [
        (BLACK, "B3"),
        (WHITE, "B1"),
        (BLACK, "C2"),
        (WHITE, "B2"),
        (BLACK, "C1"),
        (WHITE, "C3"),
    ]
    for color, vertex in moves:
        game.play(color, parse_vertex(vertex, 3))
    for visits in (1, 2, 50):
        move = quick(visits).move(game, BLACK, may_resign=False)
        assert game.legality(BLACK, move) == ""


def test_easy_level_is_weaker_but_sensible() -> None:
    game = Game(9)
    player = Player(PlayerSettings(level="easy", threads=1, memory=64, seed=1))
    moves = {player.move(game, BLACK) for _ in range(5)}
    assert PASS not in moves
    assert all(3 <= point // 27 <= 7 for point in moves)
