"""The clock of GTP's time_settings, as the referee keeps it.

Source: Farneback, Specification of the Go Text Protocol, version 2 draft 2, section 4.2.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeControl:
    """Arguments of time_settings."""

    main: int  # seconds
    period: int  # seconds of one overtime period
    stones: int  # to be played within one period

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read ``M,B,S``; ValueError if it is no limit at all or no three whole numbers."""
        words = text.split(",")
        if len(words) != 3 or not all(word.strip().isdecimal() for word in words):
            raise ValueError(f"expected MAIN,PERIOD,STONES in whole seconds, got '{text}'")
        control = cls(*map(int, words))
        if control.main == 0 and not control.has_overtime:
            raise ValueError(f"expected main time or overtime, got '{text}'")
        if control.period > 0 and control.stones == 0:
            raise ValueError(f"expected stones for each period (0 means no limit), got '{text}'")
        return control

    @property
    def has_overtime(self) -> bool:
        return self.period > 0 and self.stones > 0

    @property
    def command(self) -> str:
        return f"time_settings {self.main} {self.period} {self.stones}"


class RefereeClock:
    """The clock of one side.

    ``tolerance``, in seconds, is what a side may overdraw its clock by at a move without losing;
    the clock then stands at zero.
    """

    def __init__(self, control: TimeControl, tolerance: float) -> None:
        self.control = control
        self.tolerance = tolerance
        self.left = float(control.main)  # seconds of main time or of the running period
        self.stones = 0  # still to be played in the running period; 0 in main time
        if self.left == 0:
            self._start_period()

    @property
    def available(self) -> float:
        """Seconds that the next move may take."""
        in_main = self.stones == 0
        return self.left + (self.control.period if in_main and self.control.has_overtime else 0)

    @property
    def time_left(self) -> str:
        """The last two words of time_left: whole seconds, rounded down, and stones."""
        return f"{int(self.left)} {self.stones}"

    def spend(self, seconds: float) -> bool:
        """Take the time of one move; return whether the side is still in time."""
        if self.stones == 0:
            self.left -= seconds
            if not self.control.has_overtime:
                return self._settle()
            if self.left > 0:
                return True
            seconds = -self.left
            self._start_period()
        self.left -= seconds
        self.stones -= 1
        in_time = self._settle()
        if self.stones == 0:
            self._start_period()
        return in_time

    def _settle(self) -> bool:
        overdrawn, self.left = max(-self.left, 0.0), max(self.left, 0.0)
        return overdrawn <= self.tolerance

    def _start_period(self) -> None:
        self.left, self.stones = float(self.control.period), self.control.stones
