"""A cache of network evaluations, shared by all threads: one place a key, the newest stays."""

from libc.math cimport lrintf
from libc.stdint cimport int8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free

from gtpengine.core.atomic cimport store, swap


cdef class Cache:
    """At most ``memory`` bytes; empty until it is told the board's size."""

    def __cinit__(self, size_t memory):
        self.entries = NULL
        self.memory = memory
        self.n_points = 0

    def __dealloc__(self):
        free(self.entries)

    cdef int resize(self, int size) except -1:
        """Get ready for boards of ``size`` lines; empties itself if that is new."""
        if size * size == self.n_points and self.entries != NULL:
            return 0
        free(self.entries)
        self.n_points = size * size
        self.step = sizeof(Entry) + (self.n_points + 1) * sizeof(uint16_t) + self.n_points
        self.step = (self.step + 7) // 8 * 8
        self.n_entries = max(self.memory // self.step, <size_t>1)
        self.entries = <char*>calloc(self.n_entries, self.step)
        if self.entries == NULL:
            raise MemoryError(f"cache of evaluations: no memory for {self.n_entries} entries")
        return 0

    cdef bint find(self, uint64_t key, Opinion* opinion) noexcept nogil:
        """Fill ``opinion``; false if the key is not there, or another thread is at its place."""
        cdef Entry* entry = <Entry*>(self.entries + key % self.n_entries * self.step)
        cdef uint16_t* policy = <uint16_t*>(entry + 1)
        cdef int8_t* owner = <int8_t*>(policy + self.n_points + 1)
        cdef int i = 0
        if entry.key != key or not swap(&entry.busy, 0, 1):
            return False
        cdef bint found = entry.key == key
        if found:
            opinion.value, opinion.lead = entry.value, entry.lead
            for i in range(self.n_points + 1):
                opinion.policy[i] = policy[i] / <float>65535
            for i in range(self.n_points):
                opinion.owner[i] = owner[i] / <float>127
        store(&entry.busy, 0)
        return found

    cdef int keep(self, uint64_t key, const Opinion* opinion) noexcept nogil:
        """Put an opinion in the place of its key, unless another thread is there."""
        cdef Entry* entry = <Entry*>(self.entries + key % self.n_entries * self.step)
        cdef uint16_t* policy = <uint16_t*>(entry + 1)
        cdef int8_t* owner = <int8_t*>(policy + self.n_points + 1)
        cdef int i = 0
        if not swap(&entry.busy, 0, 1):
            return 0
        entry.key = key
        entry.value, entry.lead = opinion.value, opinion.lead
        for i in range(self.n_points + 1):
            policy[i] = <uint16_t>lrintf(opinion.policy[i] * 65535)
        for i in range(self.n_points):
            owner[i] = <int8_t>lrintf(opinion.owner[i] * 127)
        store(&entry.busy, 0)
        return 0
