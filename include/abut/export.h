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
ABUT_ASSERT_ENUM(int); /* which most enums are; and no header may be empty */
/** @endcond */

#endif
