"""The analysis commands of Leela Zero, KataGo and CGOS."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from gtpengine.core.findings import Choice
from gtpengine.core.search import Search
from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.genmove import format_move, generate
from gtpengine.gtp.info import cgos_line, katago_parts, leela_parts
from gtpengine.gtp.request import Request, read_request
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import Stream, command, stream_command
from gtpengine.report import Candidate, Snapshot, take_snapshot

_FEW = 10  # moves that CGOS is told of

Format = Callable[[Snapshot, Request, Search], Iterator[str]]


def _leela(shot: Snapshot, request: Request, search: Search) -> Iterator[str]:
    return leela_parts(shot)


def _cgos(shot: Snapshot, request: Request, search: Search) -> Iterator[str]:
    yield cgos_line(shot, search)


class Reporter:
    """Writes a line an interval, and a last one when a move has been found."""

    def __init__(self, session: Session, request: Request, stream: Stream, form: Format) -> None:
        self._game = session.game
        self._request = request
        self._stream = stream
        self._form = form
        self._due = time.monotonic() + (request.interval or 0)

    def look(self, search: Search) -> None:
        now = time.monotonic()
        if self._request.interval is None or now < self._due or self._stream.wanted_end.is_set():
            return
        self._due = max(now, self._due + self._request.interval)
        shot = self._shot(search)
        if not shot.candidates:
            return
        parts = []
        for part in self._form(shot, self._request, search):
            if self._stream.wanted_end.is_set():  # a long line takes its time
                return
            parts.append(part)
        self._stream.line(" ".join(parts))

    def finish(self, search: Search, move: int) -> None:
        shot = self._shot(search, least=1)
        if not shot.candidates:  # nothing was to be searched
            choice = Choice(move, 0, shot.win_rate, shot.lead, 0.0, 0.0, shot.lead_deviation)
            shot.candidates.append(Candidate(choice, 0.0, [move], [0]))
        self._stream.line(" ".join(self._form(shot, self._request, search)))

    def _shot(self, search: Search, least: int = 0) -> Snapshot:
        request = self._request
        least = max(least, request.least)
        return take_snapshot(search, self._game, request.color, least, request.most)


class AnalysisCommands:
    """Commands that show what the search thinks, while it thinks.

    All take [COLOR] [INTERVAL] [KEY VALUE]..., in this order: whose move is looked at (the side to
    move, if no color is given), and the centiseconds from one line to the next (without them no
    line comes by the clock).  Keys:

    - interval CENTISECONDS
    - minmoves N, maxmoves N: list so many moves at least, at most
    - avoid COLOR VERTEX,... DEPTH: the color does not play there among the first DEPTH moves
    - allow COLOR VERTEX,... DEPTH: it plays nowhere else; once a color, and not beside avoid

    A line holds all moves, the best first, "info move D4 visits ... pv D4 ..." each.  Every number
    is from the view of the player to move.  The commands of Leela Zero print rates as whole
    ten-thousandths, those of KataGo as fractions of 1, and also scores in points; they take more
    keys, with true or false behind: rootInfo, ownership, ownershipStdev, movesOwnership,
    movesOwnershipStdev, pvVisits, pvEdgeVisits, noResultValue.

    lz-analyze and kata-analyze end on any input, be it an empty line; the others end by themselves.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @stream_command("lz-analyze", ends_on_input=True)
    def lz_analyze(self, args: Arguments, stream: Stream) -> None:
        """lz-analyze [COLOR] [INTERVAL] [KEY VALUE]...

        Searches until the next line of input.
        """
        self._analyze(args, stream, _leela)

    @stream_command("kata-analyze", ends_on_input=True)
    def kata_analyze(self, args: Arguments, stream: Stream) -> None:
        """kata-analyze [COLOR] [INTERVAL] [KEY VALUE]...

        Searches until the next line of input.
        """
        self._analyze(args, stream, katago_parts)

    @stream_command("lz-genmove_analyze", ends_on_input=False)
    def lz_genmove_analyze(self, args: Arguments, stream: Stream) -> None:
        """lz-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...

        Like genmove; at least one line, then "play VERTEX", "play pass" or "play resign".
        """
        self._generate(args, stream, _leela)

    @stream_command("kata-genmove_analyze", ends_on_input=False)
    def kata_genmove_analyze(self, args: Arguments, stream: Stream) -> None:
        """kata-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...

        Like genmove; at least one line, then "play VERTEX", "play pass" or "play resign".
        """
        self._generate(args, stream, katago_parts)

    @stream_command("kata-search_analyze", ends_on_input=False)
    def kata_search_analyze(self, args: Arguments, stream: Stream) -> None:
        """kata-search_analyze [COLOR] [INTERVAL] [KEY VALUE]...

        Like kata-genmove_analyze, but board and clocks stay, and it never resigns.
        """
        request = self._read(args, katago_parts)
        reporter = Reporter(self._session, request, stream, katago_parts)
        player = self._session.ready_player()
        stream.open()
        move = player.move(
            self._session.game,
            request.color,
            may_resign=False,
            avoid=request.avoid,
            observer=reporter,
            detailed=request.detailed,
        )
        stream.line(f"play {format_move(move)}")

    @stream_command("cgos-genmove_analyze", ends_on_input=False)
    def cgos_genmove_analyze(self, args: Arguments, stream: Stream) -> None:
        """cgos-genmove_analyze COLOR

        Like genmove; a JSON object on one line, then "play VERTEX" and so on.
        """
        request = Request(args.color(), most=_FEW)
        args.done()
        self._play(request, stream, _cgos)

    @command("stop")
    def stop(self, args: Arguments) -> None:
        """stop

        Ends pondering.  An analysis ends on this line as on any other.
        """
        args.done()
        self._session.player.stop_ponder()

    def _read(self, args: Arguments, form: Format) -> Request:
        return read_request(args, self._session.game, with_extras=form is katago_parts)

    def _analyze(self, args: Arguments, stream: Stream, form: Format) -> None:
        request = self._read(args, form)
        player = self._session.ready_player()
        stream.open()
        if not stream.wanted_end.is_set():
            player.analyze(
                self._session.game,
                request.color,
                Reporter(self._session, request, stream, form),
                avoid=request.avoid,
                detailed=request.detailed,
            )

    def _generate(self, args: Arguments, stream: Stream, form: Format) -> None:
        self._play(self._read(args, form), stream, form)

    def _play(self, request: Request, stream: Stream, form: Format) -> None:
        reporter = Reporter(self._session, request, stream, form)
        self._session.ready_player()
        stream.open()
        move = generate(
            self._session,
            request.color,
            avoid=request.avoid,
            observer=reporter,
            detailed=request.detailed,
        )
        stream.line(f"play {move}")
