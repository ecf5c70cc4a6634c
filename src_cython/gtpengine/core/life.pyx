"""Unconditional life: chains that survive even if their owner always passes.

Source: Benson 1976, Life in the Game of Go; wording of Mueller 1997, Playing it safe.  A region of
a color is a largest connected set of points without its stones.  It is vital to a chain at its
border if each of its empty points is a liberty of the chain.  Chains with fewer than two vital
regions are struck out, then the regions that a struck chain borders, until nothing changes.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memset

from gtpengine.core.board cimport Board
from gtpengine.core.position cimport Position, opponent, stones_beside, touches
from gtpengine.core.types cimport (
    EMPTY, MAX_POINTS, MAX_SIZE, NO_POINT, STRIDE, WALL, color_t, lowest, neighbor, point_t,
)

cdef enum:
    MOST_BITS = 64
    ROOMY = 12   # empty points that surely hold two eyes; of 3 x 3 in a corner this is not true
    MOST_PAIRS = 4 * MAX_SIZE * MAX_SIZE   # of a region and a chain at its border


cdef struct Pair:
    int region
    point_t head
    bint vital


cdef bint parts_board(const Position* at, color_t color) noexcept nogil:
    """Whether ``color`` has two regions or more: without, nothing of it is alive.

    A line of the board is one word here.  For the better part of a game there is one region, and so
    that is known many times faster than by labelling it.
    """
    cdef uint32_t[MAX_SIZE + 2] region   # per line, a bit per column: points of all regions ...
    cdef uint32_t[MAX_SIZE + 2] first    # ... and of the first one, as far as it is known
    cdef uint32_t row = 0
    cdef uint32_t before = 0
    cdef int size = at.size
    cdef int line = 0
    cdef int column = 0
    cdef int i = 0
    cdef bint changed = True
    memset(region, 0, sizeof(region))
    memset(first, 0, sizeof(first))
    for line in range(size, 0, -1):
        for column in range(1, size + 1):
            region[line] |= <uint32_t>(at.color[line * STRIDE + column] != color) << column
        i = line if region[line] != 0 else i
    first[i] = region[i] & (~region[i] + 1)   # the lowest bit of the lowest line that has any
    while changed:
        changed = False
        for i in range(2 * size):   # up, then down
            line = 1 + i if i < size else 2 * size - i
            row = (first[line - 1] | first[line] | first[line + 1]) & region[line]
            before = 0
            while row != before:
                before = row
                row |= (row << 1 | row >> 1) & region[line]
            changed |= row != first[line]
            first[line] = row
    for line in range(1, size + 1):
        if first[line] != region[line]:
            return True
    return False


cdef int list_pairs(const Position* at, color_t color, int* region, Pair* pairs) noexcept nogil:
    """Label the regions of ``color`` from 1; list the chains at their borders, return how many.

    What belongs to no region is labelled -1.
    """
    cdef point_t[MAX_POINTS] todo
    cdef int[MAX_POINTS] counted    # per head: the last region counted for it ...
    cdef int[MAX_POINTS] n_shared   # ... and how many of its empty points are liberties of it
    cdef int n_pairs = 0
    cdef int n_regions = 0
    cdef int first_pair = 0
    cdef int n_empty = 0
    cdef int n = 0
    cdef int start = 0
    cdef int i = 0
    cdef int k = 0
    cdef int j = 0
    cdef int left = 0
    cdef int beside = 0
    cdef bint fresh = True
    for i in range((at.size + 2) * STRIDE):
        region[i] = -((at.color[i] == color) | (at.color[i] == WALL))
    memset(counted, 0, (at.size + 1) * STRIDE * sizeof(int))
    for start in range(STRIDE + 1, (at.size + 1) * STRIDE):
        if region[start] != 0:
            continue
        n_regions += 1
        first_pair = n_pairs
        n_empty = 0
        todo[0] = <point_t>start
        region[start] = n_regions
        i, n = 0, 1
        while i < n:
            n_empty += at.color[todo[i]] == EMPTY
            for k in range(4):
                beside = todo[i] + neighbor(k)
                if region[beside] == 0:
                    region[beside] = n_regions
                    todo[n] = <point_t>beside
                    n += 1
            left = stones_beside(at.shape[todo[i]], color)
            while left != 0:
                k = lowest(left) // 2
                left &= left - 1
                beside = todo[i] + neighbor(k)
                if counted[at.head[beside]] != n_regions:
                    counted[at.head[beside]] = n_regions
                    n_shared[at.head[beside]] = 0
                    pairs[n_pairs] = Pair(n_regions, at.head[beside], False)
                    n_pairs += 1
                if at.color[todo[i]] == EMPTY:
                    fresh = True
                    for j in range(k):
                        if at.head[todo[i] + neighbor(j)] == at.head[beside]:
                            fresh = False
                    n_shared[at.head[beside]] += fresh
            i += 1
        for i in range(first_pair, n_pairs):
            pairs[i].vital = n_shared[pairs[i].head] == n_empty
    return n_pairs


cdef bint unconditional_life(const Position* at, color_t color, Life* life) noexcept nogil:
    """Find the unconditionally alive chains of ``color`` and the regions that only it can own.

    Returns whether there are any; if not, as usual until late in a game, ``life`` is not written.
    Opponent's stones in such a region, vital to an alive chain and bordered by no other, are dead:
    they never get an eye, because each empty point there is a liberty of that chain.
    """
    cdef int[MAX_POINTS] region
    cdef Pair[MOST_PAIRS] pairs
    cdef int n_pairs = 0
    cdef int[MAX_POINTS] n_vital       # per head
    cdef bint[MAX_POINTS] struck       # per region
    cdef bint[MAX_POINTS] vital        # per region: to some chain that is alive
    cdef bint changed = True
    cdef bint found = False
    cdef int i = 0
    cdef int point = 0
    if not parts_board(at, color):
        return False
    n_pairs = list_pairs(at, color, region, pairs)
    for i in range(n_pairs):
        struck[pairs[i].region] = vital[pairs[i].region] = False
    while changed:
        changed = False
        memset(n_vital, 0, (at.size + 1) * STRIDE * sizeof(int))
        for i in range(n_pairs):
            if pairs[i].vital and not struck[pairs[i].region]:
                n_vital[pairs[i].head] += 1
        for i in range(n_pairs):
            if n_vital[pairs[i].head] < 2 and not struck[pairs[i].region]:
                struck[pairs[i].region] = changed = True
    for i in range(n_pairs):
        if pairs[i].vital and not struck[pairs[i].region]:
            vital[pairs[i].region] = found = True
    if not found:
        return False
    for point in range(STRIDE + 1, (at.size + 1) * STRIDE):
        life.alive[point] = at.color[point] == color and n_vital[at.head[point]] >= 2
        life.territory[point] = region[point] > 0 and vital[region[point]]
    return True


cdef bint has_safe_stone(const Position* at, const Arena* arena, point_t head) noexcept nogil:
    cdef point_t stone = head
    while True:
        if arena.safe[stone]:
            return True
        stone = at.next[stone]
        if stone == head:
            return False


cdef bint meets_opponent(const Position* at, point_t head) noexcept nogil:
    cdef point_t stone = head
    while True:
        if touches(at.shape[stone], opponent(at.color[head])):
            return True
        stone = at.next[stone]
        if stone == head:
            return False


cdef bint lives_within(const Position* at, const Arena* arena, point_t stone) noexcept nogil:
    """Whether the chain at ``stone`` is unconditionally alive, or joined to a safe stone.

    Benson's test on the points of the arena; safe stones of the color count as alive, and so does
    a chain around ROOMY empty points, alone or with chains that no opponent touches.  A region that
    reaches beyond the arena is vital to nobody.  False, too, for more regions or chains than
    the bits of a word.
    """
    cdef color_t color = at.color[stone]
    cdef int[MAX_POINTS] number      # per head: its number among the chains met, from 1
    cdef bint[MAX_POINTS] seen
    cdef point_t[MAX_POINTS] todo
    cdef point_t[MOST_BITS] heads
    cdef uint64_t[MOST_BITS] border  # per chain: regions that it borders
    cdef uint64_t[MOST_BITS] vital   # per chain: regions vital to it
    cdef int[MOST_BITS] n_shared     # per chain: empty points of the current region beside it
    cdef uint64_t regions = 0        # not struck out
    cdef uint64_t chains = 0         # bordering the current region; then those not struck out
    cdef uint64_t border_chains = 0  # of those, the ones that touch an opponent
    cdef uint64_t roomy = 0          # chains that surround much space
    cdef uint64_t bit = 0
    cdef int n_chains = 0
    cdef int n_regions = 0
    cdef int n_empty = 0
    cdef int n = 0
    cdef int start = 0
    cdef int i = 0
    cdef int j = 0
    cdef int k = 0
    cdef int c = 0
    cdef int beside = 0
    cdef bint is_open = False
    cdef bint fresh = True
    cdef bint changed = True
    if has_safe_stone(at, arena, at.head[stone]):
        return True
    for i in range(arena.n):
        number[at.head[arena.points[i]] if at.head[arena.points[i]] > 0 else 0] = 0
        seen[arena.points[i]] = False
    for start in range(arena.n):
        if at.color[arena.points[start]] == color or seen[arena.points[start]]:
            continue
        if n_regions == MOST_BITS:
            return False
        bit = <uint64_t>1 << n_regions
        n_regions += 1
        is_open = False
        n_empty = 0
        chains = 0
        todo[0] = arena.points[start]
        seen[todo[0]] = True
        i, n = 0, 1
        while i < n:
            n_empty += at.color[todo[i]] == EMPTY
            for k in range(4):
                beside = todo[i] + neighbor(k)
                if at.color[beside] == color:
                    if not arena.inside[beside]:
                        continue
                    if number[at.head[beside]] == 0:
                        if n_chains == MOST_BITS:
                            return False
                        heads[n_chains] = at.head[beside]
                        border[n_chains] = vital[n_chains] = 0
                        n_chains += 1
                        number[at.head[beside]] = n_chains
                    c = number[at.head[beside]] - 1
                    if chains & (<uint64_t>1 << c) == 0:
                        chains |= <uint64_t>1 << c
                        border[c] |= bit
                        n_shared[c] = 0
                    if at.color[todo[i]] == EMPTY:
                        fresh = True
                        for j in range(k):
                            if at.head[todo[i] + neighbor(j)] == at.head[beside]:
                                fresh = False
                        n_shared[c] += fresh
                elif not arena.inside[beside]:
                    is_open = is_open or at.color[beside] != WALL
                elif not seen[beside]:
                    seen[beside] = True
                    todo[n] = <point_t>beside
                    n += 1
            i += 1
        regions |= bit
        if not is_open:
            if n_empty == n and n >= ROOMY:
                border_chains = chains
                for c in range(n_chains):
                    if chains & (<uint64_t>1 << c) and not meets_opponent(at, heads[c]):
                        border_chains &= ~(<uint64_t>1 << c)
                if border_chains & (border_chains - 1) == 0:
                    roomy |= chains
            for c in range(n_chains):
                if chains & (<uint64_t>1 << c) and n_shared[c] == n_empty:
                    vital[c] |= bit
    chains = 0
    for c in range(n_chains):
        if not (roomy & (<uint64_t>1 << c) or has_safe_stone(at, arena, heads[c])):
            chains |= <uint64_t>1 << c
    while changed:
        changed = False
        for c in range(n_chains):
            if chains & (<uint64_t>1 << c):
                bit = vital[c] & regions
                if bit & (bit - 1) == 0:
                    chains &= ~(<uint64_t>1 << c)
                    regions &= ~border[c]
                    changed = True
    c = number[at.head[stone]] - 1
    return c >= 0 and (chains | roomy) & (<uint64_t>1 << c) != 0


cdef bint cannot_live_within(const Position* at, const Arena* arena, color_t color) noexcept nogil:
    """Whether every stone of ``color`` in the arena dies; none of its safe stones borders that.

    A point beside a safe stone of the opponent is never an eye.  Two eyes need two points that are
    not adjacent; one eye of one or two points among safe stones is neither life nor seki.
    """
    cdef int n = 0
    cdef int found = NO_POINT
    cdef int i = 0
    cdef int k = 0
    cdef int point = 0
    cdef int beside = 0
    cdef bint possible = True
    for i in range(arena.n):
        point = arena.points[i]
        possible = True
        for k in range(4):
            beside = point + neighbor(k)
            if at.color[beside] == 3 - color and (
                    arena.safe[beside] or has_safe_stone(at, arena, at.head[beside])):
                possible = False
                break
        if possible:
            if n > 1 or (n == 1 and abs(point - found) not in (1, STRIDE)):
                return False
            n += 1
            found = point
    return True


def unconditional(Board board, int color):
    """Points of (stones of ``color`` that live, regions where the opponent cannot), as two sets."""
    cdef Life life
    if not unconditional_life(&board.position, color, &life):
        return frozenset(), frozenset()
    points = board.points()
    return (
        frozenset(point for point in points if life.alive[<int>point]),
        frozenset(point for point in points if life.territory[<int>point]),
    )
