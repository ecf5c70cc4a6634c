from libc.stdint cimport int8_t, int32_t

from gtpengine.core.leaf cimport Leaf
from gtpengine.core.position cimport Position
from gtpengine.core.spatial cimport N_LEVELS, Canvas, Patterns
from gtpengine.core.types cimport MAX_POINTS, point_t

cdef enum:
    # Features of a move are numbers: those of each kind from here on, patterns last.
    LAST = 0                    # distance to the last move; 0 if that was no stone
    BEFORE_LAST = LAST + 18     # to the one before
    OPEN = BEFORE_LAST + 18     # place on the board where no stone is near, by board
    LINE = OPEN + 3 * 100       # line from the edge elsewhere, by board
    CAPTURE = LINE + 3 * 5      # takes a chain: by its length, what for, whether it just moved
    TAKES_KO = CAPTURE + 16
    RESCUE = TAKES_KO + 1       # own chain in atari gets liberties: by length and outcome
    ATARI = RESCUE + 9          # by length of the chain, and whether a ladder captures it
    PRESS = ATARI + 6           # leaves a chain two liberties: by its length
    DEFEND = PRESS + 3          # own chain with two liberties that a ladder threatens
    EXTEND = DEFEND + 6         # own chain with two liberties that is safe so far
    LIBERTIES = EXTEND + 6      # of the new chain: one, by its length; two; three
    VITAL = LIBERTIES + 5       # of an own, of the opponent's small eye space
    JOINS = VITAL + 2           # two own chains
    PARTS = JOINS + 1           # touches two of the opponent's
    KNOWN = PARTS + 1           # how many levels of patterns match
    PATTERN = KNOWN + N_LEVELS + 1

    MOST_FEATURES = 32          # of one move


cdef struct Scene:
    # What is read once for all moves of a position.
    Canvas canvas
    int8_t[MAX_POINTS] n_liberties   # by head, up to four; UNREAD until asked
    int8_t[MAX_POINTS] fate     # by head, for chains of one or two liberties; UNREAD until asked
    point_t[2 * MAX_POINTS] ladder   # by 2 * head: the moves that begin a ladder, or NO_POINT


cdef int survey(const Leaf* leaf, Scene* scene) noexcept nogil
cdef int describe(
    Leaf* leaf, Scene* scene, point_t point, Patterns patterns, int32_t* found) noexcept nogil
