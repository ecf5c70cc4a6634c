"""GTP text: what a raw line means, and the bytes of an answer."""

import pytest

from gtpengine.gtp.protocol import (
    MAX_ID,
    Command,
    GtpError,
    failing_as,
    format_header,
    format_response,
    is_interrupt,
    one_line,
    parse_line,
)

LINES = {
    "plain": (b"play b D4", None, "play", ("b", "D4")),
    "carriage return": (b"name\r", None, "name", ()),
    "id": (b"12 name", 12, "name", ()),
    "id glued": (b"12name", 12, "name", ()),
    "id 0": (b"0 name", 0, "name", ()),
    "id with zeros in front": (b"007 name", 7, "name", ()),
    "highest id": (b"2147483647 name", MAX_ID, "name", ()),
    "number above all ids": (b"2147483648 name", None, "2147483648", ("name",)),
    "number of many digits": (b"1" * 5000 + b" name", None, "1" * 5000, ("name",)),
    "number behind the id": (b"1 2 name", 1, "2", ("name",)),
    "negative id": (b"-1 name", None, "-1", ("name",)),
    "blanks": (b"   play   b    D4  ", None, "play", ("b", "D4")),
    "blanks before the id": (b"  3  name", 3, "name", ()),
    "tabs": (b"\tplay\tb\tD4\t", None, "play", ("b", "D4")),
    "comment": (b"name # 12 what", None, "name", ()),
    "comment with id": (b"110 reg_genmove b # [D4]", 110, "reg_genmove", ("b",)),
    "comment glued": (b"name#x", None, "name", ()),
    "control characters": (b"n\x00a\x07m\x1be\x7f \x0bx\x0c\x1f", None, "name", ("x",)),
    "bell inside the id": (b"1\x072 name", 12, "name", ()),
    "no prefix matching": (b"names", None, "names", ()),
    "case is kept": (b"NAME", None, "NAME", ()),
    "utf-8": ("loadsgf käse.sgf".encode(), None, "loadsgf", ("käse.sgf",)),
    "no-break space is no blank": ("play b\u00a0c".encode(), None, "play", ("b\u00a0c",)),
    "latin-1": (b"loadsgf k\xe4se.sgf", None, "loadsgf", ("k\udce4se.sgf",)),
}


@pytest.mark.parametrize(("raw", "number", "name", "words"), LINES.values(), ids=LINES)
def test_line_with_a_command(raw: bytes, number: int | None, name: str, words: tuple[str, ...]):
    assert parse_line(raw) == Command(number, name, words)


@pytest.mark.parametrize(
    "raw",
    [b"", b"\r", b" ", b"\t \t", b"#", b"# interrupt", b"  # x", b"12", b"12 # x", b"\x00\x07"],
)
def test_line_without_a_command(raw: bytes):
    assert parse_line(raw) is None


def test_line_of_a_megabyte():
    command = parse_line(b"play " + b"x" * 2**20 + b" " + b"y " * 2**19)
    assert command is not None
    assert len(command.words[0]) == 2**20
    assert len(command.words) == 1 + 2**19


@pytest.mark.parametrize("raw", [b"# interrupt", b"# interrupt\r", b"#interrupt", b"#\tinterrupt "])
def test_interrupt(raw: bytes):
    assert is_interrupt(raw)


@pytest.mark.parametrize("raw", [b"interrupt", b"# interrupted", b"name # interrupt", b"#", b""])
def test_no_interrupt(raw: bytes):
    assert not is_interrupt(raw)


ANSWERS = {
    "empty success": (None, True, "", b"= \n\n"),
    "empty success with id": (7, True, "", b"=7 \n\n"),
    "id 0": (0, True, "", b"=0 \n\n"),
    "success": (None, True, "D4", b"= D4\n\n"),
    "error": (12, False, "illegal move", b"?12 illegal move\n\n"),
    "several lines": (None, True, "a\nb", b"= a\nb\n\n"),
    "payload on the next line": (None, True, "\n A B\n2 .", b"= \n A B\n2 .\n\n"),
    "blank lines inside": (None, True, "a\n\n\nb", b"= a\n \n \nb\n\n"),
    "two line feeds in front": (None, True, "\n\na", b"= \n \na\n\n"),
    "blank lines behind": (None, True, "a\n\n \n", b"= a\n\n"),
    "trailing blanks": (None, True, "a  \nb\t\nc\r\n d ", b"= a\nb\nc\n d\n\n"),
    "status characters inside": (None, True, "=\n= x\n?y\n z=", b"= =\n = x\n ?y\n z=\n\n"),
    "control characters": (None, True, "a\x00\x1b\tb\x7f\x0bc", b"= a bc\n\n"),
    "bytes that are not utf-8": (None, True, "k\udce4", b"= k\xe4\n\n"),
    "error of several lines": (None, False, "a\n\nb", b"? a b\n\n"),
    "error with foreign text": (None, False, "got '\u00e9\udcff'", b"? got '\\xe9\\udcff'\n\n"),
}


@pytest.mark.parametrize(("number", "ok", "text", "raw"), ANSWERS.values(), ids=ANSWERS)
def test_response(number: int | None, ok: bool, text: str, raw: bytes):
    assert format_response(number, ok, text) == raw


def test_error_is_short():
    assert len(format_response(None, False, "got '" + "x" * 2**20)) < 210
    assert one_line("x" * 2**20).endswith("x...")


def test_header():
    assert format_header(None) == b"=\n"
    assert format_header(4) == b"=4\n"


def test_failing_as():
    with pytest.raises(GtpError) as caught, failing_as("illegal move"):
        raise ValueError("D4 is occupied")
    assert (caught.value.text, caught.value.detail) == ("illegal move", "D4 is occupied")
    with pytest.raises(GtpError) as caught, failing_as("syntax error", tell=True):
        raise ValueError("expected a name, got 'x'")
    assert caught.value.text == "syntax error: expected a name, got 'x'"
    with pytest.raises(ZeroDivisionError), failing_as("illegal move"):
        _ = 1 // 0
