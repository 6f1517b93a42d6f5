# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Questions to a world, each against the functions for single shapes and against numpy."""

import unittest
import weakref

import numpy as np

import abut
from tracks import Field

HERE = abut.poses()


class Field500(unittest.TestCase):
    """500 tumbling boxes, every third with a radius."""

    @classmethod
    def setUpClass(cls):
        field = Field(500)
        cls.world = abut.World()
        cls.ids = cls.world.create(field.half, position=field.poses["position"], rotation=field.poses["rotation"],
                                   radius=np.where(np.arange(500) % 3, 0, 0.2), user=np.arange(500))
        cls.shapes, cls.poses = cls.world.shapes(), cls.world.shape_poses()
        rng = np.random.default_rng(3)
        size = (4 * 500) ** (1 / 3)
        cls.origins = rng.uniform(0, size, (60, 3)).astype(np.float32)
        cls.ways = rng.normal(scale=size / 2, size=(60, 3)).astype(np.float32)
        cls.probes = abut.poses(cls.origins, rng.normal(size=(60, 4)))

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def each(self, call, *arguments):
        """The answers of a function of one shape and one pose for every body."""
        return [call(shape, pose, *arguments) for shape, pose in zip(self.shapes, self.poses)]


class Rays(Field500):
    def test_the_first_hit_is_the_least_of_all_shapes(self):
        hits = self.world.cast_rays(self.origins, self.ways)
        single = [abut.shape_cast_ray(shape, pose, self.origins, self.ways)[1]
                  for shape, pose in zip(self.shapes, self.poses)]
        fractions = np.stack([hit["fraction"] for hit in single])
        first = fractions.argmin(axis=0)
        met = fractions.min(axis=0) < 1
        self.assertTrue(20 < met.sum() < 60 and (hits["fraction"][met] == 0).any())
        np.testing.assert_array_equal(hits["fraction"], fractions.min(axis=0))
        np.testing.assert_array_equal(hits["body"] != 0, met)
        apart = met & (hits["fraction"] > 0)
        np.testing.assert_array_equal(hits["user"][apart], first[apart])
        np.testing.assert_array_equal(hits["body"][apart], self.ids[first[apart]])
        for name in ("position", "normal"):
            expected = np.stack([hit[name] for hit in single])[first, np.arange(60)]
            np.testing.assert_array_equal(hits[name][apart], expected[apart])
        np.testing.assert_array_equal(self.world.test_rays(self.origins, self.ways), met)

    def test_batches_are_the_calls_for_one(self):
        hits, blocked = self.world.cast_rays(self.origins, self.ways), self.world.test_rays(self.origins, self.ways)
        for i, (origin, way) in enumerate(zip(self.origins, self.ways)):
            np.testing.assert_array_equal(self.world.cast_rays(origin, way), hits[i:i + 1])
            self.assertEqual(self.world.test_rays(origin, way).tolist(), [blocked[i]])
        np.testing.assert_array_equal(self.world.cast_rays(self.origins[0], self.ways)[3],
                                      self.world.cast_rays(self.origins[0], self.ways[3])[0])
        self.assertEqual(self.world.cast_rays(np.zeros((0, 3)), (1, 0, 0)).shape, (0,))

    def test_all_hits_are_in_order(self):
        for origin, way in zip(self.origins[:20], self.ways):
            hits = self.world.ray_hits(origin, way)
            met = [abut.shape_cast_ray(*one, origin, way)[0][0] for one in zip(self.shapes, self.poses)]
            self.assertEqual(set(hits["user"]), set(np.flatnonzero(met)))
            self.assertTrue((np.diff(hits["fraction"]) >= 0).all())
            first = self.world.cast_rays(origin, way)[0]
            self.assertEqual(hits[0] if len(hits) else first, first)

    def test_more_hits_than_the_first_guess(self):
        with abut.World() as world:
            ids = world.create((0.25, 1, 1), position=[(x, 0, 0) for x in range(300)])
            hits = world.ray_hits((-1, 0, 0), (400, 0, 0))
            np.testing.assert_array_equal(hits["body"], ids)
            np.testing.assert_array_equal(world.in_bounds((0, 0, 0, 299, 0, 0)), ids)
            np.testing.assert_array_equal(world.overlaps(abut.box((500, 1, 1)), HERE), ids)
            np.testing.assert_array_equal(world.collide(abut.box((500, 1, 1)), HERE)["body"], ids)
            found, ends = world.overlaps_many(abut.box((500, 1, 1)), np.repeat(HERE, 3))
            np.testing.assert_array_equal(found, [*ids] * 3)
            self.assertEqual(ends.tolist(), [300, 600, 900])


class Shapes(Field500):
    ball, capsule = abut.sphere(1.5), abut.capsule(1, 0.5)

    def test_overlaps_and_their_batch(self):
        several = [self.ball, self.capsule] * 30
        found, ends = self.world.overlaps_many(several, self.probes)
        self.assertEqual((len(ends), ends[-1]), (60, len(found)))
        for shape, probe, ids in zip(several, self.probes, np.split(found, ends[:-1])):
            touch = np.concatenate(self.each(lambda s, p: abut.shape_overlap(shape, probe, s, p)))
            np.testing.assert_array_equal(ids, self.ids[touch])
            np.testing.assert_array_equal(self.world.overlaps(shape, probe), ids)
        found, ends = self.world.overlaps_many([self.ball, self.capsule], self.probes[0])
        np.testing.assert_array_equal(found[:ends[0]], self.world.overlaps(self.ball, self.probes[0]))
        self.assertEqual([part.shape for part in self.world.overlaps_many(self.ball, self.probes[:0])], [(0,), (0,)])

    def test_collide(self):
        for probe in self.probes[:10]:
            single = self.each(lambda s, p: abut.shape_collide(s, p, self.capsule, probe, 0.25))
            near = np.array([touch[0] for touch, _ in single])
            found = self.world.collide(self.capsule, probe, 0.25)
            self.assertGreater(len(found), 0)
            np.testing.assert_array_equal(found["body"], self.ids[near])
            np.testing.assert_array_equal(found["user"], np.flatnonzero(near))
            expected = np.concatenate([manifold for _, manifold in single])[near]
            np.testing.assert_array_equal(found["manifold"], expected)

    def test_in_bounds(self):
        bounds = self.world.bounds()
        for low in self.origins[:20]:
            inside = ((bounds["min"] <= low + 2) & (bounds["max"] >= low)).all(axis=1)
            np.testing.assert_array_equal(self.world.in_bounds([*low, *(low + 2)]), self.ids[inside])
        self.assertIn(self.ids[7], self.world.in_bounds(bounds[7]))
        np.testing.assert_array_equal(self.world.in_bounds([-np.inf] * 3 + [np.inf] * 3), self.ids)

    def test_nearest(self):
        for probe in self.probes[:10]:
            distances = np.concatenate(self.each(lambda s, p: abut.shape_distance(s, p, self.capsule, probe)[0]))
            near = self.world.nearest(self.capsule, probe, 12)
            np.testing.assert_array_equal(near["distance"], np.sort(distances)[:12])
            np.testing.assert_array_equal(near["distance"], distances[near["user"].astype(int)])
            limit = near["distance"][7]  # rounded; distances are compared before rounding
            self.assertEqual(len(self.world.nearest(self.capsule, probe, 8, np.nextafter(limit, np.float32(9e9)))), 8)
            self.assertEqual(len(self.world.nearest(self.capsule, probe, 0)), 0)
        self.assertEqual(len(self.world.nearest(self.capsule, self.probes[0], 10**6)), 500)

    def test_nearest_of_many_points(self):
        near, counts = self.world.nearest_many(self.origins, 5, 1.0)
        self.assertTrue((counts > 1).any() and (counts < 5).any())
        for point, row, count in zip(self.origins, near, counts):
            alone = self.world.nearest(abut.Shape(), abut.poses(point), 5, 1.0)
            np.testing.assert_array_equal(row[:count], alone)
            self.assertTrue((row[count:]["body"] == 0).all())
        self.assertEqual([part.shape for part in self.world.nearest_many(np.zeros((0, 3)), 5)], [(0, 5), (0,)])


class Whom(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create((1, 1, 1), position=[(5, 0, 0), (9, 0, 0), (13, 0, 0)], user=[1, 2, 3],
                                     category=[1, 2, 4])
        self.arm = self.world.create((1, 1, 1), position=(0, 0, 0.5), parent=self.ids[0], user=4)

    def first(self, **query):
        return self.world.cast_rays((0, 0, 0), (20, 0, 0), **query)["user"].tolist()

    def test_filters_and_ignore_lists(self):
        self.assertIn(self.first(), ([1], [4]))
        self.assertEqual(self.first(ignore=self.ids[0]), [2])  # and its arm
        self.assertEqual(self.first(ignore=self.ids[:2]), [3])
        self.assertEqual(self.first(mask=4), [3])
        for each in (self.ids[0], self.ids[:1], [[self.ids[0], 0]]):
            self.assertEqual(self.first(ignore_each=each), [2])
        with self.assertRaisesRegex(ValueError, r"ignore_each: shape \(1, 3\), .*\(n, 2\)"):
            self.first(ignore_each=[[1, 2, 3]])
        hits = self.world.cast_rays((0, 0, 0), (20, 0, 0), ignore_each=[[self.ids[0], self.ids[1]], [self.ids[0], 0]])
        self.assertEqual(hits["user"].tolist(), [3, 2])

    def test_every_question_takes_them(self):
        ball, pose, query = abut.sphere(20), HERE, {"mask": 2}
        self.assertEqual(self.world.test_rays((0, 0, 0), (6, 0, 0), **query).tolist(), [False])
        self.assertEqual(self.world.ray_hits((0, 0, 0), (20, 0, 0), **query)["user"].tolist(), [2])
        self.assertEqual(self.world.overlaps(ball, pose, **query).tolist(), [self.ids[1]])
        self.assertEqual(self.world.overlaps_many(ball, pose, **query)[0].tolist(), [self.ids[1]])
        self.assertEqual(self.world.collide(ball, pose, **query)["user"].tolist(), [2])
        self.assertEqual(self.world.in_bounds([-99] * 3 + [99] * 3, **query).tolist(), [self.ids[1]])
        self.assertEqual(self.world.nearest(ball, pose, 9, **query)["user"].tolist(), [2])
        self.assertEqual(self.world.nearest_many((0, 0, 0), 1, **query)[0]["user"].tolist(), [[2]])

    def test_the_origin_within_a_body(self):
        hit = self.world.cast_rays((5, 0, 0.75), (20, 0, 0))[0]
        self.assertEqual((hit["fraction"], hit["normal"].tolist()), (0, [0, 0, 0]))
        hit = self.world.cast_rays((5, 0, 0.75), (20, 0, 0), initial=abut.Initial.SKIP)[0]
        self.assertEqual((hit["user"], hit["position"].round(3).tolist()), (2, [8, 0, 0.75]))

    def test_accept(self):
        asked = []

        def accept(candidate):
            asked.append(candidate)
            return candidate.user in (2, 3) and candidate.element == 1

        hits = self.world.cast_rays((0, 0, 0), [(20, 0, 0), (0, 9, 0), (20, 0, 0)][:2][::-1], accept=accept)
        self.assertEqual(hits["user"].tolist(), [0, 2])
        self.assertIn(abut.Candidate(int(self.ids[1]), 2, 0, 0, 1), asked)
        self.assertTrue({2} <= {candidate.user for candidate in asked} <= {1, 2, 3, 4})
        users = self.world.nearest(abut.Shape(), HERE, 9, accept=lambda candidate: candidate.user % 2)["user"]
        self.assertEqual(users.tolist(), [1, 3])

    def test_shapes_live_while_they_are_asked_about(self):
        for ask in (lambda shapes, **query: self.world.overlaps_many(shapes, np.repeat(HERE, 2), **query),
                    lambda shapes, **query: self.world.cast_shapes(shapes, np.repeat(HERE, 2), (0, 0, 9), **query)):
            shapes, alive = [abut.convex(abut.Hull(np.eye(4, 3) * 99 - 30)) for _ in range(2)], []
            hulls = [weakref.ref(shape.hull) for shape in shapes]

            def forget(candidate):
                shapes.clear()
                alive.append([hull() is not None for hull in hulls])
                return True

            ask(shapes, accept=forget)
            self.assertGreater(len(alive), 0)
            self.assertEqual(alive, [[True, True]] * len(alive))

    def test_accept_may_raise_and_ask_but_not_change(self):
        def fails(candidate):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            self.first(accept=fails)
        self.assertEqual(self.first(accept=lambda candidate: self.first(mask=4) == [3] and candidate.user == 2), [2])
        for change in (lambda: self.world.create((1, 1, 1)), lambda: self.world.destroy(self.ids), self.world.step,
                       lambda: self.world.set_poses(self.ids, position=(0, 0, 0)), self.world.refresh,
                       lambda: self.world.set_users(self.ids, 1), lambda: self.world.set_shapes(self.ids, abut.sphere(1))):
            with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_BUSY"):
                self.first(accept=lambda candidate: change())
        self.world.step()

    def test_poses_count_at_once(self):
        self.assertEqual(self.first(mask=2), [2])
        self.world.set_poses(self.ids[1], position=(9, 5, 0))
        self.assertEqual(self.first(mask=2), [0])
        self.world.refresh()
        self.assertEqual(self.first(mask=2), [0])
        self.assertEqual(self.world.nearest(abut.Shape(), abut.poses((9, 5, 0)))["distance"].tolist(), [0])

    def test_invalid_elements(self):
        nan = float("nan")
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT") as caught:
            self.world.cast_rays((0, 0, 0), [(20, 0, 0), (nan, 0, 0)], mask=2)
        self.assertEqual((caught.exception.index, caught.exception.answers["user"].tolist()), (1, [2, 0]))
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_LIMIT") as caught:
            self.world.test_rays([(2e9, 0, 0), (0, 0, 0)], (20, 0, 0))
        self.assertEqual(caught.exception.answers.tolist(), [False, True])
        with self.assertRaises(abut.Error) as caught:
            self.world.overlaps_many([abut.sphere(-1), abut.sphere(20)], HERE, mask=2)
        ids, ends = caught.exception.answers
        self.assertEqual((ids.tolist(), ends.tolist()), ([self.ids[1]], [0, 1]))
        with self.assertRaises(abut.Error) as caught:
            self.world.nearest_many([(nan, 0, 0), (0, 0, 0)])
        self.assertEqual(caught.exception.answers[1].tolist(), [0, 1])
        for call in (lambda: self.world.ray_hits((nan, 0, 0), (1, 0, 0)),
                     lambda: self.world.overlaps(abut.sphere(-1), HERE),
                     lambda: self.world.in_bounds((1, 1, 1, 0, 0, 0))):
            with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT"):
                call()

    def test_wrong_types(self):
        ball = abut.sphere(1)
        for kind, text, call in (
                (ValueError, "origin: shape", lambda: self.world.cast_rays((0, 0), (1, 0, 0))),
                (ValueError, "translation: 3 elements, where origin has 2",
                 lambda: self.world.cast_rays(np.zeros((2, 3)), np.ones((3, 3)))),
                (ValueError, "origin: shape", lambda: self.world.ray_hits(np.zeros((2, 3)), (1, 0, 0))),
                (TypeError, "accept: a function", lambda: self.first(accept=5)),
                (TypeError, "unexpected keyword", lambda: self.first(allowance=5)),
                (ValueError, "Initial", lambda: self.first(initial=7)),
                (TypeError, "shape: an abut.Shape", lambda: self.world.overlaps((1, 1, 1), HERE)),
                (TypeError, "shapes: an abut.Shape", lambda: self.world.overlaps_many([None], HERE)),
                (ValueError, "pose: 2 elements", lambda: self.world.nearest(ball, np.repeat(HERE, 2))),
                (ValueError, "shapes: 2 elements, where poses has 3",
                 lambda: self.world.overlaps_many([ball] * 2, np.repeat(HERE, 3))),
                (ValueError, "k: numbers from 0", lambda: self.world.nearest(ball, HERE, -1)),
                (ValueError, "box: ", lambda: self.world.in_bounds((0, 0, 0)))):
            with self.assertRaisesRegex(kind, text):
                call()


if __name__ == "__main__":
    unittest.main()
