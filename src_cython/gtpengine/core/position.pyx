"""The position: stones, chains, liberties, simple ko, Zobrist hash.

``put`` trusts its caller, ``legality`` checks; superko belongs to ``history``.  Every move can be
taken back exactly: chains are rings of stones, and swapping two links of two rings joins them,
while swapping the same two links again parts them (the idea of Knuth 2000, Dancing Links).

A chain counts a liberty once for each of its stones beside it, so that to join two chains is to add
two numbers ("pseudo-liberties", known from Lew's program libego).  Whether there is one liberty, or
none, shows from these; two and more are counted when somebody asks.
"""

from libc.stdint cimport int16_t, uint16_t
from libc.string cimport memcpy, memset

from gtpengine.core.types cimport (
    EMPTY, LEGAL, MAX_POINTS, NO_POINT, OCCUPIED, PASS, SIMPLE_KO, STRIDE, SUICIDE, WALL, Legality,
    color_t, hash_t, lowest, neighbor, point_t,
)
from gtpengine.core.zobrist cimport KEY

cdef enum:
    MOST_COUNTED = 8   # liberties that are told apart


cdef int reset(Position* at, int size) noexcept nogil:
    """Make ``at`` the empty board of ``size`` lines."""
    cdef int line = 0
    cdef int column = 0
    cdef int point = 0
    cdef int i = 0
    memset(at, 0, sizeof(Position))
    at.size = size
    at.ko = NO_POINT
    for point in range(MAX_POINTS):
        at.color[point] = WALL
        at.head[point] = <point_t>point
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            point = line * STRIDE + column
            at.color[point] = EMPTY
            at.slot[point] = <int16_t>at.n_empty
            at.empty[at.n_empty] = <point_t>point
            at.n_empty += 1
    for line in range(1, size + 1):
        for column in range(1, size + 1):
            point = line * STRIDE + column
            for i in range(8):
                at.shape[point] |= <uint16_t>(at.color[point + neighbor(i)] << (2 * i))
                if i < 4 and at.color[point + neighbor(i)] == EMPTY:
                    at.liberties[point] += once(point + neighbor(i))
    return 0


cdef int copy(Position* to, const Position* at) noexcept nogil:
    """Make ``to`` the same position; what lies off its board is left as it is.

    On a small board that is a fraction of the whole.
    """
    cdef int n = (at.size + 2) * STRIDE
    to.size, to.n_empty, to.hash, to.ko = at.size, at.n_empty, at.hash, at.ko
    memcpy(to.n_stones, at.n_stones, sizeof(at.n_stones))
    memcpy(to.n_lost, at.n_lost, sizeof(at.n_lost))
    memcpy(to.color, at.color, n * sizeof(color_t))
    memcpy(to.shape, at.shape, n * sizeof(uint16_t))
    memcpy(to.head, at.head, n * sizeof(point_t))
    memcpy(to.liberties, at.liberties, n * sizeof(points_t))
    memcpy(to.next, at.next, n * sizeof(point_t))
    memcpy(to.length, at.length, n * sizeof(int16_t))
    memcpy(to.empty, at.empty, at.size * at.size * sizeof(point_t))
    memcpy(to.slot, at.slot, n * sizeof(int16_t))
    return 0


cdef int order_empty(Position* at) noexcept nogil:
    """Put the list of empty points into the order of the points.

    Otherwise its order tells how the position came about, by which moves and undos; what is random
    and has a seed must not depend on that.
    """
    cdef int point = 0
    cdef int n = 0
    for point in range(STRIDE, (at.size + 1) * STRIDE):
        if at.color[point] == EMPTY:
            at.empty[n] = <point_t>point
            at.slot[point] = <int16_t>n
            n += 1
    return n


cdef inline int flip_shape(Position* at, int point, color_t color) noexcept nogil:
    # Write a stone into, or wipe it out of, the shapes around ``point``.
    cdef int i = 0
    for i in range(8):
        at.shape[point + neighbor(i)] ^= <uint16_t>(color << (2 * (i ^ 1)))
    return 0


cdef inline int occupy(Position* at, int point, color_t color) noexcept nogil:
    cdef point_t last = at.empty[at.n_empty - 1]
    at.n_empty -= 1
    at.empty[at.slot[point]] = last
    at.slot[last] = at.slot[point]
    at.color[point] = color
    at.n_stones[color] += 1
    flip_shape(at, point, color)
    return 0


cdef inline int vacate(Position* at, int point, color_t color) noexcept nogil:
    at.slot[point] = <int16_t>at.n_empty
    at.empty[at.n_empty] = <point_t>point
    at.n_empty += 1
    at.color[point] = EMPTY
    at.head[point] = <point_t>point
    at.n_stones[color] -= 1
    flip_shape(at, point, color)
    return 0


cdef inline int chains_around(
    const Position* at, int point, color_t color, point_t* heads
) noexcept nogil:
    # The distinct chains of ``color`` next to ``point``; returns how many, at most four.
    cdef int n = 0
    cdef int i = 0
    cdef point_t head = NO_POINT
    for i in range(4):
        if at.color[point + neighbor(i)] == color:
            head = at.head[point + neighbor(i)]
            if ((n > 0 and heads[0] == head) or (n > 1 and heads[1] == head)
                    or (n > 2 and heads[2] == head)):
                continue
            heads[n] = head
            n += 1
    return n


cdef inline int open_liberty(Position* at, int point) noexcept nogil:
    # ``point`` becomes a liberty of all beside it.  Whatever these are, they have an entry to add
    # to: asking would cost more than adding does.
    cdef points_t here = once(point)
    cdef int i = 0
    for i in range(4):
        at.liberties[at.head[point + neighbor(i)]] += here
    return 0


cdef inline int close_liberty(Position* at, int point) noexcept nogil:
    # ``point`` ceases to be one.
    cdef points_t here = once(point)
    cdef int i = 0
    for i in range(4):
        at.liberties[at.head[point + neighbor(i)]] -= here
    return 0


cdef int remove_chain(Position* at, point_t head, color_t color) noexcept nogil:
    """Take a chain off; its ring of links stays as it was, for ``restore_chain``."""
    cdef point_t stone = head
    while True:
        vacate(at, stone, color)
        at.liberties[stone] = 0
        at.hash ^= KEY[color][stone]
        stone = at.next[stone]
        if stone == head:
            break
    while True:
        open_liberty(at, stone)
        stone = at.next[stone]
        if stone == head:
            break
    at.n_lost[color] += at.length[head]
    return 0


cdef int restore_chain(Position* at, point_t head, color_t color) noexcept nogil:
    """The inverse of ``remove_chain``."""
    cdef point_t stone = head
    while True:
        close_liberty(at, stone)
        stone = at.next[stone]
        if stone == head:
            break
    while True:
        occupy(at, stone, color)
        at.head[stone] = head
        stone = at.next[stone]
        if stone == head:
            break
    at.n_lost[color] -= at.length[head]
    return 0


cdef inline int swap_links(Position* at, point_t one, point_t two) noexcept nogil:
    cdef point_t link = at.next[one]
    at.next[one] = at.next[two]
    at.next[two] = link
    return 0


cdef inline int absorb(Position* at, point_t kept, point_t absorbed) noexcept nogil:
    # Make the stones of one chain another's.
    cdef point_t stone = absorbed
    while True:
        at.head[stone] = kept
        stone = at.next[stone]
        if stone == absorbed:
            break
    at.length[kept] += at.length[absorbed]
    at.liberties[kept] += at.liberties[absorbed]
    swap_links(at, kept, absorbed)
    return 0


cdef inline int apply(Position* at, color_t color, point_t point, Change* change) noexcept nogil:
    cdef color_t other = opponent(color)
    cdef point_t kept = point
    cdef point_t absorbed = NO_POINT
    cdef int i = 0
    cdef int beside = 0
    cdef int left = 0
    cdef int n_captured = 0
    cdef bint takes = False
    if change != NULL:
        change.hash, change.ko, change.point, change.color = at.hash, at.ko, point, color
        change.next, change.length = at.next[point], at.length[point]
        change.n_merged = change.n_captured = 0
        change.suicide = NO_POINT
    at.ko = NO_POINT
    occupy(at, point, color)
    close_liberty(at, point)
    at.hash ^= KEY[color][point]
    at.next[point] = point
    at.length[point] = 1

    for i in range(4):
        beside = point + neighbor(i)
        takes |= (at.color[beside] == other) & (at.liberties[at.head[beside]] == 0)
    if takes:
        for i in range(4):
            beside = point + neighbor(i)
            if at.color[beside] == other and at.liberties[at.head[beside]] == 0:
                if change != NULL:
                    change.captured[change.n_captured] = at.head[beside]
                    change.n_captured += 1
                n_captured += at.length[at.head[beside]]
                remove_chain(at, at.head[beside], other)

    left = stones_beside(at.shape[point], color)
    while left != 0:
        absorbed = at.head[point + neighbor(lowest(left) // 2)]
        left &= left - 1
        if absorbed == kept:
            continue
        if at.length[absorbed] > at.length[kept]:
            kept, absorbed = absorbed, kept
        if change != NULL:
            change.kept[change.n_merged] = kept
            change.absorbed[change.n_merged] = absorbed
            change.kept_liberties[change.n_merged] = at.liberties[kept]
            change.absorbed_liberties[change.n_merged] = at.liberties[absorbed]
            change.n_merged += 1
        absorb(at, kept, absorbed)

    if at.liberties[kept] == 0:
        if change != NULL:
            change.suicide = kept
        remove_chain(at, kept, color)
    elif n_captured == 1 and at.length[kept] == 1 and size_of(at.liberties[kept]) == 1:
        at.ko = only_liberty(at, kept)
    return n_captured


cdef int put(Position* at, color_t color, point_t point) noexcept nogil:
    """Place a stone on an empty point; return the number of stones captured.

    The caller has made sure that ``legality`` allows it.
    """
    return apply(at, color, point, NULL)


cdef int put_recorded(Position* at, color_t color, point_t point, Change* change) noexcept nogil:
    """Like ``put``, or pass; ``change`` then lets ``undo`` take the move back."""
    if point == PASS:
        change.point, change.ko, change.color = PASS, at.ko, color
        return pass_turn(at)
    return apply(at, color, point, change)


cdef int undo(Position* at, const Change* change) noexcept nogil:
    """Take back the last move, the one that wrote ``change``."""
    cdef point_t point = change.point
    cdef color_t color = change.color
    cdef color_t other = opponent(color)
    cdef point_t stone = NO_POINT
    cdef int i = 0
    at.ko = change.ko
    if point == PASS:
        return 0
    if change.suicide != NO_POINT:
        restore_chain(at, change.suicide, color)
    for i in range(change.n_merged - 1, -1, -1):
        swap_links(at, change.kept[i], change.absorbed[i])
        at.length[change.kept[i]] -= at.length[change.absorbed[i]]
        at.liberties[change.kept[i]] = change.kept_liberties[i]
        at.liberties[change.absorbed[i]] = change.absorbed_liberties[i]
        stone = change.absorbed[i]
        while True:
            at.head[stone] = change.absorbed[i]
            stone = at.next[stone]
            if stone == change.absorbed[i]:
                break
    for i in range(change.n_captured - 1, -1, -1):
        restore_chain(at, change.captured[i], other)
    vacate(at, point, color)
    open_liberty(at, point)
    at.next[point], at.length[point] = change.next, change.length
    at.hash = change.hash
    return 0


cdef Legality legality(
    const Position* at, color_t color, point_t point, bint suicide
) noexcept nogil:
    """Judge a move by everything but superko.

    ``suicide`` says whether a chain of two or more stones may take its own last liberty; a single
    stone never may: it would leave the board as it was.
    """
    cdef color_t other = opponent(color)
    cdef int i = 0
    cdef int beside = 0
    cdef bint is_last = False   # the point is the only liberty of the chain beside it
    cdef bint lives = False
    cdef bint joins = False
    if at.color[point] != EMPTY:
        return OCCUPIED
    if has_empty_neighbor(at.shape[point]):
        return LEGAL
    if point == at.ko and is_surrounded(at.shape[point], opponent(color)):
        return SIMPLE_KO
    for i in range(4):
        beside = point + neighbor(i)
        is_last = in_atari(at, at.head[beside])
        lives |= (at.color[beside] == (other if is_last else color))
        joins |= at.color[beside] == color
    if lives:
        return LEGAL
    return LEGAL if suicide and joins else SUICIDE


cdef hash_t hash_of_chain(const Position* at, point_t head) noexcept nogil:
    cdef hash_t total = 0
    cdef point_t stone = head
    while True:
        total ^= KEY[at.color[head]][stone]
        stone = at.next[stone]
        if stone == head:
            return total


cdef hash_t hash_after(const Position* at, color_t color, point_t point) noexcept nogil:
    """The hash of the position that a legal move leads to."""
    cdef hash_t total = at.hash ^ KEY[color][point]
    cdef point_t[4] heads
    cdef int n = 0
    cdef int i = 0
    cdef bint alive = has_empty_neighbor(at.shape[point])
    n = chains_around(at, point, opponent(color), heads)
    for i in range(n):
        if in_atari(at, heads[i]):
            total ^= hash_of_chain(at, heads[i])
            alive = True
    if alive:
        return total
    n = chains_around(at, point, color, heads)
    for i in range(n):
        if not in_atari(at, heads[i]):
            return total
    for i in range(n):
        total ^= hash_of_chain(at, heads[i])
    return total ^ KEY[color][point]


cdef point_t first_liberty(const Position* at, point_t head) noexcept nogil:
    """Some liberty of a chain."""
    cdef point_t stone = head
    cdef int i = 0
    while True:
        if has_empty_neighbor(at.shape[stone]):
            for i in range(4):
                if at.color[stone + neighbor(i)] == EMPTY:
                    return <point_t>(stone + neighbor(i))
        stone = at.next[stone]
        if stone == head:
            return NO_POINT


cdef point_t other_liberty(const Position* at, point_t head, point_t liberty) noexcept nogil:
    """The other liberty of a chain with two; NO_POINT if it has more, or one."""
    cdef points_t others = at.liberties[head]
    cdef int i = 0
    for i in range(4):
        if at.head[liberty + neighbor(i)] == head:
            others -= once(liberty)
    if others == 0 or not is_one_point(others):
        return NO_POINT
    return <point_t>(<int>sum_of(others) // <int>size_of(others))


cdef inline int note(point_t* found, int n, int point) noexcept nogil:
    # Add ``point`` to the first ``n`` entries unless it is among them; return the new count.
    cdef int i = 0
    for i in range(n):
        if found[i] == point:
            return n
    found[n] = <point_t>point
    return n + 1


cdef int note_liberties(
    const Position* at, point_t head, point_t but, point_t* found, int n, int enough
) noexcept nogil:
    """Note the liberties of a chain, but for one, until there are ``enough``."""
    cdef point_t stone = head
    cdef int i = 0
    cdef int beside = 0
    while True:
        if has_empty_neighbor(at.shape[stone]):
            for i in range(4):
                beside = stone + neighbor(i)
                if at.color[beside] == EMPTY and beside != but:
                    n = note(found, n, beside)
                    if n >= enough:
                        return n
        stone = at.next[stone]
        if stone == head:
            return n


cdef int n_liberties(const Position* at, point_t head, int enough) noexcept nogil:
    """Liberties of a chain, counted up to ``enough``, which is at most MOST_COUNTED."""
    cdef point_t[MOST_COUNTED] found
    return 1 if in_atari(at, head) else note_liberties(at, head, NO_POINT, found, 0, enough)


cdef int liberties_after(
    const Position* at, color_t color, point_t point, int enough
) noexcept nogil:
    """Liberties of the chain that a legal move makes, counted up to ``enough``.

    ``enough`` is at most MOST_COUNTED.  Points vacated by a capture count where they touch the new
    stone itself; liberties that a capture gives to stones further away are left out.
    """
    cdef point_t[MOST_COUNTED + 4] found
    cdef point_t[4] heads
    cdef int n = 0
    cdef int n_heads = 0
    cdef int i = 0
    cdef int beside = 0
    for i in range(4):
        beside = point + neighbor(i)
        if at.color[beside] == EMPTY or (
                at.color[beside] == opponent(color) and in_atari(at, at.head[beside])):
            n = note(found, n, beside)
    n_heads = chains_around(at, point, color, heads)
    for i in range(n_heads):
        if n >= enough:
            break
        if not in_atari(at, heads[i]):
            n = note_liberties(at, heads[i], point, found, n, enough)
    return n
