/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All that depends on the compiler: what makes arithmetic the same everywhere, bit operations, hints, atomics, and
 * which instruction sets the processor has. */
#ifndef ABUT_BASE_COMPILER_H
#define ABUT_BASE_COMPILER_H

#include <float.h>
#include <stdint.h>

/* x87 registers keep excess precision, which changes answers; on 32-bit x86 build with -msse2 -mfpmath=sse. The values
 * 16 and 32 concern only types narrower than float and double. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16 || FLT_EVAL_METHOD == 32,
               "abut needs float and double to be evaluated in their own precision");
_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "abut needs IEEE 754 binary32 and binary64");

/* Parts of fast-math that a compiler does not name are found by base/arithmetic.h, when the program runs. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||        \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#  error "abut must not be compiled with fast-math options: its proofs need IEEE arithmetic"
#endif

/* Forbids contraction to fused multiply-add even where the build's flag is missing (gcc has no pragma for it). */
#if defined(__clang__)
#  pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#  pragma fp_contract(off)
#endif

/* gcc's vectoriser changes bits: version 12 leaves out the rounding of neighbours to float that are read back as
 * double, and from there on it fuses an addition beside a subtraction though contraction is off. Kernels have their own
 * vectors. */
#if defined(__GNUC__) && !defined(__clang__)
#  pragma GCC optimize("no-tree-vectorize")
#endif

/* The index of the lowest bit set; bits != 0. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_LOWEST_BIT(bits) ((uint32_t)__builtin_ctz(bits))
#  define ABUT_LOWEST_BIT64(bits) ((uint32_t)__builtin_ctzll(bits))
#else
static inline uint32_t abut_lowest_bit(uint64_t bits) {
    uint32_t at = 0;
    while (!(bits >> at & 1)) {
        at++;
    }
    return at;
}
#  define ABUT_LOWEST_BIT(bits) abut_lowest_bit(bits)
#  define ABUT_LOWEST_BIT64(bits) abut_lowest_bit(bits)
#endif

/* The number of bits up to the highest one set: 0 for 0. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_BIT_WIDTH(number) ((number) ? 32 - (uint32_t)__builtin_clz(number) : 0)
#else
static inline uint32_t abut_bit_width(uint32_t number) {
    uint32_t width = 0;
    while (width < 32 && number >> width) {
        width++;
    }
    return width;
}
#  define ABUT_BIT_WIDTH(number) abut_bit_width(number)
#endif

/* For parts of a kernel that must share its registers. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#  define ABUT_INLINE __forceinline
#else
#  define ABUT_INLINE inline
#endif

/* For rare cases: inlined, they would take registers from the common ones. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#  define ABUT_NOINLINE __declspec(noinline)
#else
#  define ABUT_NOINLINE
#endif

/* Makes the compiler compute an integer as it is written: it would otherwise order a chain of operations anew, which
 * may take longer where the chain is what everything waits for. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_OPAQUE(number) __asm__("" : "+r"(number))
#else
#  define ABUT_OPAQUE(number) ((void)(number))
#endif

/* Clears the upper halves of the wide registers of x86-64. Until version 12 gcc does not know that the intrinsic does
 * that (its bug 82735): what it keeps in a register over the call, such as lanes that were stored and are read one by
 * one afterwards, becomes zero. So there it is told. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#  define ABUT_CLEAR_WIDE()                                                                                            \
    __asm__ volatile("vzeroupper"                                                                                      \
                     :                                                                                                 \
                     :                                                                                                 \
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",        \
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#else
#  define ABUT_CLEAR_WIDE() _mm256_zeroupper()
#endif

/* Hints that the memory at this address is read, or written, soon. */
#if defined(__GNUC__) || defined(__clang__)
#  define ABUT_PREFETCH(address) __builtin_prefetch(address)
#  define ABUT_PREFETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#else
#  define ABUT_PREFETCH(address) ((void)(address))
#  define ABUT_PREFETCH_TO_WRITE(address) ((void)(address))
#endif

/* For a loop that waits for another thread: the processor spends less on it, and a second hardware thread gets more. */
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
#  define ABUT_PAUSE() __asm__ volatile("pause")
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#  define ABUT_PAUSE() __asm__ volatile("yield")
#else
#  define ABUT_PAUSE() ((void)0)
#endif

/* A number that threads share. Where the compiler has no atomics, only one thread may use the library. */
#if !defined(__STDC_NO_ATOMICS__)
#  include <stdatomic.h>
typedef _Atomic uint32_t abut_atomic_u32;
static inline uint32_t abut_atomic_load(const abut_atomic_u32 *from) { /* acquire */
    return atomic_load_explicit((abut_atomic_u32 *)from, memory_order_acquire);
}
static inline void abut_atomic_store(abut_atomic_u32 *to, uint32_t value) { /* release */
    atomic_store_explicit(to, value, memory_order_release);
}
/* Stores `value` if the number is `expected`; returns whether it did. */
static inline int abut_atomic_replace(abut_atomic_u32 *at, uint32_t expected, uint32_t value) {
    return atomic_compare_exchange_strong_explicit(at, &expected, value, memory_order_acquire, memory_order_acquire);
}
/* Adds n; returns the number before. */
static inline uint32_t abut_atomic_add(abut_atomic_u32 *at, uint32_t n) {
    return atomic_fetch_add_explicit(at, n, memory_order_acq_rel);
}
#elif defined(_MSC_VER)
#  include <intrin.h>
typedef volatile long abut_atomic_u32;
static inline uint32_t abut_atomic_load(const abut_atomic_u32 *from) {
    return (uint32_t)_InterlockedOr((abut_atomic_u32 *)from, 0);
}
static inline void abut_atomic_store(abut_atomic_u32 *to, uint32_t value) {
    (void)_InterlockedExchange(to, (long)value);
}
static inline int abut_atomic_replace(abut_atomic_u32 *at, uint32_t expected, uint32_t value) {
    return _InterlockedCompareExchange(at, (long)value, (long)expected) == (long)expected;
}
static inline uint32_t abut_atomic_add(abut_atomic_u32 *at, uint32_t n) {
    return (uint32_t)_InterlockedExchangeAdd(at, (long)n);
}
#else
typedef uint32_t abut_atomic_u32;
static inline uint32_t abut_atomic_load(const abut_atomic_u32 *from) {
    return *from;
}
static inline void abut_atomic_store(abut_atomic_u32 *to, uint32_t value) {
    *to = value;
}
static inline int abut_atomic_replace(abut_atomic_u32 *at, uint32_t expected, uint32_t value) {
    int was = *at == expected;
    *at = was ? value : *at;
    return was;
}
static inline uint32_t abut_atomic_add(abut_atomic_u32 *at, uint32_t n) {
    uint32_t before = *at;
    *at += n;
    return before;
}
#endif

/* Whether this processor runs an instruction set. Used only for the sets that the build has; where the compiler
 * cannot answer, the build has only those that every processor runs. */
#define ABUT_CPU_HAS_PORTABLE 1
#define ABUT_CPU_HAS_NEON 1
#define ABUT_CPU_HAS_WASM 1
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
#  define ABUT_CPU_HAS_SSE2 (__builtin_cpu_supports("sse2") != 0)
#  define ABUT_CPU_HAS_AVX2 (__builtin_cpu_supports("avx2") != 0)
#  define ABUT_CPU_HAS_AVX512 (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0)
#elif defined(_M_X64)
#  define ABUT_CPU_HAS_SSE2 1
#endif

#endif
