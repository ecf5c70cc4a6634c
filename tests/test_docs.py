"""The reference of commands is what the command table says."""

import runpy
from pathlib import Path

from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.player import Player, PlayerSettings

ROOT = Path(__file__).parents[1]


def test_reference_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "gtp_docs.py"))["reference"]()
    assert (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8") == page, "run scripts/gtp_docs.py"


def test_every_command_is_explained() -> None:
    owners = owners_of(Session(Game(), Player(PlayerSettings())))
    names = Engine(owners, "gtpengine", "").command_names()
    sections = (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8").split("\n### ")[1:]
    paragraphs = {section.split("\n", 1)[0]: section.split("\n\n") for section in sections}
    assert set(paragraphs) == set(names)
    for name, (_, synopsis, *text) in paragraphs.items():
        assert synopsis.startswith(f"`{name}")
        assert text, name
