# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The enums of include/abut."""

from enum import IntEnum


class Motion(IntEnum):
    MOVING, STATIC = range(2)


class Detail(IntEnum):
    MANIFOLD, OVERLAP, BOUNDS = range(3)


class Phase(IntEnum):
    BEGIN, PERSIST, END = range(3)


class Touch(IntEnum):
    IS_OVERLAP, IS_FREE = range(2)


class Clip(IntEnum):
    NEG_ONE_TO_ONE, ZERO_TO_ONE, REVERSED = range(3)


class Side(IntEnum):
    OUTSIDE, INTERSECTS, INSIDE = range(3)


class Initial(IntEnum):
    CLOSING, HIT, SKIP = range(3)


class Isa(IntEnum):
    PORTABLE, SSE2, AVX2, AVX512, NEON, WASM = range(6)
