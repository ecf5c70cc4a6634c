"""The reference of commands is what the table says; the page for clients tells the truth."""

import re
import runpy
import shlex
from pathlib import Path

from gtpengine.cli import make_parser, parse_arguments
from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings

ROOT = Path(__file__).parents[1]


def test_reference_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "gtp_docs.py"))["reference"]()
    assert (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8") == page, "run scripts/gtp_docs.py"


def engine() -> Engine:
    return Engine(owners_of(Session(Game(), Player(PlayerSettings()))), "gtpengine", "")


def test_every_command_is_explained() -> None:
    names = engine().command_names()
    sections = (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8").split("\n### ")[1:]
    paragraphs = {section.split("\n", 1)[0]: section.split("\n\n") for section in sections}
    assert set(paragraphs) == set(names)
    for name, (_, synopsis, *text) in paragraphs.items():
        assert synopsis.startswith(f"`{name}")
        assert text, name


def test_lines_to_paste() -> None:
    """The engine understands the options that the page for clients gives it."""
    page = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    lines = re.findall(r'gtpengine/\.venv/bin/gtpengine((?: [^"\s]+)*)', page)
    lines += re.findall(r"Arguments: +(.*)", page)
    lines += re.findall(r"`(--[a-z][^`]*)`", page)
    assert len(lines) >= 15
    known = {action.option_strings[-1]: action for action in make_parser()._actions}
    for line in lines:
        words = [word for word in shlex.split(line) if word not in ("FILE", "engine.log")]
        named = [word for word in words if word.startswith("--")]
        assert set(named) <= set(known), line
        if not {"--config", "--log"} & set(named) and not (
            len(words) == 1 and known[words[0]].nargs != 0
        ):
            parse_arguments(words)


def test_commands_that_clients_are_told_to_send() -> None:
    page = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:kata|lz|kgs|cgos|gogui|gtpengine|final|reg)[-_][a-z_-]+)", page)
    assert len(named) >= 6
    assert set(named) - {"gogui-twogtp"} <= set(engine().command_names())
