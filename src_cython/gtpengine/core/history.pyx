"""The course of a game: every position since the first, for superko and for undo."""

from libc.stdlib cimport free, realloc

from gtpengine.core.board cimport Board
from gtpengine.core.position cimport (
    Change, Position, hash_after, legality, opponent, put_recorded, undo,
)
from gtpengine.core.types cimport BLACK, LEGAL, PASS, WHITE, color_t, hash_t, point_t

from gtpengine.core.board import IllegalMove


cdef bint is_repeated(
    const Stand* stands, int count, hash_t hash, color_t to_play, bint situational
) noexcept nogil:
    """Whether the stones ``hash`` (and, if ``situational``, the player to move) stood before."""
    cdef int i = 0
    for i in range(count):
        if stands[i].hash == hash and (not situational or stands[i].to_play == to_play):
            return True
    return False


cdef int list_banned(
    const Position* at, color_t color, const Stand* stands, int count, bint situational,
    point_t* banned
) noexcept nogil:
    """Write the points that only superko forbids ``color`` to play; return their number.

    ``stands`` are all positions so far, this one included.
    """
    cdef int n = 0
    cdef int i = 0
    if at.n_lost[BLACK] + at.n_lost[WHITE] == 0:
        return 0   # the number of stones has only grown: nothing can come back
    for i in range(at.n_empty):
        if legality(at, color, at.empty[i], False) == LEGAL and is_repeated(
                stands, count, hash_after(at, color, at.empty[i]), opponent(color), situational):
            banned[n] = at.empty[i]
            n += 1
    return n


cdef class History:
    """A board and how it came to be: plays, takes back, and knows which positions have stood.

    The board given at the start is copied; it is the first position, with ``to_play`` to move.
    """

    def __cinit__(self):
        self.stands, self.changes = NULL, NULL
        self.n_moves = self.capacity = 0

    def __init__(self, Board board, int to_play=BLACK):
        self.board_ = board.copy()
        self.n_moves = 0
        self.reserve()
        self.stands[0].hash = self.board_.position.hash
        self.stands[0].to_play = <color_t>to_play

    def __dealloc__(self):
        free(self.stands)
        free(self.changes)

    cdef int reserve(self) except -1:
        """Make room for one more move; every pointer into the arrays is invalid afterwards."""
        if self.n_moves < self.capacity:
            return 0
        cdef int capacity = 64 + 2 * self.capacity
        cdef Stand* stands = <Stand*>realloc(self.stands, (capacity + 1) * sizeof(Stand))
        if stands != NULL:
            self.stands = stands
        cdef Change* changes = <Change*>realloc(self.changes, capacity * sizeof(Change))
        if changes != NULL:
            self.changes = changes
        if stands == NULL or changes == NULL:
            raise MemoryError(f"history: no memory for {capacity} moves")
        self.capacity = capacity
        return 0

    def __len__(self):
        """Number of moves, passes included."""
        return self.n_moves

    @property
    def board(self):
        """The current position; it must be changed by this history only."""
        return self.board_

    @property
    def to_play(self):
        """Who moves next: the opponent of whoever moved last."""
        return <int>self.stands[self.n_moves].to_play

    def moves(self):
        """List of (color, point), oldest first."""
        return [(<int>self.changes[i].color, <int>self.changes[i].point)
                for i in range(self.n_moves)]

    def legality(self, int color, int point, str ko="simple", bint suicide=False):
        """'' if the move is legal, else the reason; ``ko`` is simple, positional or situational.

        Simple ko is banned under every rule: it is a special case of superko.
        """
        if ko not in ("simple", "positional", "situational"):
            raise ValueError(f"ko must be simple, positional or situational, got '{ko}'")
        reason = self.board_.legality(color, point, suicide)
        if reason or point == PASS or ko == "simple":
            return reason
        cdef hash_t after = hash_after(&self.board_.position, <color_t>color, <point_t>point)
        if is_repeated(self.stands, self.n_moves + 1, after, opponent(<color_t>color),
                       ko == "situational"):
            return "superko"
        return ""

    def play(self, int color, int point, str ko="simple", bint suicide=False):
        """Play a stone or PASS; return the number of stones captured.

        Raises IllegalMove, with the game unchanged, for what ``legality`` objects to.
        """
        reason = self.legality(color, point, ko, suicide)
        if reason:
            raise IllegalMove(f"point {point} is not playable: {reason}")
        self.reserve()
        cdef int captured = put_recorded(&self.board_.position, <color_t>color, <point_t>point,
                                         &self.changes[self.n_moves])
        self.n_moves += 1
        self.stands[self.n_moves].hash = self.board_.position.hash
        self.stands[self.n_moves].to_play = opponent(<color_t>color)
        return captured

    def undo(self):
        """Take the last move back; ValueError if there is none."""
        if self.n_moves == 0:
            raise ValueError("no move to take back")
        self.n_moves -= 1
        undo(&self.board_.position, &self.changes[self.n_moves])
