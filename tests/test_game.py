"""The game: turn, undo, set-up, handicap, prisoners, rules, copies."""

import random
from dataclasses import replace

import pytest

from gtpengine.clock import TimeSettings
from gtpengine.coords import format_vertex, point_at
from gtpengine.core.types import BLACK, NO_POINT, PASS, WHITE
from gtpengine.diagram import parse_diagram
from gtpengine.game import CannotUndo, Game, IllegalMove, Move
from gtpengine.rules import DEFAULT, DEFAULT_KOMI, PRESETS
from positions import (
    game_of,
    parse_move,
    parse_moves,
    plain,
    play_all,
    points_of,
    rules_of,
)
from reference_board import ReferenceBoard

KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . .
    . . . . ."""
SENDING_TWO = """
    . O . X .
    O X X X .
    O . . . .
    . . . . .
    . . . . ."""


def state(game: Game) -> tuple[object, ...]:
    """All that a refused command must leave alone."""
    return (
        game.board.facts(),
        game.first_board.facts(),
        game.moves,
        game.to_play,
        game.handicap,
        game.n_passes,
        game.is_over,
        game.prisoners,
        game.rules,
        game.komi,
        game.size,
    )


def test_a_new_game():
    game = Game()
    assert (game.size, game.rules, game.komi) == (19, DEFAULT, DEFAULT_KOMI)
    assert (game.to_play, game.moves, game.handicap, game.prisoners) == (BLACK, [], 0, (0, 0))
    assert (game.n_passes, game.is_over) == (0, False)
    assert len(game.legal_points(BLACK)) == 361
    assert str(Game(2)) == ". .\n. ."


def test_either_player_may_move_out_of_turn():
    game = Game(9)
    play_all(game, "W E5, W D5, B D4")
    assert game.moves == [Move(*move) for move in parse_moves("W E5, W D5, B D4", 9)]
    assert game.to_play == WHITE
    game.undo()
    assert game.to_play == BLACK
    game.undo(2)
    assert game.to_play == BLACK


ILLEGAL = {  # before, moves, the illegal one, the reason
    "a point taken": (KO, "", "B B3", "occupied"),
    "suicide": (". X .\nX . X\n. X .", "", "W B2", "suicide"),
    "ko": (KO, "B C3", "W B3", "ko"),
    "superko": (SENDING_TWO, "W C5, B A5", "W B5", "superko"),
}


@pytest.mark.parametrize(("before", "moves", "move", "reason"), ILLEGAL.values(), ids=ILLEGAL)
def test_illegal_moves_name_point_and_reason(before, moves, move, reason):
    to_play = "W" if before is SENDING_TWO else "B"
    game = game_of(before, to_play)
    play_all(game, moves)
    color, point = parse_move(move, game.size)
    before = state(game)
    assert game.legality(color, point) == reason
    assert point not in game.legal_points(color)
    with pytest.raises(IllegalMove, match=f"^{format_vertex(point)} is not playable: {reason}$"):
        game.play(color, point)
    assert state(game) == before


@pytest.mark.parametrize("point", [NO_POINT, -2, 27, point_at(10, 1), point_at(1, 10), 10**6])
def test_points_off_the_board(point):
    game = Game(9)
    assert game.legality(BLACK, point) == "off the board"
    with pytest.raises(IllegalMove, match="off the board"):
        game.play(BLACK, point)
    assert game.moves == []


def test_lenient_overlooks_superko_and_nothing_else():
    game = game_of(SENDING_TWO, "W")
    play_all(game, "W C5, B A5")
    move = parse_move("W B5", 5)
    assert game.legality(*move) == "superko"
    assert game.legality(*move, lenient=True) == ""
    game.play(*move, lenient=True)
    assert game.copy().moves == game.moves
    game = game_of(KO)
    play_all(game, "B C3")
    assert game.legality(*parse_move("W B3", 5), lenient=True) == "ko"


def test_rules_take_effect_at_once():
    game = game_of(SENDING_TWO, "W", rules_of("simple"))
    play_all(game, "W C5, B A5")
    move = parse_move("W B5", 5)
    for ko, reason in (("simple", ""), ("positional", "superko"), ("situational", "")):
        game.rules = rules_of(ko)
        assert game.legality(*move) == reason
    game = game_of(". X .\nX . .\n. . .", "W", rules_of("simple", suicide=True))
    assert game.legality(*parse_move("W A3", 3)) == "suicide"  # never a stone alone
    game = game_of("O . X .\nX X . .\n. . . .\n. . . .", "W")
    for suicide, reason in ((False, "suicide"), (True, ""), (False, "suicide")):
        game.rules = rules_of("positional", suicide)
        assert game.legality(*parse_move("W B4", 4)) == reason


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_legal_points_under_every_preset(rules):
    for seed in range(8):
        rng = random.Random(seed)
        game, twin = Game(4, rules), ReferenceBoard(4, rules.ko, rules.suicide)
        for _ in range(40):
            color = game.to_play
            points = game.legal_points(color)
            every = game.board.points()
            assert points == [point for point in every if not twin.legality(color, point)]
            point = rng.choice([*points, PASS])
            game.play(color, point)
            twin.play(color, point)
            assert game.prisoners == twin.lost


def test_passes():
    game = Game(9)
    ends = []
    for move in ["B pass", "W E5", "B pass", "W pass", "B pass", "W D4"]:
        play_all(game, move)
        ends.append((game.n_passes, game.is_over))
    assert ends == [(1, False), (0, False), (1, False), (2, True), (3, True), (0, False)]
    for end in reversed(ends[:-1]):
        game.undo()
        assert (game.n_passes, game.is_over) == end


def test_undo_is_all_or_nothing():
    game = Game(9)
    play_all(game, "B E5, W pass, B D4")
    before = state(game)
    with pytest.raises(CannotUndo, match=r"^expected 0\.\.3 moves to undo, got '4'$"):
        game.undo(4)
    assert state(game) == before
    game.undo(0)
    assert state(game) == before
    game.undo(2)
    assert game.moves == [Move(*parse_move("B E5", 9))]
    game.undo()
    with pytest.raises(CannotUndo):
        game.undo()
    assert state(game) == state(Game(9))


@pytest.mark.parametrize("n", [-1, -5])
def test_undo_of_less_than_nothing(n):
    game = Game(9)
    play_all(game, "B E5")
    with pytest.raises(CannotUndo, match=f"got '{n}'$"):
        game.undo(n)
    assert len(game.moves) == 1


def test_undo_stops_at_handicap_and_setup():
    placed = Game(9)
    placed.place_handicap(points_of("C3 G7", 9))
    for game in (placed, game_of(KO, "W")):
        play_all(game, "W E4, B E1")
        game.undo(2)
        before = state(game)
        with pytest.raises(CannotUndo):
            game.undo()
        assert state(game) == before
        assert game.to_play == WHITE


def test_prisoners():
    game = game_of(KO, rules=rules_of("simple", suicide=True))
    seen = [game.prisoners]
    moves = "B C3, W E1, B E2, W B3, B E3, W D1, B C1"
    for move in moves.split(", "):
        play_all(game, move)
        seen.append(game.prisoners)
    assert seen == [(0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1), (1, 1), (1, 1)]
    play_all(game, "B D2")  # takes D1 and E1
    assert game.prisoners == (1, 3)
    for before in reversed(seen):
        game.undo()
        assert game.prisoners == before

    game = game_of("O . X .\nX X . .\n. . . .\n. . . .", "W", rules_of("simple", suicide=True))
    play_all(game, "W B4")
    assert game.prisoners == (0, 2)  # by their own hand
    game.undo()
    assert game.prisoners == (0, 0)


def test_clear_keeps_rules_komi_and_time():
    game = Game(9, PRESETS["japanese"], komi=-2.5)
    settings = TimeSettings("absolute", main=60.0)
    game.set_time(settings)
    game.clocks[BLACK].main_left = 1.0
    play_all(game, "B E5, W pass")
    game.clear()
    assert state(game) == state(Game(9, PRESETS["japanese"], komi=-2.5))
    assert game.time_settings == settings
    assert game.clocks[BLACK].main_left == game.clocks[WHITE].main_left == 60.0
    game.place_handicap(points_of("C3 G7", 9))
    game.clear(13)
    assert state(game) == state(Game(13, PRESETS["japanese"], komi=-2.5))


@pytest.mark.parametrize("size", [-1, 0, 1, 26])
def test_no_game_of_this_size(size):
    game = Game(9)
    play_all(game, "B E5")
    before = state(game)
    with pytest.raises(ValueError, match=rf"^size must be 2\.\.25, got '{size}'$"):
        game.clear(size)
    assert state(game) == before
    with pytest.raises(ValueError, match="size must be"):
        Game(size)


def test_handicap_stones():
    game = Game(9)
    points = points_of("C3 G7 C7", 9)
    game.place_handicap(points)
    assert (game.handicap, game.to_play, game.moves) == (3, WHITE, [])
    assert game.board.stones(BLACK) == sorted(points)
    assert game.first_board.facts() == game.board.facts()
    play_all(game, "W E5, B E4")
    assert game.handicap == 3
    assert game.copy().handicap == 3
    game.clear()
    assert (game.handicap, game.to_play) == (0, BLACK)


@pytest.mark.parametrize("points", ["", "E5"])
def test_one_stone_is_no_handicap(points):
    game = Game(9)
    with pytest.raises(ValueError, match=r"^expected at least 2 handicap stones, got"):
        game.place_handicap(points_of(points, 9))
    assert state(game) == state(Game(9))


HANDICAPS_PLAYED = [  # moves, the handicap that they amount to
    ("", 0),
    ("B C3", 0),
    ("B C3, W G7", 0),
    ("B C3, B G7", 2),
    ("B C3, B G7, W E5", 2),
    ("B C3, B G7, B C7, W pass", 3),
    ("B C3, B G7, W E5, B C7, B G3", 2),
    ("B C3, B pass, B G7", 0),
    ("W pass, B C3, B G7", 0),
    ("W E5, B C3, B G7", 0),
    ("B C3, B G7, W C7, B G3, W E5", 2),
    ("B C3, B G7, W C7, W G3", 0),  # a problem
]


@pytest.mark.parametrize(("moves", "handicap"), HANDICAPS_PLAYED)
def test_handicap_played_as_moves(moves, handicap):
    game = Game(9)
    play_all(game, moves)
    assert game.handicap == handicap
    assert game.copy().handicap == handicap


def test_handicap_stones_with_white_stones_behind_are_a_problem():
    """Sabaki sends set_free_handicap for two or more black stones of any set-up position."""
    game = Game(9)
    game.place_handicap(points_of("C3 G7", 9))
    for moves, handicap in (("W C7", 2), ("W G3", 0), ("B E5, W E4", 0)):
        play_all(game, moves)
        assert game.handicap == handicap
    game.undo(3)
    assert game.handicap == 2


def test_a_set_up_position_has_no_handicap():
    game = game_of(KO)
    play_all(game, "B E1, B E5")
    assert game.handicap == 0


NOT_EMPTY = ["B E5", "W pass"]


@pytest.mark.parametrize("moves", NOT_EMPTY)
def test_setup_and_handicap_want_an_empty_board_without_history(moves):
    game = Game(9)
    play_all(game, moves)
    before = state(game)
    for change in (
        lambda: game.setup([parse_move("B A1", 9)]),
        lambda: game.place_handicap(points_of("C3 G7", 9)),
    ):
        with pytest.raises(ValueError, match=r"^board not empty$"):
            change()
        assert state(game) == before
    game.undo()
    game.place_handicap(points_of("C3 G7", 9))
    with pytest.raises(ValueError, match=r"^board not empty$"):
        game.setup([parse_move("B A1", 9)])


NO_SETUP = {  # stones that are refused, and why
    "twice the same": ("B A1, W A1", "expected distinct points of the board"),
    "a pass": ("B A1, W pass", "expected distinct points of the board"),
    "no liberty in the corner": ("B A1, W A2, W B1", "A1 has no liberty|beside (A2|B1) has no"),
    "no liberty in the center": ("W B3, B B4, B B2, B A3, B C3", "has no liberty"),
    "the whole board": (
        ", ".join(f"B {c}{n}" for c in "ABCDE" for n in range(1, 6)),
        "has no liberty",
    ),
}


@pytest.mark.parametrize(("stones", "message"), NO_SETUP.values(), ids=NO_SETUP)
def test_setup_that_is_refused(stones, message):
    for seed in range(6):
        game = Game(5)
        before = state(game)
        stones_ = parse_moves(stones, 5)
        random.Random(seed).shuffle(stones_)
        with pytest.raises(ValueError, match=message):
            game.setup(stones_)
        assert state(game) == before


def test_off_board_and_colorless_set_up_stones():
    a1, f1 = point_at(1, 1), point_at(6, 1)
    for stone in ((BLACK, f1), (BLACK, NO_POINT), (0, a1), (3, a1)):
        game = Game(5)
        with pytest.raises(ValueError, match=r"expected|color must be"):
            game.setup([stone])
        assert state(game) == state(Game(5))


def test_setup_in_any_order():
    """Chains with a single liberty, some of it the other's: no order may capture on the way."""
    diagram = """
        . O X O .
        O O X O O
        X X . X X
        O O X O O
        . O X O ."""
    size, stones = parse_diagram(diagram)
    for seed in range(300):
        random.Random(seed).shuffle(stones)
        game = Game(size)
        game.setup(stones, WHITE)
        assert str(game) == plain(diagram)
        assert (game.to_play, game.moves, game.prisoners, game.board.ko) == (
            WHITE,
            [],
            (0, 0),
            NO_POINT,
        )
        game.board.check()


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_every_position_of_a_game_can_be_set_up(size):
    rng = random.Random(size)
    game = Game(size, rules_of("simple"))
    for _ in range(120):
        point = rng.choice([*game.legal_points(game.to_play), PASS])
        game.play(game.to_play, point)
        stones = [(c, p) for c in (BLACK, WHITE) for p in game.board.stones(c)]
        rng.shuffle(stones)
        other = Game(size)
        other.setup(stones, game.to_play)
        assert other.board.hash == game.board.hash
        assert other.board.facts().liberties == game.board.facts().liberties


def test_the_first_position_counts_for_superko():
    """Sending two returns one to the position that was set up."""
    for to_play, ko, reason in (
        ("W", "positional", "superko"),
        ("W", "situational", ""),
        ("B", "positional", "superko"),
        ("B", "situational", "superko"),
    ):
        game = game_of(SENDING_TWO, to_play, rules_of(ko))
        play_all(game, "W C5, B A5")
        assert game.legality(*parse_move("W B5", 5)) == reason


def test_who_moves_first():
    game = Game(9)
    game.set_to_play(WHITE)
    assert game.to_play == WHITE
    play_all(game, "W E5")
    with pytest.raises(ValueError, match="before the first move"):
        game.set_to_play(BLACK)
    game.undo()
    assert game.to_play == WHITE
    game.set_to_play(BLACK)
    assert game.to_play == BLACK

    game.place_handicap(points_of("C3 G7", 9))
    game.set_to_play(BLACK)
    assert (game.to_play, game.handicap) == (BLACK, 2)


@pytest.mark.parametrize("seed", range(12))
def test_copy(seed):
    rng = random.Random(seed)
    rules = rules_of(rng.choice(("simple", "positional", "situational")), seed % 2 == 1)
    game = Game(5, replace(rules, name="custom"), komi=seed / 2)
    game.set_time(TimeSettings("absolute", main=100.0))
    if seed % 3 == 1:
        game.place_handicap(points_of("C3 B2", 5))
    if seed % 3 == 2:
        game.setup(parse_diagram(KO)[1], WHITE)
    for _ in range(50):
        color = game.to_play if rng.random() < 0.8 else BLACK + WHITE - game.to_play
        game.play(color, rng.choice([*game.legal_points(color), PASS]))
    game.clocks[WHITE].main_left = 12.0

    other = game.copy()
    assert state(other) == state(game)
    assert other.time_settings == game.time_settings
    assert [other.clocks[c].main_left for c in (BLACK, WHITE)] == [100.0, 12.0]
    other.board.check()
    while game.moves:
        for color in (BLACK, WHITE):
            assert other.legal_points(color) == game.legal_points(color)
        before = state(game)
        other.undo()
        other.komi, other.rules = 99, PRESETS["aga"]
        other.clocks[WHITE].main_left = 1.0
        assert state(game) == before
        assert game.clocks[WHITE].main_left == 12.0
        game.undo()
        other.komi, other.rules = game.komi, game.rules
        assert state(other) == state(game)


def test_a_copy_knows_who_was_to_move_first():
    game = game_of(SENDING_TWO, "B", rules_of("situational"))
    play_all(game, "W C5, B A5")  # White moved out of turn
    other = game.copy()
    move = parse_move("W B5", 5)
    assert game.legality(*move) == other.legality(*move) == "superko"
    other.undo(2)
    assert other.to_play == BLACK


def test_errors_are_value_errors():
    assert issubclass(IllegalMove, ValueError)
    assert issubclass(CannotUndo, ValueError)
