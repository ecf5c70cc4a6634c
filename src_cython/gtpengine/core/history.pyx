"""The course of a game: every position since the first, for superko and for undo."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc

from gtpengine.core.board cimport (
    Board, Change, hash_after, legality, opponent, put_recorded, undo,
)
from gtpengine.core.types cimport BLACK, LEGAL, PASS, WHITE, color_t, hash_t

from gtpengine.core.board import IllegalMove


cdef bint is_repeated(
    const Entry* entries, int32_t count, hash_t hash, color_t to_play, bint situational
) noexcept nogil:
    """Whether the stones ``hash`` (and, if ``situational``, the player to move) stood before."""
    cdef int32_t i = 0
    for i in range(count):
        if entries[i].hash == hash and (not situational or entries[i].to_play == to_play):
            return True
    return False


cdef class History:
    """A board and how it came to be: plays, takes back, and knows which positions have stood.

    The board given at the start is copied; it is the first position, with ``to_play`` to move.
    """

    def __cinit__(self):
        self.entries = NULL
        self.count = self.capacity = 0

    def __init__(self, Board board, int to_play=BLACK):
        self.board_ = board.copy()
        self.count = 0
        self.reserve()
        self.entries[0].hash = self.board_.position.hash
        self.entries[0].to_play = to_play
        self.count = 1

    def __dealloc__(self):
        free(self.entries)

    cdef int reserve(self) except -1:
        """Make room for one more entry; every ``Entry*`` is invalid afterwards."""
        if self.count < self.capacity:
            return 0
        cdef int32_t capacity = 64 + 2 * self.capacity
        cdef Entry* moved = <Entry*>realloc(self.entries, capacity * sizeof(Entry))
        if moved == NULL:
            raise MemoryError(f"history: no memory for {capacity} moves")
        self.entries, self.capacity = moved, capacity
        return 0

    def __len__(self):
        """Number of moves, passes included."""
        return self.count - 1

    @property
    def board(self):
        """The current position; it must be changed by this history only."""
        return self.board_

    @property
    def to_play(self):
        """Who moves next: the opponent of whoever moved last."""
        return <int>self.entries[self.count - 1].to_play

    def moves(self):
        """List of (color, point), oldest first."""
        return [(<int>self.entries[i].change.color, <int>self.entries[i].change.point)
                for i in range(1, self.count)]

    def legality(self, int color, int point, str ko="simple", bint suicide=False):
        """'' if the move is legal, else the reason; ``ko`` is simple, positional or situational.

        Simple ko is banned under every rule: it is a special case of superko.
        """
        reason = self.board_.legality(color, point, suicide)
        if reason or point == PASS or ko == "simple":
            return reason
        cdef hash_t after = hash_after(&self.board_.position, color, point)
        if is_repeated(self.entries, self.count, after, opponent(color), ko == "situational"):
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
        cdef Entry* entry = &self.entries[self.count]
        cdef int captured = put_recorded(&self.board_.position, color, point, &entry.change)
        entry.hash = self.board_.position.hash
        entry.to_play = opponent(color)
        self.count += 1
        return captured

    def undo(self):
        """Take the last move back; ValueError if there is none."""
        if self.count <= 1:
            raise ValueError("no move to take back")
        self.count -= 1
        undo(&self.board_.position, &self.entries[self.count].change)
