"""What GoGui shows in its menu of analyze commands, and what it asks for besides."""

from __future__ import annotations

from dataclasses import dataclass

from gtpengine.coords import format_vertex, row_column
from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.game import Game
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.graphics import best_moves, format_board
from gtpengine.gtp.session import COLOR_NAMES, Session, format_vertices
from gtpengine.gtp.table import command
from gtpengine.report import Snapshot, ranked, take_snapshot
from gtpengine.scoring import Status, final_status, format_score, score_of

VISITS = 500  # that a picture adds to the search
_NOTHING = '""'

# type / label / command; GoGui puts a color for %c and %m, text for %s.
ANALYZE_COMMANDS = """
gfx/Best Moves/gtpengine-best_moves
sboard/Win Rates/gtpengine-win_rates
sboard/Visits/gtpengine-visits
varc/Main Line/gtpengine-main_line %c
dboard/Ownership/gtpengine-ownership
hstring/Search Statistics/gtpengine-statistics
plist/Legal Moves/all_legal %m
plist/Forbidden by Ko/gtpengine-ko_points %m
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Black Territory/final_status_list black_territory
plist/White Territory/final_status_list white_territory
string/Score/final_score
hstring/Score in Detail/gtpengine-score
string/Rules/kata-get-rules
none/Set Rules/kata-set-rules %s
param/Settings/gtpengine-param
"""


class GoguiCommands:
    """Pictures of the search and of the position, in the formats of GoGui.

    A picture of the search shows what is known of the position as it stands, whoever is to move;
    each adds a little to the search.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("gogui-analyze_commands")
    def gogui_analyze_commands(self, args: Arguments) -> str:
        """gogui-analyze_commands

        The entries of GoGui's menu, "type/label/command" a line.
        """
        args.done()
        return ANALYZE_COMMANDS.strip()

    @command("gogui-version")
    def gogui_version(self, args: Arguments) -> None:
        """gogui-version [WORD]...

        GoGui tells its version; nothing depends on it.
        """

    @command("gtpengine-best_moves")
    def best_moves(self, args: Arguments) -> str:
        """gtpengine-best_moves

        Drawing commands: win rates in percent beside the best moves.
        """
        args.done()
        return "\n".join(best_moves(self._look()))

    @command("gtpengine-win_rates")
    def win_rates(self, args: Arguments) -> str:
        """gtpengine-win_rates

        A board with the win rate of each visited move, in percent.
        """
        args.done()
        rates = {c.choice.point: 100 * c.choice.win_rate for c in self._look().candidates}
        return self._board({point: f"{rate:.0f}" for point, rate in rates.items()})

    @command("gtpengine-visits")
    def visits(self, args: Arguments) -> str:
        """gtpengine-visits

        A board with the visits of each visited move.
        """
        args.done()
        return self._board({c.choice.point: str(c.choice.visits) for c in self._look().candidates})

    @command("gtpengine-main_line")
    def main_line(self, args: Arguments) -> str:
        """gtpengine-main_line COLOR

        The best moves of both sides from here on, the color playing first.
        """
        color = args.color()
        args.done()
        shot = self._look(color)
        line = shot.candidates[0].line if shot.candidates else []
        return " ".join(map(format_vertex, line))

    @command("gtpengine-ownership")
    def ownership(self, args: Arguments) -> str:
        """gtpengine-ownership

        A board of numbers, 1 where a point will be Black's for sure, -1 where White's.
        """
        args.done()
        game = self._session.game
        owner = self._session.ready_player().examine(game, game.to_play, VISITS).ownership()
        return format_board(game.size, lambda point: f"{owner[row_column(point, game.size)]:.2f}")

    @command("gtpengine-statistics")
    def statistics(self, args: Arguments) -> str:
        """gtpengine-statistics

        What the last search has done and found.
        """
        args.done()
        player = self._session.ready_player()
        search = player.search
        best = ranked(search.choices())[:1]
        line = search.variation(best[0].point) if best else []
        return "\n".join(
            [
                f"Visits: {search.visits}",
                f"Nodes: {search.n_nodes}",
                f"Threads: {player.settings.threads}",
                f"Win rate: {100 * search.win_rate:.1f} %",
                f"Lead: {search.lead + 0.0:.1f}, give or take {search.lead_deviation:.1f} a game",
                f"Main line: {' '.join(map(format_vertex, line)) or 'none'}",
            ]
        )

    @command("gtpengine-ko_points")
    def ko_points(self, args: Arguments) -> str:
        """gtpengine-ko_points COLOR

        The points where only ko or superko forbids the color to play.
        """
        color = args.color()
        args.done()
        game = self._session.game
        empty = (point for point in game.board.points() if game.board.color_at(point) == EMPTY)
        return format_vertices(p for p in empty if game.legality(color, p).endswith("ko"))

    @command("gtpengine-score")
    def score(self, args: Arguments) -> str:
        """gtpengine-score

        How final_score comes about: what each side has, and which stones come off.
        """
        args.done()
        game = self._session.finished_game()
        status = final_status(game, self._session.player.settings.proven_only)
        totals = {color: _Count.of(game, status, color) for color in (BLACK, WHITE)}
        return "\n".join(
            [
                f"Rules: {game.rules.name}",
                *(f"{COLOR_NAMES[color].capitalize()}: {totals[color]}" for color in totals),
                f"Dead: {format_vertices(status.dead) or 'none'}",
                f"Score: {format_score(score_of(game, status))}",
            ]
        )

    def _look(self, color: int | None = None) -> Snapshot:
        game = self._session.game
        color = game.to_play if color is None else color
        search = self._session.ready_player().examine(game, color, VISITS)
        return take_snapshot(search, game, color)

    def _board(self, texts: dict[int, str]) -> str:
        return format_board(self._session.game.size, lambda point: texts.get(point, _NOTHING))


@dataclass(frozen=True)
class _Count:
    """What one side scores; ``stones`` are points under area rules, prisoners under territory."""

    points: int
    stones: int
    prisoners: int
    compensation: float
    is_area: bool

    @classmethod
    def of(cls, game: Game, status: Status, color: int) -> _Count:
        board = game.board
        own = [point for point, owner in status.owner.items() if owner == color]
        stones = sum(board.color_at(p) == color and p not in status.dead for p in own)
        dead = sum(board.color_at(point) not in (EMPTY, color) for point in status.dead)
        lost = board.lost[1] if color == BLACK else board.lost[0]
        bonus = game.komi + game.rules.bonus(game.handicap) if color == WHITE else 0
        is_area = game.rules.scoring == "area"
        return cls(len(own) - stones, stones, dead + lost, bonus, is_area)

    def __str__(self) -> str:
        second = self.stones if self.is_area else self.prisoners
        total = self.points + second + self.compensation
        text = f"{self.points} points and {second} {'stones' if self.is_area else 'prisoners'}"
        if self.compensation:
            text += f" and {self.compensation:g} for playing second"
        return f"{text}, {total:g} in all"
