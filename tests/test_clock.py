"""Clock: what clients send, own bookkeeping, and a plan that never loses on time."""

import math
import random

import pytest

from gtpengine.clock import (
    Clock,
    TimePlan,
    TimeSettings,
    parse_kata_time_settings,
    parse_kgs_time_settings,
    parse_time_settings,
)

NONE = TimeSettings()
FOREVER = math.inf


def absolute(main):
    return TimeSettings("absolute", main)


def canadian(main, period, stones):
    return TimeSettings("canadian", main, period, stones)


def byoyomi(main, period, periods):
    return TimeSettings("byoyomi", main, period, periods)


def fischer(main, increment, limit=FOREVER, move_limit=FOREVER):
    return TimeSettings("fischer", main, 0, 0, increment, limit, move_limit)


# Settings

SETTINGS = [  # command, arguments, meaning
    ("time_settings", "600 0 0", absolute(600)),
    ("time_settings", "0 0 0", absolute(0)),
    ("time_settings", "900 0 25", absolute(900)),  # no period: absolute
    ("time_settings", "0 1 0", NONE),  # GoGui: no limit
    ("time_settings", "300 30 0", NONE),
    ("time_settings", "60 300 25", canadian(60, 300, 25)),
    ("time_settings", "0 5 1", canadian(0, 5, 1)),
    ("time_settings", "-5 10.5 1", canadian(0, 10.5, 1)),  # gtp2ogs: initial less increment
    ("time_settings", "12.25 30 5.0", canadian(12.25, 30, 5)),
    ("time_settings", "2419200 0 0", absolute(2419200)),
    ("time_settings", "1e300 1e300 1e300", canadian(1e9, 1e9, 10**9)),
    ("kgs-time_settings", "none", NONE),
    ("kgs-time_settings", "absolute 1800", absolute(1800)),
    ("kgs-time_settings", "byoyomi 1200 30 5", byoyomi(1200, 30, 5)),
    ("kgs-time_settings", "byoyomi 1200 30 0", absolute(1200)),
    ("kgs-time_settings", "canadian 600 300 25", canadian(600, 300, 25)),
    ("kgs-time_settings", "canadian 600 0 25", absolute(600)),
    ("kata-time_settings", "none", NONE),
    ("kata-time_settings", "byoyomi 1200 30 3", byoyomi(1200, 30, 3)),
    ("kata-time_settings", "canadian 0.5 5.5 2", canadian(0.5, 5.5, 2)),
    ("kata-time_settings", "fischer 60 2", fischer(60, 2)),
    ("kata-time_settings", "fischer-capped 300 10 600 -1", fischer(300, 10, limit=600)),
    ("kata-time_settings", "fischer-capped 300 10 -1 20", fischer(300, 10, move_limit=20)),
    ("kata-time_settings", "Absolute 10", absolute(10)),
]
PARSERS = {
    "time_settings": parse_time_settings,
    "kgs-time_settings": parse_kgs_time_settings,
    "kata-time_settings": parse_kata_time_settings,
}


@pytest.mark.parametrize(("command", "arguments", "settings"), SETTINGS)
def test_settings(command, arguments, settings):
    assert PARSERS[command](arguments.split()) == settings


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("time_settings", "", "expected MAIN PERIOD STONES, got ''"),
        ("time_settings", "600 0", "expected MAIN PERIOD STONES, got '600 0'"),
        ("time_settings", "600 0 0 0", "expected MAIN PERIOD STONES, got '600 0 0 0'"),
        ("time_settings", "ten 0 0", "expected seconds, got 'ten'"),
        ("time_settings", "nan 0 0", "expected seconds, got 'nan'"),
        ("time_settings", "1e999 0 0", "expected seconds, got '1e999'"),
        ("time_settings", "600 -inf 5", "expected seconds, got '-inf'"),
        ("time_settings", "600 30 2.5", "expected a count of stones or periods, got '2.5'"),
        ("time_settings", "600 30 -1", "expected a count of stones or periods, got '-1'"),
        ("time_settings", "600 30 nan", "expected a count of stones or periods, got 'nan'"),
        ("kgs-time_settings", "", "expected none|absolute|byoyomi|canadian, got ''"),
        ("kgs-time_settings", "fischer 60 2", "expected none|absolute|byoyomi|canadian, got 'f"),
        ("kgs-time_settings", "byoyomi 60 5", "expected byoyomi MAIN PERIOD PERIODS, got '60 5'"),
        ("kgs-time_settings", "none 5", "expected none, got '5'"),
        ("kata-time_settings", "fischer 60", "expected fischer MAIN INCREMENT, got '60'"),
        ("kata-time_settings", "fischer-capped 1 1", "expected fischer-capped MAIN INCREMENT LIM"),
        ("kata-time_settings", "fischer-capped 1 1 nan 1", "expected seconds, got 'nan'"),
    ],
)
def test_bad_settings(command, arguments, message):
    with pytest.raises(ValueError, match="expected") as error:
        PARSERS[command](arguments.split())
    assert str(error.value).startswith(message)


def test_settings_without_overtime_cannot_claim_it():
    with pytest.raises(ValueError, match="expected overtime of more than nothing, got '0 5'"):
        canadian(60, 0, 5)


# The clock itself.  A state is (main, period, count).


def state(clock):
    return round(clock.main_left, 6), round(clock.period_left, 6), clock.count_left


SPENT = [  # settings, seconds of each move, state after each
    (absolute(10), [4, 7, 1], [(6, 0, 0), (0, 0, 0), (0, 0, 0)]),
    (canadian(10, 60, 3), [8, 12, 5, 5], [(2, 60, 3), (0, 50, 2), (0, 45, 1), (0, 60, 3)]),
    (canadian(10, 60, 3), [10, 10], [(0, 60, 3), (0, 50, 2)]),
    (canadian(0, 5, 2), [9, 1], [(0, 0, 1), (0, 5, 2)]),  # out of time, but asked to go on
    (byoyomi(10, 30, 3), [35, 30, 61, 99], [(0, 30, 3), (0, 30, 2), (0, 30, 1), (0, 30, 1)]),
    (byoyomi(5, 10, 5), [5, 9.9, 20], [(0, 10, 5), (0, 10, 5), (0, 10, 3)]),
    (fischer(10, 3), [5, 9], [(8, 0, 0), (3, 0, 0)]),
    (fischer(10, 3, limit=12), [0.5, 20], [(12, 0, 0), (3, 0, 0)]),
    (fischer(20, 3, limit=12), [1], [(19, 0, 0)]),  # above the limit from the beginning
    (NONE, [1e6], [(FOREVER, 0, 0)]),
    (absolute(10), [-3], [(10, 0, 0)]),
]


@pytest.mark.parametrize(("settings", "seconds", "states"), SPENT)
def test_spend(settings, seconds, states):
    clock = Clock(settings)
    seen = []
    for one in seconds:
        clock.spend(one)
        seen.append(state(clock))
    assert seen == states
    clock.reset()
    assert state(clock) == state(Clock(settings))


TOLD = [  # settings, time_left, state
    (absolute(600), (480.5, 0), (480.5, 0, 0)),
    (absolute(600), (-3, 0), (0, 0, 0)),
    (absolute(600), (30, 5), (30, 0, 0)),  # no overtime known: only the seconds count
    (canadian(600, 300, 25), (12, 0), (12, 300, 25)),
    (canadian(600, 300, 25), (0, 0), (0, 300, 25)),  # overtime starts now
    (canadian(600, 300, 25), (250, 20), (0, 250, 20)),
    (canadian(600, 300, 25), (500, 99), (0, 500, 99)),  # more than was agreed
    (byoyomi(600, 30, 5), (10, 0), (10, 30, 5)),
    (byoyomi(600, 30, 5), (7.5, 2), (0, 7.5, 2)),
    (byoyomi(600, 30, 5), (-0.2, 1), (0, 0, 1)),
    (fischer(60, 5), (33, 0), (33, 0, 0)),
    (fischer(60, 5), (33, 1), (33, 0, 0)),
    (absolute(600), (1e300, 0), (1e9, 0, 0)),
    (NONE, (120, 0), (120, 0, 0)),  # somebody has a clock
    (NONE, (0, 0), (FOREVER, 0, 0)),  # or has none
]


@pytest.mark.parametrize(("settings", "told", "expected"), TOLD)
def test_set_left(settings, told, expected):
    clock = Clock(settings)
    clock.set_left(*told)
    assert state(clock) == expected


@pytest.mark.parametrize("told", [(math.nan, 0), (math.inf, 0), (-math.inf, 1), (5, -1)])
def test_set_left_refuses(told):
    clock = Clock(absolute(60))
    with pytest.raises(ValueError, match="expected"):
        clock.set_left(*told)
    assert state(clock) == (60, 0, 0)


def test_main_time_told_again_restores_the_periods():
    clock = Clock(byoyomi(10, 30, 3))
    clock.spend(45)
    clock.set_left(8, 0)
    assert state(clock) == (8, 30, 3)


def test_copy_is_independent():
    clock = Clock(canadian(0, 60, 5))
    clock.spend(10)
    copy = clock.copy()
    copy.spend(10)
    assert (state(clock), state(copy)) == ((0, 50, 4), (0, 40, 3))


# The plan


def test_no_limit_no_budget():
    assert Clock(NONE).budget(19, 0) == (FOREVER, FOREVER)
    assert not Clock(NONE).is_limited
    assert Clock(absolute(0)).is_limited


@pytest.mark.parametrize("size", [2, 9, 19, 25])
@pytest.mark.parametrize("n_moves", [0, 30, 1000])
@pytest.mark.parametrize("settings", [SPENT[i][0] for i in (0, 1, 4, 6, 7)])
def test_out_of_time_is_a_move_in_no_time(settings, n_moves, size):
    clock = Clock(settings)
    for told in [(0, 1), (0, 0), (-10, 0), (0.001, 1)]:
        clock.set_left(*told)
        if clock.main_left <= 0 and (not settings.has_overtime or told[1] == 1):
            assert clock.budget(size, n_moves) == (0.02, 0.02)
        target, maximum = clock.budget(size, n_moves)
        assert 0 < target <= maximum


@pytest.mark.parametrize(
    ("period", "used"), [(0.3, 0.2), (1, 0.66), (2, 1.5), (5, 4.5), (30, 29.5), (300, 299.5)]
)
def test_overtime_is_used_almost_whole(period, used):
    for settings in (byoyomi(0, period, 1), canadian(0, period, 1)):
        target, maximum = Clock(settings).budget(19, 100)
        assert target == maximum == pytest.approx(used, abs=0.01)


def test_spare_periods_are_spent_in_the_middle_game_only():
    clock = Clock(byoyomi(0, 30, 5))
    assert clock.budget(19, 10) == (29.5, 29.5)
    assert clock.budget(19, 100) == (29.5, 59.5)
    clock.set_left(30, 2)  # one spare period is kept against accidents
    assert clock.budget(19, 100) == (29.5, 29.5)
    clock.set_left(0, 2)  # a running period that is lost anyhow
    assert clock.budget(19, 100) == (29.5, 29.5)


def test_a_long_canadian_period_is_shared_out():
    clock = Clock(canadian(0, 300, 25))
    spent = 0.0
    while True:
        target, maximum = clock.budget(19, 100)
        assert target <= maximum <= 2 * target + 1e-9
        clock.spend(target)
        spent += target
        if clock.count_left == 25:
            break
    assert 294 < spent < 300


def test_main_time_ends_in_the_period_behind_it():
    clock = Clock(byoyomi(3, 30, 1))
    assert clock.budget(19, 100) == (32.5, 32.5)


def test_time_is_spread_over_the_moves_that_matter():
    clock, targets = Clock(absolute(1800)), []
    for n_moves in range(0, 260, 2):
        targets.append(clock.budget(19, n_moves).target)
        clock.spend(targets[-1])
    opening, middle, end = targets[0], max(targets), targets[-1]
    assert 10 < opening < 0.8 * middle
    assert end < 0.4 * middle
    assert targets.index(middle) in range(20, 60)
    assert sum(targets) > 0.75 * 1800


@pytest.mark.parametrize(
    ("size", "seconds", "n_moves"), [(9, 30, 60), (9, 300, 60), (13, 120, 140), (19, 600, 240)]
)
def test_at_least_three_fifths_of_the_time_are_used(size, seconds, n_moves):
    clock = Clock(absolute(seconds))
    for n in range(0, n_moves, 2):
        clock.spend(clock.budget(size, n).target)
    assert clock.main_left <= 0.4 * seconds


def test_fischer_lives_on_its_increment():
    clock = Clock(fischer(60, 10))
    for n in range(0, 400, 2):
        clock.spend(clock.budget(19, n).target)
    assert clock.budget(19, 400).target == pytest.approx(10, abs=0.3)


def test_capped_fischer_wastes_nothing():
    clock = Clock(fischer(60, 10, limit=60))
    assert clock.budget(19, 0).target == pytest.approx(10)  # less would be cut off
    limited = Clock(fischer(60, 10, move_limit=4))
    assert limited.budget(19, 0) == (3.5, 3.5)


def test_a_larger_lag_leaves_more():
    clock = Clock(byoyomi(0, 30, 1))
    assert clock.budget(9, 0, TimePlan(lag=2)) == (28, 28)
    assert Clock(absolute(30)).budget(9, 0, TimePlan(lag=2)) < Clock(absolute(30)).budget(9, 0)


# A server with its own books, against a player who always stops late


class Server:
    """Counts time on its own, as the rules of each system are usually told."""

    def __init__(self, settings):
        self.settings = settings
        self.main, self.period, self.count = settings.main, settings.period, settings.count

    def move(self, seconds):
        """Take off one move; whether the player is still in time."""
        system = self.settings
        if system.kind in ("absolute", "fischer"):
            self.main -= seconds
            if self.main < 0 or seconds > system.move_limit:
                return False
            self.main = max(self.main, min(self.main + system.increment, system.limit))
            return True
        over = seconds - self.main
        self.main = max(0, self.main - seconds)
        if over <= 0:
            return True
        if system.kind == "byoyomi":
            while over > system.period and self.count > 0:
                over -= system.period
                self.count -= 1
            return self.count > 0
        self.period -= over
        self.count -= 1
        alive = self.period >= 0
        if self.count == 0:
            self.period, self.count = system.period, system.count
        return alive

    def time_left(self, rounded):
        """What a client says before a move."""
        if self.main > 0 or not self.settings.has_overtime:
            seconds, count = self.main, 0
        else:
            seconds, count = self.period, self.count
        return math.floor(seconds) if rounded else seconds, count


def lost_at(settings, size, n_moves, messages, style, late):
    """Play for one side; the move number of the loss on time, or None."""
    rng = random.Random(f"{settings} {size} {n_moves} {messages} {style}")
    server, clock = Server(settings), Clock(settings)
    for n in range(0, n_moves, 2):
        if messages == "whole seconds":  # gtp2ogs: settings again before every move, then floor
            clock = Clock(settings)
        if messages != "none":
            clock.set_left(*server.time_left(messages == "whole seconds"))
        budget = clock.budget(size, n)
        assert 0 < budget.target <= budget.maximum
        seconds = {"maximum": budget.maximum, "mixed": rng.choice(budget)}
        spent = seconds[style] + rng.uniform(0, late)
        clock.spend(spent)
        if not server.move(spent):
            return n
    return None


LIVES = [  # settings, longest game in moves of both sides
    (absolute(30), 200),  # 0.3 s a move in all: too little for 0.15 s late and a search
    (absolute(60), 350),
    (absolute(90), 500),
    (absolute(300), 500),
    (absolute(1800), 500),
    (canadian(0, 1, 1), 500),
    (canadian(30, 20, 25), 500),
    (canadian(10, 5, 25), 500),  # 0.2 s a stone
    (canadian(600, 300, 25), 500),
    (canadian(7, 4, 2), 500),
    (byoyomi(0, 1, 1), 500),
    (byoyomi(5, 1, 5), 500),
    (byoyomi(60, 5, 3), 500),
    (byoyomi(600, 30, 5), 500),
    (fischer(5, 0.5), 500),
    (fischer(10, 0.2), 500),
    (fischer(60, 2), 500),
    (fischer(90, 0), 500),
    (fischer(300, 10, limit=300), 500),
    (fischer(30, 5, limit=30, move_limit=10), 500),
]


@pytest.mark.parametrize("messages", ["none", "exact", "whole seconds"])
@pytest.mark.parametrize(("settings", "longest"), LIVES)
def test_never_loses_on_time(settings, longest, messages):
    losses = [
        (size, style, lost)
        for size in (9, 13, 19)
        for style in ("maximum", "mixed")
        if (lost := lost_at(settings, size, longest, messages, style, 0.15)) is not None
    ]
    assert not losses


def test_the_server_can_tell_a_loss():
    for settings in (absolute(9), canadian(0, 1, 9), byoyomi(0, 0.1, 1), fischer(5, 0.01)):
        assert lost_at(settings, 9, 500, "exact", "maximum", 0.15) is not None
