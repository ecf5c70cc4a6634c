"""Who plays whom, in which order, from which opening."""

import itertools
from collections.abc import Iterator, Sequence, Set

from gtpengine.match.controller import EngineSpec
from gtpengine.match.game import GameJob, GameSettings
from gtpengine.match.openings import Opening

MatchUp = tuple[EngineSpec, EngineSpec]


def match_ups(engines: Sequence[EngineSpec], gauntlet: bool) -> list[MatchUp]:
    """Everyone against everyone, or the first engine against each other one."""
    pairs = list(itertools.combinations(engines, 2))
    return [pair for pair in pairs if pair[0] == engines[0]] if gauntlet else pairs


def schedule(
    pairs: Sequence[MatchUp],
    n_games: int,
    openings: Iterator[Opening],
    settings: GameSettings,
    done: Set[int],
) -> Iterator[GameJob]:
    """All games but those whose number is in ``done``; ``n_games``, even, for each match-up.

    Games 2k and 2k + 1 are a pair: the same opening with colors swapped.  All match-ups play
    the same openings.  A game keeps its number when ``n_games`` grows.
    """
    for number in itertools.count(0, 2 * len(pairs)):
        if number >= n_games * len(pairs):
            return
        opening = next(openings)
        for place, (a, b) in enumerate(pairs):
            first = number + 2 * place
            for offset, (black, white) in enumerate(((a, b), (b, a))):
                if first + offset not in done:
                    yield GameJob(first + offset, black, white, opening, settings)
