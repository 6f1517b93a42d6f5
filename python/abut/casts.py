# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Continuous collision: what shapes and bodies meet on their way."""

from __future__ import annotations

import ctypes
from typing import Any, Sequence, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, as_in_c, common_length, records, vector, vectors
from .bodies import row
from .errors import check, check_one, size
from .layout import CAST, HIT, POSE
from .library import lib
from .questions import (Asked, NOBODY, Questions, answered, as_given, ignored_ids, one_of, refuse_mesh, shapes_of,
                        whole)
from .shapes import check_shape

if TYPE_CHECKING:
    from .shapes import Shape


def casts_of(shapes, poses, translation, ignore_each):
    """An array of CAST."""
    poses, translation = records("poses", poses, POSE), vectors("translation", translation, 3)
    given = {"poses": (poses, 0), "translation": (translation, 1)}
    ignored = None if ignore_each is None else ignored_ids(ignore_each)
    if ignored is not None:
        given["ignore_each"] = (ignored, 1)
    n = common_length(**given)
    if n == 1 and isinstance(shapes, tuple) and len(poses) == 1:
        n = len(shapes)
    made = np.zeros(n, CAST)
    made["shape"], made["from"], made["translation"] = shapes_of(shapes, n), poses, translation
    if ignored is not None:
        made["ignore"][:, :ignored.shape[1]] = ignored
    return made


def first_bad(hits):
    """The index of the first hit of an invalid element; None: no element is invalid."""
    bad = np.flatnonzero(np.isnan(hits["fraction"]))
    return int(bad[0]) if len(bad) else None


class Casts(Questions):
    """The part of World that answers what is met on a way. All take the keyword arguments of questions; `initial` is what
    is done with what is touched at the start: Initial.CLOSING (hit only where the way leads inward), HIT or SKIP."""

    def cast_shapes(self, shapes: Shape | Sequence[Shape], poses: ArrayLike, translation: ArrayLike, *,
                    ignore_each: ArrayLike | None = None, **query: Any) -> np.ndarray:
        """The first body that each of n shapes meets which move in straight lines without turning: body (0: none),
        user, fraction, position, normal. A Shape or a list of them, poses and translations broadcast. ignore_each: one
        or two more bodies for each that do not count."""
        handle, shapes = self._open(), as_given(shapes)
        casts = casts_of(shapes, poses, translation, ignore_each)
        hits = np.zeros(len(casts), HIT)
        with Asked(handle, "cast_shapes", **query) as q:
            result = lib.abut_world_cast_shapes(handle.pointer, address(casts), len(casts), q.address, address(hits))
        return answered(result, "cast_shapes", hits, first_bad(hits) if result else None, casts)

    def shape_hits(self, shape: Shape, pose: ArrayLike, translation: ArrayLike, **query: Any) -> np.ndarray:
        """All bodies that one moving shape meets, first to last."""
        pose, translation = one_of("pose", pose, POSE), vector("translation", translation, 3)
        handle, cast = self._open(), casts_of(check_shape("shape", shape), pose, translation, None)
        with Asked(handle, "shape_hits", **query) as q:
            hits = whole(lambda out, capacity: lib.abut_world_shape_hits(handle.pointer, address(cast), q.address, out,
                                                                         capacity), HIT)
        if not len(hits):
            hit = np.zeros(1, HIT)
            result = lib.abut_world_cast_shapes(handle.pointer, address(cast), 1, ctypes.addressof(NOBODY), address(hit))
            refuse_mesh(result, "shape_hits", shape)
            check_one(result, "shape_hits", cast)
        return hits

    def sweep(self, ids: ArrayLike, poses: ArrayLike | None = None, *, position: ArrayLike | None = None,
              rotation: ArrayLike | None = None, allowance: float = 0.0, **query: Any) -> np.ndarray:
        """The first body that each of n bodies, or one attached to it, meets on the way from where it is to another
        pose, given as for set_poses: mover (which of them), body (0: none), user, fraction, position, normal. All move
        at the same time, and all go their whole way. Nothing is changed. allowance: how much deeper than at the start
        is no hit yet."""
        ids, allowance = row(ids), size("sweep", "allowance", allowance)
        poses = as_in_c(self._wanted_poses("sweep", ids, poses, position, rotation))
        hits = np.zeros(len(ids), HIT)
        with self._change("sweep") as handle, Asked(handle, "sweep", **query) as q:
            q.struct.allowance = allowance
            result = lib.abut_world_sweep(handle.pointer, address(ids), address(poses), len(ids), q.address, address(hits))
        index = first_bad(hits) if result else None
        if index is None:  # if it fails then nothing has been answered
            check(result, "sweep", given=poses)
        return answered(result, "sweep", hits, index, poses)
