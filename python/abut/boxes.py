# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Poses and oriented boxes, and pairs of boxes without a world."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import (address, addresses, as_in_c, broadcast, common_length, fill, number, records, to_floats, vector,
                     vectors)
from .errors import check
from .layout import AABB, MANIFOLD, OBB, POSE
from .library import lib


def poses(position: ArrayLike = (0, 0, 0), rotation: ArrayLike = (0, 0, 0, 1)) -> np.ndarray:
    """Poses from positions (x, y, z) and rotations (x, y, z, w)."""
    return fill(POSE, position=position, rotation=rotation)


def obbs(center: ArrayLike = (0, 0, 0), half: ArrayLike = (0, 0, 0), rotation: ArrayLike = (0, 0, 0, 1)) -> np.ndarray:
    """Oriented boxes from centres, half extents and rotations."""
    return fill(OBB, center=center, rotation=rotation, half=half)


def side_by_side(name, value, dtype):
    """A contiguous array of structs."""
    return as_in_c(records(name, value, dtype))


def pairs(a, b, dtype):
    """Two arrays of structs of the same length; a single element is paired with all of the other array."""
    a, b = records("a", a, dtype), records("b", b, dtype)
    n = common_length(a=(a, 0), b=(b, 0))
    return broadcast(a, n), broadcast(b, n)


def overlap_many(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Whether a[i] and b[i] share a point, for all i: exact, some nanoseconds each."""
    a, b = pairs(a, b, OBB)
    overlap = np.zeros(len(a), np.uint8)
    lib.abut_obb_overlap_many(address(a), address(b), len(a), address(overlap))
    return overlap.view(bool)


def collide_many(a: ArrayLike, b: ArrayLike, margin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(whether their distance is at most `margin`, manifold) for all a[i], b[i]. One call of the library each:
    about a microsecond."""
    (a, b), margin = pairs(a, b, OBB), number("margin", margin)
    touch, manifolds = np.zeros(len(a), bool), np.zeros(len(a), MANIFOLD)
    for i, pair in enumerate(zip(addresses(a), addresses(b), addresses(manifolds))):
        touch[i] = lib.abut_obb_collide(pair[0], pair[1], margin, pair[2])
    return touch, manifolds


def obb_bounds(boxes: ArrayLike) -> np.ndarray:
    """The axis-aligned bounds of oriented boxes, some nanoseconds each; NaN for invalid boxes."""
    boxes = side_by_side("boxes", boxes, OBB)
    bounds = np.zeros(len(boxes), AABB)
    check(lib.abut_obb_bounds_many(address(boxes), len(boxes), address(bounds)), "obb_bounds", given=boxes)
    return bounds


def obb_corners(boxes: ArrayLike) -> np.ndarray:
    """The corners, (n, 8, 3); corner i has the positive end of axis k where bit k of i is set. One call of the library
    each."""
    boxes = side_by_side("boxes", boxes, OBB)
    corners = np.zeros((len(boxes), 8, 3), np.float32)
    for box, out in zip(addresses(boxes), addresses(corners)):
        lib.abut_obb_corners(box, out)
    return corners


def obb_fit(points: ArrayLike) -> np.void:
    """A tight oriented box round a cloud of points."""
    points = vectors("points", points, 3)
    box = np.zeros((), OBB)
    check(lib.abut_obb_fit(address(points), points.size // 3, address(box)), "obb_fit", given=("points", points))
    return box[()]


def obb_from_matrix(model: ArrayLike, local_min: ArrayLike, local_max: ArrayLike) -> np.ndarray | np.void:
    """The box of a renderer's object: local bounds under a model matrix, (4, 4) with world = model @ (p, 1), or under n of
    them: an array of boxes. A flat matrix of 16 numbers is column-major, as in OpenGL."""
    models = matrices("model", model)
    local = np.zeros((), AABB)
    local["min"], local["max"] = vector("local_min", local_min, 3), vector("local_max", local_max, 3)
    boxes = np.zeros(len(models), OBB)
    for i, (matrix, box) in enumerate(zip(addresses(models), addresses(boxes))):
        check(lib.abut_obb_from_matrix(matrix, address(local), box), "obb_from_matrix", i)
    return boxes if np.ndim(model) == 3 else boxes[0]


def matrices(name, value):
    """(n, 16), column-major, from (4, 4), (n, 4, 4) or 16 numbers."""
    array = to_floats(name, value)
    if array.shape == (16,):
        return array.reshape(1, 16)
    array = vectors(name, array, 4, 4)
    return np.ascontiguousarray(np.swapaxes(array, -1, -2)).reshape(-1, 16)
