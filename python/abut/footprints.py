# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Rectangles on the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import addresses, fill
from .boxes import pairs
from .enums import Touch
from .layout import OBB2
from .library import lib


def obb2s(center: ArrayLike = (0, 0), half: ArrayLike = (0, 0), axis: ArrayLike = (1, 0)) -> np.ndarray:
    """Rectangles from centres, half extents and the directions of their local x."""
    return fill(OBB2, center=center, axis=axis, half=half)


def obb2_overlap(a: ArrayLike, b: ArrayLike, touch: Touch = Touch.IS_OVERLAP) -> np.ndarray:
    """Whether rectangles a[i] and b[i] overlap, for all i; exact. One call of the library each."""
    a, b = pairs(a, b, OBB2)
    touch = Touch(touch)
    return np.fromiter((lib.abut_obb2_overlap(p, q, touch) for p, q in zip(addresses(a), addresses(b))), bool, len(a))
