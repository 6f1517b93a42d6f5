/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The register that controls floating-point arithmetic: rounding, denormals, traps. It belongs to the thread. */
#ifndef ABUT_BASE_LANES_CONTROL_H
#define ABUT_BASE_LANES_CONTROL_H

#include <stdint.h>

/* ABUT_CONTROL_BITS are those of the register that change what arithmetic does; the others tell what has happened.
 * ABUT_CONTROL_USUAL is their value where arithmetic is that of IEEE 754: to nearest, with denormals, without traps. */
#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#  define ABUT_CONTROL_BITS 0xffc0u  /* flush to zero, rounding, masks of exceptions, denormals are zeros */
#  define ABUT_CONTROL_USUAL 0x1f80u /* all exceptions masked */
#  if defined(_MSC_VER) && !defined(__clang__)
#    include <xmmintrin.h>
static inline uint64_t abut_control_read(void) {
    return _mm_getcsr();
}
static inline void abut_control_write(uint64_t control) {
    _mm_setcsr((unsigned)control);
}
#  else /* the same, but the compiler moves no memory access over it */
static inline uint64_t abut_control_read(void) {
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control)::"memory");
    return control;
}
static inline void abut_control_write(uint64_t wanted) {
    const uint32_t control = (uint32_t)wanted;
    __asm__ volatile("ldmxcsr %0" ::"m"(control) : "memory");
}
#  endif
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#  define ABUT_CONTROL_BITS UINT64_MAX
#  define ABUT_CONTROL_USUAL 0u
static inline uint64_t abut_control_read(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control)::"memory");
    return control;
}
static inline void abut_control_write(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" ::"r"(control) : "memory");
}
#elif defined(_M_ARM64)
#  include <intrin.h>
#  define ABUT_CONTROL_BITS UINT64_MAX
#  define ABUT_CONTROL_USUAL 0u
enum { ABUT_CONTROL_FPCR = 0x5a20 };
static inline uint64_t abut_control_read(void) {
    return (uint64_t)_ReadStatusReg(ABUT_CONTROL_FPCR);
}
static inline void abut_control_write(uint64_t control) {
    _WriteStatusReg(ABUT_CONTROL_FPCR, (__int64)control);
}
#else /* WebAssembly has but one mode; others are taken as they are */
#  define ABUT_CONTROL_BITS 0u
#  define ABUT_CONTROL_USUAL 0u
static inline uint64_t abut_control_read(void) {
    return 0;
}
static inline void abut_control_write(uint64_t control) {
    (void)control;
}
#endif

#endif
