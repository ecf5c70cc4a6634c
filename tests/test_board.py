"""The board by diagrams: captures, suicide, simple ko, chains and liberties."""

import pytest

from gtpengine.core.board import Board, IllegalMove
from gtpengine.core.types import (
    BLACK,
    EMPTY,
    MAX_POINTS,
    MAX_SIZE,
    MIN_SIZE,
    NO_POINT,
    PASS,
    STRIDE,
    WALL,
    WHITE,
)
from positions import board_of, parse_move, parse_moves, plain, points_of

# fmt: off
CAPTURES = {  # before, move, after, stones taken
    "in the center": ("""
        . . . . .
        . . X . .
        . X O X .
        . . . . .
        . . . . .""", "B C2", """
        . . . . .
        . . X . .
        . X . X .
        . . X . .
        . . . . .""", 1),
    "at the edge": ("""
        . . . .
        X . . .
        O . . .
        X . . .""", "B B2", """
        . . . .
        X . . .
        . X . .
        X . . .""", 1),
    "in the corner": ("""
        . . .
        . . .
        O X .""", "B A2", """
        . . .
        X . .
        . X .""", 1),
    "a chain round the corner": ("""
        . . . .
        X X X .
        O O O X
        . X O X""", "B A1", """
        . . . .
        X X X .
        . . . X
        X X . X""", 4),
    "not while a liberty is left inside": ("""
        . X X X .
        X O O O X
        X O . . X
        X O O O X
        . X X X .""", "B C3", """
        . X X X .
        X O O O X
        X O X . X
        X O O O X
        . X X X .""", 0),
    "the last liberty inside": ("""
        . X X X .
        X O O O X
        X O . O X
        X O O O X
        . X X X .""", "B C3", """
        . X X X .
        X . . . X
        X . X . X
        X . . . X
        . X X X .""", 8),
    "two chains at once": ("""
        . X O .
        X O . O
        . X O X
        . . X .""", "B C3", """
        . X O .
        X . X O
        . X . X
        . . X .""", 2),
    "four chains at once": ("""
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . . X . .""", "B C3", """
        . . X . .
        . X . X .
        X . X . X
        . X . X .
        . . X . .""", 4),
    "two chains of several stones": ("""
        X X X X X
        O O . O O
        X X X X X
        . . . . .
        . . . . .""", "B C4", """
        X X X X X
        . . X . .
        X X X X X
        . . . . .
        . . . . .""", 4),
    "one chain that touches the stone on three sides": ("""
        . X X X .
        X O O O X
        X O . O X
        . X . X .
        . . X . .""", "B C3", """
        . X X X .
        X . . . X
        X . X . X
        . X . X .
        . . X . .""", 5),
    "capture comes before suicide": ("""
        . O X
        O X .
        X . .""", "B A3", """
        X . X
        . X .
        X . .""", 2),
    "seven stones by joining the bait": ("""
        . . . . .
        O O O O .
        X X X O .
        O . X O .
        X X X O .""", "W B2", """
        . . . . .
        O O O O .
        . . . O .
        O O . O .
        . . . O .""", 7),
    "joining four chains": ("""
        . . X . .
        . . X . .
        X X . X X
        . . X . .
        . . X . .""", "B C3", """
        . . X . .
        . . X . .
        X X X X X
        . . X . .
        . . X . .""", 0),
    "joining a ring on the left and right, and what is above and below": ("""
        X X X X X
        X . . . X
        X . X . X
        X X . X X
        . . X . .""", "B C2", """
        X X X X X
        X . . . X
        X . X . X
        X X X X X
        . . X . .""", 0),
    "joining a ring above and below, and what is on the left and right": ("""
        . X X X X
        . X . . X
        X . X . X
        . X . . X
        . X X X X""", "B B3", """
        . X X X X
        . X . . X
        X X X . X
        . X . . X
        . X X X X""", 0),
    "joining and taking": ("""
        . X O X .
        X O . O X
        X O X O X
        X O O O X
        . X X X .""", "B C4", """
        . X . X .
        X . X . X
        X . X . X
        X . . . X
        . X X X .""", 8),
}
# fmt: on


@pytest.mark.parametrize(("before", "move", "after", "captured"), CAPTURES.values(), ids=CAPTURES)
def test_capture(before, move, after, captured):
    board = board_of(before)
    color, point = parse_move(move, board.size)
    lost = {BLACK: 0, WHITE: 0, BLACK + WHITE - color: captured}
    assert board.play(color, point) == captured
    assert str(board) == plain(after)
    assert board.lost == (lost[BLACK], lost[WHITE])
    board.check()


# fmt: off
SUICIDES = {  # before, move, after where suicide of two stones or more is allowed ("": never)
    "one stone in the corner": ("""
        . X .
        X . .
        . . .""", "W A3", ""),
    "one stone in the center": ("""
        . X .
        X . X
        . X .""", "W B2", ""),
    "two stones": ("""
        . O X
        X X .
        . . .""", "W A3", """
        . . X
        X X .
        . . ."""),
    "a chain of three": ("""
        O . O X
        X X X .
        . . . .
        . . . .""", "W B4", """
        . . . X
        X X X .
        . . . .
        . . . ."""),
    "two chains joined in death": ("""
        X X X X X
        X O . O X
        X X X X X
        . . . . .
        . . . . .""", "W C4", """
        X X X X X
        X . . . X
        X X X X X
        . . . . .
        . . . . ."""),
    "the own eye": ("""
        . X O
        X X O
        O O .""", "B A3", """
        . . O
        . . O
        O O ."""),
}
# fmt: on


@pytest.mark.parametrize(("before", "move", "after"), SUICIDES.values(), ids=SUICIDES)
def test_suicide(before, move, after):
    board = board_of(before)
    color, point = parse_move(move, board.size)
    facts = board.facts()
    assert board.legality(color, point) == "suicide"
    with pytest.raises(IllegalMove, match=f"^point {point} is not playable: suicide$"):
        board.play(color, point)
    assert board.facts() == facts
    if not after:
        assert board.legality(color, point, suicide=True) == "suicide"
        return
    n = len(board.stones(color)) + 1
    assert board.play(color, point, suicide=True) == 0
    assert str(board) == plain(after)
    assert board.lost[color - 1] == n - len(board.stones(color))
    assert board.ko == NO_POINT
    board.check()


# fmt: off
NO_SUICIDE = {  # before, move: full of the opponent's stones all round, and legal all the same
    "it takes": ("""
        . O X
        O X .
        X . .""", "B A3"),
    "it joins a chain with a liberty": ("""
        . O X
        O . X
        X X .""", "W A3"),
    "it fills the first of two eyes": ("""
        . X . X
        X X X X
        O O O O
        . . . .""", "B A4"),
    "it takes the whole of a dead shape": ("""
        O O O X
        O . O X
        O O O X
        X X X .""", "B B3"),
}
# fmt: on


@pytest.mark.parametrize(("before", "move"), NO_SUICIDE.values(), ids=NO_SUICIDE)
def test_no_suicide(before, move):
    board = board_of(before)
    assert board.legality(*parse_move(move, board.size)) == ""


# fmt: off
KOS = {  # before, Black's move, the point that White may not retake at once
    "in the center": ("""
        . . . . .
        . X O . .
        X O . O .
        . X O . .
        . . . . .""", "C3", "B3"),
    "at the edge": ("""
        . . . .
        . . . .
        . X O .
        X O . O""", "C1", "B1"),
    "in the corner": ("""
        O . O .
        X O . .
        . . . .
        . . . .""", "B4", "A4"),
}
# fmt: on


@pytest.mark.parametrize(("before", "take", "ko"), KOS.values(), ids=KOS)
def test_ko(before, take, ko):
    board = board_of(before)
    take, ko = points_of(f"{take} {ko}", board.size)
    assert board.ko == NO_POINT
    assert board.play(BLACK, take) == 1
    assert board.ko == ko
    assert board.legality(WHITE, ko) == "ko"
    assert board.legality(WHITE, ko, suicide=True) == "ko"
    with pytest.raises(IllegalMove, match=f"^point {ko} is not playable: ko$"):
        board.play(WHITE, ko)
    assert board.legality(BLACK, ko) == ""  # Black may connect

    elsewhere = next(p for p in reversed(board.points()) if not board.legality(WHITE, p))
    for move in (elsewhere, PASS):
        later = board.copy()
        later.play(WHITE, move)
        assert later.ko == NO_POINT
        later.play(BLACK, PASS)
        assert later.play(WHITE, ko) == 1
        assert later.legality(BLACK, take) == "ko"


# fmt: off
NO_KO = {  # before, Black's move that takes, the point that White may retake at once
    "two stones are taken": ("""
        X O O . O
        . X X O .
        . . . . .
        . . . . .
        . . . . .""", "D5", "C5"),
    "the taker has a second liberty": ("""
        . X O .
        X O . .
        . X O .
        . . . .""", "C3", ""),
    "the taker is a chain": ("""
        . . . . .
        . X O O .
        X O . X O
        . X O O .
        . . . . .""", "C3", "B3"),
}
# fmt: on


@pytest.mark.parametrize(("before", "take", "retake"), NO_KO.values(), ids=NO_KO)
def test_no_ko(before, take, retake):
    board = board_of(before)
    assert board.play(*parse_move(f"B {take}", board.size)) > 0
    assert board.ko == NO_POINT
    if retake:
        assert board.play(*parse_move(f"W {retake}", board.size)) > 0
    else:
        assert not [p for p in board.points() if board.legality(WHITE, p) == "ko"]


def test_two_kos_ban_only_the_one_just_taken():
    board = board_of("""
        . . . . . .
        . X O . . .
        X O . O . .
        . X O . . .
        . . . X O .
        . . X O . O""")
    first, second = points_of("B4 D1", 6)
    board.play(*parse_move("B C4", 6))
    assert board.ko == first
    board.play(*parse_move("W A1", 6))
    board.play(*parse_move("B E1", 6))
    assert board.ko == second
    assert board.legality(WHITE, first) == ""
    assert board.legality(WHITE, second) == "ko"


def test_a_snapback_is_no_ko():
    board = board_of("""
        . . . . .
        O O O O .
        X X X O .
        . . X O .
        X X X O .""")
    board.play(*parse_move("W A2", 5))  # the bait
    assert board.play(*parse_move("B B2", 5)) == 1
    assert board.ko == NO_POINT
    assert str(board) == plain("""
        . . . . .
        O O O O .
        X X X O .
        . X X O .
        X X X O .""")
    assert board.play(*parse_move("W A2", 5)) == 8
    board.check()


def test_chains_and_liberties():
    board = board_of("""
        . X X . O
        . . X . O
        O X . . .
        . X X . .
        . . . . X""")
    for vertex, chain, liberties in (
        ("B5", "C4 B5 C5", "C3 B4 D4 A5 D5"),
        ("C2", "B2 C2 B3", "B1 C1 A2 D2 C3 B4"),
        ("A3", "A3", "A2 A4"),
        ("E5", "E4 E5", "E3 D4 D5"),
        ("E1", "E1", "D1 E2"),
    ):
        (point,) = points_of(vertex, 5)
        assert board.chain(point) == points_of(chain, 5)
        assert board.liberties(point) == points_of(liberties, 5)
        assert board.n_liberties(point) == len(points_of(liberties, 5))
        assert board.flood(point) == (board.chain(point), board.liberties(point))
    assert board.stones(WHITE) == points_of("A3 E4 E5", 5)
    assert board.points()[:6] == points_of("A1 B1 C1 D1 E1 A2", 5)
    assert len(board.points()) == 25


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_empty_board(size):
    board = Board(size)
    assert (board.size, board.hash, board.ko, board.lost) == (size, 0, NO_POINT, (0, 0))
    assert board.facts().stones == {}
    colors = [board.color_at(point) for point in range(MAX_POINTS)]
    assert colors.count(EMPTY) == size * size
    assert colors.count(WALL) == MAX_POINTS - size * size
    assert board.color_at(PASS) == board.color_at(NO_POINT) == board.color_at(MAX_POINTS) == WALL
    board.check()


@pytest.mark.parametrize("size", [MIN_SIZE - 1, 0, -9, MAX_SIZE + 1, 1000])
def test_no_board_of_this_size(size):
    with pytest.raises(ValueError, match=f"^size must be 2..25, got '{size}'$"):
        Board(size)


@pytest.mark.parametrize("point", [NO_POINT, -1000, 27, 5 * STRIDE, 33, 6 * STRIDE + 1, 10**6])
def test_points_off_the_board(point):
    board = Board(5)
    assert board.legality(BLACK, point) == "off the board"
    with pytest.raises(IllegalMove, match="off the board"):
        board.play(BLACK, point)
    for question in (board.chain, board.liberties, board.n_liberties):
        with pytest.raises(ValueError, match=f"^point {point} holds no stone$"):
            question(point)


@pytest.mark.parametrize("color", [EMPTY, WALL, -1, 7])
def test_only_black_and_white_play(color):
    with pytest.raises(ValueError, match=f"^color must be 1 or 2, got '{color}'$"):
        Board(5).play(color, STRIDE + 1)


def test_empty_points_have_no_chain():
    board = Board(5)
    with pytest.raises(ValueError, match=f"^point {STRIDE + 1} holds no stone$"):
        board.chain(STRIDE + 1)


def test_a_pass_changes_nothing_but_the_ko():
    board = board_of("""
        O . O .
        X O . .
        . . . .
        . . . .""")
    board.play(*parse_move("B B4", 4))
    before = board.facts()
    assert board.ko != NO_POINT
    assert board.play(WHITE, PASS) == 0
    assert board.facts() == before._replace(ko=NO_POINT)


def test_a_copy_is_independent():
    board = board_of("""
        . O X
        O X .
        X . .""")
    other = board.copy()
    before = board.facts()
    assert other.facts() == before
    other.play(*parse_move("B A3", 3))
    assert board.facts() == before
    assert other.facts() != before
    board.check()
    other.check()


def test_the_hash_is_of_the_stones_alone():
    one, two = Board(9), Board(9)
    moves = "B E5, W E4, B D4, W A1, B F4, W J9, B E3"  # takes E4
    for color, point in parse_moves(moves, 9):
        one.play(color, point)
    for color, point in parse_moves("W J9, B E3, B D4, B E5, W A1, B F4", 9):
        two.play(color, point)
    assert one.hash == two.hash != 0
    assert one.lost != two.lost


def test_the_hash_is_the_same_in_every_process():
    board = Board(19)
    board.play(*parse_move("B D4", 19))
    assert board.hash == 0xB177B6949DD7EAB4
