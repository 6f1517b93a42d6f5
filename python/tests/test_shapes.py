# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Boxes, rectangles and hulls without a world; instruction sets."""

import copy
import pickle
import unittest

import numpy as np

import abut
from tracks import run_python

CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def random_boxes(n, seed):
    rng = np.random.default_rng(seed)
    return abut.obbs(rng.normal(size=(n, 3)) * 2, rng.uniform(0.1, 1, (n, 3)), rng.normal(size=(n, 4)))


def rotated(quaternion, points):
    """By numpy, in double."""
    x, y, z, w = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    return points @ np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                              [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                              [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]).T


class Boxes(unittest.TestCase):
    def test_builders_broadcast(self):
        boxes = abut.obbs(center=[(0, 0, 0), (1, 2, 3)], half=(4, 5, 6))
        self.assertEqual((boxes.dtype, boxes["half"].tolist()), (abut.OBB, [[4, 5, 6]] * 2))
        self.assertEqual(boxes["rotation"].tolist(), [[0, 0, 0, 1]] * 2)
        self.assertEqual(abut.poses()[0].tolist()[1].tolist(), [0, 0, 0, 1])
        self.assertEqual(abut.obb2s((1, 2), (3, 4)).view(np.float32).tolist(), [1, 2, 1, 0, 3, 4])
        self.assertRaises(ValueError, abut.obbs, np.zeros((2, 3)), np.zeros((3, 3)))

    def test_corners_and_bounds_are_where_numpy_sees_them(self):
        boxes = random_boxes(40, 1)
        corners, bounds = abut.obb_corners(boxes), abut.obb_bounds(boxes)
        self.assertEqual((corners.shape, bounds.dtype), ((40, 8, 3), abut.AABB))
        signs = np.array([[1 if i >> k & 1 else -1 for k in range(3)] for i in range(8)])
        for box, eight, bound in zip(boxes, corners, bounds):
            wanted = rotated(box["rotation"], signs * box["half"].astype(float)) + box["center"]
            np.testing.assert_allclose(eight, wanted, atol=1e-5)
            np.testing.assert_allclose(bound["min"], wanted.min(0), atol=1e-5)
            np.testing.assert_allclose(bound["max"], wanted.max(0), atol=1e-5)
        np.testing.assert_array_equal(abut.obb_corners(boxes[::-3]), corners[::-3])
        np.testing.assert_array_equal(abut.obb_bounds(boxes[::2]), bounds[::2])

    def test_one_against_many_and_rows_of_any_kind(self):
        boxes = random_boxes(64, 2)
        one = abut.overlap_many(boxes[0], boxes)
        self.assertTrue(one[0] and 1 < one.sum() < 64)
        self.assertEqual(one.dtype, bool)
        np.testing.assert_array_equal(one, abut.overlap_many(np.repeat(boxes[:1], 64), boxes))
        np.testing.assert_array_equal(one[::-3], abut.overlap_many(boxes[::-3], boxes[0]))
        np.testing.assert_array_equal(one, abut.overlap_many(boxes.view(np.float32).reshape(64, 10), boxes[0]))
        np.testing.assert_array_equal(one, abut.collide_many(boxes[0], boxes)[0])
        self.assertEqual(abut.overlap_many(boxes[:0], boxes[:0]).shape, (0,))
        self.assertEqual(abut.overlap_many(boxes[:0], boxes[0]).shape, (0,))
        self.assertEqual([part.shape for part in abut.collide_many(boxes[:0], boxes[:0])], [(0,), (0,)])
        self.assertEqual((abut.obb_bounds(boxes[:0]).shape, abut.obb_corners(boxes[:0]).shape), ((0,), (0, 8, 3)))
        with self.assertRaisesRegex(ValueError, "b: 3 elements, where a has 2"):
            abut.overlap_many(boxes[:2], boxes[:3])
        self.assertRaises(TypeError, abut.overlap_many, boxes, abut.poses())

    def test_arrays_of_one_element_and_stride_zero(self):
        box = random_boxes(1, 3)
        for same in (box, box[0], np.broadcast_to(box[0], (1,)), box[::-1], box[:1:1]):
            self.assertTrue(abut.overlap_many(same, box)[0])
            self.assertTrue(abut.collide_many(same, np.broadcast_to(box, (1,)))[0][0])
            self.assertEqual(abut.obb_corners(same).shape, (1, 8, 3))

    def test_what_is_no_box_overlaps_nothing(self):
        bad = abut.obbs(half=[(1, 1, 1), (-1, 1, 1), (np.nan, 1, 1)])
        self.assertEqual(abut.overlap_many(bad, abut.obbs(half=(1, 1, 1))).tolist(), [True, False, False])
        self.assertTrue(np.isnan(abut.obb_bounds(bad)["min"][1]).all())

    def test_margins(self):
        a, b = abut.obbs((0, 0, 0), (1, 1, 1)), abut.obbs((2.5, 0, 0), (1, 1, 1))
        self.assertEqual([abut.collide_many(a, b, margin)[0][0] for margin in (0, 0.25, 0.5, 1)],
                         [False, False, True, True])
        touch, manifolds = abut.collide_many(a, b, 1)
        self.assertEqual((manifolds["normal"][0].tolist(), manifolds["count"][0]), ([1, 0, 0], 4))
        self.assertRaises(TypeError, abut.collide_many, a, b, "far")

    def test_fit(self):
        turned = rotated((1, 2, 3, 4), CUBE * (1, 2, 3)) + (5, 6, 7)
        box = abut.obb_fit(turned)
        self.assertEqual(box.dtype, abut.OBB)
        np.testing.assert_allclose(sorted(box["half"]), [1, 2, 3], rtol=1e-5)
        np.testing.assert_allclose(box["center"], [5, 6, 7], rtol=1e-5)
        for points, kind in ((np.empty((0, 3)), abut.Error), ([(0, 0, np.nan)], abut.Error), ((0, 0), ValueError)):
            self.assertRaises(kind, abut.obb_fit, points)

    def test_boxes_of_matrices(self):
        model = np.eye(4)
        model[:3, :3] = rotated((0, 0, 1, 1), np.eye(3)).T @ np.diag((2, 3, 4))
        model[:3, 3] = 10, 20, 30
        local = (-1, -1, -1), (1, 1, 3)
        corners = (np.c_[CUBE + (0, 0, 1) * np.array(CUBE > 0) * 2, np.ones(8)] @ model.T)[:, :3]
        one = abut.obb_from_matrix(model, *local)
        np.testing.assert_allclose(abut.obb_bounds(one)["min"][0], corners.min(0), atol=1e-4)
        np.testing.assert_allclose(abut.obb_bounds(one)["max"][0], corners.max(0), atol=1e-4)
        many = abut.obb_from_matrix(np.stack([model, np.eye(4)]), *local)
        self.assertEqual((many[0], many.shape), (one, (2,)))
        self.assertEqual(abut.obb_from_matrix(model.T.ravel(), *local), one)  # as OpenGL lays it out
        self.assertEqual(abut.obb_from_matrix(np.empty((0, 4, 4)), *local).shape, (0,))
        with self.assertRaises(abut.Error) as caught:
            abut.obb_from_matrix(np.stack([np.eye(4), np.ones((4, 4))]), *local)
        self.assertEqual(caught.exception.index, 1)
        self.assertRaises(ValueError, abut.obb_from_matrix, np.eye(3), *local)

    def test_rectangles(self):
        a, b = abut.obb2s((0, 0), (1, 1)), abut.obb2s([(2, 0), (1.5, 0), (3, 0), (2.25, 0)], (1, 1), (1, 1))
        self.assertEqual(abut.obb2_overlap(a, b).tolist(), [True, True, False, True])
        square = abut.obb2s((2, 0), (1, 1))
        self.assertEqual([abut.obb2_overlap(a, square, touch).tolist() for touch in abut.Touch], [[True], [False]])
        self.assertRaises(ValueError, abut.obb2_overlap, a, b, 7)


class Hulls(unittest.TestCase):
    def setUp(self):
        self.cube = abut.Hull(np.concatenate([CUBE, CUBE / 2, [(0, 0, 0)]]))

    def test_cylinders_cones_and_wedges(self):
        cylinder = abut.Hull.cylinder(2, 0.5, 8)
        self.assertEqual(cylinder.vertices.shape, (16, 3))
        np.testing.assert_allclose(np.hypot(cylinder.vertices[:, 0], cylinder.vertices[:, 2]), 0.5, rtol=1e-6)
        self.assertEqual(set(cylinder.vertices[:, 1]), {-2, 2})
        self.assertEqual(abut.Hull.cone(1, 1, 12).vertices.shape, (13, 3))
        self.assertEqual(abut.Hull.wedge((1, 2, 3)).vertices.shape, (6, 3))
        self.assertRaises(abut.Error, abut.Hull.cylinder, 1, 1, 2)
        self.assertRaises(abut.Error, abut.Hull.cone, -1, 1, 8)
        self.assertRaises(abut.Error, abut.Hull.wedge, (1, 0, 1))

    def test_what_a_cube_is(self):
        cube = self.cube
        self.assertEqual((len(cube.vertices), len(cube.faces), cube.edge_count, cube.volume), (8, 6, 12, 8.0))
        np.testing.assert_array_equal(cube.vertices, sorted(map(tuple, CUBE)))
        np.testing.assert_allclose(cube.centroid, 0, atol=1e-6)
        np.testing.assert_allclose(sorted(cube.obb["half"]), 1, rtol=1e-5)
        self.assertIn("8 vertices", repr(cube))

    def test_faces_run_round_their_planes(self):
        hull = abut.Hull(np.random.default_rng(5).normal(size=(60, 3)))
        for shape in (self.cube, hull):
            vertices, planes = shape.vertices.astype(float), shape.planes.astype(float)
            self.assertEqual(planes.shape, (len(shape.faces), 4))
            self.assertEqual(sum(map(len, shape.faces)), 2 * shape.edge_count)
            self.assertTrue((vertices @ planes[:, :3].T <= planes[:, 3] + 1e-5).all())
            for face, plane in zip(shape.faces, planes):
                corners = vertices[face]
                np.testing.assert_allclose(corners @ plane[:3], plane[3], atol=1e-5)
                turn = np.cross(corners[1] - corners[0], corners[2] - corners[1])
                self.assertGreater(turn @ plane[:3], 0)

    def test_bytes(self):
        again = abut.Hull.from_bytes(self.cube.to_bytes())
        self.assertEqual(again.to_bytes(), self.cube.to_bytes())
        self.assertEqual(pickle.loads(pickle.dumps(self.cube)).to_bytes(), self.cube.to_bytes())
        rng = np.random.default_rng(0)
        for data in (b"", b"abut", self.cube.to_bytes()[:-1], rng.bytes(5000)):
            with self.assertRaisesRegex(abut.Error, "FORMAT|ARGUMENT"):
                abut.Hull.from_bytes(data)

    def test_fewer_vertices_contain_all_points(self):
        points = np.random.default_rng(3).normal(size=(500, 3)).astype(np.float32)
        hull = abut.Hull(points, max_vertices=12, coplanar_tolerance=0.01)
        self.assertLessEqual(len(hull.vertices), 12)
        planes = hull.planes.astype(float)
        self.assertTrue((points @ planes[:, :3].T <= planes[:, 3] + 0.02).all())

    def test_no_hull(self):
        for points, what in ((CUBE * (1, 1, 0), "DEGENERATE"), (CUBE * np.nan, "ARGUMENT"), (CUBE * 1e10, "LIMIT"),
                             (np.empty((0, 3)), "DEGENERATE|ARGUMENT")):
            with self.assertRaisesRegex(abut.Error, what):
                abut.Hull(points)
        self.assertRaises(ValueError, abut.Hull, CUBE[:, :2])
        self.assertRaises(TypeError, abut.Hull, "cube")
        self.assertRaises(TypeError, abut.Hull, CUBE, coplanar_tolerance="thick")


class Isa(unittest.TestCase):
    def test_every_set_gives_the_same_bits(self):
        script = """
import abut, numpy as np, sys
sys.path.insert(0, %r)
from test_shapes import random_boxes
boxes, best, seen = random_boxes(500, 9), abut.isa_active(), set()
for isa in abut.Isa:
    try:
        abut.isa_select(isa)
    except abut.Error as error:
        assert error.code == "ABUT_ERROR_ARGUMENT"
        continue
    assert abut.isa_active() == isa and abut.isa_name(isa) == isa.name.lower()
    with abut.World() as world:
        world.create(boxes["half"], position=boxes["center"], rotation=boxes["rotation"])
        assert world.step().contacts > 500
        seen.add(world.contacts().tobytes())
assert len(seen) == 1
print(best.name)
""" % __file__.rpartition("/")[0]
        status, said, complaints = run_python("-c", script)
        self.assertEqual((status, said.strip()), (0, abut.isa_active().name), complaints)
        self.assertRaises(ValueError, abut.isa_select, 99)


class Rock(abut.Hull):
    pass


class Floor(abut.Mesh):
    pass


class Copies(unittest.TestCase):
    def test_a_subclass_stays_one(self):
        stone, floor = Rock.wedge((1, 1, 1)), Floor([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 2)])
        for shape in (stone, floor):
            shape.name = "mine"
            for made in (copy.copy(shape), copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
                self.assertIs(type(made), type(shape))
                self.assertEqual((made.name, made.to_bytes()), ("mine", shape.to_bytes()))
                self.assertNotEqual(made._pointer.value, shape._pointer.value)

    def test_a_world_is_true(self):
        with abut.World() as world:
            self.assertTrue(world)
        self.assertTrue(world)


if __name__ == "__main__":
    unittest.main()
