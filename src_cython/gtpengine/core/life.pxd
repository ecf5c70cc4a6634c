from gtpengine.core.position cimport Position
from gtpengine.core.types cimport MAX_POINTS, color_t, point_t

cdef struct Life:
    # What is settled for one color, whoever moves and however often the opponent does; valid on the
    # lines of the board.
    bint[MAX_POINTS] alive        # per point: a stone of the color that can never be taken
    bint[MAX_POINTS] territory    # per point: in a region where the opponent can never live

cdef bint unconditional_life(const Position* at, color_t color, Life* life) noexcept nogil


cdef struct Arena:
    # A part of the board that is read on its own: outside it, nothing changes.
    int n
    point_t[MAX_POINTS] points    # the first `n`: where moves are considered
    bint[MAX_POINTS] inside       # per point: among `points`
    bint[MAX_POINTS] safe         # per point: a stone that is never taken


cdef bint cannot_live_within(const Position* at, const Arena* arena, color_t color) noexcept nogil
cdef bint lives_within(const Position* at, const Arena* arena, point_t stone) noexcept nogil
