# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The module's picture of include/abut against the headers themselves, as a C compiler and a reader see them."""

import ctypes
import enum
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy as np

import abut
from abut import arrays, enums, layout, library
from abut.bodies import row
from abut.boxes import pairs, side_by_side
from abut.mesh import corners_of
from abut.questions import one_of

TREE = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = TREE / "include"
PREFIXES = {"Motion": "ABUT_", "Detail": "ABUT_DETAIL_", "Phase": "ABUT_", "Touch": "ABUT_TOUCH_", "Clip": "ABUT_CLIP_",
            "Side": "ABUT_", "Initial": "ABUT_INITIAL_", "Isa": "ABUT_ISA_"}
CONSTANTS = {"ABUT_MASK_NONE": abut.MASK_NONE, "ABUT_MAX_COORDINATE": int(abut.MAX_COORDINATE),
             "ABUT_HULL_MAX_VERTICES": abut.HULL_MAX_VERTICES,
             "ABUT_MESH_MAX_TRIANGLES": abut.MESH_MAX_TRIANGLES}
LEFT_OUT = {  # calls for many at once exist, or numpy is shorter
    "abut_body_create", "abut_body_destroy", "abut_body_set_pose", "abut_body_get_pose", "abut_body_get_world_pose",
    "abut_body_get_bounds", "abut_bodies_set_poses", "abut_obb_overlap",
    # pairs of hulls without a world, and drawing by callbacks, are not offered
    "abut_hull_bounds_fast", "abut_hull_bounds_tight", "abut_hull_overlap", "abut_hull_collide",
    "abut_obb_hull_overlap", "abut_obb_hull_collide", "abut_world_draw",
    # numpy and scipy have them
    "abut_quat_from_axis_angle", "abut_quat_from_matrix", "abut_pose_to_matrix",
    # Python has no use for an allocator
    "abut_obb_fit_with"}


def structs():
    """(name in C, ctypes struct)"""
    for name, kind in vars(layout).items():
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
            yield "abut_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(), kind


def python_facts():
    facts = {}
    for name, kind in structs():
        facts[name] = ctypes.sizeof(kind)
        for field, *_ in kind._fields_:
            descriptor = getattr(kind, field)
            facts[f"{name}.{field}"] = descriptor.offset * 10000 + descriptor.size
    for name, kind in vars(enums).items():
        if isinstance(kind, type) and issubclass(kind, enum.IntEnum) and kind is not enum.IntEnum:
            facts.update({PREFIXES[name] + member.name: member.value for member in kind})
    return facts | CONSTANTS


def c_program(facts):
    lines = []
    for name in facts:
        struct, _, field = name.partition(".")
        if field:
            value = f"offsetof({struct}, {field}) * 10000 + sizeof((({struct} *)0)->{field})"
        elif name.startswith("abut_"):
            value = f"sizeof({struct})"
        else:
            value = name
        lines.append(f'    printf("{name} %llu\\n", (unsigned long long)({value}));')
    return "#include <abut/abut.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"


def c_facts(facts):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "facts.c"), pathlib.Path(folder, "facts")
        source.write_text(c_program(facts))
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-std=c17", "-I", str(INCLUDE), "-o", str(program), str(source)], check=True)
        said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return {name: int(value) for name, value in (line.split() for line in said.splitlines())}


def header_text():
    for header in sorted((INCLUDE / "abut").glob("*.h")):
        yield re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(), flags=re.S)


def declared():
    """name: (result, arguments) of every public function, as text."""
    found = {}
    for text in header_text():
        for result, name, arguments in re.findall(r"^ABUT_API\b([^;(]*?)(\w+)\s*\(([^;]*)\);", text, flags=re.M | re.S):
            arguments = [] if arguments.strip() == "void" else arguments.split(",")
            found[name] = result.strip(), [re.sub(r"\w+(\[\d*\])?$", r"\1", a.strip()).strip() for a in arguments]
    return found


def kind_of(text):
    """The ctypes type, or kind of it, of a C type."""
    if text.endswith(("*", "]")):
        return "pointer"
    plain = {"void": None, "size_t": ctypes.c_size_t, "float": ctypes.c_float, "bool": ctypes.c_bool,
             "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64, "abut_body_id": layout.BodyId, "abut_vec3": layout.Vec3,
             "abut_obb": layout.Obb, "abut_aabb": layout.Aabb, "abut_pose": layout.Pose,
             "abut_parallel": layout.Parallel}
    return plain[text] if text in plain else ctypes.c_int  # an enum


def kind_bound(kind):
    pointer = kind in (ctypes.c_void_p, ctypes.c_char_p) or isinstance(kind, type) and issubclass(kind, ctypes._Pointer)
    return "pointer" if pointer else kind


class Layout(unittest.TestCase):
    def test_a_c_compiler_sees_the_same_structs_enums_and_constants(self):
        facts = python_facts()
        self.assertGreater(len(facts), 120)
        self.assertEqual(facts, c_facts(facts))

    def test_every_public_struct_is_here(self):
        # opaque types, types that only C calls use, and those of drawing are not
        names = {name for text in header_text() for name in re.findall(r"^typedef struct (\w+) \{", text, flags=re.M)}
        self.assertEqual(names - {name for name, _ in structs()}, {"abut_listener", "abut_draw", "abut_draw_item"})

    def test_dtypes_have_the_bytes_of_the_structs(self):
        for name, kind in structs():
            if name in ("abut_world_def", "abut_query", "abut_shape_finder"):  # have a function pointer; never in an array
                continue
            dtype = layout.dtype_of(kind)
            self.assertEqual(dtype.itemsize, ctypes.sizeof(kind), name)
            for field in dtype.names or ():
                self.assertEqual(dtype.fields[field][1], getattr(kind, field).offset, f"{name}.{field}")
                self.assertEqual(dtype.fields[field][0].itemsize, getattr(kind, field).size, f"{name}.{field}")
        self.assertEqual(abut.CONTACT["manifold"]["points"].shape, (4,))
        self.assertEqual(abut.CONTACT["a"], np.uint64)

    def test_every_public_function_is_bound_with_its_types_or_left_out_on_purpose(self):
        functions = declared()
        self.assertGreater(len(functions), 60)
        self.assertEqual(set(functions) - set(library.SIGNATURES), LEFT_OUT)
        self.assertEqual(set(library.SIGNATURES) - set(functions), set())
        for name, (result, *arguments) in library.SIGNATURES.items():
            wanted = [kind_of(text.replace("const ", "")) for text in (functions[name][0], *functions[name][1])]
            self.assertEqual([kind_bound(kind) for kind in (result, *arguments)], wanted, name)

    def test_what_the_library_reads_is_aligned(self):
        """As C demands: a view into a packet may begin anywhere. (set_poses takes such poses as they are.)"""
        def shifted(array):
            view = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
            view[...] = array
            return view

        boxes, poses, ids = shifted(abut.obbs([(0, 0, 0)] * 3)), shifted(abut.poses([(0, 0, 0)] * 3)), np.arange(3, dtype="u8")
        vectors = shifted(np.zeros((3, 3), np.float32))
        for read in (arrays.vectors("v", vectors, 3), arrays.to_floats("v", vectors), arrays.scalars("s", vectors[0]),
                     arrays.broadcast(poses, 3), side_by_side("b", boxes, abut.OBB), *pairs(boxes, boxes, abut.OBB),
                     row(shifted(ids)), one_of("p", poses[1:2], abut.POSE), corners_of(shifted(np.eye(3, dtype="u4"))),
                     arrays.records("p", shifted(np.zeros((3, 7), np.float32)), abut.POSE)):
            self.assertEqual(arrays.address(read) % 4, 0)
            self.assertTrue(read.flags.c_contiguous)

    def test_an_id_is_the_packed_id(self):
        with abut.World() as world:
            ids = world.create((1, 1, 1), position=[(0, 0, 0), (9, 0, 0)])
            world.destroy(ids[0])
            again = world.create((1, 1, 1))
        self.assertEqual([int(i) & 0xFFFFFFFF for i in (*ids, *again)], [1, 2, 1])
        self.assertNotEqual(int(again[0]) >> 32, int(ids[0]) >> 32)


if __name__ == "__main__":
    unittest.main()
