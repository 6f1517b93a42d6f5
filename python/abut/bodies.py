# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The bodies of a world, many at a time."""

from __future__ import annotations

import ctypes
from typing import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .arrays import (address, addresses, as_in_c, body_ids, broadcast, common_length, each_id, integers, records, scalars,
                     vectors)
from .calls import Change
from .errors import Error, check
from .hull import Hull, check_hulls
from .layout import AABB, BODY_DEF, FILTER, POSE, SHAPE
from .library import lib
from .mesh import Mesh, check_meshes
from .shapes import Shape, check_shape

# Of create(): name: (numpy type, where it goes).
NUMBERS = {"motion": (np.int32, ("motion",)), "detail": (np.int32, ("detail",)), "parent": (np.uint64, ("parent",)),
           "category": (np.uint64, ("filter", "category")), "mask": (np.uint64, ("filter", "mask")),
           "group": (np.int32, ("filter", "group")), "user": (np.uint64, ("user",))}
VECTORS = {"half": (3, ("half",)), "position": (3, ("pose", "position")), "rotation": (4, ("pose", "rotation")),
           "box_position": (3, ("box", "position")), "box_rotation": (4, ("box", "rotation"))}


def pointers_of(shapes, several):
    """The addresses of hulls or of meshes: one for all, or one per body."""
    pointers = np.array([0 if shape is None else shape._pointer.value for shape in shapes], np.uintp)
    return pointers if several else pointers[0]


def definitions(hulls, meshes, given):
    """abut_body_def for each body, from arguments that broadcast."""
    arrays = {}
    for name, value in given.items():
        if name in NUMBERS:
            arrays[name] = integers(name, value, NUMBERS[name][0])
        elif name == "radius":
            arrays[name] = scalars(name, value)
        else:
            arrays[name] = vectors(name, value, VECTORS[name][0])
    ranks = {name: (array, 1 if name in VECTORS else 0) for name, array in arrays.items()}
    n = common_length(hull=(hulls, 0), mesh=(meshes, 0), **ranks)
    made = np.zeros(n, BODY_DEF)
    made["hull"], made["mesh"] = hulls, meshes
    for name, array in arrays.items():
        field = made
        for step in (NUMBERS.get(name) or VECTORS.get(name) or (None, (name,)))[1]:
            field = field[step]
        field[...] = array
    return made


class Kept:
    """The hulls and meshes that a world's bodies use and keep alive, by address. Now and then the world is asked which
    these still are: each lives at least as long as the last body that uses it. They are added before the library gets
    them: an interrupt may come as soon as it returns."""

    def __init__(self):
        self.shapes, self.users, self.count, self.gone = {}, [], 0, 0

    def add(self, shapes, ids):
        """Bodies use them; others among `ids` do no harm. None: any body may. The array is kept, not copied: of create it
        is the one that the library writes to."""
        given = {shape._pointer.value: shape for shape in shapes if shape is not None}
        if given:
            self.shapes.update(given)
            self.users.append(ids)
            self.count += 0 if ids is None else len(ids)

    def of(self, kind):
        return [shape for shape in self.shapes.values() if isinstance(shape, kind)]

    def forget(self, n, structs_of):
        """n bodies were destroyed, attached ones included, or have another shape, or were not made. structs_of(ids): the
        living ones, None for all, and their SHAPEs."""
        self.gone += n
        if not self.shapes or self.gone * 2 < self.count:
            return
        anybody = any(ids is None for ids in self.users)
        ids, structs = structs_of(None if anybody else np.unique(np.concatenate(self.users)))
        hulls, meshes = structs["hull"], structs["mesh"]
        used = {*hulls.tolist(), *meshes.tolist()}
        self.shapes = {pointer: shape for pointer, shape in self.shapes.items() if pointer in used}
        self.users = [ids[(hulls != 0) | (meshes != 0)]]
        self.count, self.gone = len(self.users[0]), 0


class Bodies:
    """The part of World that handles bodies. All calls take arrays of ids; a single id is an array of one."""

    def __init__(self, handle):
        self._handle = handle
        handle.kept = Kept()

    def _open(self):
        handle = self._handle
        if handle is None:
            raise ValueError("this world is closed")
        return handle

    def _change(self, call):
        """`with` it: the handle, for a call that changes the world."""
        return Change(self._open(), call)

    def __len__(self) -> int:
        return lib.abut_world_body_count(self._open().pointer)

    def bodies(self) -> np.ndarray:
        """The ids of all bodies, ascending by index."""
        handle = self._open()
        ids = np.empty(lib.abut_world_body_count(handle.pointer), np.uint64)
        lib.abut_world_bodies(handle.pointer, address(ids), len(ids))
        return ids

    def create(self, half: ArrayLike | None = None, *, position: ArrayLike | None = None,
               rotation: ArrayLike | None = None, box_position: ArrayLike | None = None,
               box_rotation: ArrayLike | None = None, hull: Hull | Sequence[Hull | None] | None = None,
               mesh: Mesh | Sequence[Mesh | None] | None = None, radius: ArrayLike | None = None,
               motion: ArrayLike | None = None, detail: ArrayLike | None = None, category: ArrayLike | None = None,
               mask: ArrayLike | None = None, group: ArrayLike | None = None, parent: ArrayLike | None = None,
               user: ArrayLike | None = None) -> np.ndarray:
        """Adds bodies, all or none, and returns their ids. Arguments broadcast: (3,) is the same for all, (n, 3) one per
        body; others have abut_body_def's defaults. hull: a Hull, or a list of hulls and None; mesh: likewise a Mesh.
        radius grows the box or the hull: without half it makes spheres, with half = (0, h, 0) capsules."""
        given = {"half": half, "position": position, "rotation": rotation, "box_position": box_position,
                 "box_rotation": box_rotation, "radius": radius, "motion": motion, "detail": detail,
                 "category": category, "mask": mask, "group": group, "parent": parent, "user": user}
        (hulls, several_hulls), (meshes, several_meshes) = check_hulls(hull), check_meshes(mesh)
        defs = definitions(pointers_of(hulls, several_hulls), pointers_of(meshes, several_meshes),
                           {name: value for name, value in given.items() if value is not None})
        with self._change("create") as handle:
            ids = np.zeros(len(defs), np.uint64)
            handle.kept.add([*hulls, *meshes], ids)
            try:
                self._create(defs, ids)
            except Error:
                handle.kept.forget(len(ids), self._structs)
                raise
        return ids.copy()

    def _create(self, defs, ids=None):
        """From structs. Whoever calls it keeps the hulls and meshes alive."""
        ids = np.zeros(len(defs), np.uint64) if ids is None else ids
        with self._change("create") as handle:
            result = lib.abut_bodies_create(handle.pointer, address(defs), len(defs), address(ids))
            check(result, "create", self._first_dead(result, defs["parent"], of=defs["parent"] != 0), defs)
        return ids

    def _first_dead(self, result, ids, of=True):
        """Which of the ids is the first that names no body: for check(), if that was the fault."""
        if result == 0 or lib.abut_result_name(result) != b"ABUT_ERROR_HANDLE":
            return None
        dead = np.flatnonzero(~self.valid(ids) & of).tolist()
        return dead[0] if dead else None

    def destroy(self, ids: ArrayLike) -> None:
        """Destroys bodies and those attached to them, all or none."""
        with self._change("destroy") as handle:
            ids, before = row(ids), len(self)
            result = lib.abut_bodies_destroy(handle.pointer, address(ids), len(ids))
            check(result, "destroy", self._first_dead(result, ids))
            handle.kept.forget(before - len(self), self._structs)

    def valid(self, ids: ArrayLike) -> np.ndarray:
        """Whether each id names a living body."""
        pointer, ids = self._open().pointer, row(ids)
        return np.fromiter((lib.abut_body_is_valid(pointer, body) for body in each_id(ids)), bool, len(ids))

    def set_poses(self, ids: ArrayLike, poses: ArrayLike | None = None, *, position: ArrayLike | None = None,
                  rotation: ArrayLike | None = None) -> None:
        """Moves bodies, all or none; attached ones relative to their parents. Either `poses`: abut.POSE structs, also those
        within your own structs (read in place), or (n, 7); or positions and rotations (x, y, z, w): one that is
        not given stays unchanged."""
        with self._change("set_poses") as handle:
            ids, bad = readable(body_ids("ids", ids)), ctypes.c_size_t()
            poses = self._wanted_poses("set_poses", ids, poses, position, rotation)
            result = lib.abut_bodies_set_poses_strided(handle.pointer, address(ids), ids.strides[0], address(poses),
                                                       poses.strides[0], len(ids), ctypes.byref(bad))
            check(result, "set_poses", bad.value, poses)

    def _wanted_poses(self, call, ids, poses, position, rotation):
        if poses is None:
            poses = self._changed_poses(call, ids, position, rotation)
        elif position is not None or rotation is not None:
            raise TypeError(f"{call}: either poses, or position and rotation")
        poses = readable(records("poses", poses, POSE))
        if len(poses) == 1 and len(ids) > 1:
            poses = broadcast(poses, len(ids))
        if len(poses) != len(ids):
            raise ValueError(f"poses: {len(poses)} elements, where ids has {len(ids)}")
        return poses

    def _changed_poses(self, call, ids, position, rotation):
        if position is None and rotation is None:
            raise TypeError(f"{call}: poses, position or rotation is wanted")
        given = {name: vectors(name, value, POSE[name].shape[0])
                 for name, value in (("position", position), ("rotation", rotation)) if value is not None}
        n = common_length(ids=(ids, 0), **{name: (array, 1) for name, array in given.items()})
        if n != len(ids):
            raise ValueError(f"{' and '.join(given)}: {n} elements, where ids has {len(ids)}")
        made = np.empty(n, POSE) if len(given) == 2 else self._read(lib.abut_bodies_get_poses, ids, POSE, call)
        for name, array in given.items():
            made[name] = array
        return made

    def poses(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The poses of bodies (None: all), relative to the parent where there is one; rotations normalised."""
        return self._read(lib.abut_bodies_get_poses, ids, POSE, "poses")

    def world_poses(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The poses of bodies (None: all) in the world."""
        return self._read(lib.abut_bodies_get_world_poses, ids, POSE, "world_poses")

    def bounds(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The axis-aligned bounds of bodies (None: all) at their current poses: min and max."""
        return self._read(lib.abut_bodies_get_bounds, ids, AABB, "bounds")

    def shapes(self, ids: ArrayLike | None = None) -> list[Shape]:
        """The shapes of bodies (None: all): a list of abut.Shape. One call of the library per body."""
        find = self._open().kept.shapes.get
        return [Shape(struct["half"], hull=find(struct["hull"]), mesh=find(struct["mesh"]), radius=struct["radius"])
                for struct in self._placed_shapes(ids, "shapes")[0]]

    def shape_poses(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The poses of the shapes of bodies (None: all) in the world, which differ from world_poses where boxes are
        shifted. One call of the library per body."""
        return self._placed_shapes(ids, "shape_poses")[1]

    def _placed_shapes(self, ids, call):
        handle, ids = self._open(), self.bodies() if ids is None else row(ids)
        shapes, poses = np.zeros(len(ids), SHAPE), np.zeros(len(ids), POSE)
        for i, (body, shape, pose) in enumerate(zip(each_id(ids), addresses(shapes), addresses(poses))):
            check(lib.abut_body_get_shape(handle.pointer, body, shape, pose), call, i)
        return shapes, poses

    def set_shapes(self, ids: ArrayLike, shape: Shape | Sequence[Shape], *, box_position: ArrayLike = (0, 0, 0),
                   box_rotation: ArrayLike = (0, 0, 0, 1)) -> None:
        """Gives bodies another shape: an abut.Shape for all, or a list of them. Contacts go on. box_position and
        box_rotation shift a box in its body, as in create. As the setters below, it stops at the first error."""
        ids = row(ids)
        several = isinstance(shape, (list, tuple))
        shapes = [check_shape("shape", one) for one in (shape if several else [shape] * len(ids))]
        if len(shapes) != len(ids):
            raise ValueError(f"shape: {len(shapes)} elements, where ids has {len(ids)}")
        shifts = np.zeros(len(ids), POSE)
        shifts["position"] = vectors("box_position", box_position, 3)
        shifts["rotation"] = vectors("box_rotation", box_rotation, 4)
        with self._change("set_shapes") as handle:
            handle.kept.add([used for one in shapes for used in (one.hull, one.mesh)], ids.copy())
            try:
                for i, (body, one, shift) in enumerate(zip(each_id(ids), shapes, addresses(shifts))):
                    check(lib.abut_body_set_shape(handle.pointer, body, address(one._struct), shift), "set_shapes", i)
            finally:
                handle.kept.forget(len(ids), self._structs)

    def _structs(self, ids):
        """(those that live, their SHAPEs); None: of all bodies."""
        if ids is None:
            ids = self.bodies()
        elif 8 * len(ids) > len(self):  # then this takes less time than asking each
            ids = ids[np.isin(ids, self.bodies())]
        pointer, shapes = self._open().pointer, np.zeros(len(ids), SHAPE)
        results = [lib.abut_body_get_shape(pointer, body, shape, None)
                   for body, shape in zip(each_id(ids), addresses(shapes))]
        alive = np.array(results) == 0
        return ids[alive], shapes[alive]

    def _read(self, getter, ids, dtype, name):
        handle, ids = self._open(), self.bodies() if ids is None else row(ids)
        made = np.empty(len(ids), dtype)
        result = getter(handle.pointer, address(ids), address(made), len(ids))
        check(result, name, self._first_dead(result, ids))
        return made

    # Properties change rarely: one call of the library per body. The setters stop at the first body that is at
    # fault (Error.index); those before it are set.

    def set_filters(self, ids: ArrayLike, *, category: ArrayLike | None = None, mask: ArrayLike | None = None,
                    group: ArrayLike | None = None) -> None:
        """Sets which bodies may touch; values that are not given stay unchanged."""
        handle, ids = self._open(), row(ids)
        filters = np.zeros(len(ids), FILTER)
        for body, out in zip(each_id(ids), addresses(filters)):
            lib.abut_body_get_filter(handle.pointer, body, out)  # an error is told when it is set
        for name, value in (("category", category), ("mask", mask), ("group", group)):
            if value is not None:
                filters[name] = fitting(name, integers(name, value, FILTER[name]), len(ids))
        self._set(lib.abut_body_set_filter, ids, addresses(filters), "set_filters")

    def filters(self, ids: ArrayLike | None = None) -> np.ndarray:
        """category, mask and group of bodies (None: all), with defaults filled in."""
        return self._get(lib.abut_body_get_filter, ids, FILTER, "filters")

    def parents(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The body that each body (None: all) is attached to; 0: none."""
        return self._get(lib.abut_body_get_parent, ids, np.uint64, "parents")

    def roots(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The first body of the compound of each body (None: all); itself where it is not attached."""
        return self._get(lib.abut_body_get_root, ids, np.uint64, "roots")

    def set_motions(self, ids: ArrayLike, motion: ArrayLike) -> None:
        """Motion.MOVING or Motion.STATIC, of whole compounds: the ids name bodies without a parent."""
        self._set_numbers(lib.abut_body_set_motion, ids, motion, np.int32, "motion", "set_motions")

    def motions(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The Motion of bodies (None: all)."""
        return self._get(lib.abut_body_get_motion, ids, np.int32, "motions")

    def set_details(self, ids: ArrayLike, detail: ArrayLike) -> None:
        """Detail.MANIFOLD, OVERLAP or BOUNDS."""
        self._set_numbers(lib.abut_body_set_detail, ids, detail, np.int32, "detail", "set_details")

    def details(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The Detail of bodies (None: all)."""
        return self._get(lib.abut_body_get_detail, ids, np.int32, "details")

    def set_users(self, ids: ArrayLike, user: ArrayLike) -> None:
        """Sets the number that contacts and answers carry: yours."""
        self._set_numbers(lib.abut_body_set_user, ids, user, np.uint64, "user", "set_users")

    def users(self, ids: ArrayLike | None = None) -> np.ndarray:
        """The user numbers of bodies (None: all)."""
        return self._get(lib.abut_body_get_user, ids, np.uint64, "users")

    def _set_numbers(self, setter, ids, values, dtype, name, call):
        ids = row(ids)
        values = fitting(name, integers(name, values, dtype), len(ids))
        self._set(setter, ids, np.broadcast_to(values, len(ids)).tolist(), call)

    def _set(self, setter, ids, values, call):
        with self._change(call) as handle:
            for i, (body, value) in enumerate(zip(each_id(ids), values)):
                result = setter(handle.pointer, body, value)
                if result:
                    check(result, call, i)

    def _get(self, getter, ids, dtype, call):
        handle, ids = self._open(), self.bodies() if ids is None else row(ids)
        made = np.zeros(len(ids), dtype)
        for i, (body, out) in enumerate(zip(each_id(ids), addresses(made))):
            result = getter(handle.pointer, body, out)
            if result:
                check(result, call, i)
        return made


def row(ids, name="ids"):
    """Contiguous ids."""
    return as_in_c(body_ids(name, ids))


def readable(array):
    """An array that C can iterate over: strides in bytes not smaller than an element."""
    return array if len(array) < 2 or array.strides[0] >= array.itemsize else np.ascontiguousarray(array).copy()


def fitting(name, array, n):
    """One number for all n, or n numbers."""
    if array.ndim and len(array) not in (1, n):
        raise ValueError(f"{name}: {len(array)} elements, where ids has {n}")
    return array
