"""Status and score: positions with known answers, counting, and what must not change the answer."""

from itertools import product

import pytest

from cases import position, read_cases
from gtpengine.coords import column_of, line_of, point_at
from gtpengine.core.board import Board
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.game import Game
from gtpengine.rules import PRESETS
from gtpengine.scoring import final_score, final_status, format_score, tally
from gtpengine.status import judge
from positions import board_of, game_of, marked, plain, unmarked


def cornered(picture: str, size: int = 9) -> str:
    """A picture of the lower left corner; the rest of the board is Black's, with three eyes."""
    rows = [line.split() for line in plain(picture).splitlines()]
    grid = [["X"] * size for _ in range(size)]
    for row, symbols in zip(grid[size - len(rows) :], rows, strict=True):
        row[: len(symbols)] = symbols
    for line, column in ((0, -1), (0, -3), (2, -1)):
        grid[line][column] = "."
    return "\n".join(" ".join(row) for row in grid)


EYE_SPACES = {  # of White, in the lower left corner
    "straight three, middle taken": """
        o o o o X
        . X . o X""",
    "bent three, bend taken": """
        o o o X
        . o o X
        X . o X""",
    "square four": """
        o o o X
        . . o X
        . . o X""",
    "square four on the side": """
        X o o o o X
        X o . . o X
        X o . . o X""",
    "straight four": """
        O O O O O X
        . . . . O X""",
    "bent four on the side": """
        X O O O O X
        X O . . O X
        X O . O O X
        X O . O X X""",
    "bent four in the corner": """
        o o o o X
        . o . o X
        X X X o X""",
    "bent four in the corner, the other way": """
        o o o X
        X . o X
        X o o X
        X . o X""",
    "pyramid four, middle taken": """
        o o o o X
        . X . o X
        o . o o X
        o o o X X""",
    "bulky five, key point taken": """
        o o o o X
        . . o o X
        . X . o X""",
    "cross five, middle taken": """
        o o o o o X
        o o . o o X
        o . X . o X
        o o . o o X
        o o o o o X""",
    "rabbity six, key point taken": """
        o o o o o o X
        o o . . o o X
        o . X . o o X
        o o . o o o X
        o o o o o o X""",
    "straight five, middle taken": """
        O O O O O O X
        . . x . . O X""",
    "two in a row of four": """
        o o o o o X
        . X X . o X""",
    "three in a row of five": """
        W W W W W W X
        . B B B . W X""",
    "two in a square of four": """
        o o o X
        X . o X
        X . o X""",
    "three in a square of four": """
        o o o X
        X X o X
        X . o X""",
    "four of a bulky five": """
        o o o o X
        X X o o X
        X X . o X""",
    "square four of six": """
        o o o o X
        X X . o X
        X X . o X""",
    "five of six": """
        o o o o X
        X X X o X
        X X . o X""",
    "five of six, between walls of three and two": """
        o o o X
        X X . o
        X X X o""",
    "three of four, between walls of two and two": """
        o o X
        X . o
        X X o""",
    "three of four, beside a wall of two": """
        X o o o X
        X o X . o
        X o X X o""",
    "three of four in the middle, between three walls": """
        X X X X X X X X X
        X X X X o o X X X
        X X X o X . o X X
        X X X o X X o X X
        X X X o o o o X X
        X X X X X X X X X""",
    "a true eye and a false one": """
        X o o o X
        o . o . o""",
    "two chains around two eyes": """
        O O O X X
        . x O O X
        O . x O X
        O O O O X""",
    "two eyes": """
        O O O O X
        . O . O X""",
}


@pytest.mark.parametrize("picture", EYE_SPACES.values(), ids=EYE_SPACES)
def test_eye_space(picture):
    diagram = cornered(picture)
    assert marked(board_of(unmarked(diagram))) == diagram


WHOLE_BOARDS = {
    "seki without eyes": """
        . . . O . O . . .
        . O . O O O . O .
        O O O O O O O O O
        O O B B B B B O O
        O O B . B . B O O
        X X W W W W W X X
        X X X X X X X X X
        . X . X X X . X .
        . . . X . X . . .""",
    "seki with an eye each": """
        . B . W . W X X .
        B B B W W W X . X
        O O O X X X X X X
        . O O O X . X . X
        O O . O X X X X X
        O . O O X X . X .
        O O O O O X X X X
        . O . O O O X . X
        O O O . O O X X .""",
    "seki by two kos": """
        O O O O X X X X X
        O O O O X X X X X
        O O O O X X X X X
        O O B B W W X X X
        . O B W . W X X .
        O O B B W W X X X
        . O B . W W X X .
        O O B B W W X X X
        O O B . B W X X X""",
    "the larger eye wins the race": """
        O O O O X X X X X
        . O O O X X X . X
        O O O O X X X X X
        . O X X X X X . X
        O O X o o o o X X
        O O X X X X o X X
        O O O O . X o X X
        . O . O . X o X X
        O O O O X X . o .""",
}
"""Boards whose answer is the same under all rules."""


@pytest.mark.parametrize("diagram", WHOLE_BOARDS.values(), ids=WHOLE_BOARDS)
def test_whole_board(diagram):
    board = board_of(unmarked(plain(diagram)))
    assert marked(board) == plain(diagram)
    assert marked(board, counts_area=True) == plain(diagram)


def test_a_ko_that_nobody_has_to_play_is_a_seki():
    """The ten-thousand-year ko; Black's lone stone shares the fate of what it protects."""
    diagram = cornered("""
        W W W X X
        . . W W X
        B B W W X
        . B W W X
        B W W X X""")
    assert marked(board_of(unmarked(diagram))) == diagram


BENT_FOUR = """
    {0} {0} {0} {0} X X X X X X X X X
    . {0} . {0} X X X X X X X X X
    {1} {1} {1} {0} X X X X X X X X X"""

DOUBLE_KO = """
    O O B . B W X X X X X X X
    O O B B W W X X X X X X .
    . O B . W W X X X X X X X
    O O B B W W X X X X X X .
    . O B W . W X X X X X X X
    O O B B W W X X X X X X X
    O O O O X X X X X X X X X
    O O O O X X X X X X X X X
    O O O O X X X X X X X X X
    X X X X X X X X X X X X X"""

ONE_THREAT = """
    O O O O O O O O X X X X X
    . O . X X X X . X X X X .
    O O O O O O O O X X X X X
    O . O O O O O O X X X X .
    O O O O O O O O X X X X X
    X X X X X X X X X X X X X
    X X X X X X X X X X X X X
    X X X X X X X X X X X X X
    X X X X X X X X X X X X X
    X X X X X X X X X X X X X"""


def test_bent_four_and_a_threat_that_never_ends():
    """A double ko gives White a threat for every ko: where it must be played out, nobody moves."""
    above = plain(DOUBLE_KO)
    dead, seki = (above + "\n" + plain(BENT_FOUR).format(*stones) for stones in ("oX", "WB"))
    board = board_of(unmarked(dead))
    assert marked(board, counts_area=False) == dead
    assert marked(board, counts_area=True) == seki


def test_bent_four_and_a_threat_that_can_be_removed():
    """White may threaten to cut at H12; Black connects first, which costs nothing."""
    dead = plain(ONE_THREAT) + "\n" + plain(BENT_FOUR).format("o", "X")
    board = board_of(unmarked(dead))
    assert marked(board, counts_area=False) == dead
    assert marked(board, counts_area=True) == dead


def bent_four_beside_a_race(n: int, racers: str, corner: str, outside: int = 0) -> str:
    """Bent four, and a race in which White has ``n`` stones and two liberties are shared.

    Each racer has ``outside`` liberties more.  ``racers`` are the letters of Black and White there,
    ``corner`` those of White and Black in the corner.
    """
    black, white = racers
    grid = [list("OOOO" + "X" * 9) for _ in range(12 - n)]
    grid.append(list("OOOOOO" + "X" * 7))
    grid += [list("OOOO" + 2 * black + white + "X" * 6) for _ in range(n)]
    for line, column in ((0, 0), (2, 0), (0, -1), (2, -1), (-1, 5), (-2, 5)):
        grid[line][column] = "."
    if outside:
        grid[-4][3] = grid[-4][7] = "."
    for row, letters in zip(grid[-3:], plain(BENT_FOUR).format(*corner).splitlines(), strict=True):
        row[-4:] = reversed(letters.split()[:4])
    return "\n".join(" ".join(row) for row in grid)


@pytest.mark.parametrize(
    ("n", "outside", "by_play"),
    [
        (3, 0, ("xO", "oX")),  # Black loses 10 points, and takes 16
        (4, 0, ("Xo", "Ox")),  # Black takes 10 points, and loses 8
        (11, 0, ("BW", "oX")),  # the threat costs 24 points, as much as is at stake
        (11, 1, ("BW", "oX")),
        (4, 1, ("Xo", "Ox")),
    ],
)
def test_bent_four_and_a_threat_at_a_price(n, outside, by_play):
    """What it costs White to threaten Black's racer decides, by area; by territory the four die.

    Exact play gives the same: 3, 0 and 21 points in the race and the corner.  If each racer has
    another liberty, the only threat at no cost is to fill Black's, and he fills White's first.
    """
    dead = bent_four_beside_a_race(n, "BW", "oX", outside)
    board = board_of(unmarked(dead))
    assert marked(board, counts_area=False) == dead
    assert marked(board, counts_area=True) == bent_four_beside_a_race(n, *by_play, outside)


KO_FOR_NOTHING = """
    X o o . o X X X X
    . X o o o X X X X
    X X X X X X X X X
    X X X X X X X X X
    X X X X X X X . X
    X X X X X X X X X
    X X X X X X X . X
    X X X X X X X X X
    X X X X X X X X X"""


def test_a_ko_that_its_owner_cannot_end_is_no_eye():
    """White may take at A8; to fill A9 then would leave him one eye, and Black takes it again."""
    diagram = plain(KO_FOR_NOTHING)
    assert marked(board_of(unmarked(diagram))) == diagram


def test_one_threat_does_not_win_a_ko_for_good():
    """White may threaten Black's racer once, and retake at F9; but he can never fill it."""
    diagram = plain("""
        . O O X o . o . o
        O O O X X o o o o
        . O O X X X X X X
        O O O X X X X X .
        O O O X X X X X X
        O O O O O X X X .
        O O O B B W X X X
        O O O B . W X X X
        O O O B . W X X X""")
    for counts_area in (False, True):
        assert marked(board_of(unmarked(diagram)), counts_area=counts_area) == diagram


def test_a_race_is_a_seki_though_one_chain_is_too_hard_to_read():
    diagram = plain("""
        . O O O X X X X X X X X .
        O O O O X X X X X X X X X
        . O O O X X X X X X X X .
        O O O O X X X X X X X X X
        O O O O X X X X X X X X X
        O O O O X X X X X X X X X
        O O O O X X X X X X X X X
        O O O O X X X X X X X X X
        O O O O X X X X X X X X X
        O O O O O O O O X X X X X
        O O O O B B B B W W X X X
        O O O O B B B . W W X X X
        O O O O B B B . W W X X X""")
    assert marked(board_of(unmarked(diagram))) == diagram


def test_a_stone_dies_with_its_friends():
    """White takes three at B3; Black plays C3, and two points are one eye."""
    diagram = cornered("""
        o . . X X
        X X o X X
        X o o X X""")
    assert marked(board_of(unmarked(diagram))) == diagram


def test_a_guess_that_counted_on_dead_friends_is_made_again():
    """The race in the middle is lost for Black, and with it the stone at H2."""
    diagram = plain("""
        . O O O O X X X .
        O O O O O X X X X
        . O O O O X X X .
        O O O O O X X X X
        O O O O O X X X X
        O O O O O X X X X
        x x x x x O O O O
        x . . x x O . x O
        x . . x x O . . .""")
    assert marked(board_of(unmarked(diagram))) == diagram


CAUGHT_BESIDE_DAME = """
    . X X X O O O O .
    X X X X O O O O O
    . X X X O O O O .
    X X X o X X O O O
    X X X o . . O O O
    X X X o X X O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X X O O O O O"""


CAUGHT_IN_A_SEKI = """
    . o B . W . W X X
    B B B B W W W X .
    O O O O X X X X X
    . O O O X . X . X
    O O . O X X X X X
    O . O O X X . X .
    O O O O O X X X X
    . O . O O O X . X
    O O O . O O X X ."""


@pytest.mark.parametrize(
    ("diagram", "chinese", "japanese"),
    [(CAUGHT_BESIDE_DAME, "B+1.0", "B+6.0"), (CAUGHT_IN_A_SEKI, "B+2.0", "B+2.0")],
    ids=["beside dame", "in a seki"],
)
def test_a_dead_stone_is_its_captors_but_in_a_taxed_seki(diagram, chinese, japanese):
    """Its point is, though its liberty be nobody's; in a taxed seki it is a prisoner only."""
    for rules, score in (("chinese", chinese), ("japanese", japanese)):
        game = game_of(unmarked(plain(diagram)), rules=PRESETS[rules])
        game.komi = 0
        assert marked(game.board) == plain(diagram)
        assert format_score(final_score(game)) == score


UNCERTAIN = """
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . x .
    . . . . X O . . .
    . . . . X O . . .
    . o . . X O . . .
    . . . . X O . . ."""


def test_only_what_is_proven():
    board = board_of(unmarked(plain(UNCERTAIN)))
    assert marked(board) == plain(UNCERTAIN)
    assert marked(board, proven_only=True) == unmarked(plain(UNCERTAIN))
    proven = cornered(EYE_SPACES["bent four in the corner"])
    assert marked(board_of(unmarked(proven)), proven_only=True) == proven


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.file, marks=[] if case.size < 19 else pytest.mark.slow)
        for case in {case.file: case for case in read_cases("scoring") if case.file}.values()
    ],
)
def test_all_images_of_a_position_get_the_same_answer(case):
    """Eight symmetries, with the colors as they are and swapped."""
    board = position(case).board
    verdict = judge(board, counts_area=True)
    for turn, is_swapped in product(range(8), (False, True)):
        image, where = Board(board.size), {}
        for point in board.points():
            where[point] = turned(point, board.size, turn)
            color = board.color_at(point)
            if color != EMPTY:
                image.play(BLACK + WHITE - color if is_swapped else color, where[point])
        other = judge(image, counts_area=True)
        assert other.dead == {where[point] for point in verdict.dead}
        assert other.seki == {where[point] for point in verdict.seki}


def turned(point: int, size: int, turn: int) -> int:
    """A point after a quarter turn or more, and for ``turn`` >= 4 a reflection."""
    column, line = column_of(point), line_of(point)
    for _ in range(turn % 4):
        column, line = line, size + 1 - column
    return point_at(column, line) if turn < 4 else point_at(line, column)


HALVES = """
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . ."""


def test_area_and_territory():
    game = game_of(HALVES, rules=PRESETS["chinese"])
    game.komi = 0
    assert final_score(game) == 45 - 36
    game.rules = PRESETS["japanese"]
    assert final_score(game) == 36 - 27
    game.play(BLACK, point_at(3, 3))  # inside: costs a point of territory
    assert final_score(game) == 35 - 27
    game.play(WHITE, point_at(2, 2))  # a prisoner to be, and a point of territory lost
    assert final_score(game) == 36 - 27
    game.rules = PRESETS["chinese"]
    assert final_score(game) == 45 - 36


def test_prisoners_count_and_come_back_with_undo():
    game = game_of(
        """
        O X . O .
        . X X O O
        X X . O .
        . X X O O
        X X O O .""",
        rules=PRESETS["japanese"],
    )
    game.komi = 0
    before = final_score(game)
    game.play(BLACK, point_at(1, 4))
    assert game.prisoners == (0, 1)
    assert final_score(game) == before - 1  # the point that the move fills
    game.undo()
    assert game.prisoners == (0, 0)
    assert final_score(game) == before


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [("chinese", 4), ("aga", 3), ("japanese", 0), ("new-zealand", 0), ("tromp-taylor", 0)],
)
def test_handicap_bonus(rules, bonus):
    game = Game(9, PRESETS[rules], 0.5)
    game.place_handicap([point_at(3, 3), point_at(7, 7), point_at(3, 7), point_at(7, 3)])
    count = tally(game, final_status(game))
    assert (count.komi, count.bonus) == (0.5, bonus)
    assert final_score(game) == count.black - count.white - 0.5 - bonus


def test_eyes_in_a_seki():
    game = game_of(unmarked(WHOLE_BOARDS["seki with an eye each"]), rules=PRESETS["japanese"])
    game.komi = 0
    status = final_status(game)
    assert status.owner[point_at(1, 9)] == status.owner[point_at(5, 9)] == EMPTY
    assert final_score(game) == 2
    game.rules = game.rules.with_setting("tax", "NONE")
    status = final_status(game)
    assert (status.owner[point_at(1, 9)], status.owner[point_at(5, 9)]) == (BLACK, WHITE)
    assert status.owner[point_at(3, 9)] == EMPTY  # shared
    assert final_score(game) == 2


def test_every_stone_is_alive_where_nobody_takes_dead_ones_off():
    diagram = unmarked(cornered(EYE_SPACES["square four"]))
    game = game_of(diagram, rules=PRESETS["tromp-taylor"])
    status = final_status(game)
    assert not status.dead
    assert not status.seki
    assert status.alive == set(game.board.stones(BLACK)) | set(game.board.stones(WHITE))
    assert status.owner[point_at(1, 1)] == WHITE


def test_statuses_part_the_stones_and_do_not_depend_on_the_turn():
    for picture in EYE_SPACES.values():
        answers = []
        for to_play in "BW":
            game = game_of(unmarked(cornered(picture)), to_play, PRESETS["chinese"])
            status = final_status(game)
            stones = game.board.stones(BLACK) + game.board.stones(WHITE)
            assert sorted([*status.dead, *status.seki, *status.alive]) == sorted(stones)
            assert set(status.owner) == set(game.board.points())
            answers.append((status, final_score(game)))
        assert answers[0] == answers[1]


@pytest.mark.parametrize("size", [2, 3, 5, 9, 13, 19, 25])
def test_boards_of_one_color(size):
    game = Game(size, PRESETS["chinese"], 7.5)
    assert final_score(game) == -7.5
    game.play(BLACK, point_at(1, 1))
    assert final_score(game) == size * size - 7.5
    assert not final_status(game).dead
    game.rules = PRESETS["japanese"]
    assert final_score(game) == size * size - 1 - 7.5


@pytest.mark.parametrize(
    ("score", "text"),
    [(0.0, "0"), (3.5, "B+3.5"), (-11, "W+11.0"), (0.5, "B+0.5"), (-0.0, "0"), (3.75, "B+3.75")],
)
def test_format_score(score, text):
    assert format_score(score) == text


def test_tally_in_words():
    game = game_of(HALVES, rules=PRESETS["chinese"])
    game.komi = 7.5
    assert str(tally(game, final_status(game))) == "B+1.5 (Black 45, White 36 + komi 7.5)"
