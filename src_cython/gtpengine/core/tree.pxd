from libc.stdint cimport int16_t, int32_t

from gtpengine.core.leaf cimport Candidate
from gtpengine.core.types cimport point_t

cdef enum:
    UNEXPANDED = -1
    EXPANDING = -2


cdef struct Node:
    # A move and what is known of it.  Results are 0..1 for who plays the move.
    double value_sum          # of `visits` results
    float lead                # mean score, points, Black minus White, komi included
    float prior               # 0..1
    int32_t visits
    int32_t n_running         # threads below this node: each counts as a loss meanwhile
    int32_t children          # index of the first child; UNEXPANDED; EXPANDING
    int16_t n_children
    point_t move              # NO_POINT once superko was found to forbid it


cdef struct Amaf:
    # Games in which a move came later ("all moves as first").  They stand apart from the nodes
    # since every game changes half of those beside its path: so few lines of memory go to and fro
    # between two threads.
    float visits
    float sum                 # of results, as in Node


cdef struct Formula:
    # The constants of selection.
    float exploration         # weight of prior * sqrt(parent's visits) / (1 + visits)
    float amaf_bias           # 0: AMAF counts for ever; larger: own visits take over sooner
    float prior_visits        # games that a candidate's guessed value stands for
    float exploration_growth  # how that weight grows with the parent's visits: growth times ...
    float exploration_base    # ... the logarithm of 1 + visits / base
    float first_play          # how much less than its parent's mean a child without visits and
    # guess is worth, per root of the prior visited so far; < 0: it is worth 0.5
    float prior_shift         # share of the parent's mean result that goes into these guesses
    float width               # children looked at from the first visit on, by prior ...
    float widening            # ... and for each square root of a visit


cdef class Tree:
    cdef Node* nodes          # the root first; never moves while a search runs
    cdef Amaf* amaf           # by the index of the node; NULL if none are counted
    cdef int32_t count
    cdef int32_t capacity

    cdef int clear(self) noexcept nogil
    cdef int expand(
        self, int32_t node, const Candidate* candidates, int n, const Formula* formula
    ) noexcept nogil
    cdef float visited_prior(self, int32_t node) noexcept nogil
    cdef float first_play(self, int32_t node, float visited, const Formula* formula) noexcept nogil
    cdef int32_t select(self, int32_t node, const Formula* formula) noexcept nogil
    cdef int keep(self, int32_t node) except -1
