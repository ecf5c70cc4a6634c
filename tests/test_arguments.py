"""Words behind a command name: what is taken, and the one wording of what is not."""

from collections.abc import Callable

import pytest

from gtpengine.coords import parse_vertex
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import GtpError

Take = Callable[[Arguments], object]


def color(args: Arguments) -> object:
    return args.color()


def vertex9(args: Arguments) -> object:
    return args.vertex(9)


def point9(args: Arguments) -> object:
    return args.point(9)


def size(args: Arguments) -> object:
    return args.integer(2, 25, "size")


def komi(args: Arguments) -> object:
    return args.number("komi")


def percent(args: Arguments) -> object:
    return args.number("share", 0, 100)


def flag(args: Arguments) -> object:
    return args.boolean("flag")


def status(args: Arguments) -> object:
    return args.choice(("alive", "seki", "dead"), "status")


TAKEN = [
    (color, "b", BLACK), (color, "B", BLACK), (color, "black", BLACK), (color, "BLACK", BLACK),
    (color, "w", WHITE), (color, "White", WHITE),
    (vertex9, "A1", parse_vertex("A1", 9)), (vertex9, "j9", parse_vertex("J9", 9)),
    (vertex9, "pass", PASS), (vertex9, "PASS", PASS),
    (point9, "e5", parse_vertex("E5", 9)),
    (size, "2", 2), (size, "25", 25), (size, "+9", 9), (size, "009", 9),
    (komi, "6.5", 6.5), (komi, "-0.5", -0.5), (komi, "7", 7.0), (komi, ".5", 0.5),
    (komi, "7.", 7.0), (komi, "1e2", 100.0), (komi, "0", 0.0),
    (percent, "0", 0.0), (percent, "100", 100.0),
    (flag, "true", True), (flag, "false", False),
    (status, "seki", "seki"),
]  # fmt: skip

REFUSED = [
    (color, "green", "color must be black or white, got 'green'"),
    (color, "", "color must be black or white, got nothing"),
    (vertex9, "i5", "vertex must be A1..J9 or pass, got 'i5'"),
    (vertex9, "K1", "vertex must be A1..J9 or pass, got 'K1'"),
    (vertex9, "A0", "vertex must be A1..J9 or pass, got 'A0'"),
    (vertex9, "A10", "vertex must be A1..J9 or pass, got 'A10'"),
    (vertex9, "A", "vertex must be A1..J9 or pass, got 'A'"),
    (vertex9, "A-1", "vertex must be A1..J9 or pass, got 'A-1'"),
    (vertex9, "A\uff11", "vertex must be A1..J9 or pass, got 'A\uff11'"),
    (vertex9, "resign", "vertex must be A1..J9 or pass, got 'resign'"),
    (vertex9, "", "vertex must be A1..J9 or pass, got nothing"),
    (point9, "pass", "vertex must be A1..J9, got 'pass'"),
    (size, "1", "size must be 2..25, got '1'"),
    (size, "26", "size must be 2..25, got '26'"),
    (size, "9.0", "size must be 2..25, got '9.0'"),
    (size, "1_0", "size must be 2..25, got '1_0'"),
    (size, "\uff19", "size must be 2..25, got '\uff19'"),
    (size, "-9", "size must be 2..25, got '-9'"),
    (size, "9" * 30, f"size must be 2..25, got '{'9' * 30}'"),
    (size, "", "size must be 2..25, got nothing"),
    (komi, "1,5", "komi must be a number, got '1,5'"),
    (komi, "inf", "komi must be a number, got 'inf'"),
    (komi, "-Infinity", "komi must be a number, got '-Infinity'"),
    (komi, "NaN", "komi must be a number, got 'NaN'"),
    (komi, "1e999", "komi must be a number, got '1e999'"),
    (komi, "1_0", "komi must be a number, got '1_0'"),
    (komi, "", "komi must be a number, got nothing"),
    (percent, "101", "share must be 0..100, got '101'"),
    (flag, "1", "flag must be true or false, got '1'"),
    (status, "Dead", "status must be alive, seki or dead, got 'Dead'"),
]


@pytest.mark.parametrize(("take", "text", "value"), TAKEN)
def test_taken(take: Take, text: str, value: object):
    args = Arguments([text])
    assert take(args) == value
    assert type(take(Arguments([text]))) is type(value)
    args.done()


@pytest.mark.parametrize(("take", "text", "message"), REFUSED)
def test_refused(take: Take, text: str, message: str):
    with pytest.raises(GtpError) as caught:
        take(Arguments([text] if text else []))
    assert caught.value.text == f"syntax error: {message}"


def test_surplus_words():
    args = Arguments(["b", "D4", "now"])
    assert args.color() == BLACK
    assert args.word("vertex") == "D4"
    assert len(args) == 1
    with pytest.raises(GtpError, match="the line must end here, got 'now'"):
        args.done()
    assert args.rest() == ["now"]
    args.done()
    assert args.rest() == []
