"""Area score: stones, and empty points that reach one color only (Tromp's rules of Go, rule 9)."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from gtpengine.core.board cimport Board
from gtpengine.core.position cimport Position, is_surrounded
from gtpengine.core.types cimport BLACK, EMPTY, MAX_POINTS, STRIDE, WHITE, neighbor, point_t

import numpy as np


cdef int finished_area(const Position* at) noexcept nogil:
    """Points of Black minus points of White where every empty region is a single point.

    An empty point counts if all its neighbors are of one color; playouts end like that, but for
    shared liberties, which count for nobody.
    """
    cdef int score = at.n_stones[BLACK] - at.n_stones[WHITE]
    cdef int i = 0
    for i in range(at.n_empty):
        if is_surrounded(at.shape[at.empty[i]], BLACK):
            score += 1
        elif is_surrounded(at.shape[at.empty[i]], WHITE):
            score -= 1
    return score


cdef int finished_owner(const Position* at, float* owner) noexcept nogil:
    """Like ``finished_area``; ``owner`` receives +1 for Black's points, -1 for White's, else 0."""
    cdef int score = 0
    cdef int point = 0
    for point in range(STRIDE, (at.size + 1) * STRIDE):
        owner[point] = 0
        if at.color[point] == EMPTY:
            if is_surrounded(at.shape[point], BLACK):
                owner[point] = 1
                score += 1
            elif is_surrounded(at.shape[point], WHITE):
                owner[point] = -1
                score -= 1
        elif at.color[point] == BLACK:
            owner[point] = 1
        elif at.color[point] == WHITE:
            owner[point] = -1
    return score + at.n_stones[BLACK] - at.n_stones[WHITE]


cdef int area(const Position* at, int8_t* owner) noexcept nogil:
    """Points of Black minus points of White, every stone counted as alive.

    ``owner``, MAX_POINTS long, receives +1 for Black's points, -1 for White's, 0 elsewhere.
    """
    cdef point_t[MAX_POINTS] todo
    cdef bint[MAX_POINTS] seen
    cdef int score = 0
    cdef int head = 0
    cdef int n = 0
    cdef int i = 0
    cdef int k = 0
    cdef int reached = 0
    cdef int point = 0
    cdef int beside = 0
    memset(owner, 0, MAX_POINTS)
    memset(seen, 0, sizeof(seen))
    for i in range(STRIDE, (at.size + 1) * STRIDE):
        if at.color[i] == BLACK:
            owner[i] = 1
        elif at.color[i] == WHITE:
            owner[i] = -1
        score += owner[i]
    for i in range(at.n_empty):
        if seen[at.empty[i]]:
            continue
        todo[0] = at.empty[i]
        seen[at.empty[i]] = True
        head, n, reached = 0, 1, 0
        while head < n:
            point = todo[head]
            head += 1
            for k in range(4):
                beside = point + neighbor(k)
                if at.color[beside] == EMPTY:
                    if not seen[beside]:
                        seen[beside] = True
                        todo[n] = <point_t>beside
                        n += 1
                elif at.color[beside] == BLACK:
                    reached |= 1
                elif at.color[beside] == WHITE:
                    reached |= 2
        if reached == 1 or reached == 2:
            for k in range(n):
                owner[todo[k]] = 1 if reached == 1 else -1
            score += n if reached == 1 else -n
    return score


def area_owner(Board board):
    """Who owns each point if every stone is alive.

    Returns int8, shape (size, size); row 0 is the top line, column 0 is A; +1 Black, -1 White, 0
    for points that reach both colors or none.  Its sum is the area score, Black minus White,
    without komi.
    """
    cdef int8_t[MAX_POINTS] owner
    cdef int size = board.position.size
    area(&board.position, owner)
    grid = np.zeros((size, size), dtype=np.int8)
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            grid[size - line, column - 1] = owner[line * STRIDE + column]
    return grid
