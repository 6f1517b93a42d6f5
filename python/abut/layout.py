# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The structs of include/abut as ctypes structs and as numpy dtypes: the same bytes.

Vectors become small arrays (position[0] is x), a body's id becomes one number, names stay. tests/test_layout.py holds
each size and offset against those of a C compiler."""

import ctypes
from ctypes import c_bool, c_double, c_float, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np


class Vec2(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float)]


class Vec3(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float)]


class Quat(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float), ("w", c_float)]


class Pose(ctypes.Structure):
    _fields_ = [("position", Vec3), ("rotation", Quat)]


class Aabb(ctypes.Structure):
    _fields_ = [("min", Vec3), ("max", Vec3)]


class Obb(ctypes.Structure):
    _fields_ = [("center", Vec3), ("rotation", Quat), ("half", Vec3)]


class Obb2(ctypes.Structure):
    _fields_ = [("center", Vec2), ("axis", Vec2), ("half", Vec2)]


class BodyId(ctypes.Structure):
    _fields_ = [("index1", c_uint32), ("generation", c_uint32)]


class Filter(ctypes.Structure):
    _fields_ = [("category", c_uint64), ("mask", c_uint64), ("group", c_int32)]


class Shape(ctypes.Structure):
    _fields_ = [("half", Vec3), ("hull", c_void_p), ("mesh", c_void_p), ("radius", c_float)]


class BodyDef(ctypes.Structure):
    _fields_ = [("pose", Pose), ("half", Vec3), ("box", Pose), ("hull", c_void_p), ("motion", c_int),
                ("detail", c_int), ("filter", Filter), ("parent", BodyId), ("user", c_uint64),
                ("radius", c_float), ("mesh", c_void_p)]


class ContactPoint(ctypes.Structure):
    _fields_ = [("position", Vec3), ("separation", c_float), ("feature", c_uint32)]


class Manifold(ctypes.Structure):
    _fields_ = [("normal", Vec3), ("count", c_uint32), ("points", ContactPoint * 4)]


class Contact(ctypes.Structure):
    _fields_ = [("a", BodyId), ("b", BodyId), ("user_a", c_uint64), ("user_b", c_uint64), ("phase", c_int),
                ("manifold", Manifold), ("previous1", c_uint32), ("part_count", c_uint32), ("part_first", c_uint32)]


class Pair(ctypes.Structure):
    _fields_ = [("a", BodyId), ("b", BodyId)]


class ContactPart(ctypes.Structure):
    _fields_ = [("part", c_uint32), ("previous1", c_uint32), ("manifold", Manifold)]


class Allocator(ctypes.Structure):
    _fields_ = [("alloc", c_void_p), ("release", c_void_p), ("user", c_void_p)]


ShouldCollide = ctypes.CFUNCTYPE(c_bool, BodyId, c_uint64, BodyId, c_uint64, c_void_p)


class Parallel(ctypes.Structure):
    _fields_ = [("run", c_void_p), ("workers", c_uint32), ("user", c_void_p)]


class WorldDef(ctypes.Structure):
    _fields_ = [("allocator", Allocator), ("body_capacity", c_uint32), ("pair_capacity", c_uint32),
                ("fixed_capacity", c_bool), ("contact_margin", c_float), ("up", Vec3),
                ("should_collide", ShouldCollide), ("user", c_void_p), ("parallel", Parallel)]


class StepReport(ctypes.Structure):
    _fields_ = [("bodies", c_size_t), ("moved", c_size_t), ("candidates", c_size_t), ("contacts", c_size_t),
                ("begun", c_size_t), ("ended", c_size_t), ("seconds_bounds", c_double), ("seconds_broad", c_double),
                ("seconds_narrow", c_double), ("seconds_events", c_double), ("sweep_tests", c_size_t),
                ("second_stage", c_size_t), ("bytes", c_size_t)]


FindShape = ctypes.CFUNCTYPE(c_void_p, c_uint64, c_void_p)


class ShapeFinder(ctypes.Structure):
    _fields_ = [("hull", FindShape), ("mesh", FindShape), ("user", c_void_p)]


class HullDef(ctypes.Structure):
    _fields_ = [("max_vertices", c_uint32), ("coplanar_tolerance", c_float), ("allocator", Allocator)]


class MeshDef(ctypes.Structure):
    _fields_ = [("vertices", c_void_p), ("vertex_count", c_size_t), ("vertex_stride", c_size_t), ("indices", c_void_p),
                ("triangle_count", c_size_t), ("ghost_count", c_size_t), ("two_sided", c_bool),
                ("allocator", Allocator)]


class MeshGridDef(ctypes.Structure):
    _fields_ = [("heights", c_void_p), ("columns", c_uint32), ("rows", c_uint32), ("row_stride", c_uint32),
                ("ghost_border", c_uint32), ("spacing", Vec3), ("two_sided", c_bool), ("allocator", Allocator)]


class Frustum(ctypes.Structure):
    _fields_ = [("origin", c_float * 3), ("plane_count", c_uint32), ("run_count", c_uint32),
                ("edge_count", c_uint32), ("plane", c_double * 4 * 6), ("run", c_double * 7 * 12),
                ("edge", c_double * 3 * 12), ("extent", c_double), ("spread", c_double),
                ("run_corners", c_uint64)]


class Visible(ctypes.Structure):
    _fields_ = [("body", BodyId), ("user", c_uint64), ("views", c_uint32), ("inside", c_uint32)]


class PlacementRules(ctypes.Structure):
    _fields_ = [("touch", c_int), ("clearance", c_float), ("filter", Filter), ("ignore", c_void_p),
                ("ignore_count", c_size_t)]


class Placement(ctypes.Structure):
    _fields_ = [("free", c_bool), ("blocker_count", c_size_t), ("first_blocker", BodyId), ("push", Vec2)]


class Candidate(ctypes.Structure):
    _fields_ = [("body", BodyId), ("user", c_uint64), ("part", c_uint32), ("mover", BodyId), ("element", c_size_t)]


Accept = ctypes.CFUNCTYPE(c_bool, ctypes.POINTER(Candidate), c_void_p)


class Query(ctypes.Structure):
    _fields_ = [("filter", Filter), ("ignore", c_void_p), ("ignore_count", c_size_t), ("accept", Accept),
                ("context", c_void_p), ("initial", c_int), ("allowance", c_float), ("every_part", c_bool)]


class Ray(ctypes.Structure):
    _fields_ = [("origin", Vec3), ("translation", Vec3), ("ignore", BodyId * 2)]


class Cast(ctypes.Structure):
    _fields_ = [("shape", Shape), ("from", Pose), ("translation", Vec3), ("ignore", BodyId * 2)]


class Hit(ctypes.Structure):
    _fields_ = [("body", BodyId), ("user", c_uint64), ("fraction", c_float), ("position", Vec3), ("normal", Vec3),
                ("part", c_uint32), ("mover", BodyId)]


class Near(ctypes.Structure):
    _fields_ = [("body", BodyId), ("user", c_uint64), ("distance", c_float), ("position", Vec3), ("normal", Vec3),
                ("part", c_uint32)]


class Touching(ctypes.Structure):
    _fields_ = [("body", BodyId), ("user", c_uint64), ("part", c_uint32), ("manifold", Manifold)]


AS_ARRAYS = {Vec2: ("f4", (2,)), Vec3: ("f4", (3,)), Quat: ("f4", (4,)), BodyId: "u8", c_void_p: np.uintp}


def dtype_of(kind):
    """The numpy dtype with the bytes of a ctypes type."""
    if kind in AS_ARRAYS:
        dtype = np.dtype(AS_ARRAYS[kind])
    elif issubclass(kind, ctypes.Array):
        dtype = np.dtype((dtype_of(kind._type_), (kind._length_,)))
    elif issubclass(kind, ctypes.Structure):
        names = [field[0] for field in kind._fields_]
        dtype = np.dtype({"names": names, "formats": [dtype_of(field[1]) for field in kind._fields_],
                          "offsets": [getattr(kind, name).offset for name in names], "itemsize": ctypes.sizeof(kind)})
    else:
        dtype = np.dtype(kind)
    if dtype.itemsize != ctypes.sizeof(kind):
        raise ImportError(f"abut: {kind.__name__} has {ctypes.sizeof(kind)} bytes, its dtype {dtype.itemsize}")
    return dtype


POSE = dtype_of(Pose)
AABB = dtype_of(Aabb)
OBB = dtype_of(Obb)
OBB2 = dtype_of(Obb2)
FILTER = dtype_of(Filter)
SHAPE = dtype_of(Shape)
BODY_DEF = dtype_of(BodyDef)
CONTACT_POINT = dtype_of(ContactPoint)
MANIFOLD = dtype_of(Manifold)
CONTACT = dtype_of(Contact)
CONTACT_PART = dtype_of(ContactPart)
PAIR = dtype_of(Pair)
FRUSTUM = dtype_of(Frustum)
VISIBLE = dtype_of(Visible)
PLACEMENT = dtype_of(Placement)
RAY = dtype_of(Ray)
CAST = dtype_of(Cast)
HIT = dtype_of(Hit)
NEAR = dtype_of(Near)
TOUCHING = dtype_of(Touching)
