"""A player: a Game in, a move out."""

from __future__ import annotations

import logging
import random
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from gtpengine.clock import Budget
from gtpengine.core.findings import Choice
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, MAX_SIZE, PASS, WHITE
from gtpengine.endgame import cleanup_points, costs_nothing, is_clear, is_settled, pass_wins
from gtpengine.evaluators import Networks, search_with_network, search_with_playouts
from gtpengine.game import DEFAULT_SIZE, Game
from gtpengine.network import LoadedNetwork
from gtpengine.parameters import NetworkParameters, SearchParameters
from gtpengine.report import Avoided, Observer, ranked, summary
from gtpengine.settings import LEVEL_VISITS, PlayerSettings, check_memory
from gtpengine.status import judge

log = logging.getLogger(__name__)

RESIGN = -2
CLEANUPS = 4  # moves that take dead stones off and are looked at more closely
POLL = 0.01  # seconds between looks at the clock while the search runs
LOOK_VISITS = 100  # of a search for nobody but an observer
JUDGING = 0.001  # seconds a point that judging a board is taken to last, until it has been timed
FORGETTING = 0.9  # what is left of that from one move to the next
JUDGINGS = 2  # how often one move may judge the board
LATE = 0.05  # seconds that a search may end late
MOST_KOMI = 1e6  # points; what is more decides no less


def _is_young(game: Game) -> bool:
    """Whether so few stones are on the board that nobody should think of the end."""
    return len(game.board.stones(BLACK)) + len(game.board.stones(WHITE)) < game.size


class Player:
    """Chooses moves by search.

    ``move``, ``analyze`` and ``examine`` may run in one thread at a time; ``stop`` may be called
    from any other.
    """

    def __init__(
        self,
        settings: PlayerSettings | None = None,
        parameters: SearchParameters | None = None,
        network_parameters: NetworkParameters | None = None,
    ) -> None:
        self.settings = settings or PlayerSettings()
        self.parameters = parameters or SearchParameters()
        self.network_parameters = network_parameters or NetworkParameters()
        self._networks = Networks()
        self._search: Search | None = None
        self._shape: tuple[int, int, int | None, LoadedNetwork | None] | None = None
        self._workers: list[threading.Thread] = []
        self._interrupted = threading.Event()
        self._n_low: dict[int, int] = {}
        self._last_n_moves = 0
        self._judging = {size: JUDGING * size * size for size in range(MAX_SIZE + 1)}

    # --- the search object and its threads -------------------------------------------------------

    def network(self, size: int) -> LoadedNetwork | None:
        """The network that evaluates boards of ``size`` lines; None: playouts do.

        The easier levels take a network only if they are told to: few visits of one still play
        far too well for beginners.  Raises ValueError if the settings ask for a network that is not
        there or is no good.
        """
        chosen = self.settings
        if chosen.level != "hard" and chosen.evaluator == "auto" and chosen.model is None:
            return None
        return self._networks.choose(chosen.evaluator, chosen.model, size)

    @property
    def search(self) -> Search:
        """The search of the last move; before the first one, a new one for 19 lines."""
        return self.search_for(DEFAULT_SIZE) if self._search is None else self._search

    def search_for(self, size: int) -> Search:
        """The search of the last move, or a new one if settings or board ask for another.

        Raises ValueError if the settings ask for what is not there: a network, or memory.
        """
        chosen = self.settings
        network = self.network(size)
        shape = (chosen.threads, chosen.memory, chosen.seed, network)
        if self._search is None or shape != self._shape:
            self.stop_ponder()
            check_memory(chosen.memory)
            seed = secrets.randbits(63) if chosen.seed is None else chosen.seed
            self._random = random.Random(seed)
            memory = chosen.memory << 20
            if network is None:
                self._search = search_with_playouts(
                    self.parameters, memory=memory, n_threads=chosen.threads, seed=seed
                )
            else:
                self._search = search_with_network(
                    network,
                    self.network_parameters,
                    memory=memory,
                    n_threads=chosen.threads,
                    seed=seed,
                )
            self._shape = shape
        return self._search

    def stop(self) -> None:
        """End a running ``analyze``; make a running ``move`` answer with the best move so far."""
        self._interrupted.set()
        if self._search is not None:
            self._search.stop()

    def _start(
        self,
        game: Game,
        color: int,
        most_visits: int | None = None,
        more_visits: int = 0,
        avoid: Avoided = (),
        detailed: bool = False,
        cleanup: bool = False,
    ) -> Search:
        search = self.search_for(game.size)
        rules = game.rules
        komi = game.komi + rules.bonus(game.handicap)
        search.set_position(
            game.history,
            color,
            komi=min(max(komi, -MOST_KOMI), MOST_KOMI),
            territory=rules.scoring == "territory",
            all_alive=cleanup or self.settings.cleanup or not rules.friendly_pass,
            superko=rules.ko,
            avoid=avoid,
        )
        search.begin(search.visits + more_visits if more_visits else most_visits, detailed)
        self._workers = [
            threading.Thread(target=search.work, args=(number,), daemon=True)
            for number in range(search.n_threads)
        ]
        for worker in self._workers:
            worker.start()
        return search

    def _finish(self) -> None:
        if self._search is not None:
            self._search.stop()
        for worker in self._workers:
            worker.join()
        self._workers = []

    def start_ponder(self, game: Game) -> None:
        """Search on in the opponent's time, until the next move or ``stop_ponder``."""
        self._finish()
        self._start(game, game.to_play)

    def stop_ponder(self) -> None:
        """End ``start_ponder``; what was found is kept."""
        self._finish()

    # --- looking on ------------------------------------------------------------------------------

    def analyze(
        self,
        game: Game,
        color: int,
        observer: Observer,
        *,
        avoid: Avoided = (),
        detailed: bool = False,
    ) -> None:
        """Search for ``color``, whoever is to move, until ``stop``; the settings set no limit.

        ``detailed`` counts owners by move, too; see Search.begin.
        """
        self._interrupted.clear()
        self.stop_ponder()
        search = self._start(game, color, avoid=avoid, detailed=detailed)
        try:
            while not self._interrupted.wait(POLL):
                observer.look(search)
        finally:
            self._finish()

    def examine(
        self,
        game: Game,
        color: int,
        visits: int = LOOK_VISITS,
        *,
        avoid: Avoided = (),
        detailed: bool = False,
    ) -> Search:
        """Search a little, so many visits more than are known, and return the search."""
        self._interrupted.clear()
        self.stop_ponder()
        search = self._start(game, color, more_visits=visits, avoid=avoid, detailed=detailed)
        try:
            while not search.is_stopping and not self._interrupted.is_set():
                self._workers[0].join(POLL)
        finally:
            self._finish()
        return search

    # --- one move --------------------------------------------------------------------------------

    def move(
        self,
        game: Game,
        color: int,
        *,
        may_resign: bool = True,
        cleanup: bool = False,
        avoid: Avoided = (),
        observer: Observer | None = None,
        detailed: bool = False,
    ) -> int:
        """Choose a move for ``color``: a point, PASS or RESIGN; the game is not changed.

        ``cleanup`` asks for dead stones to be taken off before passing, like the setting; but the
        players have passed already, so that nothing else is left to play for.
        """
        self._interrupted.clear()
        self.stop_ponder()
        is_agreed, cleanup = cleanup, cleanup or self.settings.cleanup
        may_pass = all((who, what) != (color, PASS) for who, what, _ in avoid)
        started = time.monotonic()
        budget = self._budget(game, color)
        until = started + budget.maximum
        self._judging[game.size] *= FORGETTING
        may_judge = may_pass and self._may_judge(game, color, until)
        if may_judge and game.n_passes and self._may_pass_at_once(game, color, cleanup):
            move = PASS
            if observer is not None:
                self.examine(game, color, avoid=avoid, detailed=detailed)
        else:
            if may_judge:
                budget = self._without_judging(game, color, budget)
            search = self._start(
                game,
                color,
                self._most_visits(),
                avoid=avoid,
                detailed=detailed,
                cleanup=cleanup,
            )
            self._think(search, budget, started, observer)
            may_judge = may_pass and self._may_judge(game, color, until)
            move = self._decide(game, color, search, may_resign, may_judge, cleanup, is_agreed)
        if observer is not None:
            observer.finish(self.search, move)
        return move

    def _think(
        self, search: Search, budget: Budget, started: float, observer: Observer | None
    ) -> None:
        """Let a search go on until its move is found; ``started``: when the move was asked for."""
        first_visits = search.visits
        try:
            self._watch(search, budget, started, observer)
        finally:
            self._finish()
        if log.isEnabledFor(logging.INFO):
            playouts, seconds = search.visits - first_visits, time.monotonic() - started
            for line in summary(search, playouts, seconds):
                log.info("%s", line)

    def _decide(
        self,
        game: Game,
        color: int,
        search: Search,
        may_resign: bool,
        may_judge: bool,
        cleanup: bool,
        is_agreed: bool,
    ) -> int:
        choices = ranked([c for c in search.choices() if not game.legality(color, c.point)])
        if not choices:
            return PASS
        if may_resign and self._gives_up(game, color, search.win_rate):
            return RESIGN
        ending = None
        if may_judge and (is_agreed or (is_clear(search.ownership()) and not _is_young(game))):
            ending = self._end_properly(game, color, choices, search, cleanup)
        return self._choose(choices).point if ending is None else ending

    def _may_pass_at_once(self, game: Game, color: int, cleanup: bool) -> bool:
        """Whether a pass, which ends the game, wins it, and leaves nothing to clean up."""
        proven_only = self.settings.proven_only
        all_alive = cleanup or not game.rules.friendly_pass
        if _is_young(game):
            return False
        with self._timed_judging(game):
            if not pass_wins(game, color, all_alive=all_alive, proven_only=proven_only):
                return False
            return not cleanup or not cleanup_points(game, color, judge(game.board, proven_only))

    def _may_judge(self, game: Game, color: int, until: float) -> bool:
        """Whether the clock allows to judge the board, as often as that may be needed.

        ``until`` is what time.monotonic says at the end of the longest time for this move.
        """
        if not game.clocks[color].is_limited:
            return True
        return time.monotonic() + JUDGINGS * self._judging[game.size] <= until

    def _without_judging(self, game: Game, color: int, budget: Budget) -> Budget:
        """What a search may use of the clock's time for a move if the board is judged, too."""
        if not game.clocks[color].is_limited or _is_young(game):
            return budget
        kept = (JUDGINGS + 1) * self._judging[game.size] + LATE
        maximum = max(budget.maximum - kept, budget.maximum / 2)
        return Budget(min(budget.target, maximum), maximum)

    @contextmanager
    def _timed_judging(self, game: Game) -> Iterator[None]:
        """Note how long what is done inside takes; ``move`` slowly forgets."""
        began = time.monotonic()
        yield
        self._judging[game.size] = max(time.monotonic() - began, self._judging[game.size])

    def _most_visits(self) -> int | None:
        limits = [self.settings.visits, LEVEL_VISITS[self.settings.level]]
        return min((limit for limit in limits if limit is not None), default=None)

    def _budget(self, game: Game, color: int) -> Budget:
        clock = game.clocks[color]
        if clock.is_limited:
            return clock.budget(game.size, len(game.moves))
        if self.settings.visits is not None:
            return Budget(float("inf"), float("inf"))
        usual = self.settings.time_per_move
        if len(game.moves) < game.size:
            usual *= 0.7  # the opening is forgiving
        return Budget(usual, self.settings.time_per_move)

    def _watch(
        self, search: Search, budget: Budget, started: float, observer: Observer | None
    ) -> None:
        """Wait until the search has found its move, or the time is over."""
        first_visits, began = search.visits, time.monotonic()
        while not search.is_stopping:
            self._workers[0].join(POLL)
            now = time.monotonic()
            if self._interrupted.is_set() or now - started >= budget.maximum:
                return
            if observer is not None:
                observer.look(search)
            best, second, is_best_first = search.leaders()
            limit = budget.target if is_best_first else budget.maximum
            if now - started >= limit:
                return
            speed = (search.visits - first_visits) / max(now - began, 1e-6)
            if now - began > 0.1 and best - second > speed * (limit - (now - started)):
                return

    def _choose(self, choices: list[Choice]) -> Choice:
        """The first of ``ranked``; at the easy level one of the better ones at random."""
        if self.settings.level != "easy":
            return choices[0]
        most = max(choice.visits for choice in choices)
        good = [c for c in choices if 4 * c.visits >= most and c.point != PASS]
        if not good:
            return choices[0]
        return self._random.choices(good, [c.visits for c in good])[0]

    def _gives_up(self, game: Game, color: int, win_rate: float) -> bool:
        """Whether the win rate was too low for three own moves, late enough in the game."""
        n_moves = len(game.moves)
        if n_moves < self._last_n_moves:
            self._n_low.clear()
        self._last_n_moves = n_moves
        threshold = self.settings.resign
        earliest = game.size if game.handicap == 0 else game.size * game.size // 3
        if threshold is None or win_rate >= threshold:
            self._n_low[color] = 0
            return False
        self._n_low[color] = self._n_low.get(color, 0) + 1
        return self._n_low[color] >= 3 and n_moves >= earliest

    def _end_properly(
        self, game: Game, color: int, choices: list[Choice], search: Search, cleanup: bool
    ) -> int | None:
        """A pass, or a step of cleaning up, once nothing is left to gain; else None."""
        with self._timed_judging(game):
            return self._end_as_judged(game, color, choices, search.ownership(), cleanup)

    def _end_as_judged(
        self,
        game: Game,
        color: int,
        choices: list[Choice],
        ownership: npt.NDArray[np.float32],
        cleanup: bool,
    ) -> int | None:
        verdict = judge(game.board, self.settings.proven_only)
        if cleanup or not game.rules.friendly_pass:
            wanted = cleanup_points(game, color, verdict, ownership)
            steps = [choice.point for choice in choices if choice.point in wanted]
            for point in steps[:CLEANUPS]:
                if costs_nothing(game, color, point, verdict, self.settings.proven_only):
                    return point
        return PASS if is_settled(game, verdict, ownership) else None
