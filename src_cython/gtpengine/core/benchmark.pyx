"""Loops around the smallest steps of the core, so that scripts/bench.py can time them.

Each function does one thing ``n`` times without the GIL and returns a sum that depends on all of
it, so that no compiler can leave anything out.
"""

from libc.stdint cimport int64_t, uint64_t

from gtpengine.core.board cimport Board
from gtpengine.core.evaluator cimport PlayoutEvaluator
from gtpengine.core.playout cimport MAX_MOVES, Policy, Trace, playout, random_playout
from gtpengine.core.position cimport Change, Position, copy, legality, put_recorded, undo
from gtpengine.core.rng cimport random32, rng_t, seeded
from gtpengine.core.types cimport BLACK, LEGAL, MAX_POINTS, NO_POINT, WHITE, color_t, point_t


def copy_often(Board board not None, int n):
    """Copy a position ``n`` times, to and fro between two places."""
    cdef Position[2] at
    cdef rng_t rng = seeded(n)
    cdef int i = 0
    cdef int target = 0
    at[0] = at[1] = board.position
    with nogil:
        for i in range(n):
            target = random32(&rng) & 1
            at[target].hash = i
            copy(&at[target], &at[1 - target])
    return at[0].hash + at[0].color[n % MAX_POINTS]


def judge_often(Board board not None, int n):
    """Judge every empty point for both players, ``n`` times; return (judgements, legal ones)."""
    cdef Position* at = &board.position
    cdef int _ = 0
    cdef int k = 0
    cdef int64_t n_legal = 0
    with nogil:
        for _ in range(n):
            for k in range(at.n_empty):
                n_legal += legality(at, BLACK, at.empty[k], False) == LEGAL
                n_legal += legality(at, WHITE, at.empty[k], False) == LEGAL
    return 2 * <int64_t>n * at.n_empty, n_legal


def random_game(Board board not None, uint64_t seed):
    """The moves of a uniformly random game, Black first, passes included."""
    cdef Position at = board.position
    cdef rng_t rng = seeded(seed)
    cdef Trace trace
    cdef Policy uniform = Policy(capture=0, nakade=0, pattern=0, self_atari=1000)
    playout(&at, BLACK, NO_POINT, &uniform, &rng, &trace)
    return [<int>trace.moves[i] for i in range(trace.n)]


def replay_often(Board board not None, list moves, int n, bint taking_back):
    """Play a game from ``board``, Black first, ``n`` times; ``taking_back`` undoes all its moves.

    Without it the board is copied once a game.  The moves are trusted.
    """
    cdef Position at = board.position
    cdef point_t[MAX_MOVES] points
    cdef Change[MAX_MOVES] changes
    cdef int n_moves = len(moves)
    cdef int _ = 0
    cdef int k = 0
    cdef int64_t total = 0
    if n_moves > MAX_MOVES:
        raise ValueError(f"number of moves must be at most {MAX_MOVES}, got '{n_moves}'")
    for k in range(n_moves):
        points[k] = moves[k]
    with nogil:
        for _ in range(n):
            if not taking_back:
                copy(&at, &board.position)
            for k in range(n_moves):
                total += put_recorded(&at, <color_t>(BLACK + (k & 1)), points[k], &changes[k])
            if taking_back:
                for k in range(n_moves - 1, -1, -1):
                    undo(&at, &changes[k])
    return total


def play_often(Board board not None, int n, uint64_t seed, PlayoutEvaluator evaluator=None):
    """Play ``n`` games to the end, with an evaluator's policy or else uniformly; sum of scores."""
    cdef Position at
    cdef Trace trace
    cdef rng_t rng = seeded(seed)
    cdef int _ = 0
    cdef int64_t total = 0
    cdef bint is_random = evaluator is None
    with nogil:
        for _ in range(n):
            copy(&at, &board.position)
            if is_random:
                total += random_playout(&at, BLACK, &rng)
            else:
                total += playout(&at, BLACK, NO_POINT, &evaluator.policy, &rng, &trace)
    return total
