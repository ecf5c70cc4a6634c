from libc.stdint cimport uint32_t, uint64_t

ctypedef uint64_t rng_t   # state of a generator, never 0; its caller owns it


cdef inline rng_t seeded(uint64_t seed) noexcept nogil:
    # SplitMix64 (Steele, Lea and Flood 2014): spreads small seeds over all bits.
    cdef uint64_t z = seed + <uint64_t>0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    z ^= z >> 31
    return z if z != 0 else 1


cdef inline uint32_t random32(rng_t* state) noexcept nogil:
    # xorshift64* (Vigna 2016, An experimental exploration of Marsaglia's xorshift generators).
    cdef uint64_t x = state[0]
    x ^= x >> 12
    x ^= x << 25
    x ^= x >> 27
    state[0] = x
    return <uint32_t>((x * <uint64_t>2685821657736338717) >> 32)


cdef inline int random_below(rng_t* state, int n) noexcept nogil:
    # Uniform in 0..n-1 up to a bias of n / 2**32; n > 0.
    return <int>((<uint64_t>random32(state) * <uint64_t>n) >> 32)


cdef inline bint chance(rng_t* state, uint32_t per_mille) noexcept nogil:
    # True in ``per_mille`` of 1000 calls.
    return random_below(state, 1000) < <int>per_mille
