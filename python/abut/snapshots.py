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
from .casts import Casts
from .errors import Error, check
from .hull import Hull, check_hulls
from .layout import FindShape, ShapeFinder, Vec3
from .library import lib
from .mesh import Mesh, check_meshes


class Finder:
    """Finds hulls and meshes by their digests, and notes which were asked for."""

    def __init__(self, hulls, meshes):
        self.found = {}
        self.struct = ShapeFinder(hull=self.finding(hulls), mesh=self.finding(meshes))

    def finding(self, shapes):
        known, found = {shape.digest: shape for shape in shapes}, self.found  # without self, which would be a cycle

        def find(digest, _):
            shape = known.get(digest)
            if shape is None:
                return None
            found[id(shape)] = shape
            return shape._pointer.value

        return FindShape(find)


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

    def restore(self, data: bytes, *, hulls: Iterable[Hull] | None = None,
                meshes: Iterable[Mesh] | None = None) -> None:
        """Makes the world what it was at save(), or what another world was: from here on it answers as that one would,
        bit for bit. Shapes are found by digest: among those of the world's own bodies and in `hulls` and `meshes`, one
        or an iterable of them. Untrusted bytes are safe: invalid ones raise an Error, and nothing has changed."""
        data = octets("data", data)
        with self._change("restore") as handle:
            self._keep_lists(handle)
            finder = Finder(handle.kept.of(Hull) + several(hulls, check_hulls),
                            handle.kept.of(Mesh) + several(meshes, check_meshes))
            check(lib.abut_world_restore(handle.pointer, data, len(data), ctypes.addressof(finder.struct)), "restore")
            handle.kept = Kept()
            handle.kept.add(finder.found.values(), self.bodies())

    def shift(self, by: ArrayLike) -> None:
        """Moves the origin to `by`: subtracts it from the positions of all bodies. Contacts go on. Large worlds stay
        precise where the origin follows the player."""
        by = Vec3(*vector("by", by, 3))
        with self._change("shift") as handle:
            check(lib.abut_world_shift(handle.pointer, by), "shift")
