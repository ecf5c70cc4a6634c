"""gtpengine: a Go engine that speaks GTP, and a library to build on.

>>> from gtpengine import BLACK, Game, Player, PlayerSettings, format_vertex, parse_vertex
>>> game = Game(size=9)
>>> game.play(BLACK, parse_vertex("E5", game.size))
>>> player = Player(PlayerSettings(visits=200, threads=1, seed=1))
>>> game.play(game.to_play, player.move(game, game.to_play))
>>> len(game.moves)
2

Points and colors are ints; scores are Black minus White.  Every error is a ValueError.
"""

from gtpengine._version import __version__
from gtpengine.coords import format_vertex, parse_vertex
from gtpengine.core.board import Board, IllegalMove
from gtpengine.core.findings import Choice
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, EMPTY, PASS, WHITE
from gtpengine.game import CannotUndo, Game, Move
from gtpengine.player import RESIGN, Player
from gtpengine.rules import PRESETS, Rules
from gtpengine.scoring import Status, final_score, final_status, format_score
from gtpengine.settings import PlayerSettings
from gtpengine.sgf import format_sgf, read_sgf
from gtpengine.sgf import load as load_sgf

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "PRESETS",
    "RESIGN",
    "WHITE",
    "Board",
    "CannotUndo",
    "Choice",
    "Game",
    "IllegalMove",
    "Move",
    "Player",
    "PlayerSettings",
    "Rules",
    "Search",
    "Status",
    "__version__",
    "final_score",
    "final_status",
    "format_score",
    "format_sgf",
    "format_vertex",
    "load_sgf",
    "parse_vertex",
    "read_sgf",
]
