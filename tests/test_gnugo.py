"""Whole games with GNU Go as referee: our moves are legal for it, and it counts the same."""

import shutil

import pytest
from sgfmill import boards

from gtpengine.coords import format_vertex, parse_vertex, row_column
from gtpengine.core.score import area_owner
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.match.controller import Engine, EngineSpec
from gtpengine.player import RESIGN, Player
from gtpengine.rules import Rules
from gtpengine.scoring import final_score, format_score
from gtpengine.settings import PlayerSettings
from gtpengine.status import judge

GNUGO = shutil.which("gnugo", path="/usr/games:/usr/local/bin:/usr/bin")
PATIENCE = 60.0  # seconds for one answer, on a busy machine

pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
NAMES = {BLACK: "black", WHITE: "white"}


@pytest.fixture
def referee():
    command = (GNUGO, "--mode", "gtp", "--level", "0", "--chinese-rules")
    engine = Engine(EngineSpec("gnugo", command))
    yield engine
    engine.close()


def begin(referee: Engine, game: Game) -> None:
    for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}"):
        referee.demand(command, PATIENCE)


def our_move(player: Player, game: Game, referee: Engine) -> int:
    color = game.to_play
    point = player.move(game, color)
    if point != RESIGN:
        game.play(color, point)
        referee.demand(f"play {NAMES[color]} {format_vertex(point)}", PATIENCE)
    return point


def area_of(game: Game) -> int:
    """The area score of the board as it stands, counted by sgfmill."""
    board = boards.Board(game.size)
    black, white = (
        [row_column(point, game.size) for point in game.board.stones(color)]
        for color in (BLACK, WHITE)
    )
    board.apply_setup(black, white, [])
    return int(board.area_score())


def eyes_left_out(referee: Engine, game: Game) -> int:
    """Points, Black minus White, that GNU Go counts as dame though one color surrounds them.

    It leaves out eyes in a seki even where it counts area.  (Without a seki, too, it may list a
    point of a large territory as dame, but then its score counts it.)
    """
    if not judge(game.board).seki:
        return 0
    owner, size = area_owner(game.board), game.size
    dame = referee.demand("final_status_list dame", PATIENCE).split()
    return sum(int(owner[row_column(parse_vertex(vertex, size), size)]) for vertex in dame)


# Five of these are enough to meet captures, kos, passes and a seki; the boards are cleaned, so that
# every stone counts.
@pytest.mark.parametrize(("size", "seed"), [(5, 1), (7, 2), (9, 3), (9, 4), (13, 6)])
def test_self_play_is_legal_and_scored_alike(referee: Engine, size: int, seed: int) -> None:
    settings = PlayerSettings(
        visits=120, threads=1, seed=seed, memory=64, resign=None, cleanup=True
    )
    game, player = Game(size, Rules.from_name("chinese"), komi=0.5), Player(settings)
    begin(referee, game)
    while not game.is_over:
        our_move(player, game, referee)
        assert len(game.moves) < 3 * size * size
    assert final_score(game) == area_of(game) - game.komi
    told = referee.demand("final_score", PATIENCE)
    assert told == format_score(final_score(game) - eyes_left_out(referee, game))


@pytest.mark.parametrize(("size", "color", "seed"), [(9, BLACK, 1), (9, WHITE, 2)])
def test_a_game_against_gnugo_has_no_fault(
    referee: Engine, size: int, color: int, seed: int
) -> None:
    settings = PlayerSettings(visits=100, threads=1, seed=seed, memory=64)
    game, player = Game(size, Rules.from_name("chinese"), komi=6.5), Player(settings)
    begin(referee, game)
    while not game.is_over:
        if game.to_play == color:
            if our_move(player, game, referee) == RESIGN:
                return
            continue
        answer = referee.demand(f"genmove {NAMES[game.to_play]}", PATIENCE).lower()
        if answer == "resign":
            return
        points = {format_vertex(p).lower(): p for p in [PASS, *game.board.points()]}
        game.play(game.to_play, points[answer])  # ours accepts every move of GNU Go's
        assert len(game.moves) < 3 * size * size
