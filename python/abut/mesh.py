# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Triangle meshes and terrains."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, as_in_c, integer, integers, octets, plain_array, to_floats, vector, vectors
from .errors import Error, LARGEST, check, fault_in
from .layout import AABB, MeshDef, MeshGridDef, Vec3
from .library import lib


def corners_of(value):
    """(n, 3) indices."""
    array = plain_array("triangles", value)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"triangles: shape {array.shape}, but (n, 3) is wanted")
    return as_in_c(integers("triangles", array.ravel(), np.uint32))


def wrong_part(code, vertices, triangles, ghost_count):
    """(element, field, value) of what abut_mesh_create refuses with `code`; None: it is not known."""
    vertex = fault_in(("vertices", vertices), code)
    if vertex or code != "ABUT_ERROR_ARGUMENT":
        return vertex
    outside = np.flatnonzero((triangles >= len(vertices)).any(axis=1))
    if len(outside):
        return int(outside[0]), "triangles", tuple(triangles[outside[0]].tolist())
    return (None, "ghost_count", ghost_count) if ghost_count > len(triangles) else None


def wrong_height(code, heights, spacing):
    """The same for abut_mesh_create_grid."""
    if code == "ABUT_ERROR_ARGUMENT" and not (np.isfinite(spacing) & (spacing > 0)).all():
        return None, "spacing", tuple(spacing.tolist())
    reach = LARGEST if code == "ABUT_ERROR_LIMIT" else np.finfo(np.float32).max
    far = np.argwhere(np.abs(heights * np.float64(spacing[1])) > reach)
    return (None, "heights[{}, {}]".format(*far[0]), float(heights[tuple(far[0])])) if len(far) else None


class Mesh:
    """A surface of triangles that bodies stand on; without an inside. Immutable; many bodies of many worlds may share
    one, and keep it alive. `part`, in contacts and answers, is the number of a triangle."""

    def __init__(self, vertices: ArrayLike, triangles: ArrayLike, *, ghost_count: int = 0,
                 two_sided: bool = False) -> None:
        """vertices: (n, 3); triangles: (n, 3) indices, counter-clockwise seen from the front. The last ghost_count
        triangles touch nothing and only count as neighbours. two_sided: touched from both sides. See mesh.h."""
        vertices, indices = vectors("vertices", vertices, 3).reshape(-1, 3), corners_of(triangles)
        ghosts = integer("ghost_count", ghost_count, np.uintp)
        self._make(lib.abut_mesh_create, MeshDef(
            vertices=address(vertices), vertex_count=len(vertices), indices=address(indices),
            triangle_count=len(indices) // 3, ghost_count=ghosts, two_sided=bool(two_sided)), "Mesh",
            lambda code: wrong_part(code, vertices, indices.reshape(-1, 3), ghosts))

    @classmethod
    def grid(cls, heights: ArrayLike, *, spacing: ArrayLike = (1, 1, 1), ghost_border: int = 0,
             two_sided: bool = False) -> Mesh:
        """A terrain from heights, (rows, columns): vertex (i, j) is (i spacing[0], heights[j, i] spacing[1],
        j spacing[2]). NaN makes a hole. Cells within ghost_border of a side touch nothing and only count as
        neighbours."""
        heights = to_floats("heights", heights)
        if heights.ndim != 2:
            raise ValueError(f"heights: shape {heights.shape}, but (rows, columns) is wanted")
        made, (rows, columns), spacing = cls.__new__(cls), heights.shape, vector("spacing", spacing, 3)
        made._make(lib.abut_mesh_create_grid, MeshGridDef(
            heights=address(heights), columns=columns, rows=rows, spacing=Vec3(*spacing),
            ghost_border=integer("ghost_border", ghost_border, np.uint32), two_sided=bool(two_sided)), "Mesh.grid",
            lambda code: wrong_height(code, heights, spacing))
        return made

    @classmethod
    def from_bytes(cls, data: bytes) -> Mesh:
        """A mesh from the bytes of to_bytes. Untrusted bytes are safe: invalid ones raise an Error."""
        made, data = cls.__new__(cls), octets("data", data)
        made._pointer = ctypes.c_void_p()
        check(lib.abut_mesh_load(data, len(data), None, ctypes.byref(made._pointer)), "Mesh.from_bytes")
        return made

    def _make(self, create, definition, call, wrong):
        """wrong(code): what of it is at fault, or None."""
        self._pointer = ctypes.c_void_p()
        try:
            check(create(ctypes.addressof(definition), ctypes.byref(self._pointer)), call)
        except Error as error:
            raise Error(error.code, call, *(wrong(error.code) or ())) from None

    def to_bytes(self) -> bytes:
        """The mesh as bytes, for saving; the same on every machine."""
        size = ctypes.c_size_t()
        return ctypes.string_at(lib.abut_mesh_data(self._pointer, ctypes.byref(size)), size.value)

    @property
    def digest(self) -> int:
        """A number over all bytes, by which snapshots name the mesh. Not cryptographic."""
        return lib.abut_mesh_digest(self._pointer)

    def __reduce__(self):
        others = {name: value for name, value in vars(self).items() if name != "_pointer"}  # of a subclass
        return type(self).from_bytes, (self.to_bytes(),), others

    def __del__(self, destroy=lib.abut_mesh_destroy, byref=ctypes.byref):
        if getattr(self, "_pointer", None):
            destroy(byref(self._pointer))

    @property
    def triangle_count(self) -> int:
        """Of the input: with ghosts, holes and triangles without area."""
        return lib.abut_mesh_triangle_count(self._pointer)

    def triangle(self, part: int) -> np.ndarray:
        """The corners of one triangle, (3, 3), as given; NaN where a hole of a terrain is."""
        corners = np.empty((3, 3), np.float32)
        if not lib.abut_mesh_triangle(self._pointer, integer("part", part, np.uint32), address(corners)):
            raise IndexError(f"part: {part} of {self.triangle_count} triangles")
        return corners

    @property
    def bounds(self) -> np.void:
        """A box around all that can be touched: min and max."""
        return np.frombuffer(lib.abut_mesh_bounds(self._pointer), AABB)[0].copy()

    def __repr__(self) -> str:
        return f"<abut.Mesh of {self.triangle_count} triangles>"


def check_meshes(value):
    """From a Mesh or a list of meshes and None: (list of them, whether there is one per body)."""
    several = isinstance(value, (list, tuple, np.ndarray))
    meshes = list(value) if several else [value]
    for mesh in meshes:
        if mesh is not None and not isinstance(mesh, Mesh):
            raise TypeError(f"mesh: an abut.Mesh is wanted, not {type(mesh).__name__}")
    return meshes, several
