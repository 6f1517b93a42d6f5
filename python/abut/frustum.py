# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Frusta: what a camera sees."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, number, vector
from .boxes import matrices, side_by_side
from .enums import Clip, Side
from .errors import Error, check
from .layout import FRUSTUM, OBB, POSE, Vec3
from .library import lib


class Frustum:
    """A convex piece of space with at most six faces. Made by perspective, camera, orthographic or from_matrix; plain
    data, which may be copied and pickled."""

    def __init__(self) -> None:
        """No faces: everything is inside."""
        self._hold(np.zeros(1, FRUSTUM))

    @classmethod
    def perspective(cls, eye: ArrayLike, left: ArrayLike, up: ArrayLike, direction: ArrayLike, half_width: float,
                    half_height: float, near: float, far: float = np.inf) -> Frustum:
        """An eye that looks along `direction`; half_width and half_height are those of the near plane."""
        axes = {"eye": vector("eye", eye, 3), "left": vector("left", left, 3), "up": vector("up", up, 3),
                "direction": vector("direction", direction, 3)}
        numbers = _numbers(half_width=half_width, half_height=half_height, near=near, far=far)
        return cls()._made("perspective", lib.abut_frustum_perspective,
                           *(Vec3(*axis) for axis in axes.values()), *numbers.values(), named={**axes, **numbers})

    @classmethod
    def camera(cls, pose: ArrayLike, half_width: float, half_height: float, near: float,
               far: float = np.inf) -> Frustum:
        """A camera at a pose: it looks along its own -z, and +y is up."""
        pose = _one("pose", pose, POSE)
        numbers = _numbers(half_width=half_width, half_height=half_height, near=near, far=far)
        return cls()._made("camera", lib.abut_frustum_camera, address(pose), *numbers.values(),
                           named={"pose": pose, **numbers})

    @classmethod
    def orthographic(cls, box: ArrayLike) -> Frustum:
        """The inside of an oriented box."""
        box = _one("box", box, OBB)
        return cls()._made("orthographic", lib.abut_frustum_orthographic, address(box), named={"box": box})

    @classmethod
    def from_matrix(cls, view_projection: ArrayLike, clip: Clip = Clip.NEG_ONE_TO_ONE) -> Frustum:
        """What a matrix (4, 4) shows, with clip coordinates = view_projection @ (p, 1). A flat matrix of 16 numbers is
        column-major, as in OpenGL."""
        matrix = matrices("view_projection", view_projection)
        if len(matrix) != 1:
            raise ValueError(f"view_projection: {len(matrix)} matrices, but one is wanted")
        return cls()._made("from_matrix", lib.abut_frustum_from_matrix, address(matrix), Clip(clip),
                           named={"view_projection": matrix})

    def _made(self, name, make, *arguments, named):
        data = self._data.copy()
        try:
            check(make(*arguments, address(data)), f"Frustum.{name}")
        except Error as error:
            wrong = _wrong(named)
            raise Error(error.code, error.call, None, wrong, _value(named[wrong])) if wrong else error from None
        return self._hold(data)

    def _hold(self, data):
        data.flags.writeable = False  # the library trusts frusta that it made
        self._data = data
        return self

    def side(self, box: ArrayLike) -> Side:
        """On which side one box is. An invalid box is outside."""
        box = _one("box", box, OBB)
        return Side(lib.abut_frustum_test_obb(address(self._data), address(box)))

    def cull_obbs(self, boxes: ArrayLike) -> np.ndarray:
        """The indices of the boxes that are not outside, ascending."""
        boxes = side_by_side("boxes", boxes, OBB)
        visible = np.empty(len(boxes), np.uint32)
        seen = lib.abut_frustum_cull_obbs(address(self._data), address(boxes), len(boxes), address(visible))
        return visible[:seen]


def _one(name, value, dtype):
    array = side_by_side(name, value, dtype)
    if len(array) != 1:
        raise ValueError(f"{name}: {len(array)} elements, but one is wanted")
    return array


def _numbers(**values):
    return {name: number(name, value) for name, value in values.items()}


def _value(value):
    """A number, or a tuple of them."""
    plain = np.asarray(value)
    flat = np.frombuffer(plain.tobytes(), np.float32).tolist() if plain.dtype != float else [float(value)]
    return flat[0] if len(flat) == 1 else tuple(flat)


def _wrong(named):
    """The name of the argument for which the library refuses a frustum: the only one, or the first that cannot be; None if
    they do not go together."""
    for name, value in named.items():
        numbers = np.atleast_1d(_value(value))
        if len(named) == 1 or not (np.isfinite(numbers).all() or name == "far" and value == np.inf):
            return name
        if name in ("left", "up", "direction") and not numbers.any() or name in ("half_width", "half_height", "near") and value <= 0:
            return name
    return "far" if "far" in named and named["far"] <= named["near"] else None


def frusta_of(frusta):
    """An array of the structs of one Frustum, or of several."""
    several = list(frusta) if hasattr(frusta, "__iter__") else [frusta]
    for frustum in several:
        if not isinstance(frustum, Frustum):
            raise TypeError(f"frusta: a Frustum is wanted, not {type(frustum).__name__}")
    if len(several) > 32:
        raise ValueError(f"frusta: {len(several)}, but at most 32 can be asked for at once")
    return np.concatenate([frustum._data for frustum in several]) if several else np.zeros(0, FRUSTUM)
