from libc.stdint cimport int32_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define gtpengine_add(at, n) \\
        ((int32_t)_InterlockedExchangeAdd((volatile long *)(at), (long)(n)))
    #define gtpengine_swap(at, old, new_) \\
        (_InterlockedCompareExchange((volatile long *)(at), (long)(new_), (long)(old)) \\
         == (long)(old))
    #define gtpengine_load(at) ((int32_t)_InterlockedOr((volatile long *)(at), 0))
    #define gtpengine_store(at, n) ((void)_InterlockedExchange((volatile long *)(at), (long)(n)))
    #define gtpengine_prefetch(at) ((void)(at))
    #else
    #define gtpengine_add(at, n) __atomic_fetch_add((at), (n), __ATOMIC_RELAXED)
    #define gtpengine_swap(at, old, new_) __sync_bool_compare_and_swap((at), (old), (new_))
    #define gtpengine_load(at) __atomic_load_n((at), __ATOMIC_ACQUIRE)
    #define gtpengine_store(at, n) __atomic_store_n((at), (n), __ATOMIC_RELEASE)
    #define gtpengine_prefetch(at) __builtin_prefetch(at)
    #endif
    """
    # Add to a shared number; return what it was before.
    int32_t fetch_add "gtpengine_add"(int32_t* at, int32_t n) noexcept nogil
    # Replace ``old`` by ``new``; false if another thread was faster.
    bint swap "gtpengine_swap"(int32_t* at, int32_t old, int32_t new) noexcept nogil
    # See all that was written before the ``store`` that wrote this number.
    int32_t load "gtpengine_load"(const int32_t* at) noexcept nogil
    void store "gtpengine_store"(int32_t* at, int32_t n) noexcept nogil
    # Have memory fetched that will be read soon; nothing happens if there is none.
    void prefetch "gtpengine_prefetch"(const void* at) noexcept nogil
