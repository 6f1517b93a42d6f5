# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Rectangles on the ground."""

import numpy as np

from .arrays import addresses, fill
from .boxes import pairs
from .enums import Touch
from .layout import OBB2
from .library import lib


def obb2s(center=(0, 0), half=(0, 0), axis=(1, 0)):
    """Rectangles from centres, half extents and the directions of their local x."""
    return fill(OBB2, center=center, axis=axis, half=half)


def obb2_overlap(a, b, touch=Touch.IS_OVERLAP):
    """Whether rectangles a[i] and b[i] overlap, for all i; exact. One call of the library each."""
    a, b = pairs(a, b, OBB2)
    touch = Touch(touch)
    return np.fromiter((lib.abut_obb2_overlap(p, q, touch) for p, q in zip(addresses(a), addresses(b))), bool, len(a))
