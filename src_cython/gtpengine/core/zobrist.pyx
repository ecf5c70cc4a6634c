"""Zobrist keys (Zobrist 1970, A new hashing method with application for game playing).

The seed is a constant: a position has the same hash in every process and on every machine.
"""

from gtpengine.core.rng cimport random32, rng_t, seeded
from gtpengine.core.types cimport BLACK, MAX_POINTS, WHITE, hash_t


cdef int fill_keys() noexcept:
    cdef rng_t state = seeded(20260101)
    cdef int color = 0
    cdef int point = 0
    for color in range(BLACK, WHITE + 1):
        for point in range(MAX_POINTS):
            KEY[color][point] = <hash_t>random32(&state) << 32
            KEY[color][point] |= random32(&state)
    return 0


fill_keys()
