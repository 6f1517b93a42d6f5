# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Shapes, with and without a radius, and pairs of them without a world; poses between poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import (address, addresses, as_in_c, broadcast, common_length, number, records, scalars, vector,
                     vectors)
from .enums import Initial
from .hull import check_hulls
from .layout import AABB, Aabb, HIT, MANIFOLD, POSE, Pose, RAY, SHAPE
from .library import lib
from .mesh import check_meshes

if TYPE_CHECKING:
    from .hull import Hull
    from .mesh import Mesh


class Shape:
    """A box about the origin or a hull, grown by a radius; or a mesh, without one. Immutable. With a radius the box may be
    a rod, which makes a capsule, or a point, which makes a sphere. Without any extent it is a point, which no body can
    have. Where a mesh may be: b of shape_overlap and shape_distance, one of shape_sweep, shape_cast_ray, shape_bounds,
    set_shapes."""

    __slots__ = "_struct", "hull", "mesh"
    hull: Hull | None
    mesh: Mesh | None

    def __init__(self, half: ArrayLike = (0, 0, 0), *, hull: Hull | None = None, mesh: Mesh | None = None,
                 radius: float = 0.0) -> None:
        check_hulls([hull])
        check_meshes([mesh])
        made = np.zeros((), SHAPE)
        made["half"], made["radius"] = vector("half", half, 3), number("radius", radius)
        made["hull"] = 0 if hull is None else hull._pointer.value
        made["mesh"] = 0 if mesh is None else mesh._pointer.value
        made.setflags(write=False)
        object.__setattr__(self, "_struct", made)
        object.__setattr__(self, "hull", hull)
        object.__setattr__(self, "mesh", mesh)

    def __setattr__(self, name, value):
        raise AttributeError("a shape is immutable")

    def __delattr__(self, name):
        raise AttributeError("a shape is immutable")  # without its hull it would read freed memory

    @property
    def half(self) -> np.ndarray:
        """Half extents."""
        return self._struct["half"].copy()

    @property
    def radius(self) -> float:
        """All points within this distance of the core."""
        return float(self._struct["radius"])

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Shape) and self.hull is other.hull and self.mesh is other.mesh and
                self._struct.tobytes() == other._struct.tobytes())

    def __hash__(self) -> int:
        return hash(self._struct.tobytes())

    def __reduce__(self):
        return made_again, (self.half, self.hull, self.mesh, self.radius)

    def __repr__(self) -> str:
        if self.mesh is not None:
            return f"abut.Shape(mesh={self.mesh!r})"
        core = f"hull={self.hull!r}" if self.hull is not None else f"half={tuple(self.half.tolist())}"
        return f"abut.Shape({core}, radius={self.radius:g})"


def made_again(half, hull, mesh, radius):
    return Shape(half, hull=hull, mesh=mesh, radius=radius)


def box(half: ArrayLike, radius: float = 0.0) -> Shape:
    """A box; with a radius its edges and corners are round."""
    return Shape(half, radius=radius)


def sphere(radius: float) -> Shape:
    """A sphere about the origin of its pose."""
    return Shape(radius=radius)


def capsule(half_length: float, radius: float) -> Shape:
    """A capsule along y. half_length is without the caps."""
    return Shape((0, number("half_length", half_length), 0), radius=radius)


def convex(hull: Hull, radius: float = 0.0) -> Shape:
    """A hull, grown by a radius."""
    if hull is None:
        raise TypeError("hull: an abut.Hull is wanted, not None")
    return Shape(hull=hull, radius=radius)


def check_shape(name, value):
    if not isinstance(value, Shape):
        raise TypeError(f"{name}: an abut.Shape is wanted, not {type(value).__name__}")
    return value


def placed(a, poses_a, b, poses_b):
    """(address of a, that of b, pairs of addresses of poses, what to keep alive)"""
    at_a, at_b = address(check_shape("a", a)._struct), address(check_shape("b", b)._struct)
    first, second = records("poses_a", poses_a, POSE), records("poses_b", poses_b, POSE)
    n = common_length(poses_a=(first, 0), poses_b=(second, 0))
    first, second = broadcast(first, n), broadcast(second, n)
    return at_a, at_b, list(zip(addresses(first), addresses(second))), (a, b, first, second)


def shape_overlap(a: Shape, poses_a: ArrayLike, b: Shape, poses_b: ArrayLike) -> np.ndarray:
    """Whether shape a at each of poses_a shares a point with shape b at poses_b. One call of the library each, as in all
    functions here."""
    a, b, pairs, _keep = placed(a, poses_a, b, poses_b)
    return np.fromiter((lib.abut_shape_overlap(a, first, b, second) for first, second in pairs), bool, len(pairs))


def shape_collide(a: Shape, poses_a: ArrayLike, b: Shape, poses_b: ArrayLike,
                  margin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(whether they are at most `margin` apart, manifold)"""
    a, b, pairs, _keep = placed(a, poses_a, b, poses_b)
    margin = number("margin", margin)
    touch, manifolds = np.zeros(len(pairs), bool), np.zeros(len(pairs), MANIFOLD)
    for i, ((first, second), out) in enumerate(zip(pairs, addresses(manifolds))):
        touch[i] = lib.abut_shape_collide(a, first, b, second, margin, out)
    return touch, manifolds


def shape_distance(a: Shape, poses_a: ArrayLike, b: Shape,
                   poses_b: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(distance, closest point of a, closest point of b): 0 where they touch, NaN for invalid input."""
    a, b, pairs, _keep = placed(a, poses_a, b, poses_b)
    points = np.full((2, len(pairs), 3), np.nan, np.float32)
    distances = np.zeros(len(pairs), np.float32)
    for i, ((first, second), on_a, on_b) in enumerate(zip(pairs, addresses(points[0]), addresses(points[1]))):
        distances[i] = lib.abut_shape_distance(a, first, b, second, on_a, on_b)
    return distances, points[0], points[1]


def shape_bounds(shape: Shape, poses: ArrayLike) -> np.ndarray:
    """The axis-aligned bounds of a shape at each pose."""
    struct = address(check_shape("shape", shape)._struct)
    poses = as_in_c(records("poses", poses, POSE))
    made = (Aabb * len(poses))(*(lib.abut_shape_bounds(struct, pose) for pose in addresses(poses)))
    return np.frombuffer(made, AABB).copy() if len(poses) else np.zeros(0, AABB)


def shape_cast_ray(shape: Shape, poses: ArrayLike, origin: ArrayLike,
                   translation: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """(whether a ray meets the shape, hit: fraction, position, normal) for all poses, origins and translations, which
    broadcast."""
    struct, poses = address(check_shape("shape", shape)._struct), records("poses", poses, POSE)
    origin, translation = vectors("origin", origin, 3), vectors("translation", translation, 3)
    n = common_length(poses=(poses, 0), origin=(origin, 1), translation=(translation, 1))
    poses, rays, hits, met = broadcast(poses, n), np.zeros(n, RAY), np.zeros(n, HIT), np.zeros(n, bool)
    rays["origin"], rays["translation"], hits["fraction"] = origin, translation, 1
    for i, (pose, ray, hit) in enumerate(zip(addresses(poses), addresses(rays), addresses(hits))):
        met[i] = lib.abut_shape_cast_ray(struct, pose, ray, hit)
    return met, hits


def shape_sweep(a: Shape, from_a: ArrayLike, to_a: ArrayLike, b: Shape, from_b: ArrayLike, to_b: ArrayLike,
                initial: Initial = Initial.CLOSING) -> tuple[np.ndarray, np.ndarray]:
    """(whether they meet, hit: fraction, position, normal of b towards a) where both shapes move from one pose to
    another, as pose_between does. Poses broadcast. `initial`: what is done with shapes that touch at the start."""
    at_a, at_b = address(check_shape("a", a)._struct), address(check_shape("b", b)._struct)
    given = {"from_a": from_a, "to_a": to_a, "from_b": from_b, "to_b": to_b}
    poses = {name: records(name, value, POSE) for name, value in given.items()}
    n = common_length(**{name: (array, 0) for name, array in poses.items()})
    poses, initial = [broadcast(array, n) for array in poses.values()], Initial(initial)
    hits, met = np.zeros(n, HIT), np.zeros(n, bool)
    hits["fraction"] = 1
    for i, (start_a, end_a, start_b, end_b, hit) in enumerate(zip(*map(addresses, poses), addresses(hits))):
        met[i] = lib.abut_shape_sweep(at_a, start_a, end_a, at_b, start_b, end_b, initial, hit)
    return met, hits


def pose_between(start: ArrayLike, end: ArrayLike, fraction: float | ArrayLike) -> np.ndarray:
    """Poses at a fraction of the way: straight lines, and rotations along the shorter arc at constant speed. Arguments
    broadcast."""
    start, end, fraction = records("start", start, POSE), records("end", end, POSE), scalars("fraction", fraction)
    n = common_length(start=(start, 0), end=(end, 0), fraction=(fraction, 0))
    start, end, fraction = broadcast(start, n), broadcast(end, n), broadcast(fraction, n).tolist()
    made = (Pose * n)(*map(lib.abut_pose_between, addresses(start), addresses(end), fraction))
    return np.frombuffer(made, POSE).copy() if n else np.zeros(0, POSE)
