"""The commands about time.  Settings hold for both colors and restart both clocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from gtpengine.clock import (
    TIME_SYSTEMS,
    TimeSettings,
    parse_kata_time_settings,
    parse_kgs_time_settings,
    parse_time_settings,
)
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import failing_as
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import command

_MOST_STONES = 10**9


class TimeCommands:
    """Commands about time; none of them touches board or search tree."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("time_settings")
    def time_settings(self, args: Arguments) -> None:
        """time_settings MAIN PERIOD STONES

        Seconds of main time; then so many stones a period, Canadian.  Without a period the main
        time is all there is; a period without stones is no limit.
        """
        self._set_time(parse_time_settings, args)

    @command("kgs-time_settings")
    def kgs_time_settings(self, args: Arguments) -> None:
        """kgs-time_settings none | absolute MAIN | byoyomi MAIN PERIOD N | canadian MAIN PERIOD N

        Seconds, and the number of periods (byo-yomi) or of stones in a period (Canadian).
        """
        self._set_time(parse_kgs_time_settings, args)

    @command("kata-time_settings")
    def kata_time_settings(self, args: Arguments) -> None:
        """kata-time_settings SYSTEM ...

        What kgs-time_settings takes, and: fischer MAIN INCREMENT | fischer-capped MAIN INCREMENT
        LIMIT LIMIT_PER_MOVE, where a negative limit is none.
        """
        self._set_time(parse_kata_time_settings, args)

    def _set_time(self, parse: Callable[[Sequence[str]], TimeSettings], args: Arguments) -> None:
        with failing_as("syntax error", tell=True):
            settings = parse(args.rest())
        self._session.game.set_time(settings)

    @command("kata-list_time_settings")
    def kata_list_time_settings(self, args: Arguments) -> str:
        """kata-list_time_settings

        The systems that kata-time_settings knows, on one line.
        """
        args.done()
        return " ".join(TIME_SYSTEMS)

    @command("time_left")
    def time_left(self, args: Arguments) -> None:
        """time_left COLOR SECONDS STONES

        Without stones: of the main time.  With stones: of the running period, in which so many
        stones are to be played (Canadian) or which is one of so many left (byo-yomi).
        """
        color = args.color()
        seconds = args.number("seconds")
        n_stones = args.integer(0, _MOST_STONES, "number of stones")
        args.done()
        self._session.game.clocks[color].set_left(seconds, n_stones)

    @command("cputime")
    def cputime(self, args: Arguments) -> str:
        """cputime

        Seconds of computing that this process has used, on all cores.
        """
        args.done()
        return f"{time.process_time():.3f}"
