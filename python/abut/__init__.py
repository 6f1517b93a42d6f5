# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""abut for Python: a collision world whose bodies are numpy arrays. README.md beside this package is the guide."""

from .boxes import collide_many, obb_bounds, obb_corners, obb_fit, obb_from_matrix, obbs, overlap_many, poses
from .clash import clash
from .contacts import contact_points, depths, part_contacts
from .enums import Clip, Detail, Initial, Isa, Motion, Phase, Side, Touch
from .errors import Error
from .footprints import obb2_overlap, obb2s
from .frustum import Frustum
from .hull import Hull
from .isa import isa_active, isa_name, isa_select
from .layout import (AABB, CONTACT, CONTACT_PART, CONTACT_POINT, FILTER, HIT, MANIFOLD, NEAR, OBB, OBB2, PAIR, PLACEMENT,
                     POSE, TOUCHING, VISIBLE)
from .library import lib as _lib, path as library_path
from .mesh import Mesh
from .questions import Candidate
from .shapes import (Shape, box, capsule, convex, pose_between, shape_bounds, shape_cast_ray, shape_collide,
                     shape_distance, shape_overlap, shape_sweep, sphere)
from .world import Memory, Report, World

MASK_NONE = 1 << 63  # as the only mask: nothing
MAX_COORDINATE = 1e9
HULL_MAX_VERTICES = 4096
MESH_MAX_TRIANGLES = 1 << 27

__version__ = _lib.abut_version().decode()

__all__ = ["AABB", "box", "Candidate", "capsule", "clash", "Clip", "collide_many", "CONTACT", "CONTACT_PART",
           "CONTACT_POINT", "contact_points", "convex", "depths", "Detail", "Error", "FILTER", "Frustum", "HIT",
           "Hull", "HULL_MAX_VERTICES", "Initial", "Isa", "isa_active", "isa_name", "isa_select", "library_path",
           "MANIFOLD", "MASK_NONE", "MAX_COORDINATE", "Memory", "Mesh", "MESH_MAX_TRIANGLES", "Motion", "NEAR",
           "OBB", "OBB2", "obb2_overlap", "obb2s", "obb_bounds", "obb_corners", "obb_fit", "obb_from_matrix",
           "obbs", "overlap_many", "PAIR", "part_contacts", "Phase", "PLACEMENT", "POSE", "pose_between",
           "poses", "Report", "Shape", "shape_bounds", "shape_cast_ray", "shape_collide", "shape_distance",
           "shape_overlap", "shape_sweep", "Side", "sphere", "Touch", "TOUCHING", "__version__", "VISIBLE",
           "World"]
