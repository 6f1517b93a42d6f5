# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Casts, and sweeps of two shapes, against the functions for single shapes at many places on the way."""

import unittest

import numpy as np

import abut

SAMPLES = np.linspace(0, 1, 33)
NEAR = 1e-4  # distances at the hit, in a world of 15 units


class Grid(unittest.TestCase):
    """125 boxes that do not touch, every third with a radius."""

    @classmethod
    def setUpClass(cls):
        rng = np.random.default_rng(5)
        centres = np.stack(np.meshgrid(*[np.arange(5) * 3.0] * 3), axis=-1).reshape(-1, 3)
        cls.world = abut.World()
        cls.ids = cls.world.create(rng.uniform(0.2, 0.7, (125, 3)), position=centres, rotation=rng.normal(size=(125, 4)),
                                   radius=np.where(np.arange(125) % 3, 0, 0.1), user=np.arange(125))
        cls.shapes, cls.poses, cls.start = cls.world.shapes(), cls.world.shape_poses(), cls.world.poses(cls.ids)
        cls.casts = abut.poses(rng.integers(0, 4, (40, 3)) * 3 + 1.5, rng.normal(size=(40, 4)))
        cls.ways = rng.normal(scale=5, size=(40, 3)).astype(np.float32)
        cls.targets = abut.poses(rng.uniform(0, 12, (30, 3)), rng.normal(size=(30, 4)))

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def along(self, pose, way, fractions):
        """A pose, moved by fractions of a translation."""
        made = np.repeat(np.atleast_1d(pose), len(fractions))
        made["position"] += np.multiply.outer(fractions, way)
        return made


class CastShapes(Grid):
    several = [abut.sphere(0.2), abut.box((0.3, 0.1, 0.2)), abut.capsule(0.2, 0.1), abut.box((0.2, 0.1, 0), 0.05)] * 10

    def distances(self, shape, places):
        """Of the nearest body at each place."""
        return np.min([abut.shape_distance(shape, places, *one)[0] for one in zip(self.shapes, self.poses)], axis=0)

    def test_the_first_that_a_shape_meets(self):
        hits = self.world.cast_shapes(self.several, self.casts, self.ways)
        met = hits["body"] != 0
        self.assertTrue(10 < met.sum() < 40)
        np.testing.assert_array_equal(hits["fraction"][~met], 1)
        for shape, pose, way, hit in zip(self.several, self.casts, self.ways, hits):
            before = self.along(pose, way, 0.99 * hit["fraction"] * SAMPLES)
            self.assertGreater(self.distances(shape, before).min(), 0)
            if hit["body"]:
                there, body = self.along(pose, way, hit["fraction"][None]), int(hit["user"])
                self.assertLess(abut.shape_distance(shape, there, self.shapes[body], self.poses[body])[0][0], NEAR)
                for one, place in ((shape, there), (self.shapes[body], self.poses[body])):
                    point = abut.poses(hit["position"])
                    self.assertLess(abut.shape_distance(one, place, abut.Shape(), point)[0][0], NEAR)
                self.assertAlmostEqual(float(np.linalg.norm(hit["normal"])), 1, places=5)
                self.assertLess(float(hit["normal"] @ way), 1e-4)
                self.assertEqual(hit["body"], self.ids[body])

    def test_batches_are_the_calls_for_one_and_the_first_of_all_hits(self):
        hits = self.world.cast_shapes(self.several, self.casts, self.ways)
        more = 0
        for shape, pose, way, hit in zip(self.several, self.casts, self.ways, hits):
            self.assertEqual(self.world.cast_shapes(shape, pose, way)[0], hit)
            whole = self.world.shape_hits(shape, pose, way)
            self.assertTrue((np.diff(whole["fraction"]) >= 0).all())
            self.assertEqual(whole[0] if len(whole) else hit, hit)
            more += len(whole) > 1
        self.assertGreater(more, 0)
        same = self.world.cast_shapes(self.several[:4], self.casts[0], self.ways[0])
        np.testing.assert_array_equal(same[2], self.world.cast_shapes(self.several[2], self.casts[0], self.ways[0])[0])
        self.assertEqual(self.world.cast_shapes(self.several[0], self.casts[:0], (1, 0, 0)).shape, (0,))

    def test_whom_a_cast_is_put_to(self):
        ball, here, way = abut.sphere(0.1), abut.poses((-3, 0, 0)), (30, 0, 0)
        first = self.world.shape_hits(ball, here, way)["user"]
        self.assertEqual(len(first), 5)
        for query in ({"ignore": self.ids[first[0]]}, {"ignore_each": self.ids[first[0]]},
                      {"accept": lambda candidate: candidate.user != first[0]}):
            self.assertEqual(self.world.cast_shapes(ball, here, way, **query)["user"].tolist(), [first[1]])
        self.assertEqual(self.world.cast_shapes(ball, here, way, mask=abut.MASK_NONE)["body"].tolist(), [0])

    def test_what_is_touched_at_the_start(self):
        with abut.World() as world:
            world.create((5, 1, 5), user=1)
            rests, ball = abut.poses((0, 1.5, 0)), abut.sphere(0.5)
            for way, hit in (((3, 0, 0), 0), ((0, 3, 0), 0), ((0, -3, 0), 1)):
                self.assertEqual(world.cast_shapes(ball, rests, way)["user"].tolist(), [hit])
            for initial, hit in ((abut.Initial.HIT, 1), (abut.Initial.SKIP, 0)):
                self.assertEqual(world.cast_shapes(ball, rests, (0, -3, 0), initial=initial)["user"].tolist(), [hit])
            self.assertEqual(world.cast_shapes(ball, rests, (0, -3, 0))["normal"].tolist(), [[0, 1, 0]])

    def test_invalid_casts(self):
        ball, nan = abut.sphere(0.1), float("nan")
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT") as caught:
            self.world.cast_shapes(ball, abut.poses((-3, 0, 0)), [(30, 0, 0), (nan, 0, 0)])
        self.assertEqual(caught.exception.index, 1)
        self.assertEqual((caught.exception.answers["body"] != 0).tolist(), [True, False])
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_LIMIT"):
            self.world.cast_shapes(ball, abut.poses((2e9, 0, 0)), (30, 0, 0))
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT"):
            self.world.shape_hits(ball, abut.poses((nan, 0, 0)), (1, 0, 0))
        for kind, text, call in (
                (TypeError, "shapes: an abut.Shape", lambda: self.world.cast_shapes(1, self.casts, self.ways)),
                (TypeError, "shape: an abut.Shape", lambda: self.world.shape_hits([ball], self.casts[0], self.ways[0])),
                (ValueError, "shapes: 2 elements", lambda: self.world.cast_shapes([ball] * 2, self.casts, self.ways)),
                (ValueError, "translation: 40 elements", lambda: self.world.cast_shapes(ball, self.casts[:3], self.ways)),
                (ValueError, "pose: 2 elements", lambda: self.world.shape_hits(ball, self.casts[:2], (1, 0, 0))),
                (ValueError, "translation: shape", lambda: self.world.shape_hits(ball, self.casts[0], self.ways)),
                (TypeError, "unexpected keyword", lambda: self.world.cast_shapes(ball, self.casts, (1, 0, 0), allowance=1))):
            with self.assertRaisesRegex(kind, text):
                call()


class ShapeSweep(Grid):
    def test_two_shapes(self):
        n, way = 30, abut.poses()
        a, b = abut.box((2, 0.5, 1)), abut.capsule(2, 0.5)
        met, hits = abut.shape_sweep(a, self.casts[:n], self.targets, b, self.casts[1], self.targets[::-1])
        self.assertTrue(met.any() and not met.all())
        np.testing.assert_array_equal(hits["fraction"][~met], 1)
        apart = 0
        for k in range(n):
            def gap(fractions):
                return abut.shape_distance(a, abut.pose_between(self.casts[k], self.targets[k], fractions), b,
                                           abut.pose_between(self.casts[1], self.targets[n - 1 - k], fractions))[0]
            if gap(np.zeros(1, np.float32))[0] > NEAR:  # what touches at the start is another question
                apart += 1
                self.assertGreater(gap(0.99 * hits["fraction"][k] * SAMPLES).min(), 0)
                self.assertTrue(not met[k] or gap(hits["fraction"][k:k + 1])[0] < 50 * NEAR)
        self.assertGreater(apart, 15)
        met, hits = abut.shape_sweep(a, way, abut.poses((18, 0, 0)), b, abut.poses((9, 0, 0)), abut.poses((9, 0, 0)))
        self.assertTrue(met[0])
        self.assertAlmostEqual(float(hits["fraction"][0]), (9 - 0.5 - 2) / 18, places=4)
        np.testing.assert_allclose(hits["normal"], [[-1, 0, 0]], atol=1e-5)

    def test_the_start(self):
        ball, here, there = abut.sphere(1), abut.poses(), abut.poses((1, 0, 0))
        for initial, met in ((abut.Initial.HIT, True), (abut.Initial.SKIP, False), (abut.Initial.CLOSING, False)):
            away = abut.shape_sweep(ball, here, abut.poses((-9, 0, 0)), ball, there, there, initial)
            self.assertEqual(away[0].tolist(), [met])
        self.assertEqual(abut.shape_sweep(ball, here, there, ball, there, there)[0].tolist(), [True])

    def test_wrong_input(self):
        ball, here = abut.sphere(1), abut.poses()
        self.assertEqual(abut.shape_sweep(abut.sphere(-1), here, here, ball, here, here)[0].tolist(), [False])
        self.assertEqual(abut.shape_sweep(ball, here[:0], here, ball, here, here)[0].shape, (0,))
        with self.assertRaisesRegex(TypeError, "b: an abut.Shape"):
            abut.shape_sweep(ball, here, here, None, here, here)
        with self.assertRaisesRegex(ValueError, "to_b: 3 elements, where from_a has 2"):
            abut.shape_sweep(ball, np.repeat(here, 2), here, ball, here, np.repeat(here, 3))
        with self.assertRaisesRegex(ValueError, "Initial"):
            abut.shape_sweep(ball, here, here, ball, here, here, 5)


if __name__ == "__main__":
    unittest.main()
