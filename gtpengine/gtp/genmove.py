"""A move from the player to the board, for every command that generates one."""

from __future__ import annotations

import time

from gtpengine.coords import format_vertex
from gtpengine.gtp.graphics import LiveGraphics
from gtpengine.gtp.session import Session
from gtpengine.player import RESIGN
from gtpengine.report import Avoided, Observer


def generate(
    session: Session,
    color: int,
    *,
    cleanup: bool = False,
    avoid: Avoided = (),
    observer: Observer | None = None,
    detailed: bool = False,
) -> str:
    """Choose and play a move, charge the clock, ponder on; return the vertex, pass or resign."""
    start = time.monotonic()
    game, player = session.game, session.ready_player()
    if observer is None and session.live_gfx:
        observer = LiveGraphics(game, color)
    move = player.move(
        game,
        color,
        may_resign=not cleanup,
        cleanup=cleanup,
        avoid=avoid,
        observer=observer,
        detailed=detailed,
    )
    if move != RESIGN:
        game.play(color, move)
    game.clocks[color].spend(time.monotonic() - start)
    if move != RESIGN and player.settings.ponder and not game.is_over:
        player.start_ponder(game)
    return format_move(move)


def format_move(move: int) -> str:
    """The answer to genmove: "D4", "pass" or "resign"."""
    return "resign" if move == RESIGN else format_vertex(move)
