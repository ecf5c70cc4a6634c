"""What a search evaluates with: playouts, or a network where there is one for the board."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

from gtpengine.core.evaluator import PlayoutEvaluator
from gtpengine.core.network import NetworkEvaluator
from gtpengine.core.search import Search
from gtpengine.core.types import MAX_POINTS
from gtpengine.network import LoadedNetwork, shipped_network
from gtpengine.parameters import NetworkParameters, SearchParameters
from gtpengine.prior import shipped_prior

log = logging.getLogger(__name__)

Kind = Literal["auto", "playout", "network"]
KINDS: tuple[Kind, ...] = ("auto", "playout", "network")


class Networks:
    """The networks of one player, each loaded when it is first needed."""

    def __init__(self) -> None:
        self._loaded: dict[Path, LoadedNetwork] = {}
        self._is_missing = False  # onnxruntime

    def load(self, path: Path) -> LoadedNetwork:
        """The network of a file; ValueError, in one line, for whatever is wrong with it."""
        if path not in self._loaded:
            try:
                self._loaded[path] = LoadedNetwork(path)
            except ImportError:
                raise ValueError("a network needs onnxruntime: pip install onnxruntime") from None
        return self._loaded[path]

    def choose(self, kind: Kind, model: Path | None, size: int) -> LoadedNetwork | None:
        """The network to search with on boards of ``size`` lines; None: playouts.

        ``model`` is a file of the user's own; otherwise one that came with the package is taken.
        Raises ValueError if a network is asked for and there is none.
        """
        if kind == "playout" or (self._is_missing and kind == "auto" and model is None):
            return None
        path = shipped_network(size) if model is None else model
        if path is None:
            if kind == "network":
                raise ValueError(f"expected a network for {size} lines, got none: see --model")
            return None
        try:
            network = self.load(path)
        except ValueError as error:
            if kind == "network" or model is not None:
                raise
            log.warning("%s; playing with playouts", error)
            self._is_missing = True
            return None
        if network.covers(size):
            return network
        if kind == "network":
            least, most = network.sizes
            raise ValueError(f"network {network.path} is for {least}..{most} lines, got '{size}'")
        return None


def search_with_playouts(
    constants: SearchParameters, *, memory: int, n_threads: int, seed: int
) -> Search:
    """A search whose leaves are evaluated by playouts; ``memory`` in bytes."""
    return Search(
        PlayoutEvaluator(
            prior=shipped_prior(),
            capture=constants.capture,
            nakade=constants.nakade,
            pattern=constants.pattern,
            self_atari=constants.self_atari,
            score_weight=constants.score_weight,
            prior_scale=constants.prior_scale,
        ),
        memory=memory,
        n_threads=n_threads,
        seed=seed,
        exploration=constants.exploration,
        amaf_bias=constants.amaf_bias,
        prior_visits=constants.prior_visits,
        prior_shift=constants.prior_shift,
        expand_at=constants.expand_at,
        width=constants.width,
        widening=constants.widening,
    )


def search_with_network(
    network: LoadedNetwork,
    constants: NetworkParameters,
    *,
    memory: int,
    n_threads: int,
    seed: int,
) -> Search:
    """A search whose leaves are evaluated by a network; ``memory`` in bytes, of the tree."""
    return Search(
        NetworkEvaluator(
            network.run,
            batch_size=constants.batch_size,
            score_weight=constants.score_weight,
            cache_memory=constants.cache_memory << 20,
        ),
        memory=memory,
        n_threads=n_threads,
        seed=seed,
        exploration=constants.exploration,
        amaf_bias=0,
        prior_visits=0,
        prior_shift=0,
        expand_at=1,
        width=MAX_POINTS,
        widening=0,
        exploration_growth=constants.exploration_growth,
        exploration_base=constants.exploration_base,
        first_play=constants.first_play,
    )
