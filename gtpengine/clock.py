"""Time: settings, the clock of one player, and the seconds for the next move.

Nothing here looks at a real clock: whoever measures tells ``Clock.spend`` and ``Clock.set_left``.
The plan follows Huang, Coulom and Lin (Time Management for Monte-Carlo Tree Search Applied to the
Game of Go, 2010): remaining time over a constant, and less in the opening.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

TIME_SYSTEMS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
LONGEST = 1e9  # seconds; what is longer counts as this


class Budget(NamedTuple):
    """Seconds for one move: what to use as a rule, and what never to exceed."""

    target: float
    maximum: float


@dataclass(frozen=True)
class TimePlan:
    """How time is shared out.  Raise ``lag`` on a slow connection; the rest needs no attention."""

    lag: float = 0.5  # seconds kept back for the way to whoever measures, and for stopping late
    lag_of_period: float = 1 / 3  # at most this part of a period, or a limit per move, is kept back
    late: float = 0.15  # seconds a move may cost beyond its maximum, each move
    reserve: float = 0.27  # at most this part of absolute time is kept back against that
    longest_game: int = 500  # moves of both sides that the reserve covers
    matter: float = 0.18  # own moves that matter, per point of the board: 65 on 19x19, 15 on 9x9
    fewest: float = 6.0  # own moves that matter, at least, on tiny boards
    long: float = 4.0  # a game of this many times ``matter`` moves is long, and decided
    stretch: float = 2.5  # maximum over target
    shortest: float = 0.02  # seconds for a move when nothing is left


@dataclass(frozen=True)
class TimeSettings:
    """A time system; all times in seconds."""

    kind: Literal["none", "absolute", "canadian", "byoyomi", "fischer"] = "none"
    main: float = 0.0
    period: float = 0.0  # one overtime period
    count: int = 0  # canadian: stones in a period; byoyomi: periods
    increment: float = 0.0  # fischer: added after each move
    limit: float = math.inf  # fischer: the increment never lifts the clock above this
    move_limit: float = math.inf  # fischer: for one move

    def __post_init__(self) -> None:
        if self.has_overtime and not (self.period > 0 and self.count > 0):
            raise ValueError(
                f"expected overtime of more than nothing, got '{self.period:g} {self.count}'"
            )

    @property
    def has_overtime(self) -> bool:
        """Whether main time is followed by periods."""
        return self.kind in ("canadian", "byoyomi")


def parse_time_settings(words: Sequence[str]) -> TimeSettings:
    """Read the arguments of ``time_settings``: MAIN PERIOD STONES (GTP 2 draft 2, section 4.2)."""
    main_word, period_word, stones_word = _expect("MAIN PERIOD STONES", words, 3)
    main, period, stones = _seconds(main_word), _seconds(period_word), _count(stones_word)
    if period > 0 and stones == 0:
        return TimeSettings()
    return _overtime("canadian", main, period, stones)


def parse_kgs_time_settings(words: Sequence[str]) -> TimeSettings:
    """Read the arguments of ``kgs-time_settings``: the time system first."""
    return _parse_system(words, ("none", "absolute", "byoyomi", "canadian"))


def parse_kata_time_settings(words: Sequence[str]) -> TimeSettings:
    """Read the arguments of ``kata-time_settings``: those of KGS, and Fischer clocks."""
    return _parse_system(words, TIME_SYSTEMS)


def _parse_system(words: Sequence[str], systems: Sequence[str]) -> TimeSettings:
    system = words[0].lower() if words else ""
    values = words[1:]
    if system not in systems:
        raise ValueError(f"expected {'|'.join(systems)}, got '{' '.join(words)}'")
    if system == "none":
        _expect("none", values, 0)
        return TimeSettings()
    if system == "absolute":
        _expect("absolute MAIN", values, 1)
        return TimeSettings("absolute", _seconds(values[0]))
    if system == "byoyomi":
        main, period, periods = _expect("byoyomi MAIN PERIOD PERIODS", values, 3)
        return _overtime("byoyomi", _seconds(main), _seconds(period), _count(periods))
    if system == "canadian":
        main, period, stones = _expect("canadian MAIN PERIOD STONES", values, 3)
        return _overtime("canadian", _seconds(main), _seconds(period), _count(stones))
    if system == "fischer":
        main, increment = _expect("fischer MAIN INCREMENT", values, 2)
        return TimeSettings("fischer", _seconds(main), increment=_seconds(increment))
    main, increment, limit, move_limit = _expect(
        "fischer-capped MAIN INCREMENT LIMIT MAXIMUM_PER_MOVE", values, 4
    )
    return TimeSettings(
        "fischer",
        _seconds(main),
        increment=_seconds(increment),
        limit=_limit(limit),
        move_limit=_limit(move_limit),
    )


def _overtime(
    kind: Literal["canadian", "byoyomi"], main: float, period: float, count: int
) -> TimeSettings:
    if period == 0 or count == 0:
        return TimeSettings("absolute", main)
    return TimeSettings(kind, main, period, count)


def _expect(synopsis: str, values: Sequence[str], n: int) -> Sequence[str]:
    if len(values) != n:
        raise ValueError(f"expected {synopsis}, got '{' '.join(values)}'")
    return values


def _number(word: str, what: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected {what}, got '{word}'")
    return number


def _seconds(word: str) -> float:
    """Below 0 is 0: bridges subtract the increment from a clock that holds less."""
    return min(max(0.0, _number(word, "seconds")), LONGEST)


def _limit(word: str) -> float:
    """Below 0 is no limit."""
    seconds = _number(word, "seconds")
    return seconds if seconds >= 0 else math.inf


def _count(word: str) -> int:
    number = _number(word, "a count of stones or periods")
    if number < 0 or not number.is_integer():
        raise ValueError(f"expected a count of stones or periods, got '{word}'")
    return int(min(number, LONGEST))


class Clock:
    """The clock of one player.

    Public attributes, for reading: ``settings`` (TimeSettings); ``main_left``, seconds, infinite
    without a limit; ``period_left``, seconds in the running overtime period, and ``count_left``,
    stones still to be played in it (canadian) or periods with it (byoyomi).
    """

    def __init__(self, settings: TimeSettings) -> None:
        self.settings = settings
        self.reset()

    def reset(self) -> None:
        """Go back to the settings."""
        self.main_left = math.inf if self.settings.kind == "none" else self.settings.main
        self._refill()

    def _refill(self) -> None:
        self.period_left = self.settings.period
        self.count_left = self.settings.count

    def copy(self) -> "Clock":
        """An independent clock that stands where this one stands."""
        clock = Clock(self.settings)
        clock.main_left = self.main_left
        clock.period_left, clock.count_left = self.period_left, self.count_left
        return clock

    @property
    def is_limited(self) -> bool:
        """Whether time can run out: there are settings, or ``set_left`` spoke of a clock."""
        return math.isfinite(self.main_left)

    @property
    def in_overtime(self) -> bool:
        """Whether main time is used up and periods follow it."""
        return self.main_left <= 0 and self.settings.has_overtime

    def set_left(self, seconds: float, count: int) -> None:
        """Take over what ``time_left`` says.

        ``count`` 0: ``seconds`` of main time, or of the whole Fischer clock before the increment
        for this move; 0 seconds begin the overtime, if there is any.  Else ``seconds`` in the
        running period, and ``count`` as ``count_left``; without overtime only the seconds count.
        Below 0 is 0.  Raises ValueError for what is not finite, or a negative count.
        """
        if not math.isfinite(seconds):
            raise ValueError(f"expected seconds, got '{seconds}'")
        if count < 0:
            raise ValueError(f"expected a count of stones or periods, got '{count}'")
        seconds = min(max(0.0, seconds), LONGEST)
        if self.settings.has_overtime and count > 0:
            self.main_left, self.period_left, self.count_left = 0.0, seconds, count
        elif self.settings.kind != "none" or seconds > 0:
            self.main_left = seconds
            self._refill()

    def spend(self, seconds: float) -> None:
        """Take off the time that one move cost, as the time system counts it.

        Whoever is out of time goes on with nothing left, or with the last period.
        """
        seconds = max(0.0, seconds)
        was_main, self.main_left = self.main_left, max(0.0, self.main_left - seconds)
        if self.settings.kind == "fischer":
            lifted = min(self.main_left + self.settings.increment, self.settings.limit)
            self.main_left = max(self.main_left, lifted)
        elif self.settings.has_overtime and (was_main == 0 or seconds > was_main):
            self._spend_overtime(seconds - was_main)

    def _spend_overtime(self, seconds: float) -> None:
        if self.settings.kind == "canadian":
            self.period_left = max(0.0, self.period_left - seconds)
            self.count_left -= 1
            if self.count_left <= 0:
                self._refill()
            return
        if seconds >= self.period_left:
            n_used = 1 + int((seconds - self.period_left) // self.settings.period)
            self.count_left = max(1, self.count_left - n_used)
        self.period_left = self.settings.period

    def budget(self, size: int, n_moves: int, plan: TimePlan = TimePlan()) -> Budget:
        """Seconds for the next move, infinite without a limit; the clock is not changed.

        ``n_moves`` counts the moves of both sides so far, passes too.
        """
        if not self.is_limited:
            return Budget(math.inf, math.inf)
        matter = max(plan.matter * size * size, plan.fewest)
        n_shares = matter + max(matter - n_moves, 0.0)  # twice as many on the empty board
        if self.in_overtime:
            target, maximum = self._overtime_budget(plan, n_moves >= matter)
        elif self.settings.has_overtime:
            # While main time lasts, a full period waits behind it, and one move may use both.
            share = self._overtime_budget(plan, False).target
            ceiling = self.main_left + share
            target = (self.main_left + share * matter) / n_shares
            if target >= self.main_left:  # it would run into the period: then use that, too
                target = ceiling
            maximum = min(plan.stretch * target, ceiling)
        else:
            target, maximum = self._main_budget(plan, matter, n_shares, n_moves)
        maximum = max(maximum, plan.shortest)
        return Budget(min(max(target, plan.shortest), maximum), maximum)

    def _main_budget(self, plan: TimePlan, matter: float, n_shares: float, n_moves: int) -> Budget:
        """Absolute and Fischer: when the clock is at 0, all is over."""
        settings = self.settings
        n_more = max(plan.longest_game - n_moves, plan.longest_game / 5) / 2
        unpaid = max(0.0, plan.late - settings.increment)
        reserve = min(n_more * unpaid, plan.reserve * max(settings.main, self.main_left))
        ceiling = self.main_left - plan.lag
        share = max(0.0, settings.increment - plan.late)
        target = max(0.0, ceiling - reserve) / (n_shares + max(0.0, n_moves - plan.long * matter))
        target += share * matter / n_shares
        # What the limit would cut off is better used; what the move limit would, cannot be.
        target = max(target, min(self.main_left + settings.increment - settings.limit, ceiling))
        move_limit = settings.move_limit
        move_limit -= min(plan.lag, plan.lag_of_period * move_limit)
        return Budget(target, min(plan.stretch * target, ceiling, move_limit))

    def _overtime_budget(self, plan: TimePlan, may_use_periods: bool) -> Budget:
        """In overtime, or for the first move of it."""
        period, left, count = self.settings.period, self.period_left, self.count_left
        lag = min(plan.lag, plan.lag_of_period * period)
        if self.settings.kind == "canadian":
            late = min(plan.late, left / (2 * count))
            usable = left - lag - (count - 1) * late
            return Budget(usable / count, usable * 2 / (count + 1))
        if left < 2 * lag and count > 1:
            left, count = left + period, count - 1  # a period as good as lost
        usable = left - lag
        return Budget(usable, usable + (period if may_use_periods and count > 2 else 0.0))
