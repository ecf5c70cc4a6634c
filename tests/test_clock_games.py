"""Whole games on the clock: the engine never loses on time, and uses what it has."""

import sys
import time

import pytest

from gtpengine.clock import (
    Clock,
    TimeSettings,
    parse_kata_time_settings,
    parse_kgs_time_settings,
    parse_time_settings,
)
from gtpengine.match.controller import Engine, EngineSpec

PATIENCE = 60.0

CLOCKS = {   # commands as clients send them, short enough for a test
    "absolute": ("time_settings 15 0 0", parse_time_settings),
    "canadian": ("time_settings 6 4 5", parse_time_settings),
    "byoyomi": ("kgs-time_settings byoyomi 5 1 3", parse_kgs_time_settings),
    "fischer": ("kata-time_settings fischer 5 0.5", parse_kata_time_settings),
}  # fmt: skip


def is_out_of_time(clock: Clock, seconds: float) -> bool:
    """Whether a move that took so long loses on the server's clock."""
    left = clock.main_left
    if clock.settings.kind == "byoyomi":
        left += clock.period_left + (clock.count_left - 1) * clock.settings.period
    elif clock.settings.kind == "canadian":
        left += clock.period_left
    return seconds > left


@pytest.mark.slow
@pytest.mark.parametrize(("command", "parse"), CLOCKS.values(), ids=CLOCKS)
@pytest.mark.parametrize("tells_time_left", [True, False])
def test_no_game_is_lost_on_time(command: str, parse: object, tells_time_left: bool) -> None:
    settings: TimeSettings = parse(command.split()[1:])  # type: ignore[operator]
    clocks = {color: Clock(settings) for color in "bw"}
    used = dict.fromkeys("bw", 0.0)
    words = (
        sys.executable,
        "-m",
        "gtpengine",
        "--threads",
        "1",
        "--size",
        "9",
        "--resign",
        "never",
    )
    engine = Engine(EngineSpec("gtpengine", words))
    try:
        engine.demand(command, PATIENCE)
        passes, color = 0, "b"
        for _ in range(250):
            clock = clocks[color]
            if tells_time_left:
                in_main = clock.main_left > 0
                seconds = clock.main_left if in_main else clock.period_left
                count = 0 if in_main else clock.count_left
                engine.demand(f"time_left {color} {int(seconds)} {count}", PATIENCE)
            before = time.monotonic()
            move = engine.demand(f"genmove {color}", PATIENCE)
            seconds = time.monotonic() - before
            assert not is_out_of_time(clock, seconds), f"{move}: {seconds:.2f} s"
            clock.spend(seconds)
            used[color] += seconds
            passes = passes + 1 if move == "pass" else 0
            if passes == 2:
                break
            color = "w" if color == "b" else "b"
        if settings.kind == "absolute":
            assert min(used.values()) > 0.25 * settings.main
    finally:
        engine.close()
