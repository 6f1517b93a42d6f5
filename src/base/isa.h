/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The one list of instruction sets, and the names of what is compiled once for each of them.
 *
 * The build defines ABUT_HAVE_<ISA> everywhere for each set that it compiles the kernels for, ABUT_NO_PORTABLE if it
 * leaves out those in plain C, and ABUT_LANES_<ISA> in the kernels compiled for that set. */
#ifndef ABUT_BASE_ISA_H
#define ABUT_BASE_ISA_H

#include <abut/isa.h>

/* In a kernel: the name with the instruction set that the kernel is compiled for. Elsewhere: with that of the rest of
 * the library. */
#if defined(ABUT_LANES_AVX512)
#  define ABUT_KERNEL(name) name##_avx512
#elif defined(ABUT_LANES_AVX2)
#  define ABUT_KERNEL(name) name##_avx2
#elif defined(ABUT_LANES_SSE2)
#  define ABUT_KERNEL(name) name##_sse2
#elif defined(ABUT_LANES_NEON)
#  define ABUT_KERNEL(name) name##_neon
#elif defined(ABUT_LANES_WASM)
#  define ABUT_KERNEL(name) name##_wasm
#else
#  define ABUT_KERNEL(name) name##_portable
#endif

#if !defined(ABUT_NO_PORTABLE)
#  define ABUT_ISA_LIST_PORTABLE(X, argument) X(argument, PORTABLE, portable)
#else
#  define ABUT_ISA_LIST_PORTABLE(X, argument)
#endif
#if defined(ABUT_HAVE_SSE2)
#  define ABUT_ISA_LIST_SSE2(X, argument) X(argument, SSE2, sse2)
#else
#  define ABUT_ISA_LIST_SSE2(X, argument)
#endif
#if defined(ABUT_HAVE_AVX2)
#  define ABUT_ISA_LIST_AVX2(X, argument) X(argument, AVX2, avx2)
#else
#  define ABUT_ISA_LIST_AVX2(X, argument)
#endif
#if defined(ABUT_HAVE_AVX512)
#  define ABUT_ISA_LIST_AVX512(X, argument) X(argument, AVX512, avx512)
#else
#  define ABUT_ISA_LIST_AVX512(X, argument)
#endif
#if defined(ABUT_HAVE_NEON)
#  define ABUT_ISA_LIST_NEON(X, argument) X(argument, NEON, neon)
#else
#  define ABUT_ISA_LIST_NEON(X, argument)
#endif
#if defined(ABUT_HAVE_WASM)
#  define ABUT_ISA_LIST_WASM(X, argument) X(argument, WASM, wasm)
#else
#  define ABUT_ISA_LIST_WASM(X, argument)
#endif

/* X(argument, ISA, isa) for every instruction set that the build has, in rising order of preference. */
#define ABUT_ISA_LIST(X, argument)                                                                                     \
  ABUT_ISA_LIST_PORTABLE(X, argument)                                                                                  \
  ABUT_ISA_LIST_SSE2(X, argument)                                                                                      \
  ABUT_ISA_LIST_AVX2(X, argument)                                                                                      \
  ABUT_ISA_LIST_AVX512(X, argument)                                                                                    \
  ABUT_ISA_LIST_NEON(X, argument)                                                                                      \
  ABUT_ISA_LIST_WASM(X, argument)

/* A kernel table is a struct of function pointers; each instruction set has one object of it, ABUT_KERNEL(type).
 * ABUT_KERNEL_TABLES(type) declares all objects; ABUT_KERNEL_TABLE_LIST(type) initialises an array of their addresses,
 * indexed by abut_isa. */
#define ABUT_KERNEL_TABLE_DECLARATION(type, ISA, isa) extern const type type##_##isa;
#define ABUT_KERNEL_TABLES(type) ABUT_ISA_LIST(ABUT_KERNEL_TABLE_DECLARATION, type)
#define ABUT_KERNEL_TABLE_ADDRESS(type, ISA, isa) [ABUT_ISA_##ISA] = &type##_##isa,
#define ABUT_KERNEL_TABLE_LIST(type) ABUT_ISA_LIST(ABUT_KERNEL_TABLE_ADDRESS, type)

#endif
