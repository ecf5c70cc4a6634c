"""Repetition under each ko rule, and taking back."""

import random

import pytest

from gtpengine.core.board import Board, IllegalMove
from gtpengine.core.history import History
from gtpengine.core.types import BLACK, NO_POINT, PASS, WHITE
from positions import COLOR, board_of, parse_move, parse_moves, plain

KO_RULES = ("simple", "positional", "situational")

SENDING_TWO = """
    . O . X .
    O X X X .
    O . . . .
    . . . . .
    . . . . ."""
DOUBLE_KO = """
    . X . X O . .
    . . X O . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . X O . . . .
    X O . O . . ."""
TRIPLE_KO = """
    O O O O O O O
    O X O . O . O
    X . X O X O X
    X X X X X X X
    O O O O O O O
    . . . . . . .
    . . . . . . ."""
ETERNAL_LIFE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    O O O O O O . . .
    X X X X X O . . .
    X O O O X X O O O
    . O . X . O X . O"""
KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . .
    . . . . ."""
EMPTY_2 = ". .\n. ."
EMPTY_3 = ". . .\n. . .\n. . ."
TRAP = """
    . . X .
    X X . .
    . . . .
    . . . ."""

# fmt: off
REPETITIONS = {  # before, to play, moves, the move that repeats, who forbids it, what it is called
    "sending two, returning one": (
        SENDING_TWO, "W", "W C5, B A5", "W B5", {"positional"}, "superko"),
    "sending two, a second time": (
        SENDING_TWO, "W", "W C5, B A5, W B5, B pass", "W C5", {"situational"}, "superko"),
    "sending two, with a stone elsewhere in between": (
        SENDING_TWO, "W", "W C5, B A5, W E1, B E2", "W B5", set(), "superko"),
    "double ko": (
        DOUBLE_KO, "B", "B C1, W C7, B pass, W B1", "B D7", {"positional"}, "superko"),
    "triple ko": (
        TRIPLE_KO, "B", "B D6, W B5, B F6, W D5, B B6", "W F5", {"positional", "situational"},
        "superko"),
    "triple ko, one taking earlier": (
        TRIPLE_KO, "B", "B D6, W B5, B F6, W D5", "B B6", set(), "superko"),
    "eternal life": (
        ETERNAL_LIFE, "B", "B C1, W E1, B D1", "W F1", {"positional", "situational"}, "superko"),
    "a ko retaken at once": (
        KO, "B", "B C3", "W B3", set(KO_RULES), "ko"),
    "a ko retaken after a threat": (
        KO, "B", "B C3, W E1, B E2", "W B3", set(), "superko"),
    "a ko retaken after two passes": (
        KO, "B", "B C3, W pass, B pass", "W B3", {"positional", "situational"}, "superko"),
    "two points, a stone more": (
        EMPTY_3, "B", "B B3, W B1, B C2, W B2, B C1, W C3", "B C2", {"positional"}, "superko"),
    "two by two": (
        EMPTY_2, "B", "B A2, W B2, B A1, W B1, B A2, W A1", "B A2",
        {"positional", "situational"}, "superko"),
    "suicide brings back the board": (
        TRAP, "W", "W A4, B pass", "W B4", {"positional"}, "superko"),
    "suicide brings back board and turn": (
        TRAP, "B", "W A4, B pass", "W B4", {"positional", "situational"}, "superko"),
}
# fmt: on


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("before", "to_play", "moves", "last", "forbidden", "reason"),
    REPETITIONS.values(),
    ids=REPETITIONS,
)
def test_repetition(before, to_play, moves, last, forbidden, reason, ko):
    board = board_of(before)
    history = History(board, COLOR[to_play])
    for color, point in parse_moves(moves, board.size):
        if history.legality(color, point, ko, suicide=True):
            assert forbidden == {"situational"}  # positional superko stops the cycle before
            assert ko == "positional"
            return
        history.play(color, point, ko, suicide=True)
    color, point = parse_move(last, board.size)
    facts = history.board.facts()
    assert history.legality(color, point, ko, suicide=True) == (reason if ko in forbidden else "")
    if ko in forbidden:
        with pytest.raises(IllegalMove, match=f"^point {point} is not playable: {reason}$"):
            history.play(color, point, ko, suicide=True)
        assert history.board.facts() == facts
        assert len(history) == len(parse_moves(moves, board.size))
    else:
        history.play(color, point, ko, suicide=True)
    history.board.check()


@pytest.mark.parametrize(
    ("before", "to_play", "cycle"),
    [
        (TRIPLE_KO, "B", "B D6, W B5, B F6, W D5, B B6, W F5"),
        (ETERNAL_LIFE, "B", "B C1, W E1, B D1, W F1"),
        (SENDING_TWO, "W", "W C5, B A5, W B5, B pass"),
    ],
    ids=["triple ko", "eternal life", "sending two"],
)
def test_cycles_go_on_for_ever_under_simple_ko(before, to_play, cycle):
    board = board_of(before)
    history = History(board, COLOR[to_play])
    moves = parse_moves(cycle, board.size)
    facts = board.facts()
    for n in range(1, 101):
        for color, point in moves:
            history.play(color, point)
        assert history.board.facts().stones == facts.stones
        assert history.board.hash == facts.hash
        assert sum(history.board.lost) >= 2 * n
    history.board.check()
    for _ in range(100 * len(moves)):
        history.undo()
    assert history.board.facts() == facts


def test_a_position_taken_back_has_not_stood():
    history = History(board_of(SENDING_TWO), WHITE)
    for color, point in parse_moves("W C5, B A5", 5):
        history.play(color, point, "positional")
    take = parse_move("B A5", 5)
    history.undo()
    assert history.legality(*take, "positional") == ""
    history.play(*take, "positional")
    assert history.legality(*parse_move("W B5", 5), "positional") == "superko"


def test_undo_bans_the_ko_again():
    history = History(board_of(KO), BLACK)
    history.play(*parse_move("B C3", 5))
    retake = parse_move("W B3", 5)
    for elsewhere in ("W E1", "W pass"):
        history.play(*parse_move(elsewhere, 5))
        assert history.legality(*retake) == ""
        history.undo()
        assert history.legality(*retake) == "ko"
    history.undo()
    assert history.board.ko == NO_POINT
    assert history.legality(*retake) == "occupied"


# fmt: off
UNDONE = {  # before, the move that is made and taken back; suicide is allowed
    "a stone alone": (EMPTY_3, "B B2"),
    "a pass": (KO, "W pass"),
    "taking a ko": (KO, "B C3"),
    "two chains taken": ("""
        . O X
        O X .
        X . .""", "B A3"),
    "seven stones taken": ("""
        . . . . .
        O O O O .
        X X X O .
        O . X O .
        X X X O .""", "W B2"),
    "four chains joined": ("""
        . . X . .
        . . X . .
        X X . X X
        . . X . .
        . . X . .""", "B C3"),
    "a ring joined on the left and right, and what is above and below": ("""
        X X X X X
        X . . . X
        X . X . X
        X X . X X
        . . X . .""", "B C2"),
    "three chains taken": ("""
        . X O X .
        X O . O X
        X X X X X
        . . . . .
        . . . . .""", "B C4"),
    "suicide of two": (TRAP.replace(". . X .", "O . X ."), "W B4"),
    "suicide of four chains": ("""
        X X O X X
        X O . O X
        X X O X X
        . X X X .
        . . . . .""", "W C4"),
}
# fmt: on


@pytest.mark.parametrize(("before", "move"), UNDONE.values(), ids=UNDONE)
def test_undo(before, move):
    board = board_of(before)
    history = History(board)
    for _ in range(3):
        history.play(*parse_move(move, board.size), suicide=True)
        history.board.check()
        history.undo()
        history.board.check()
        assert history.board.facts() == board.facts()
        assert (len(history), history.to_play, history.moves()) == (0, BLACK, [])


def test_there_is_an_end_to_undo():
    history = History(Board(5))
    history.play(BLACK, PASS)
    history.undo()
    with pytest.raises(ValueError, match=r"^no move to take back$"):
        history.undo()
    assert (len(history), history.to_play) == (0, BLACK)


def test_turn_and_moves():
    history = History(Board(9), WHITE)
    assert history.to_play == WHITE
    moves = parse_moves("W E5, W D4, B pass, W pass", 9)
    for n, (color, point) in enumerate(moves, start=1):
        history.play(color, point)
        assert len(history) == n
        assert history.to_play == 3 - color
    assert history.moves() == moves
    history.undo()
    history.undo()
    assert history.to_play == BLACK
    assert history.moves() == moves[:2]


def test_the_first_board_is_copied():
    board = board_of(KO)
    history = History(board)
    board.play(*parse_move("B C3", 5))
    assert str(history.board) == plain(KO)
    history.play(*parse_move("B E5", 5))
    assert board.color_at(parse_move("B E5", 5)[1]) == 0


def test_history_grows_and_shrinks():
    rng = random.Random(1)
    history = History(Board(5))
    facts = []
    for _ in range(2000):
        points = [p for p in history.board.points() if not history.legality(history.to_play, p)]
        facts.append(history.board.facts())
        history.play(history.to_play, rng.choice([*points, PASS]))
    assert len(history) == len(history.moves()) == 2000
    assert sum(history.board.lost) > 500
    for before in reversed(facts):
        history.undo()
        assert history.board.facts() == before
    history.board.check()


def test_only_three_ko_rules():
    history = History(Board(5))
    with pytest.raises(ValueError, match=r"^ko must be simple, .*, got 'no'$"):
        history.legality(*parse_move("B A1", 5), "no")
