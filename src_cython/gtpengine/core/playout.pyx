"""Random games to the end: uniform, or with a policy that answers the last move.

A playout changes the position it is given and returns the area score of the final board, Black
minus White, without komi.  Nobody fills an own eye; when nothing else is left, one passes, and two
passes end the game.  Sources of the policy: Gelly et al. 2006, section 3; Baudis and Gailly 2011,
PACHI.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from gtpengine.core.board cimport Board
from gtpengine.core.pattern cimport suits
from gtpengine.core.position cimport (
    Position, copy, empty_around, has_empty_neighbor, in_atari, is_bare_edge, is_eye, is_one_point,
    legality, once, only_liberty, opponent, order_empty, pass_turn, points_t, put, size_of,
    stones_beside, touches,
)
from gtpengine.core.rng cimport chance, random_below, rng_t, seeded
from gtpengine.core.score cimport area, finished_area
from gtpengine.core.types cimport (
    BLACK, EMPTY, LEGAL, MAX_POINTS, NO_POINT, PASS, STRIDE, WHITE, color_t, lowest,
    neighbor, point_t,
)

import numpy as np

cdef enum:
    MOST_EYE_SPACE = 6   # the largest eye space with a single vital point


cdef bint is_self_atari(const Position* at, color_t color, point_t point) noexcept nogil:
    """Whether a legal move leaves its own chain in atari."""
    cdef points_t liberties = at.liberties[point]
    cdef int left = 0
    cdef int i = 0
    cdef int k = 0
    cdef bint fresh = True
    if size_of(liberties) > 1:
        return False
    # Points that a capture vacates count where they touch the new stone itself.
    left = stones_beside(at.shape[point], opponent(color))
    while left != 0:
        i = point + neighbor(lowest(left) // 2)
        left &= left - 1
        if in_atari(at, at.head[i]):
            liberties += once(i)
    left = stones_beside(at.shape[point], color)
    while left != 0:
        i = lowest(left) // 2
        left &= left - 1
        fresh = True
        for k in range(i):
            fresh &= at.head[point + neighbor(k)] != at.head[point + neighbor(i)]
        liberties += (at.liberties[at.head[point + neighbor(i)]] if fresh else 0) - once(point)
    return is_one_point(liberties)


cdef inline bint is_playable(const Position* at, color_t color, point_t point) noexcept nogil:
    return not is_eye(at.shape[point], color) and (
        has_empty_neighbor(at.shape[point]) or legality(at, color, point, False) == LEGAL)


cdef int stones_joined(const Position* at, color_t color, point_t point) noexcept nogil:
    """Stones of the chain that a move would make, the new one included."""
    cdef int total = 1
    cdef int i = 0
    cdef int k = 0
    cdef bint fresh = True
    for i in range(4):
        if at.color[point + neighbor(i)] == color:
            fresh = True
            for k in range(i):
                if (at.color[point + neighbor(k)] == color
                        and at.head[point + neighbor(k)] == at.head[point + neighbor(i)]):
                    fresh = False
            if fresh:
                total += at.length[at.head[point + neighbor(i)]]
    return total


cdef inline point_t random_move(
    Position* at, color_t color, uint32_t self_atari, rng_t* rng
) noexcept nogil:
    # A random playable point, or PASS; the empty points are shuffled as far as it looks.  Unless
    # ``self_atari`` is 1000, nobody plays on a bare stretch of the first line (2x2 has no other),
    # and of the self-ataris those of a single stone (throw-ins) and ``self_atari`` in 1000 others
    # get by.
    cdef int n = at.n_empty
    cdef int i = 0
    cdef point_t point = PASS
    while n > 0:
        i = random_below(rng, n)
        point = at.empty[i]
        if is_playable(at, color, point) and (self_atari >= 1000 or (
                not (is_bare_edge(at.shape[point]) and at.size > 2) and (
                    not is_self_atari(at, color, point)
                    or stones_joined(at, color, point) == 1 or chance(rng, self_atari)))):
            return point
        n -= 1
        at.empty[i], at.empty[n] = at.empty[n], point
        at.slot[at.empty[i]] = <int16_t>i
        at.slot[point] = <int16_t>n
    return PASS


cdef int random_playout(Position* at, color_t to_play, rng_t* rng) noexcept nogil:
    """Play uniformly random moves to the end; return the area score, Black minus White."""
    cdef int n_passes = 0
    cdef int n_moves = 0
    cdef int most = 3 * at.size * at.size
    cdef color_t color = to_play
    cdef point_t point = PASS
    while n_passes < 2 and n_moves < most:
        point = random_move(at, color, 1000, rng)
        if point == PASS:
            pass_turn(at)
            n_passes += 1
        else:
            put(at, color, point)
            n_passes = 0
        n_moves += 1
        color = opponent(color)
    return finished_area(at)


cdef point_t vital_point(const Position* at, point_t start, color_t* border) noexcept nogil:
    """The point that decides a small eye space, or NO_POINT.

    The eye space is the empty region at ``start``; ``border`` receives the color around it.  It
    has a vital point if it is bordered by one color and is a straight or bent three, a pyramid
    four, a bulky five, a cross, or a rabbity six: the point with the most neighbors inside, if it
    is unique.  A square four is the attacker's anyway, a straight or bent four and others the
    defender's.
    """
    cdef point_t[8] region
    cdef int8_t[8] degree
    cdef int n = 1
    cdef int head = 0
    cdef int i = 0
    cdef int k = 0
    cdef int beside = 0
    cdef int degrees = 0
    cdef int most = 0
    cdef int n_most = 0
    cdef int around = 0
    cdef int left = 0
    cdef uint16_t shape = 0
    cdef bint fresh = False
    # Most spaces are large: of the points two steps away, each has two of these neighbors at most.
    for i in range(4):
        if at.color[start + neighbor(i)] == EMPTY:
            degrees += <int>size_of(at.liberties[start + neighbor(i)]) - 1
    if 1 + <int>size_of(at.liberties[start]) + (degrees + 1) // 2 > MOST_EYE_SPACE:
        return NO_POINT
    degrees = 0
    region[0] = start
    while head < n:
        shape = at.shape[region[head]]
        around |= touches(shape, BLACK) | touches(shape, WHITE) << 1
        if around == (BLACK | WHITE):
            return NO_POINT
        degree[head] = <int8_t>size_of(at.liberties[region[head]])
        left = empty_around(shape) & 0x55
        while left != 0:
            beside = region[head] + neighbor(lowest(left) // 2)
            left &= left - 1
            fresh = True
            for k in range(n):
                fresh &= region[k] != beside
            if fresh:
                if n == MOST_EYE_SPACE:
                    return NO_POINT
                region[n] = <point_t>beside
                n += 1
        head += 1
    if n < 3:
        return NO_POINT
    border[0] = <color_t>around
    for i in range(n):
        degrees += degree[i]
        if degree[i] > degree[most]:
            most = i
    for i in range(n):
        if degree[i] == degree[most]:
            n_most += 1
    if n_most != 1:
        return NO_POINT
    # Sum of degrees is twice the number of adjacent pairs: it tells the shapes apart.
    if n == 3 or (n == 4 and degree[most] == 3) or (n == 5 and degree[most] == 4) or (
            n == 5 and degree[most] == 3 and degrees == 10) or (
            n == 6 and degree[most] == 4 and degrees == 12):
        return region[most]
    return NO_POINT


cdef inline int add(point_t* moves, int n, point_t point) noexcept nogil:
    moves[n] = point
    return n + 1


cdef int save_moves(const Position* at, color_t color, point_t head, point_t* moves) noexcept nogil:
    """Moves that rescue a chain in atari: taking a neighbor in atari, or running."""
    cdef int n = 0
    cdef int i = 0
    cdef int beside = 0
    cdef point_t stone = head
    cdef point_t liberty = only_liberty(at, head)
    cdef point_t taken = NO_POINT
    while True:
        if touches(at.shape[stone], opponent(color)):
            for i in range(4):
                beside = stone + neighbor(i)
                if at.color[beside] == opponent(color) and in_atari(at, at.head[beside]):
                    taken = only_liberty(at, at.head[beside])
                    if (n == 0 or moves[n - 1] != taken) and n < 4 and (
                            legality(at, color, taken, False) == LEGAL):
                        n = add(moves, n, taken)
        stone = at.next[stone]
        if stone == head:
            break
    if legality(at, color, liberty, False) == LEGAL and not is_self_atari(at, color, liberty):
        n = add(moves, n, liberty)
    return n


cdef int tactical_moves(
    const Position* at, color_t color, point_t last, point_t* moves
) noexcept nogil:
    """Takes and rescues that the last move, a stone at ``last``, calls for; at most 24 of them.

    ``moves`` may name a point more than once.
    """
    cdef point_t[4] heads
    cdef int n = 0
    cdef int n_heads = 0
    cdef int left = 0
    cdef int k = 0
    cdef int beside = 0
    cdef point_t liberty = NO_POINT
    cdef bint fresh = True
    if at.color[last] == opponent(color) and in_atari(at, at.head[last]):
        liberty = only_liberty(at, at.head[last])
        if legality(at, color, liberty, False) == LEGAL:
            n = add(moves, n, liberty)
    left = stones_beside(at.shape[last], color)
    while left != 0:
        beside = last + neighbor(lowest(left) // 2)
        left &= left - 1
        if in_atari(at, at.head[beside]):
            fresh = True
            for k in range(n_heads):
                if heads[k] == at.head[beside]:
                    fresh = False
            if fresh:
                heads[n_heads] = at.head[beside]
                n_heads += 1
                n += save_moves(at, color, at.head[beside], moves + n)
    return n


cdef int pattern_moves(
    const Position* at, color_t color, point_t last, point_t* moves
) noexcept nogil:
    """Empty points beside the last move where a 3x3 pattern suits ``color``."""
    cdef int n = 0
    cdef int point = 0
    cdef int left = empty_around(at.shape[last])
    while left != 0:
        point = last + neighbor(lowest(left) // 2)
        left &= left - 1
        if (suits(at.shape[point], color) and is_playable(at, color, point)
                and not is_self_atari(at, color, point)):
            n = add(moves, n, point)
    return n


cdef point_t nakade_move(const Position* at, color_t color, point_t last) noexcept nogil:
    """The vital point of a small eye space at the last move, or NO_POINT."""
    cdef point_t vital = NO_POINT
    cdef color_t border = EMPTY
    cdef int left = empty_around(at.shape[last]) & 0x55
    while left != 0:
        vital = vital_point(at, last + neighbor(lowest(left) // 2), &border)
        left &= left - 1
        if vital != NO_POINT and legality(at, color, vital, False) == LEGAL:
            return vital
    return NO_POINT


cdef inline point_t choose(
    Position* at, color_t color, point_t last, const Policy* policy, rng_t* rng
) noexcept nogil:
    cdef point_t[28] moves
    cdef int n = 0
    cdef point_t vital = NO_POINT
    if last > PASS:
        if policy.capture and chance(rng, policy.capture):
            n = tactical_moves(at, color, last, moves)
            if n > 0:
                return moves[random_below(rng, n)]
        if policy.nakade and chance(rng, policy.nakade):
            vital = nakade_move(at, color, last)
            if vital != NO_POINT:
                return vital
        if policy.pattern and chance(rng, policy.pattern):
            n = pattern_moves(at, color, last, moves)
            if n > 0:
                return moves[random_below(rng, n)]
    return random_move(at, color, policy.self_atari, rng)


cdef int playout(
    Position* at, color_t to_play, point_t last, const Policy* policy, rng_t* rng, Trace* trace
) noexcept nogil:
    """Play to the end with a policy; return the area score, Black minus White.

    ``last`` is the point of the move before, PASS or NO_POINT; ``trace`` receives the moves.
    """
    cdef int n_passes = 0
    cdef int most = 3 * at.size * at.size
    cdef color_t color = to_play
    cdef point_t point = PASS
    trace.n = 0
    while n_passes < 2 and trace.n < most:
        point = choose(at, color, last, policy, rng)
        if point == PASS:
            pass_turn(at)
            n_passes += 1
        else:
            put(at, color, point)
            n_passes = 0
        trace.moves[trace.n] = last = point
        trace.n += 1
        color = opponent(color)
    return finished_area(at)


cdef Policy TACTICAL = Policy(capture=900, nakade=500, pattern=900, self_atari=50)
cdef Policy UNIFORM = Policy(capture=0, nakade=0, pattern=0, self_atari=1000)


def run_playouts(Board board, int to_play, int n, uint64_t seed, bint tactical=True):
    """Play ``n`` games from a board; return (mean area score, mean length, ownership).

    The score is Black minus White without komi, the length counts moves with passes.  Ownership is
    float32, shape (size, size), row 0 the top line: mean over the games of +1 Black, -1 White.
    Raises ValueError if ``n`` is below 1.
    """
    if n < 1:
        raise ValueError(f"number of playouts must be at least 1, got '{n}'")
    cdef Position start = board.position
    cdef Position at
    cdef Trace trace
    cdef rng_t rng = seeded(seed)
    cdef Policy policy = TACTICAL if tactical else UNIFORM
    cdef int8_t[MAX_POINTS] owner
    cdef int64_t[MAX_POINTS] total
    cdef int64_t score = 0
    cdef int64_t length = 0
    cdef int _ = 0
    cdef int point = 0
    cdef color_t color = to_play
    memset(total, 0, sizeof(total))
    order_empty(&start)
    with nogil:
        for _ in range(n):
            copy(&at, &start)
            playout(&at, color, NO_POINT, &policy, &rng, &trace)
            length += trace.n
            score += area(&at, owner)
            for point in range(STRIDE, (at.size + 1) * STRIDE):
                total[point] += owner[point]
    size = board.position.size
    grid = np.empty((size, size), dtype=np.float32)
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            grid[size - line, column - 1] = total[line * STRIDE + column] / <double>n
    return score / <double>n, length / <double>n, grid


def count_random_playouts(Board board, int to_play, int n, uint64_t seed):
    """Play ``n`` uniformly random games, as fast as they go; return the sum of their scores."""
    cdef Position start = board.position
    cdef Position at
    cdef rng_t rng = seeded(seed)
    cdef int64_t total = 0
    cdef int _ = 0
    cdef color_t color = to_play
    order_empty(&start)
    with nogil:
        for _ in range(n):
            copy(&at, &start)
            total += random_playout(&at, color, &rng)
    return total


def vital_point_of(Board board not None, int point):
    """The vital point of the small eye space that the empty ``point`` is part of, or NO_POINT."""
    cdef color_t border = EMPTY
    if board.color_at(point) != EMPTY:
        raise ValueError(f"point {point} is not empty")
    return <int>vital_point(&board.position, <point_t>point, &border)
