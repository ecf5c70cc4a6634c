from libc.stdint cimport int16_t, int32_t

from gtpengine.core.evaluator cimport Evaluator
from gtpengine.core.findings cimport Counts, Findings
from gtpengine.core.history cimport Stand
from gtpengine.core.leaf cimport N_EARLIER, Leaf
from gtpengine.core.rng cimport rng_t
from gtpengine.core.tree cimport Formula
from gtpengine.core.types cimport MAX_POINTS, point_t

cdef enum:
    MAX_DEPTH = 512           # moves below the root that a descent may make


cdef struct Path:
    # One descent: nodes and moves from the root to the leaf.
    int depth                       # moves made; nodes[depth] is the leaf
    bint is_over                    # two passes in a row
    int32_t[MAX_DEPTH + 1] nodes
    point_t[MAX_DEPTH + 1] moves    # moves[i] leads from nodes[i] to nodes[i + 1]


cdef struct Worker:
    # What one thread needs for itself.
    Leaf* leaves                    # one batch
    Path* paths                     # likewise
    Stand* stands                   # past positions, then those on the path of this descent
    Counts* counts
    rng_t rng
    char[128] apart                 # the generators of two threads share no line of a cache


cdef class Search(Findings):
    cdef readonly Evaluator evaluator
    cdef Formula formula
    cdef int expand_at              # visits at which a node gets its children
    cdef Worker* workers
    # The root, as set_position left it, besides the position.
    cdef point_t last
    cdef point_t last_but_one
    cdef point_t[N_EARLIER] earlier  # the moves before these two, newest first
    cdef bint passed                # the last move was a pass
    cdef float komi                 # points for White, handicap bonus included
    cdef bint territory
    cdef bint all_alive             # two passes end the game with every stone alive
    cdef bint superko
    cdef bint situational
    cdef bint is_restricted         # some moves are not to be searched
    cdef int16_t avoided[3][MAX_POINTS]   # by color and move: not among so many moves
    cdef Stand* past                # positions of the game so far
    cdef int n_past
    cdef object context             # what the tree is valid for, besides the moves
    cdef list moves                 # of the game, up to the root
    # While it runs.
    cdef int32_t stopping
    cdef int32_t most_visits

    cdef int release(self) noexcept
    cdef bint follow(self, list moves) except -1
    cdef int descend(self, Worker* worker, Leaf* leaf, Path* path) noexcept nogil
    cdef int score_final(self, Leaf* leaf) noexcept nogil
    cdef int back_up(self, Worker* worker, const Leaf* leaf, const Path* path) noexcept nogil
    cdef bint is_waiting(self, const Path* path) noexcept nogil
    cdef int abandon(self, const Path* path) noexcept nogil
    cdef int simulate(self, Worker* worker) except -1 nogil
    cdef int finish(self, Worker* worker, Leaf* leaf, const Path* path) noexcept nogil
    cdef int drop_avoided(self, Leaf* leaf, int depth) noexcept nogil
