# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Questions to a world: rays, overlaps, what lies in a box, what is nearest."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, NamedTuple, Sequence, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import address, as_in_c, broadcast, common_length, integer, integers, packed, records, vector, vectors
from .bodies import Bodies, row
from .calls import Call, Caught
from .enums import Initial
from .errors import Error, check, check_one, size
from .layout import AABB, Accept, Filter, HIT, NEAR, POSE, Query, RAY, SHAPE, TOUCHING
from .library import lib
from .shapes import check_shape

if TYPE_CHECKING:
    from .shapes import Shape

FIRST_GUESS = 64  # answers of a list for which there is room at once
OUTSIDE = 1 << 63  # ABUT_MASK_NONE, in which no category may be
NOBODY = Query(filter=Filter(category=1, mask=OUTSIDE))  # a question that no body answers: whether it is valid


class Candidate(NamedTuple):
    """A body, or a triangle of one with a mesh, that `accept` is asked about: abut_candidate."""
    body: int
    user: int
    part: int
    mover: int
    element: int


def query_filter(call, category, mask, group):
    given = {"category": (category, np.uint64), "mask": (mask, np.uint64), "group": (group, np.int32)}
    made = Filter(**{name: integer(name, value, dtype) for name, (value, dtype) in given.items() if value is not None})
    if made.category & OUTSIDE:
        raise Error("ABUT_ERROR_ARGUMENT", call, None, "category", made.category)
    return made


class Asked(Call, Caught):
    """abut_query from keyword arguments, while a question is asked. An exception of accept is raised afterwards."""

    asks = True

    def __init__(self, handle, call, *, category=None, mask=None, group=None, ignore=(), accept=None, initial=Initial.CLOSING,
                 every_part=False, **others):
        if others:
            raise TypeError(f"unexpected keyword argument '{next(iter(others))}'")
        if accept is not None and not callable(accept):
            raise TypeError(f"accept: a function is wanted, not {type(accept).__name__}")
        super().__init__(handle)
        self.accept = accept
        self.ignore = row(ignore, "ignore")
        self.struct = Query(filter=query_filter(call, category, mask, group), ignore=address(self.ignore),
                            ignore_count=len(self.ignore), initial=Initial(initial), every_part=bool(every_part),
                            accept=Accept(self.ask) if accept else Accept())
        self.address = ctypes.addressof(self.struct)

    def ask(self, candidate, _):
        if self.raised is None:
            one = candidate.contents
            try:
                return bool(self.accept(Candidate(packed(one.body), one.user, one.part, packed(one.mover), one.element)))
            except BaseException as error:
                self.raised = error
        return False

    def __enter__(self):
        if self.accept is not None:
            self.begin(sys._getframe(1))
            self.listen()
        return self

    def __exit__(self, *_):
        self.end()
        del self.struct  # a cycle through ask, which would keep the world's memory
        self.reraise()


def rays(origin, translation, ignore_each=None):
    """An array of RAY."""
    origin, translation = vectors("origin", origin, 3), vectors("translation", translation, 3)
    given = {"origin": (origin, 1), "translation": (translation, 1)}
    ignored = None if ignore_each is None else ignored_ids(ignore_each)
    if ignored is not None:
        given["ignore_each"] = (ignored, 1)
    made = np.zeros(common_length(**given), RAY)
    made["origin"], made["translation"] = origin, translation
    if ignored is not None:
        made["ignore"][:, :ignored.shape[1]] = ignored
    return made


def ignored_ids(value):
    """(n, 1) or (n, 2) ids."""
    array = value if isinstance(value, np.ndarray) else np.asarray(value, dtype=object)
    if array.ndim == 2 and array.shape[1] in (1, 2):
        return integers("ignore_each", array.ravel(), np.uint64).reshape(array.shape)
    if array.ndim > 1:
        raise ValueError(f"ignore_each: shape {array.shape}, but one id, a row of them or (n, 2) is wanted")
    return np.atleast_1d(integers("ignore_each", value, np.uint64)).reshape(-1, 1)


def one_ray(origin, translation):
    return rays(vector("origin", origin, 3), vector("translation", translation, 3))


def as_given(shapes):
    """A Shape, or a tuple of those in a list, which `accept` may change while C code reads their hulls."""
    return tuple(shapes) if isinstance(shapes, list) else shapes


def shapes_of(shape, n):
    """n structs from one Shape, or from a tuple of them."""
    several = shape if isinstance(shape, tuple) else [shape]
    structs = [check_shape("shapes", one)._struct for one in several]
    if len(structs) not in (1, n):
        raise ValueError(f"shapes: {len(structs)} elements, where poses has {n}")
    return broadcast(np.array(structs, SHAPE), n)


def one_of(name, value, dtype):
    array = as_in_c(records(name, value, dtype))
    if len(array) != 1:
        raise ValueError(f"{name}: {len(array)} elements, but one is wanted")
    return array


def whole(ask, dtype):
    """All answers of a call ask(out, capacity) that returns how many there are."""
    found = np.zeros(FIRST_GUESS, dtype)
    count = ask(address(found), len(found))
    if count > len(found):
        found = np.zeros(count, dtype)
        count = min(ask(address(found), count), count)
    return found[:count].copy()


def check_placed(handle, call, shape, pose):
    """Of one Shape at one pose, for which the library only answers with nothing."""
    ends = np.zeros(1, np.uintp)
    result = lib.abut_world_overlaps_many(handle.pointer, address(shape._struct), address(pose), 1,
                                          ctypes.addressof(NOBODY), None, 0, address(ends))
    refuse_mesh(result, call, shape)
    check_one(result, call, shape._struct, pose)


def refuse_mesh(result, call, shape):
    if result != 0 and shape.mesh is not None:
        raise Error("ABUT_ERROR_ARGUMENT", call, None, "shape", repr(shape))


def check_ray(handle, call, ray):
    blocked = np.zeros(1, np.uint8)
    check_one(lib.abut_world_test_rays(handle.pointer, address(ray), 1, ctypes.addressof(NOBODY), address(blocked)),
              call, ray)


def check_bounds(call, box):
    low, high = box["min"][0], box["max"][0]
    if not (low <= high).all():  # nor are they for NaN
        raise Error("ABUT_ERROR_ARGUMENT", call, None, "box", (*low.tolist(), *high.tolist()))


def answered(result, call, answers, index=None, given=None):
    """Raises an Error that carries the answers of the elements that are valid."""
    try:
        check(result, call, index, given)
    except Error as error:
        error.answers = answers
        raise
    return answers


class Questions(Bodies):
    """The part of World that answers questions, about the poses as they are now. All take the keyword arguments

    category, mask, group: only bodies that pass the filter, by the body-against-body rule
    ignore: bodies that do not count, with their compounds
    accept(candidate): optional last word on a body that is met, a Candidate; it must not change the world. Slow: calls
        Python at least once for each answer. Its exception is raised after the question
    initial: Initial.SKIP passes over bodies that hold the origin of a ray
    every_part: ray_hits and shape_hits answer with each triangle of a mesh that is met, not only with its first

    In answers `part` is the triangle of a mesh, else 0.

    An invalid shape, pose, ray, box or filter raises an Error; of a batch with an invalid element its `answers` are what
    the call would have returned."""

    def cast_rays(self, origin: ArrayLike, translation: ArrayLike, *, ignore_each: ArrayLike | None = None,
                  **query: Any) -> np.ndarray:
        """The first body that each ray meets: body (0: none), user, fraction, position, normal. Origins and
        translations, (3,) or (n, 3), broadcast. ignore_each: one or two more bodies for each ray that do not count."""
        handle, asked = self._open(), rays(origin, translation, ignore_each)
        hits = np.zeros(len(asked), HIT)
        with Asked(handle, "cast_rays", **query) as q:
            result = lib.abut_world_cast_rays(handle.pointer, address(asked), len(asked), q.address, address(hits))
        bad = np.flatnonzero(np.isnan(hits["fraction"])) if result else ()
        return answered(result, "cast_rays", hits, int(bad[0]) if len(bad) else None, asked)

    def test_rays(self, origin: ArrayLike, translation: ArrayLike, *, ignore_each: ArrayLike | None = None,
                  **query: Any) -> np.ndarray:
        """Whether each ray meets any body; arguments as for cast_rays, of which it is the cheaper half."""
        handle, asked = self._open(), rays(origin, translation, ignore_each)
        blocked = np.zeros(len(asked), np.uint8)
        with Asked(handle, "test_rays", **query) as q:
            result = lib.abut_world_test_rays(handle.pointer, address(asked), len(asked), q.address, address(blocked))
        return answered(result, "test_rays", blocked.view(bool), given=asked)

    def ray_hits(self, origin: ArrayLike, translation: ArrayLike, **query: Any) -> np.ndarray:
        """All bodies that one ray meets, first to last, as cast_rays describes the first."""
        handle, asked = self._open(), one_ray(origin, translation)
        with Asked(handle, "ray_hits", **query) as q:
            hits = whole(lambda out, capacity: lib.abut_world_ray_hits(handle.pointer, address(asked), q.address, out,
                                                                       capacity), HIT)
        if not len(hits):
            check_ray(handle, "ray_hits", asked)
        return hits

    def overlaps(self, shape: Shape, pose: ArrayLike, **query: Any) -> np.ndarray:
        """The ids of all bodies that touch a Shape at a pose, ascending."""
        handle, struct, pose = self._open(), check_shape("shape", shape)._struct, one_of("pose", pose, POSE)
        with Asked(handle, "overlaps", **query) as q:
            ids = whole(lambda out, capacity: lib.abut_world_overlaps(
                handle.pointer, address(struct), address(pose), q.address, out, capacity), np.uint64)
        if not len(ids):
            check_placed(handle, "overlaps", shape, pose)
        return ids

    def overlaps_many(self, shapes: Shape | Sequence[Shape], poses: ArrayLike,
                      **query: Any) -> tuple[np.ndarray, np.ndarray]:
        """(ids, ends): overlaps for a Shape, or a list of them, at n poses. The ids of element i end at ends[i], where
        those of element i + 1 begin: np.split(ids, ends[:-1]) is a list of them."""
        handle, poses, shapes = self._open(), records("poses", poses, POSE), as_given(shapes)
        several = isinstance(shapes, tuple) and len(shapes) != 1
        poses = broadcast(poses, len(shapes) if several and len(poses) == 1 else len(poses))
        structs, ends = shapes_of(shapes, len(poses)), np.zeros(len(poses), np.uintp)
        ids = np.zeros(FIRST_GUESS + 8 * len(poses), np.uint64)
        with Asked(handle, "overlaps_many", **query) as q:
            for _ in range(2):
                result = lib.abut_world_overlaps_many(handle.pointer, address(structs), address(poses), len(poses),
                                                      q.address, address(ids), len(ids), address(ends))
                total = int(ends[-1]) if len(ends) else 0
                if total <= len(ids):
                    break
                ids = np.zeros(total, np.uint64)
        return answered(result, "overlaps_many", (ids[:total].copy(), ends), given=poses)

    def collide(self, shape: Shape, pose: ArrayLike, margin: float = 0.0, **query: Any) -> np.ndarray:
        """All bodies within `margin` of a Shape at a pose, ascending by id: body, user, manifold (its normal points
        from the body to the shape); of a mesh one for each triangle, by part."""
        handle, struct, pose = self._open(), check_shape("shape", shape)._struct, one_of("pose", pose, POSE)
        margin = size("collide", "margin", margin)
        with Asked(handle, "collide", **query) as q:
            found = whole(lambda out, capacity: lib.abut_world_collide(
                handle.pointer, address(struct), address(pose), margin, q.address, out, capacity), TOUCHING)
        if not len(found):
            check_placed(handle, "collide", shape, pose)
        return found

    def in_bounds(self, box: ArrayLike, **query: Any) -> np.ndarray:
        """The ids of all bodies whose bounds() touch a box, ascending: an AABB, or min and max as 6 numbers."""
        handle, box = self._open(), one_of("box", box, AABB)
        check_bounds("in_bounds", box)
        with Asked(handle, "in_bounds", **query) as q:
            return whole(lambda out, capacity: lib.abut_world_in_bounds(
                handle.pointer, address(box), q.address, out, capacity), np.uint64)

    def nearest(self, shape: Shape, pose: ArrayLike, k: int = 1, max_distance: float = np.inf,
                **query: Any) -> np.ndarray:
        """Up to k bodies that are nearest to a Shape at a pose, nearest first: body, user, distance, position (closest
        point of the body), normal."""
        handle, struct, pose = self._open(), check_shape("shape", shape)._struct, one_of("pose", pose, POSE)
        found = np.zeros(min(integer("k", k, np.uintp), len(self)), NEAR)
        limit = size("nearest", "max_distance", max_distance, np.inf)
        with Asked(handle, "nearest", **query) as q:
            count = lib.abut_world_nearest(handle.pointer, address(struct), address(pose), limit, q.address,
                                           address(found), len(found))
        if not count:
            check_placed(handle, "nearest", shape, pose)
        return found[:count]

    def nearest_many(self, points: ArrayLike, k: int = 1, max_distance: float = np.inf,
                     **query: Any) -> tuple[np.ndarray, np.ndarray]:
        """(near, counts): nearest for n points, near of shape (n, k). Only near[i, :counts[i]] has been written; the
        rest is zero."""
        handle, points = self._open(), np.atleast_2d(vectors("points", points, 3))
        k, limit = integer("k", k, np.uintp), size("nearest_many", "max_distance", max_distance, np.inf)
        near, counts = np.zeros((len(points), k), NEAR), np.zeros(len(points), np.uint32)
        with Asked(handle, "nearest_many", **query) as q:
            result = lib.abut_world_nearest_many(handle.pointer, address(points), len(points), limit, q.address,
                                                 address(near), k, address(counts))
        return answered(result, "nearest_many", (near, counts), given=("points", points))

    def refresh(self) -> None:
        """Brings what questions walk up to date now instead of within the next question; answers stay the same."""
        with self._change("refresh") as handle:
            check(lib.abut_world_refresh(handle.pointer), "refresh")
