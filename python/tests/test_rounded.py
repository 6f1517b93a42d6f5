# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Shapes with a radius: as bodies, and as pairs without a world; poses between poses."""

import copy
import gc
import pickle
import unittest

import numpy as np

import abut

CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
QUARTER = (0, 0, 0.5**0.5, 0.5**0.5)


class Shapes(unittest.TestCase):
    def test_spheres_are_as_far_apart_as_numpy_says(self):
        rng = np.random.default_rng(1)
        there = rng.normal(size=(200, 3)).astype(np.float32) * 2
        gaps = np.linalg.norm(there.astype(float), axis=1) - 1.5
        distances, on_a, on_b = abut.shape_distance(abut.sphere(1), abut.poses(), abut.sphere(0.5), abut.poses(there))
        np.testing.assert_allclose(distances, np.maximum(gaps, 0), rtol=1e-6, atol=1e-7)
        apart = gaps > 0
        self.assertTrue(5 < (~apart).sum() < 100)
        np.testing.assert_allclose(np.linalg.norm(on_a[apart], axis=1), 1, rtol=1e-6)
        np.testing.assert_allclose(np.linalg.norm((on_b - there)[apart], axis=1), 0.5, rtol=1e-5)
        np.testing.assert_array_equal(on_a[~apart], on_b[~apart])
        touch = abut.shape_overlap(abut.sphere(1), abut.poses(), abut.sphere(0.5), abut.poses(there))
        np.testing.assert_array_equal(touch, distances == 0)
        near, manifolds = abut.shape_collide(abut.sphere(1), abut.poses(), abut.sphere(0.5), abut.poses(there), 0.25)
        np.testing.assert_array_equal(near, gaps <= 0.25)
        self.assertEqual(set(manifolds["count"][near]), {1})
        np.testing.assert_allclose(manifolds["points"]["separation"][near, 0], gaps[near], atol=1e-6)

    def test_cores_of_every_kind(self):
        cube = abut.Hull(CUBE)
        wall, poses = abut.box((1, 1, 1)), abut.poses([(3, 0, 0), (0, 3, 0)])
        for shape, expected in ((abut.capsule(1, 0.5), (1.5, 0.5)), (abut.box((0.5, 0.5, 0.5), radius=0.25), (1.25, 1.25)),
                                (abut.convex(cube, 0.5), (0.5, 0.5)), (abut.convex(cube), (1, 1)),
                                (abut.Shape(), (2, 2))):
            distances, _, _ = abut.shape_distance(wall, abut.poses(), shape, poses)
            np.testing.assert_allclose(distances, expected, rtol=1e-6)
            bounds = abut.shape_bounds(shape, poses)
            np.testing.assert_allclose([3 - bounds["min"][0, 0], 3 - bounds["min"][1, 1]], 2 - np.array(expected),
                                       rtol=1e-6, atol=1e-6)
        _, manifolds = abut.shape_collide(wall, abut.poses(), abut.capsule(1, 0.5), abut.poses((0, 1.25, 0), QUARTER))
        self.assertEqual((manifolds["count"][0], manifolds["normal"][0].tolist()), (2, [0, 1, 0]))

    def test_rows_of_none_and_what_is_invalid(self):
        ball, none = abut.sphere(1), abut.poses()[:0]
        self.assertEqual(abut.shape_overlap(ball, none, ball, none).shape, (0,))
        self.assertEqual([part.shape for part in abut.shape_distance(ball, none, ball, none)], [(0,), (0, 3), (0, 3)])
        self.assertEqual((abut.shape_bounds(ball, none).shape, abut.pose_between(none, none, 0.5).shape), ((0,), (0,)))
        bad = abut.sphere(-1)
        self.assertTrue(np.isnan(abut.shape_distance(bad, abut.poses(), ball, abut.poses())[0][0]))
        self.assertTrue(np.isnan(abut.shape_bounds(bad, abut.poses())["min"]).all())
        self.assertFalse(abut.shape_overlap(bad, abut.poses(), ball, abut.poses())[0])
        for call in (lambda: abut.shape_overlap(1, none, ball, none), lambda: abut.shape_bounds(None, none),
                     lambda: abut.sphere("wide"), lambda: abut.convex(None), lambda: abut.Shape(hull="rock")):
            self.assertRaises(TypeError, call)
        self.assertRaises(ValueError, abut.box, (1, 1))
        self.assertRaisesRegex(ValueError, "poses_b: 3 elements, where poses_a has 2", abut.shape_overlap, ball,
                               abut.poses(np.zeros((2, 3))), ball, abut.poses(np.zeros((3, 3))))

    def test_a_shape_is_a_value(self):
        shape = abut.convex(abut.Hull(CUBE), 0.25)
        for again in (copy.copy(shape), pickle.loads(pickle.dumps(abut.capsule(1, 0.5)))):
            self.assertEqual(again.radius, shape.radius if again.hull else 0.5)
        self.assertEqual(abut.capsule(1, 0.5), abut.Shape((0, 1, 0), radius=0.5))
        self.assertEqual(len({abut.sphere(1), abut.sphere(1), abut.sphere(2)}), 2)
        self.assertNotEqual(abut.sphere(1), 1)
        self.assertIn("radius=0.5", repr(abut.capsule(1, 0.5)))
        self.assertIn("Hull of 8", repr(shape))
        with self.assertRaises(AttributeError):
            shape.radius = 3
        with self.assertRaises(AttributeError):
            shape.hull = None

    def test_poses_between_poses(self):
        start, end = abut.poses((0, 0, 0)), abut.poses((2, 4, 6), QUARTER)
        made = abut.pose_between(start, end, [-1, 0, 0.5, 1, 2])
        np.testing.assert_array_equal(made["position"], [(0, 0, 0), (0, 0, 0), (1, 2, 3), (2, 4, 6), (2, 4, 6)])
        np.testing.assert_allclose(made["rotation"][2], (0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)), rtol=1e-6)
        np.testing.assert_array_equal(made["rotation"][3], end["rotation"][0])
        self.assertTrue(np.isnan(abut.pose_between(start, end, np.nan)["position"]).all())
        self.assertRaises(ValueError, abut.pose_between, start, end, np.zeros((2, 2)))


class Bodies(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)

    def test_a_radius_per_body(self):
        ids = self.world.create(radius=[1, 2, 3], position=[(0, 0, 0), (10, 0, 0), (20, 0, 0)])
        np.testing.assert_allclose(self.world.bounds(ids)["max"][:, 0], [1, 12, 23], rtol=1e-6)
        capsule = self.world.create((0, 1, 0), radius=0.5, position=(40, 0, 0))
        np.testing.assert_allclose(self.world.bounds(capsule)["max"], [(40.5, 1.5, 0.5)], rtol=1e-6)
        self.assertEqual(self.world.shapes(ids), [abut.sphere(r) for r in (1, 2, 3)])
        self.assertEqual(self.world.shapes(capsule), [abut.capsule(1, 0.5)])
        self.assertEqual(len(self.world.shapes()), 4)
        for radius in (-1, np.nan, np.inf):
            self.assertRaisesRegex(abut.Error, "ARGUMENT", self.world.create, radius=radius)
        self.assertRaisesRegex(ValueError, "radius: shape", self.world.create, radius=[[1]])

    def test_spheres_resting_on_a_floor_have_one_point(self):
        self.world.create((50, 1, 50), motion=abut.Motion.STATIC)
        balls = self.world.create(radius=0.5, position=np.c_[np.arange(20.0) * 2, np.full(20, 1.4), np.zeros(20)])
        self.assertEqual(self.world.step().contacts, 20)
        contacts = self.world.contacts()
        np.testing.assert_array_equal(contacts["b"], balls)
        np.testing.assert_array_equal(contacts["manifold"]["count"], 1)
        np.testing.assert_allclose(abut.depths(contacts), 0.1, rtol=1e-5)

    def test_shapes_change_and_contacts_go_on(self):
        self.world.create((50, 1, 50), motion=abut.Motion.STATIC)
        man = self.world.create((0, 1, 0), radius=0.5, position=(0, 2.4, 0))
        self.world.step()
        self.world.set_shapes(man, abut.capsule(0.5, 0.5), box_position=(0, -0.5, 0))
        self.world.step()
        contacts = self.world.contacts()
        self.assertEqual((len(contacts), contacts["phase"][0]), (1, abut.Phase.PERSIST))
        self.assertEqual(self.world.shapes(man), [abut.capsule(0.5, 0.5)])
        np.testing.assert_allclose(self.world.shape_poses(man)["position"], [(0, 1.9, 0)], rtol=1e-6)
        np.testing.assert_allclose(self.world.world_poses(man)["position"], [(0, 2.4, 0)], rtol=1e-6)
        with self.assertRaises(abut.Error) as caught:
            self.world.set_shapes(np.repeat(man, 2), [abut.sphere(1), abut.Shape()])
        self.assertEqual((caught.exception.code, caught.exception.index), ("ABUT_ERROR_ARGUMENT", 1))
        self.assertEqual(self.world.shapes(man), [abut.sphere(1)])
        self.assertRaises(ValueError, self.world.set_shapes, man, [abut.sphere(1)] * 2)
        self.assertRaises(TypeError, self.world.set_shapes, man, 1)
        self.assertRaisesRegex(abut.Error, "HANDLE", self.world.shapes, [77])

    def test_bodies_keep_the_hulls_they_are_given(self):
        ids = self.world.create(radius=1, position=[(0, 0, 0), (9, 0, 0)])
        for _ in range(3):
            self.world.set_shapes(ids, abut.convex(abut.Hull(CUBE), 0.5))
            self.world.set_shapes(ids, abut.convex(self.world.shapes(ids)[1].hull, 0.25))
        gc.collect()
        np.testing.assert_allclose(self.world.bounds(ids)["max"], [(1.25,) * 3, (10.25, 1.25, 1.25)], rtol=1e-6)
        self.assertEqual(len(self.world.shapes(ids)[0].hull.vertices), 8)
        self.world.destroy(ids)
        self.assertEqual(self.world._handle.kept.shapes, {})

    def test_parents_and_roots(self):
        car = self.world.create((2, 1, 1))
        wheel = self.world.create(radius=0.5, position=(1, -1, 0), parent=car)
        cap = self.world.create(radius=0.1, parent=wheel)
        self.assertEqual(self.world.parents([car[0], wheel[0], cap[0]]).tolist(), [0, car[0], wheel[0]])
        self.assertEqual(self.world.roots().tolist(), [car[0]] * 3)
        self.assertRaisesRegex(abut.Error, "HANDLE", self.world.roots, [77])
        self.assertRaisesRegex(abut.Error, "HANDLE", self.world.parents, [77])


if __name__ == "__main__":
    unittest.main()
