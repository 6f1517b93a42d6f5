# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""A world as bytes, and back; and a world that moves to another origin."""

from __future__ import annotations

import ctypes
from typing import Iterable

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, octets, vector
from .bodies import Kept
from .calls import Caught
from .casts import Casts
from .errors import Error, check
from .hull import Hull, check_hulls
from .layout import FindShape, ShapeFinder, Vec3
from .library import lib
from .mesh import Mesh, check_meshes


class Finder(Caught):
    """Finds hulls and meshes by their digests, within a `with`, and notes which were asked for."""

    def __init__(self, hulls, meshes):
        self.hulls, self.meshes = ({shape.digest: shape for shape in shapes} for shapes in (hulls, meshes))
        self.found = {}

    def __enter__(self):
        self.struct = ShapeFinder(hull=FindShape(self.find_hull), mesh=FindShape(self.find_mesh))
        self.listen()
        return self

    def __exit__(self, *_):
        del self.struct  # a cycle, which would keep the shapes
        self.reraise()

    def find_hull(self, digest, _):
        return self.find(self.hulls.get(digest))

    def find_mesh(self, digest, _):
        return self.find(self.meshes.get(digest))

    def find(self, shape):
        if shape is None:
            return None
        self.found[id(shape)] = shape
        return shape._pointer.value


def several(shapes, checked):
    """The shapes of an iterable, of one shape, or none for None."""
    one = shapes is None or hasattr(shapes, "digest")
    return [shape for shape in checked(shapes if one else list(shapes))[0] if shape is not None]


class Snapshots(Casts):
    """The part of World that saves it and moves its origin."""

    def save(self) -> bytes:
        """The world as bytes: for rollback, replay and saved games. The same on every machine. They hold all bodies and
        the last step's contacts, but of hulls and meshes only the digests."""
        pointer = self._open().pointer
        made = np.empty(lib.abut_world_save(pointer, None, 0), np.uint8)
        if lib.abut_world_save(pointer, address(made), len(made)) == 0:  # within should_collide
            raise Error("ABUT_ERROR_BUSY", "save")
        return made.tobytes()

    def restore(self, data: bytes, *, hulls: Hull | Iterable[Hull | None] | None = None,
                meshes: Mesh | Iterable[Mesh | None] | None = None) -> None:
        """Makes the world what it was at save(), or what another world was: from here on it answers as that one would,
        bit for bit. Shapes are found by digest: among those of the world's own bodies and in `hulls` and `meshes`, one
        or an iterable of them. Untrusted bytes are safe: invalid ones raise an Error, and nothing has changed."""
        data = octets("data", data)
        with self._change("restore") as handle:
            self._keep_lists(handle)
            before, candidates, found = handle.kept, Kept(), Kept()
            given_hulls, given_meshes = several(hulls, check_hulls), several(meshes, check_meshes)
            finder = Finder(before.of(Hull) + given_hulls, before.of(Mesh) + given_meshes)
            candidates.add([*before.shapes.values(), *given_hulls, *given_meshes], None)
            handle.kept = candidates
            try:
                with finder:
                    result = lib.abut_world_restore(handle.pointer, data, len(data), ctypes.addressof(finder.struct))
                check(result, "restore")
            except Error:
                handle.kept = before
                raise
            found.add(finder.found.values(), self.bodies())
            handle.kept = found

    def shift(self, by: ArrayLike) -> None:
        """Moves the origin to `by`: subtracts it from the positions of all bodies. Contacts go on. Large worlds stay
        precise where the origin follows the player."""
        by = Vec3(*vector("by", by, 3))
        with self._change("shift") as handle:
            check(lib.abut_world_shift(handle.pointer, by), "shift")
