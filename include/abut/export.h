/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Marks public symbols. Define ABUT_SHARED when you link the shared library on Windows; elsewhere you need to define
 * nothing. */
#ifndef ABUT_EXPORT_H
#define ABUT_EXPORT_H

/** @def ABUT_API
 * Marks every function that the library exports. */
#if defined(_WIN32)
#  if defined(ABUT_BUILDING_SHARED)
#    define ABUT_API __declspec(dllexport)
#  elif defined(ABUT_SHARED)
#    define ABUT_API __declspec(dllimport)
#  else
#    define ABUT_API
#  endif
#elif defined(__GNUC__) || defined(__clang__)
#  define ABUT_API __attribute__((visibility("default")))
#else
#  define ABUT_API
#endif

/** @def ABUT_ASSERT_ENUM(type)
 * Follows every public enum: its size is part of the binary interface. */
#if defined(__cplusplus)
#  define ABUT_ASSERT_ENUM(type) static_assert(sizeof(type) == 4, #  type " must be 4 bytes")
#else
#  define ABUT_ASSERT_ENUM(type) _Static_assert(sizeof(type) == 4, #  type " must be 4 bytes")
#endif

/** @cond */
#if defined(__cplusplus)
static_assert(sizeof(int) == 4 && sizeof(float) == 4, "abut needs ints and floats of 4 bytes");
#else
_Static_assert(sizeof(int) == 4 && sizeof(float) == 4, "abut needs ints and floats of 4 bytes");
#endif
/** @endcond */

#endif
