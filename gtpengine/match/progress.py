"""Show on stderr how a match goes: one line that is rewritten on a terminal, else a line a game."""

import shutil
import sys
import time
from collections.abc import Sequence

from gtpengine.match.game import GameRecord
from gtpengine.match.report import one_game, summary
from gtpengine.match.statistics import Sprt

BAR = 20  # characters


class Progress:
    """Told of every game; ``total`` is how many games there will be, those of old runs included."""

    def __init__(self, names: Sequence[str], total: int, n_done: int, sprt: Sprt | None) -> None:
        self.names, self.total, self.sprt = names, total, sprt
        self._n_before = n_done
        self._start = time.monotonic()
        self._is_live = sys.stderr.isatty()

    def show(self, records: Sequence[GameRecord]) -> None:
        """The last of ``records`` has just ended."""
        done = len(records)
        last = records[-1]
        if not self._is_live:
            print(
                f"[{done}/{self.total}] {one_game(last)}; {self._state(records)}", file=sys.stderr
            )
        for fault in last.faults:
            self._line(f"fault in game {last.number}: {fault.engine}: {fault.kind}: {fault.text}")
        if self._is_live:
            filled = BAR * done // self.total
            bar = "#" * filled + "." * (BAR - filled)
            text = f"[{bar}] {done}/{self.total} {self._state(records)}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{text[:width]:{width}}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line that was rewritten."""
        if self._is_live:
            print(file=sys.stderr)

    def _state(self, records: Sequence[GameRecord]) -> str:
        n_now = len(records) - self._n_before
        left = (time.monotonic() - self._start) / n_now * (self.total - len(records))
        clock = f"{int(left) // 3600}:{int(left) // 60 % 60:02d}:{int(left) % 60:02d}"
        return f"{summary(self.names, records, self.sprt)}, {clock} to go"

    def _line(self, text: str) -> None:
        start = "\r\033[K" if self._is_live else ""
        print(start + text, file=sys.stderr)
