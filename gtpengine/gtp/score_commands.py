"""The commands about rules and about the end of a game."""

from __future__ import annotations

from gtpengine.core.types import BLACK, EMPTY, WHITE
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import failing_as
from gtpengine.gtp.session import Session, format_vertices
from gtpengine.gtp.table import command
from gtpengine.rules import Rules
from gtpengine.scoring import final_score, final_status, format_score, tally

_STONES = ("alive", "seki", "dead")
_TERRITORY = {"white_territory": WHITE, "black_territory": BLACK, "dame": EMPTY}


class ScoreCommands:
    """Rules, which hold from the moment they are set, and the scores under them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("kgs-rules")
    def kgs_rules(self, args: Arguments) -> None:
        """kgs-rules NAME [WORD]...

        japanese, chinese, aga or new_zealand; words behind the name are ignored.
        """
        name = args.word("name of rules")
        with failing_as("syntax error", tell=True):
            self._session.game.rules = Rules.from_kgs(name)

    @command("kata-set-rules")
    def kata_set_rules(self, args: Arguments) -> None:
        """kata-set-rules NAME | JSON

        A preset, or an object as kata-get-rules prints it.
        """
        with failing_as("syntax error", tell=True):
            self._session.game.rules = Rules.parse(" ".join(args.rest()))

    @command("kata-set-rule")
    def kata_set_rule(self, args: Arguments) -> None:
        """kata-set-rule KEY VALUE

        One entry of that object: "ko SIMPLE".
        """
        key, value = args.word("key"), args.word("value")
        args.done()
        with failing_as("syntax error", tell=True):
            self._session.game.rules = self._session.game.rules.with_setting(key, value)

    @command("kata-get-rules")
    def kata_get_rules(self, args: Arguments) -> str:
        """kata-get-rules

        The rules as a JSON object on one line.
        """
        args.done()
        return self._session.game.rules.to_json()

    @command("final_score")
    def final_score(self, args: Arguments) -> str:
        """final_score

        "B+3.5", "W+11.0" or "0": with komi, without the dead stones, in any position.
        """
        args.done()
        return format_score(
            final_score(self._session.finished_game(), self._session.player.settings.proven_only)
        )

    @command("estimate_score")
    def estimate_score(self, args: Arguments) -> str:
        """estimate_score

        What final_score says and how it comes about: "B+3.5 (Black 45, White 34 + komi 7.5)".
        """
        args.done()
        game = self._session.finished_game()
        return str(tally(game, final_status(game, self._session.player.settings.proven_only)))

    @command("final_status_list")
    def final_status_list(self, args: Arguments) -> str:
        """final_status_list alive | seki | dead | white_territory | black_territory | dame

        Stones come a chain a line; the last three are empty points, on one line.
        """
        with failing_as("syntax error"):
            wanted = args.choice((*_STONES, *_TERRITORY), "status")
            args.done()
        game = self._session.finished_game()
        board = game.board
        status = final_status(game, self._session.player.settings.proven_only)
        if wanted in _TERRITORY:
            owner = _TERRITORY[wanted]
            empty = (point for point in board.points() if board.color_at(point) == EMPTY)
            return format_vertices(point for point in empty if status.owner[point] == owner)
        left: set[int] = set(getattr(status, wanted))
        lines = []
        for point in sorted(left, reverse=True):
            if point in left:
                chain = board.chain(point)
                left.difference_update(chain)
                lines.append(format_vertices(chain))
        return "\n".join(lines)
