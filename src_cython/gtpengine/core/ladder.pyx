"""Ladders: does a chain with one or two liberties get away?

The position is changed while reading and comes back as it was, but for the order in which the empty
points are kept.
"""

from gtpengine.core.board cimport Board
from gtpengine.core.position cimport (
    Change, Position, first_liberty, in_atari, legality, n_liberties, only_liberty, opponent,
    other_liberty, put_recorded, touches, undo,
)
from gtpengine.core.types cimport EMPTY, LEGAL, NO_POINT, color_t, neighbor, point_t

cdef enum:
    MOST_MOVES = 200   # a ladder is given up (the chain escapes) after so many moves ...
    MOST_NODES = 1000  # ... or so many moves tried


cdef inline bint opens_up(const Position* at, point_t point, point_t but) noexcept nogil:
    # Three empty points are beside ``point``, ``but`` not counted: a chain that extends there gets
    # away.  To ask more, about the chains it joins, takes as long as to try the move.
    cdef int n = 0
    cdef int i = 0
    for i in range(4):
        n += (at.color[point + neighbor(i)] == EMPTY) & (point + neighbor(i) != but)
    return n > 2


cdef bint escapes_by(
    Position* at, point_t stone, point_t move, int depth, int* n_nodes
) noexcept nogil:
    """Whether the chain at ``stone`` gets away if its owner plays ``move``."""
    cdef Change change
    cdef bint escaped = False
    cdef int n = 0
    if legality(at, at.color[stone], move, False) != LEGAL:
        return False
    put_recorded(at, at.color[stone], move, &change)
    n = n_liberties(at, at.head[stone], 3)
    if n > 2:
        escaped = True
    elif n == 2:
        escaped = not falls(at, stone, depth + 1, n_nodes)
    undo(at, &change)
    return escaped


cdef bint escapes(Position* at, point_t stone, int depth, int* n_nodes) noexcept nogil:
    """Whether the chain in atari at ``stone``, its owner to move, gets away."""
    cdef point_t head = at.head[stone]
    cdef point_t liberty = only_liberty(at, head)
    cdef color_t other = opponent(at.color[stone])
    cdef point_t walk = head
    cdef int i = 0
    cdef int beside = 0
    n_nodes[0] += 1
    if depth > MOST_MOVES or n_nodes[0] > MOST_NODES:
        return True
    if opens_up(at, liberty, NO_POINT) or escapes_by(at, stone, liberty, depth, n_nodes):
        return True
    # Undo leaves the ring of links as it was, so walking on after trying a move is safe.
    while True:
        if touches(at.shape[walk], other):
            for i in range(4):
                beside = walk + neighbor(i)
                if at.color[beside] != other or not in_atari(at, at.head[beside]):
                    continue
                if escapes_by(at, stone, only_liberty(at, at.head[beside]), depth, n_nodes):
                    return True
        walk = at.next[walk]
        if walk == head:
            return False


cdef inline int two_liberties(const Position* at, point_t stone, point_t* liberties) noexcept nogil:
    cdef point_t head = at.head[stone]
    liberties[0] = first_liberty(at, head)
    liberties[1] = other_liberty(at, head, liberties[0])
    return 2


cdef bint falls_to(
    Position* at, point_t stone, point_t move, point_t other, int depth, int* n_nodes
) noexcept nogil:
    """Whether the attacker's ``move`` captures the chain with two liberties at ``stone``."""
    cdef Change change
    cdef bint captured = False
    if opens_up(at, other, move) or (
            legality(at, opponent(at.color[stone]), move, False) != LEGAL):
        return False
    put_recorded(at, opponent(at.color[stone]), move, &change)
    captured = in_atari(at, at.head[stone]) and not escapes(at, stone, depth + 1, n_nodes)
    undo(at, &change)
    return captured


cdef bint falls(Position* at, point_t stone, int depth, int* n_nodes) noexcept nogil:
    """Whether the chain with two liberties at ``stone``, the attacker to move, is captured."""
    cdef point_t[2] moves
    two_liberties(at, stone, moves)
    n_nodes[0] += 1
    if depth > MOST_MOVES or n_nodes[0] > MOST_NODES:
        return False
    return (falls_to(at, stone, moves[0], moves[1], depth, n_nodes)
            or falls_to(at, stone, moves[1], moves[0], depth, n_nodes))


cdef bint is_laddered(Position* at, point_t stone) noexcept nogil:
    """Whether the chain in atari at ``stone`` is lost although its owner moves first."""
    cdef int n_nodes = 0
    return not escapes(at, stone, 0, &n_nodes)


cdef bint ladders(Position* at, point_t stone) noexcept nogil:
    """Whether the chain with two liberties at ``stone`` is lost if the opponent moves first."""
    cdef int n_nodes = 0
    return falls(at, stone, 0, &n_nodes)


cdef int ladder_moves(Position* at, point_t stone, point_t* moves) noexcept nogil:
    """The moves, two at most, that capture the chain with two liberties at ``stone``."""
    cdef point_t[2] liberties
    cdef int n_nodes = 0
    cdef int n = 0
    cdef int i = 0
    for i in range(two_liberties(at, stone, liberties)):
        n_nodes = 1
        if falls_to(at, stone, liberties[i], liberties[1 - i], 0, &n_nodes):
            moves[n] = liberties[i]
            n += 1
    return n


def is_caught(Board board not None, int point):
    """Whether the chain at ``point`` is lost to a ladder, or at once.

    A chain in atari moves first; one with two liberties waits for its opponent's move; one with
    more is not caught.  ValueError if there is no stone.
    """
    cdef Position at = board.position
    cdef int n = board.n_liberties(point)
    if n == 1:
        return is_laddered(&at, <point_t>point)
    return n == 2 and ladders(&at, <point_t>point)
