# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Convex hulls."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, integer, number, octets, vector, vectors
from .errors import check
from .layout import HullDef, OBB, Vec3
from .library import lib


class Hull:
    """The convex hull of a cloud of points. Immutable; many bodies of many worlds may share one, and keep it alive."""

    def __init__(self, points: ArrayLike, *, max_vertices: int = 0, coplanar_tolerance: float = 0.0) -> None:
        """max_vertices: 0 for all; a hull with fewer still contains every point. See hull.h."""
        points = vectors("points", points, 3)
        definition = HullDef(max_vertices=integer("max_vertices", max_vertices, np.uint32),
                             coplanar_tolerance=number("coplanar_tolerance", coplanar_tolerance))
        self._pointer = ctypes.c_void_p()
        check(lib.abut_hull_create(address(points), points.size // 3, ctypes.addressof(definition),
                                   ctypes.byref(self._pointer)), "Hull", given=("points", points))

    @classmethod
    def _made(cls, what, create, *arguments):
        made = cls.__new__(cls)
        made._pointer = ctypes.c_void_p()
        check(create(*arguments, ctypes.byref(made._pointer)), what)
        return made

    @classmethod
    def cylinder(cls, half_length: float, radius: float, sides: int) -> Hull:
        """A cylinder along y: a regular polygon of `sides` corners, all on the circle, from -half_length to half_length."""
        return cls._made("Hull.cylinder", lib.abut_hull_create_cylinder, number("half_length", half_length),
                         number("radius", radius), integer("sides", sides, np.uint32), None)

    @classmethod
    def cone(cls, half_length: float, radius: float, sides: int) -> Hull:
        """A cone along y: a regular polygon of `sides` corners at -half_length, and a tip at half_length."""
        return cls._made("Hull.cone", lib.abut_hull_create_cone, number("half_length", half_length),
                         number("radius", radius), integer("sides", sides, np.uint32), None)

    @classmethod
    def wedge(cls, half: ArrayLike) -> Hull:
        """A ramp that rises along x: the lower half of a box with these half extents, cut from edge to edge."""
        return cls._made("Hull.wedge", lib.abut_hull_create_wedge, Vec3(*vector("half", half, 3)), None)

    @classmethod
    def from_bytes(cls, data: bytes) -> Hull:
        """A hull from the bytes of to_bytes. Untrusted bytes are safe: invalid ones raise an Error."""
        data = octets("data", data)
        return cls._made("Hull.from_bytes", lib.abut_hull_load, data, len(data), None)

    def to_bytes(self) -> bytes:
        """The hull as bytes, for saving."""
        size = ctypes.c_size_t()
        return ctypes.string_at(lib.abut_hull_data(self._pointer, ctypes.byref(size)), size.value)

    @property
    def digest(self) -> int:
        """A number over all bytes, by which snapshots name the hull. Not cryptographic."""
        return lib.abut_hull_digest(self._pointer)

    def __reduce__(self):
        others = {name: value for name, value in vars(self).items() if name != "_pointer"}  # of a subclass
        return type(self).from_bytes, (self.to_bytes(),), others

    def __del__(self, destroy=lib.abut_hull_destroy, byref=ctypes.byref):
        if getattr(self, "_pointer", None):
            destroy(byref(self._pointer))

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3), in ascending order."""
        count = lib.abut_hull_vertex_count(self._pointer)
        made = np.empty((count, 3), np.float32)
        ctypes.memmove(address(made), lib.abut_hull_vertices(self._pointer), made.nbytes)
        return made

    @property
    def faces(self) -> list[np.ndarray]:
        """Indices into vertices of each face, counter-clockwise seen from outside: a list of arrays."""
        return [self._face(i)[0] for i in range(lib.abut_hull_face_count(self._pointer))]

    @property
    def planes(self) -> np.ndarray:
        """The outward unit normal n and the offset w of each face: (faces, 4), n . p <= w for every vertex."""
        return np.array([self._face(i)[1] for i in range(lib.abut_hull_face_count(self._pointer))], np.float32)

    def _face(self, index):
        plane = np.empty(4, np.float32)
        count = lib.abut_hull_face(self._pointer, index, None, 0, address(plane))
        corners = np.empty(count, np.uint32)
        lib.abut_hull_face(self._pointer, index, address(corners), count, None)
        return corners, plane

    @property
    def edge_count(self) -> int:
        """The number of edges, each between two faces."""
        return lib.abut_hull_edge_count(self._pointer)

    @property
    def volume(self) -> float:
        """The volume."""
        return lib.abut_hull_volume(self._pointer)

    @property
    def centroid(self) -> np.ndarray:
        """The centre of mass, as of a solid."""
        center = lib.abut_hull_centroid(self._pointer)
        return np.array([center.x, center.y, center.z], np.float32)

    @property
    def obb(self) -> np.void:
        """A tight box that contains every vertex."""
        return np.frombuffer(lib.abut_hull_obb(self._pointer), OBB)[0].copy()

    def __repr__(self) -> str:
        return f"<abut.Hull of {lib.abut_hull_vertex_count(self._pointer)} vertices>"


def check_hulls(value):
    """From a Hull or a list of hulls and None: (list of them, whether there is one per body)."""
    several = isinstance(value, (list, tuple, np.ndarray))
    hulls = list(value) if several else [value]
    for hull in hulls:
        if hull is not None and not isinstance(hull, Hull):
            raise TypeError(f"hull: an abut.Hull is wanted, not {type(hull).__name__}")
    return hulls, several
