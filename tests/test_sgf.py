"""SGF: what is read, what is refused, and that printing what was read changes nothing."""

import logging
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game, IllegalMove
from gtpengine.rules import PRESETS
from gtpengine.sgf import format_sgf, load, read_sgf

DATA = Path(__file__).parent / "data" / "sgf"
LETTER = {BLACK: "B", WHITE: "W"}


def moves_of(game):
    return " ".join(f"{LETTER[color]} {format_vertex(point)}" for color, point in game.moves)


def stones_of(game, color):
    return " ".join(sorted(format_vertex(point) for point in game.first_board.stones(color)))


MAIN_LINES = [  # record, size, moves
    ("(;)", 19, ""),
    ("(;SZ[9])", 9, ""),
    ("(;SZ[25];B[aa];W[yy];B[tt];W[])", 25, "B A25 W Z1 B U6 W pass"),
    ("(;SZ[9];B[ee];W[tt];B[])", 9, "B E5 W pass B pass"),
    ("(;SZ[19];B[tt])", 19, "B pass"),
    ("(;SZ[9];B[ee](;W[cc];B[gg])(;W[dd](;B[aa])(;B[bb])))", 9, "B E5 W C7 B G3"),
    ("(;SZ[9];B[aa];B[bb];W[cc];W[dd])", 9, "B A9 B B8 W C7 W D6"),  # a color twice
    ("(;SZ[9]B[aa];W[bb])", 9, "B A9 W B8"),  # a move in the root
    ("(;SZ[9];C[no move];B[aa];N[nor here];W[bb])", 9, "B A9 W B8"),
    ("(;SZ[9];B[aa])(;SZ[13];B[bb])", 9, "B A9"),  # a collection: the first game
    ("mail header\n(;SZ[9]\r\n;\r\nB[aa]\r\n)", 9, "B A9"),
    ("(;SiZe[9];Black[aa])", 9, "B A9"),  # old style
    ("(;SZ[9]CA[no such charset]GN[\u56f2\u7881];B[aa])", 9, "B A9"),
]


@pytest.mark.parametrize(("text", "size", "moves"), MAIN_LINES)
def test_main_line(text, size, moves):
    game = read_sgf(text)
    assert (game.size, moves_of(game)) == (size, moves)
    assert moves_of(read_sgf(text.encode())) == moves


@pytest.mark.parametrize(
    ("charset", "text"),
    [("Shift_JIS", "表ソ能"), ("GBK", "乗"), ("gb2312", "乗"), ("big5", "功許蓋")],
)
def test_half_a_character_is_no_escape(charset, text):
    record = f"(;SZ[9]CA[{charset}]PB[{text}]C[{text}];B[ee];W[dd])"
    encoded = record.encode("gbk" if charset == "gb2312" else charset)
    assert b"\\]" in encoded
    assert moves_of(read_sgf(encoded)) == "B E5 W D6"
    assert moves_of(read_sgf(record.encode())) == "B E5 W D6"  # in UTF-8, whatever it says


def test_komi_is_kept_to_the_last_digit():
    for komi in (0.00001, 3.75, -7.0, 0.1, 1e6):
        assert read_sgf(format_sgf(Game(9, komi=komi))).komi == komi


def test_a_record_may_break_superko():
    text = "(;SZ[3]RU[tromp-taylor];B[ba];W[bc];B[cb];W[bb];B[cc];W[ca]"
    strict = read_sgf(text + ")")
    with pytest.raises(IllegalMove, match="C2 is not playable"):
        strict.play(BLACK, parse_vertex("C2", 3))
    assert moves_of(read_sgf(text + ";B[cb])")).endswith("W C3 B C2")


@pytest.mark.parametrize(
    ("stop", "moves"),
    [(None, "B A9 W B8 B C7"), (1, ""), (2, "B A9"), (4, "B A9 W B8 B C7"), (99, "B A9 W B8 B C7")],
)
def test_stop_before_move(stop, moves):
    game = read_sgf("(;SZ[9];B[aa];W[bb];C[between];B[cc];)", stop)
    assert moves_of(game) == moves
    assert game.to_play == (WHITE if len(game.moves) % 2 else BLACK)


def test_what_comes_after_the_stop_may_be_broken():
    text = "(;SZ[9];B[aa];W[aa];B[zz])"
    assert moves_of(read_sgf(text, 2)) == "B A9"
    with pytest.raises(ValueError, match="move 2 is illegal: A9 is not playable: occupied"):
        read_sgf(text, 3)


SETUPS = [  # record, handicap, black and white stones, to play
    ("(;SZ[9]HA[2]AB[gc][cg];W[ee])", 2, "C3 G7", "", WHITE),
    ("(;SZ[9]HA[2]AB[gc][cg])", 2, "C3 G7", "", WHITE),
    ("(;SZ[9]HA[2]AB[gc][cg]PL[B])", 2, "C3 G7", "", BLACK),
    ("(;SZ[9]HA[2]AB[gc])", 0, "G7", "", BLACK),  # HA and AB do not agree
    ("(;SZ[9]HA[2];B[gc];B[cg];W[ee])", 2, "", "", BLACK),  # played, not set up
    ("(;SZ[9]HA[0])", 0, "", "", BLACK),
    ("(;SZ[9]AB[aa][bb]AW[cc])", 0, "A9 B8", "C7", BLACK),
    ("(;SZ[9]AB[aa][bb]AW[cc]PL[w])", 0, "A9 B8", "C7", WHITE),
    ("(;SZ[9]AB[aa]AW[cc];W[dd])", 0, "A9", "C7", WHITE),  # without PL, by the first move
    ("(;SZ[9]PL[W])", 0, "", "", WHITE),
    ("(;SZ[9]AB[aa:ba][ii])", 0, "A9 B9 J1", "", BLACK),  # a rectangle of points
    ("(;SZ[9]AE[aa]AB[bb])", 0, "B8", "", BLACK),
    ("(;SZ[9]AB[aa][bb];AE[aa]AW[cc]PL[W];B[dd])", 0, "B8", "C7", WHITE),  # later, before any move
    ("(;SZ[9];AB[aa]B[dd])", 0, "A9", "", BLACK),  # in the node of the first move
]


@pytest.mark.parametrize(("text", "handicap", "black", "white", "to_play"), SETUPS)
def test_setup(text, handicap, black, white, to_play):
    game = read_sgf(text)
    stones = stones_of(game, BLACK), stones_of(game, WHITE)
    assert (game.handicap, *stones) == (handicap, black, white)
    assert read_sgf(text, 1).to_play == to_play


@pytest.mark.parametrize(
    ("text", "komi", "rules", "log"),
    [
        ("(;KM[6.5]RU[Japanese])", 6.5, "japanese", ""),
        ("(;KM[-0.5]RU[NZ])", -0.5, "new-zealand", ""),
        ("(;KM[ 0 ])", 0, "aga", ""),
        ("(;RU[japanese])", 5, "japanese", "no komi, KM, taken as 5"),
        ("(;KM[]RU[AGA])", 5, "aga", "broken KM[], taken as 5"),
        ("(;KM[six\n\nand a half])", 5, "aga", "broken KM[six and a half], taken as 5"),
        ("(;KM[nan])", 5, "aga", "broken KM[nan], taken as 5"),
        ("(;KM[7][8])", 5, "aga", "broken KM[7][8], taken as 5"),
        ("(;KM[7]RU[GOE])", 7, "aga", "unknown rules RU[GOE], taken as aga"),
        ("(;KM[7]HA[two])", 7, "aga", "broken HA[two], taken as no handicap"),
        ('(;KM[7]RU[{"ko":"SIMPLE","suicide":false}])', 7, "custom", ""),
    ],
)
def test_komi_and_rules(text, komi, rules, log, caplog):
    text = text.replace("(;", "(;AB[aa][bb]")
    with caplog.at_level(logging.WARNING):
        game = read_sgf(text, rules=PRESETS["aga"], komi=5)
    assert (game.komi, game.rules.name) == (komi, rules)
    assert [record.getMessage() for record in caplog.records] == ([log] if log else [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read SGF: no SGF data found"),
        ("BM6\x00\x00", "cannot read SGF: no SGF data found"),
        ("(;SZ[9];B[aa]", "cannot read SGF: unexpected end of SGF data"),
        ("(;GM[2]SZ[8])", "expected a game of Go, GM[1], got GM[2]"),
        ("(;SZ[1])", "expected a size 2..25, got '1'"),
        ("(;SZ[26])", "expected a size 2..25, got '26'"),
        ("(;SZ[99])", "cannot read SGF: size out of range: 99"),
        ("(;SZ[9:13])", "cannot read SGF: bad SZ property"),
        ("(;SZ[9];B[ee];W[ee])", "move 2 is illegal: E5 is not playable: occupied"),
        ("(;SZ[9]AB[ba][ab];W[aa])", "move 1 is illegal: A9 is not playable: suicide"),
        ("(;SZ[9];B[jj])", "expected a point or pass, got B[jj]"),
        ("(;SZ[9];B[e\n\ne])", "expected a point or pass, got B[e e]"),
        ("(;SZ[9];B[aa][bb])", "expected one move in a node, got several"),
        ("(;SZ[9];B[aa]W[bb])", "expected one move in a node, got several"),
        ("(;SZ[9];B[aa];AB[bb])", "stones are set up after move 1"),
        ("(;SZ[9];B[aa];W[bb]AE[aa])", "stones are set up after move 1"),
        ("(;SZ[9]AB[aa]AW[aa])", "A9 is set up twice in a node"),
        ("(;SZ[9]AB[zz])", "expected points of the board, got AB[zz]"),
        ("(;SZ[9]PL[nobody])", "expected PL[B] or PL[W], got PL[nobody]"),
        ("(;SZ[9]AB[aa]AW[ab][ba])", "has no liberty"),
    ],
)
def test_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_sgf(text)
    assert "\n" not in str(error.value)


def test_move_numbers_begin_at_one():
    with pytest.raises(ValueError, match="expected a move number from 1 on, got '0'"):
        read_sgf("(;SZ[9])", 0)


def test_load(tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_bytes(b"\xef\xbb\xbf(;SZ[9]KM[3];B[ee];W[aa])")
    assert moves_of(load(path, 2)) == "B E5"
    assert load(str(path)).komi == 3
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.sgf")


def test_format():
    game = read_sgf("(;SZ[9]HA[2]AB[gc][cg]KM[0.5]RU[japanese];W[ee];B[tt])")
    assert format_sgf(game, "W+3.5") == (
        "(;FF[4]AB[cg][gc]CA[UTF-8]GM[1]HA[2]KM[0.5]RE[W+3.5]RU[japanese]SZ[9];W[ee];\nB[tt])"
    )
    assert "RE[a\\]b c]" in format_sgf(game, "a]b\n\nc")


# Printing what was read changes nothing


def check_fixed_point(game):
    text = format_sgf(game)
    again = read_sgf(text)
    assert format_sgf(again) == text
    assert "" not in text.split("\n")
    assert text == text.strip()
    assert (again.size, again.moves, again.handicap) == (game.size, game.moves, game.handicap)
    assert str(again.board) == str(game.board)
    assert (again.komi, again.to_play) == (game.komi, game.to_play)
    assert again.rules.to_json() == game.rules.to_json()


@pytest.mark.parametrize("path", sorted(DATA.glob("*.sgf")), ids=lambda path: path.stem)
def test_files(path):
    rules = PRESETS["new-zealand" if "suicide" in path.stem else "chinese-ogs"]
    game = load(path, rules=rules)
    assert game.moves
    check_fixed_point(game)


RULES = st.one_of(
    st.sampled_from(list(PRESETS.values())),
    st.builds(
        lambda rules, tax: rules.with_setting("tax", tax),
        st.sampled_from(list(PRESETS.values())),
        st.sampled_from(["NONE", "SEKI"]),
    ),
)
KOMI = st.integers(-999, 999).map(lambda eighths: eighths / 8)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_any_game_comes_back(data):
    game = Game(data.draw(st.integers(2, 25)), data.draw(RULES), data.draw(KOMI))
    points = st.sampled_from(game.board.points())
    colors = st.sampled_from([BLACK, WHITE])
    beginning = data.draw(st.sampled_from(["empty", "handicap", "set-up", "turn"]))
    try:
        if beginning == "handicap":
            game.place_handicap(data.draw(st.lists(points, unique=True, min_size=2, max_size=9)))
        elif beginning == "set-up":
            stones = data.draw(st.dictionaries(points, colors, max_size=12))
            game.setup([(color, point) for point, color in stones.items()])
        if beginning != "empty":
            game.set_to_play(data.draw(colors))
    except ValueError:  # a chain without liberties
        return
    for point in data.draw(st.lists(st.one_of(points, st.just(PASS)), max_size=40)):
        color = game.to_play if data.draw(st.integers(0, 9)) else data.draw(colors)
        if not game.legality(color, point, lenient=True):
            game.play(color, point, lenient=True)
    check_fixed_point(game)


FRAGMENTS = "( ) ; [ ] [aa] [tt] ;B[ \\ : \n B W AB AW AE PL SZ HA KM RU GM CA bb:cc 9 7.5 nan b {"


def outcome(data):
    """The game, or the error message."""
    try:
        return read_sgf(data)
    except ValueError as error:
        return str(error)


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(st.sampled_from(FRAGMENTS.split(" ")), max_size=40).map(" ".join).map(str.encode),
    )
)
def test_rubbish_is_refused_in_one_line(rubbish):
    for data in (rubbish, b"(;SZ[9]" + rubbish, b"(;SZ[9]" + rubbish + b")"):
        result = outcome(data)
        if isinstance(result, str):
            assert "\n" not in result
        else:
            check_fixed_point(result)
