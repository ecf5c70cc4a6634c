from libc.stdint cimport uint8_t, uint16_t

from gtpengine.core.types cimport color_t

cdef uint8_t[65536] PATTERN   # by shape: bit 0 if a pattern suits Black there, bit 1 if White


cdef inline bint suits(uint16_t shape, color_t color) noexcept nogil:
    return (PATTERN[shape] & color) != 0
