"""What the README says is so: its commands, its options, its example."""

import re
import shlex
from pathlib import Path

from gtpengine.cli import make_parser

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
OPTIONS = {action.option_strings[-1]: action for action in make_parser()._actions}


def section(title: str) -> str:
    """The text between a heading and the next."""
    return re.split(r"(?m)^## ", README.split(f"\n## {title}\n")[1])[0]


def block(title: str, language: str) -> str:
    """The first block of code below a heading."""
    return section(title).split(f"```{language}\n")[1].split("```")[0]


def test_commands():
    """Each is one line that stands alone; .ci/run runs them."""
    for title, installed, started in (
        ("Run it", "install -q .", ".venv/bin/gtpengine"),
        ("Test it", "install -q -e '.[test]'", ".venv/bin/python -m pytest"),
    ):
        command = block(title, "sh")
        assert command.count("\n") == 1
        venv, install, start = command.split(" && ")
        assert venv == "python3 -m venv .venv"
        assert install == f".venv/bin/pip {installed}"
        assert start.startswith(started)
    assert 'gtpengine = "gtpengine.cli:main"' in PROJECT
    assert re.search(r"(?m)^test = \[", PROJECT)


def test_options():
    """The table has all options and their defaults."""
    rows = re.findall(r"(?m)^\| `(--[\w-]+)[^`]*` \| ([^|]+) \|", section("Options"))
    assert {name for name, _ in rows} == set(OPTIONS) - {"--help", "--version"}
    for name, stated in rows:
        default = OPTIONS[name].default
        if isinstance(default, str):
            assert stated == f"`{default}`"
        elif isinstance(default, float | int) and name not in ("--threads",) and default:
            assert stated == f"{default:g}"
        elif default is False:
            assert stated == "off"


def test_lines_to_paste():
    """The engine understands the options that the README gives it."""
    pasted = section("Add it to a client")
    lines = re.findall(r'gtpengine/\.venv/bin/gtpengine((?: [^"\s]+)*)', pasted)
    lines += re.findall(r"Arguments: +(.*)", pasted)
    assert len(lines) >= 7
    for line in lines:
        make_parser().parse_args(shlex.split(line))


def test_example(capsys):
    exec(block("Use it as a library", "python"), {})
    vertex, *board = capsys.readouterr().out.splitlines()
    assert re.fullmatch("[A-J][1-9]", vertex)
    assert len(board) == 9
    assert sum(row.count("X") + row.count("O") for row in board) == 2


def test_files_that_are_named():
    for name in re.findall(r"`((?:gtpengine|src_cython|tests|scripts)/[\w/.-]+\.\w+)`", README):
        assert (ROOT / name).exists(), name
