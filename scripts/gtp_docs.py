"""Write docs/gtp.md, the reference of all GTP commands, from the command table.

Usage: gtp_docs.py [--check]

--check writes nothing and exits with status 1 if the file is not what it should be.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from gtpengine.game import Game
from gtpengine.gtp.commands import owners_of
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import Entry, table_of
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings

FILE = Path(__file__).parents[1] / "docs" / "gtp.md"

INTRODUCTION = """\
# GTP commands

The engine speaks [version 2 of the Go Text Protocol](https://www.lysator.liu.se/~gunnar/gtp/) on
stdin and stdout.  This page is made from the command table by `scripts/gtp_docs.py`;
`list_commands` prints the same names.

- In a synopsis, CAPITALS stand for a word, `[...]` for what may be left out, `...` for more of the
  same, `|` for a choice.
- COLOR is `b`, `black`, `w` or `white`; VERTEX is `A1` to `Z25` without the letter I, or `pass`;
  both in any case.  Commands are in lower case.
- An answer is empty where nothing is said of it.  `= ` begins a success, `? ` a failure, an empty
  line ends both.  A failure is one line, and leaves game and clocks as they were.
- A word that is missing, unreadable or out of range fails every command with
  `syntax error: WHAT must be EXPECTED, got 'WORD'`; so do words in excess.  Other failures are
  named with their command.
- Commands run strictly in order.  The line `# interrupt` makes a command that searches answer with
  the best move so far; so do `quit` and the end of the input, before they end the program, as
  SIGTERM and SIGINT do.  A script that wants a move to be thought about keeps the input open.
"""

TITLES = {
    "Engine": "Session",
    "GameCommands": "Game",
    "SetupCommands": "First position",
    "PositionCommands": "Position",
    "ScoreCommands": "Rules and score",
    "TimeCommands": "Time",
    "AnalysisCommands": "Analysis",
    "GoguiCommands": "GoGui",
    "ParameterCommands": "Settings",
}


def reference() -> str:
    """The whole page."""
    owners = owners_of(Session(Game(), Player(PlayerSettings())))
    engine = Engine(owners, "gtpengine", "")
    table = table_of([engine, *owners])
    links = " ".join(f"[{name}](#{name})" for name in sorted(table))
    parts = [INTRODUCTION, textwrap.fill(links, 100, break_on_hyphens=False)]
    for owner in [engine, *owners]:
        parts.append(f"## {TITLES[type(owner).__name__]}")
        if owner is not engine:
            parts.append(inspect.getdoc(owner) or "")
        entries = table_of([owner])
        for name in sorted(entries, key=lambda name: (name != "protocol_version", name)):
            parts += described(name, entries[name])
    return "\n\n".join(part.strip() for part in parts) + "\n"


def described(name: str, entry: Entry) -> Iterator[str]:
    """Heading, synopsis and explanation of a command."""
    synopsis, _, rest = (inspect.getdoc(entry.handler) or "").partition("\n")
    yield f"### {name}"
    yield f"`{synopsis}`"
    if rest.strip():
        yield rest.strip()


def main() -> int:
    page = reference()
    if "--check" in sys.argv[1:]:
        return 0 if FILE.read_text(encoding="utf-8") == page else 1
    FILE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
