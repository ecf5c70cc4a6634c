from gtpengine.core.board cimport Position
from gtpengine.core.types cimport MAX_POINTS, color_t

cdef struct Life:
    # What is settled for one color, whoever moves and however often the opponent does.
    bint[MAX_POINTS] alive        # per point: a stone of the color that can never be taken
    bint[MAX_POINTS] territory    # per point: in a region where the opponent can never live

cdef int unconditional_life(const Position* at, color_t color, Life* life) noexcept nogil
