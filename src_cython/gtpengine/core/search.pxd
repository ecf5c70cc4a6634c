from libc.stdint cimport int16_t, int32_t, int64_t

from gtpengine.core.evaluator cimport Evaluator
from gtpengine.core.history cimport Stand
from gtpengine.core.leaf cimport N_EARLIER, Leaf
from gtpengine.core.position cimport Position
from gtpengine.core.rng cimport rng_t
from gtpengine.core.tree cimport Formula, Tree
from gtpengine.core.types cimport MAX_POINTS, color_t, point_t

cdef enum:
    MAX_DEPTH = 512           # moves below the root that a descent may make


cdef struct Path:
    # One descent: nodes and moves from the root to the leaf.
    int depth                       # moves made; nodes[depth] is the leaf
    bint is_over                    # two passes in a row
    int32_t[MAX_DEPTH + 1] nodes
    point_t[MAX_DEPTH + 1] moves    # moves[i] leads from nodes[i] to nodes[i + 1]


cdef struct Tally:
    # Leaves below one move at the root.
    int64_t n
    double result                   # sum, 0..1 each, for who plays the move
    double result_square
    double lead                     # sum, points each, Black minus White
    double lead_square


cdef struct Detail:
    # Owners of the points at leaves, as in Leaf: sums, by move at the root.
    float n[MAX_POINTS]             # leaves
    float owner[MAX_POINTS][MAX_POINTS]
    float owner_square[MAX_POINTS][MAX_POINTS]


cdef struct Worker:
    # What one thread needs for itself.  What is counted is counted since the root was set.  The end
    # of the last field is never written, which keeps the next worker's generator out of the way.
    Detail* detail                  # NULL unless it is wanted
    Leaf* leaves                    # one batch
    Path* paths                     # likewise
    Stand* stands                   # past positions, then those on the path of this descent
    rng_t rng
    int64_t n_owner                 # leaves summed up in `owner`
    double[MAX_POINTS] owner
    Tally[MAX_POINTS] tally         # by move at the root, PASS included


cdef class Search:
    cdef readonly Evaluator evaluator
    cdef Tree tree
    cdef Formula formula
    cdef int expand_at              # visits at which a node gets its children
    cdef Worker* workers
    cdef readonly int n_threads
    # The root, as set_position left it.
    cdef Position root
    cdef color_t to_play
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
    cdef int drop_avoided(self, Leaf* leaf, int depth) noexcept nogil
    cdef int count_nothing(self) noexcept nogil
    cdef int count(self, Worker* worker, const Leaf* leaf, int move) noexcept nogil
    cdef Tally sum_of(self, int move) noexcept nogil
    cdef list line_from(self, object first, int most)
    cdef int32_t best_child(self, int32_t node) noexcept nogil
