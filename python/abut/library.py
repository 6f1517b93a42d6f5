# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Finds the shared library, loads it and declares its functions."""

import ctypes
import ctypes.util
import os
import pathlib
import sys
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

from .layout import Aabb, BodyId, Obb, Parallel, Pose, StepReport, Vec3, WorldDef

SERIES = "0.1."  # of the library's versions: before 1.0 another version may have other struct layouts
NAMES = {"win32": ("abut-0.dll", "libabut-0.dll", "abut.dll"), "darwin": ("libabut.0.dylib", "libabut.dylib")}
HELP = """In abut's tree, `./run demo` builds it, and so does
    meson setup build && ninja -C build
`pip install .` installs it with this module. Or set ABUT_LIBRARY to the shared library or to a build folder."""

# Functions take the address of each array or struct that they write to.
ID, SIZE, AT = BodyId, c_size_t, c_void_p
SIGNATURES = {
    "abut_result_name": (c_char_p, c_int),
    "abut_version": (c_char_p,),
    "abut_isa_active": (c_int,),
    "abut_isa_select": (c_int, c_int),
    "abut_isa_name": (c_char_p, c_int),
    "abut_world_create": (c_int, POINTER(WorldDef), POINTER(c_void_p)),
    "abut_world_destroy": (None, POINTER(c_void_p)),
    "abut_world_body_count": (SIZE, AT),
    "abut_world_bodies": (SIZE, AT, AT, SIZE),
    "abut_world_step": (c_int, AT, AT, POINTER(StepReport)),
    "abut_world_contacts": (AT, AT, POINTER(SIZE)),
    "abut_world_events": (AT, AT, POINTER(SIZE)),
    "abut_world_parts": (AT, AT, POINTER(SIZE)),
    "abut_world_pairs": (AT, AT, POINTER(SIZE)),
    "abut_world_save": (SIZE, AT, AT, SIZE),
    "abut_world_restore": (c_int, AT, AT, SIZE, AT),
    "abut_world_shift": (c_int, AT, Vec3),
    "abut_pool_create": (c_int, c_uint32, POINTER(c_void_p)),
    "abut_pool_parallel": (Parallel, AT),
    "abut_pool_destroy": (None, POINTER(c_void_p)),
    "abut_world_memory": (None, AT, POINTER(SIZE), POINTER(SIZE)),
    "abut_world_hash": (c_uint64, AT),
    "abut_world_validate": (c_int, AT),
    "abut_world_cull": (SIZE, AT, AT, SIZE, AT, AT, SIZE),
    "abut_world_test_placements": (c_int, AT, AT, SIZE, AT, AT),
    "abut_world_cast_rays": (c_int, AT, AT, SIZE, AT, AT),
    "abut_world_test_rays": (c_int, AT, AT, SIZE, AT, AT),
    "abut_world_ray_hits": (SIZE, AT, AT, AT, AT, SIZE),
    "abut_world_overlaps": (SIZE, AT, AT, AT, AT, AT, SIZE),
    "abut_world_collide": (SIZE, AT, AT, AT, c_float, AT, AT, SIZE),
    "abut_world_in_bounds": (SIZE, AT, AT, AT, AT, SIZE),
    "abut_world_nearest": (SIZE, AT, AT, AT, c_float, AT, AT, SIZE),
    "abut_world_overlaps_many": (c_int, AT, AT, AT, SIZE, AT, AT, SIZE, AT),
    "abut_world_nearest_many": (c_int, AT, AT, SIZE, c_float, AT, AT, SIZE, AT),
    "abut_world_refresh": (c_int, AT),
    "abut_world_cast_shapes": (c_int, AT, AT, SIZE, AT, AT),
    "abut_world_shape_hits": (SIZE, AT, AT, AT, AT, SIZE),
    "abut_world_sweep": (c_int, AT, AT, AT, SIZE, AT, AT),
    "abut_bodies_create": (c_int, AT, AT, SIZE, AT),
    "abut_bodies_destroy": (c_int, AT, AT, SIZE),
    "abut_bodies_set_poses_strided": (c_int, AT, AT, SIZE, AT, SIZE, SIZE, POINTER(SIZE)),
    "abut_bodies_get_poses": (c_int, AT, AT, AT, SIZE),
    "abut_bodies_get_world_poses": (c_int, AT, AT, AT, SIZE),
    "abut_bodies_get_bounds": (c_int, AT, AT, AT, SIZE),
    "abut_body_set_filter": (c_int, AT, ID, AT),
    "abut_body_get_filter": (c_int, AT, ID, AT),
    "abut_body_set_motion": (c_int, AT, ID, c_int),
    "abut_body_get_motion": (c_int, AT, ID, AT),
    "abut_body_set_detail": (c_int, AT, ID, c_int),
    "abut_body_get_detail": (c_int, AT, ID, AT),
    "abut_body_set_user": (c_int, AT, ID, c_uint64),
    "abut_body_get_user": (c_int, AT, ID, AT),
    "abut_body_get_shape": (c_int, AT, ID, AT, AT),
    "abut_body_set_shape": (c_int, AT, ID, AT, AT),
    "abut_body_get_parent": (c_int, AT, ID, AT),
    "abut_body_get_root": (c_int, AT, ID, AT),
    "abut_body_is_valid": (c_bool, AT, ID),
    "abut_body_contacts": (SIZE, AT, ID, AT, SIZE),
    "abut_hull_create": (c_int, AT, SIZE, AT, POINTER(c_void_p)),
    "abut_hull_create_cylinder": (c_int, c_float, c_float, c_uint32, AT, POINTER(c_void_p)),
    "abut_hull_create_cone": (c_int, c_float, c_float, c_uint32, AT, POINTER(c_void_p)),
    "abut_hull_create_wedge": (c_int, Vec3, AT, POINTER(c_void_p)),
    "abut_hull_load": (c_int, AT, SIZE, AT, POINTER(c_void_p)),
    "abut_hull_data": (AT, AT, POINTER(SIZE)),
    "abut_hull_digest": (c_uint64, AT),
    "abut_hull_destroy": (None, POINTER(c_void_p)),
    "abut_hull_vertex_count": (SIZE, AT),
    "abut_hull_face_count": (SIZE, AT),
    "abut_hull_edge_count": (SIZE, AT),
    "abut_hull_vertices": (AT, AT),
    "abut_hull_face": (SIZE, AT, SIZE, AT, SIZE, AT),
    "abut_hull_volume": (c_float, AT),
    "abut_hull_centroid": (Vec3, AT),
    "abut_hull_obb": (Obb, AT),
    "abut_mesh_create": (c_int, AT, POINTER(c_void_p)),
    "abut_mesh_create_grid": (c_int, AT, POINTER(c_void_p)),
    "abut_mesh_load": (c_int, AT, SIZE, AT, POINTER(c_void_p)),
    "abut_mesh_data": (AT, AT, POINTER(SIZE)),
    "abut_mesh_digest": (c_uint64, AT),
    "abut_mesh_destroy": (None, POINTER(c_void_p)),
    "abut_mesh_triangle_count": (SIZE, AT),
    "abut_mesh_triangle": (c_bool, AT, c_uint32, AT),
    "abut_mesh_bounds": (Aabb, AT),
    "abut_shape_overlap": (c_bool, AT, AT, AT, AT),
    "abut_shape_collide": (c_bool, AT, AT, AT, AT, c_float, AT),
    "abut_shape_distance": (c_float, AT, AT, AT, AT, AT, AT),
    "abut_shape_bounds": (Aabb, AT, AT),
    "abut_shape_cast_ray": (c_bool, AT, AT, AT, AT),
    "abut_shape_sweep": (c_bool, AT, AT, AT, AT, AT, AT, c_int, AT),
    "abut_pose_between": (Pose, AT, AT, c_float),
    "abut_obb_bounds": (Aabb, AT),
    "abut_obb_bounds_many": (c_int, AT, SIZE, AT),
    "abut_obb_corners": (None, AT, AT),
    "abut_obb_fit": (c_int, AT, SIZE, AT),
    "abut_obb_from_matrix": (c_int, AT, AT, AT),
    "abut_obb_overlap_many": (SIZE, AT, AT, SIZE, AT),
    "abut_obb_collide": (c_bool, AT, AT, c_float, AT),
    "abut_obb2_overlap": (c_bool, AT, AT, c_int),
    "abut_frustum_perspective": (c_int, Vec3, Vec3, Vec3, Vec3, c_float, c_float, c_float, c_float, AT),
    "abut_frustum_camera": (c_int, AT, c_float, c_float, c_float, c_float, AT),
    "abut_frustum_orthographic": (c_int, AT, AT),
    "abut_frustum_from_matrix": (c_int, AT, c_int, AT),
    "abut_frustum_test_obb": (c_int, AT, AT),
    "abut_frustum_cull_obbs": (SIZE, AT, AT, SIZE, AT),
}


def files_in(place):
    """The libraries that a folder, a build folder or a file may mean."""
    if place.is_file():
        return [str(place)]
    names = NAMES.get(sys.platform, ("libabut.so.0", "libabut.so"))
    found = [folder / name for folder in (place, place / "src") for name in names]
    return [str(path.resolve()) for path in found if path.is_file()]


def candidates():
    """Files to try, best first: named by the user, in a wheel, beside the package, built in the tree, the system's.
    If the user names one, no other is tried."""
    given = os.environ.get("ABUT_LIBRARY")
    if given:
        return files_in(pathlib.Path(given))
    package = pathlib.Path(__file__).resolve().parent
    in_wheel = sorted(map(str, (package.parent / ".abut.mesonpy.libs").glob("*abut*")))
    places = [package, package.parent]
    tree = package.parent.parent
    if (tree / "include" / "abut" / "abut.h").is_file():
        places += [tree / "build", tree / "build-release"]
    system = ctypes.util.find_library("abut")
    return in_wheel + [path for place in places for path in files_in(place)] + ([system] if system else [])


def declare(library, path):
    for name, (result, *arguments) in SIGNATURES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"abut: {path} has no {name}: it is older than this module. {HELP}") from None
        function.restype, function.argtypes = result, arguments
    version = library.abut_version().decode()
    if not version.startswith(SERIES):
        raise ImportError(f"abut: {path} is version {version}; this module speaks to {SERIES}x. {HELP}")


def load():
    """(the library, where it was found)"""
    complaints = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            complaints.append(str(error))
            continue
        declare(library, path)
        return library, path
    given = os.environ.get("ABUT_LIBRARY")
    where = f" at ABUT_LIBRARY={given}" if given else ""
    raise ImportError("\n".join([f"abut: no shared library{where}.", *complaints, HELP]))


lib, path = load()
