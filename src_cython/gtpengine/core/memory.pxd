cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif

    /* Memory that is walked at random, for ``free``: on few large pages where the system has them,
       since the processor remembers the place of few. */
    static inline void *gtpengine_large(size_t n) {
    #if defined(MADV_HUGEPAGE)
        const size_t page = (size_t)1 << 21;
        void *memory = NULL;
        if (posix_memalign(&memory, page, n) != 0)
            return NULL;
        (void)madvise(memory, n, MADV_HUGEPAGE);   /* a wish, which may not be granted */
        return memory;
    #else
        return malloc(n);
    #endif
    }
    """
    void* large "gtpengine_large"(size_t n) noexcept nogil
