# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Sweeps of bodies, against the functions for single shapes at many places on the way."""

import unittest

import numpy as np

import abut
from test_casts import NEAR, SAMPLES, Grid


class Sweep(Grid):
    def ways_of(self, k, fractions):
        """The poses of body k on the sweep of the first 30 bodies."""
        target = self.targets[k:k + 1] if k < 30 else self.start[k:k + 1]
        return abut.pose_between(self.start[k:k + 1], target, fractions)

    def gaps(self, k, fractions):
        """The distance of body k to the nearest other on the way."""
        mine = self.ways_of(k, fractions)
        return np.min([abut.shape_distance(self.shapes[k], mine, self.shapes[other], self.ways_of(other, fractions))[0]
                       for other in range(125) if other != k], axis=0)

    def test_the_first_that_bodies_meet_which_all_move(self):
        hits = self.world.sweep(self.ids[:30], self.targets)
        met = hits["body"] != 0
        self.assertTrue(20 < met.sum() and (hits["user"][met] < 30).any() and (hits["user"][met] >= 30).any())
        for k, hit in enumerate(hits):
            self.assertGreater(self.gaps(k, 0.99 * hit["fraction"] * SAMPLES).min(), 0)
            if met[k]:
                self.assertLess(self.gaps(k, hit["fraction"][None])[0], 50 * NEAR)
                self.assertEqual((hit["mover"], hit["body"]), (self.ids[k], self.ids[hit["user"]]))
                self.assertAlmostEqual(float(np.linalg.norm(hit["normal"])), 1, places=5)
        np.testing.assert_array_equal(self.world.poses(self.ids), self.start)

    def test_positions_rotations_and_one_body(self):
        moved = self.start[:30].copy()
        moved["position"] = self.targets["position"]
        np.testing.assert_array_equal(self.world.sweep(self.ids[:30], position=self.targets["position"]),
                                      self.world.sweep(self.ids[:30], moved))
        np.testing.assert_array_equal(
            self.world.sweep(self.ids[:30], position=self.targets["position"], rotation=self.targets["rotation"]),
            self.world.sweep(self.ids[:30], self.targets))
        self.assertEqual(self.world.sweep(self.ids[3], position=(90, 0, 0)).shape, (1,))
        self.assertEqual(self.world.sweep([], position=(90, 0, 0)).shape, (0,))

    def test_a_bullet_and_whom_it_is_put_to(self):
        with abut.World() as world:
            walls = world.create((0.01, 5, 5), position=[(x, 0, 0) for x in (5, 10, 15)], user=[5, 10, 15])
            bullet = world.create((0.05, 0.05, 0.05))
            sight = world.create((0.01, 0.01, 0.01), position=(0.2, 0, 0), parent=bullet, user=9)
            hit = world.sweep(bullet, position=(20, 0, 0))[0]
            self.assertEqual((hit["user"], hit["mover"]), (5, sight[0]))
            self.assertAlmostEqual(float(hit["fraction"]), (5 - 0.01 - 0.21) / 20, places=4)
            self.assertEqual(hit["normal"].tolist(), [-1, 0, 0])
            self.assertEqual(world.sweep(bullet, position=(20, 0, 0), ignore=walls[:2])["user"].tolist(), [15])
            accepted = world.sweep(bullet, position=(20, 0, 0), accept=lambda c: (c.user, c.mover) == (10, int(sight[0])))
            self.assertEqual(accepted["user"].tolist(), [10])
            self.assertEqual(world.sweep(bullet, position=(4, 0, 0))["fraction"].tolist(), [1])

    def test_the_allowance(self):
        with abut.World() as world:
            world.create((5, 1, 5), user=1)
            crate = world.create((1, 1, 1), position=(0, 1.99, 0))
            for depth, hit in ((0.005, 1), (0.02, 0)):
                found = world.sweep(crate, position=(2, 1.98, 0), allowance=depth)
                self.assertEqual((found["body"] != 0).tolist(), [hit])
            self.assertEqual(world.sweep(crate, position=(2, 3, 0))["body"].tolist(), [0])
            self.assertEqual(world.sweep(crate, position=(2, 3, 0), initial=abut.Initial.HIT)["fraction"].tolist(), [0])

    def test_refusals(self):
        nan = float("nan")
        with self.assertRaisesRegex(abut.Error, r"ABUT_ERROR_ARGUMENT \(sweep, element 1: position is \(nan, 0.0, 0.0\)\)") as caught:
            self.world.sweep(self.ids[:3], position=[(90, 0, 0), (nan, 0, 0), (0, 90, 0)])
        self.assertEqual(np.isnan(caught.exception.answers["fraction"]).tolist(), [False, True, False])
        for code, ids in (("ARGUMENT", self.ids[[0, 0]]), ("HANDLE", [self.ids[0], 1 << 40])):
            with self.assertRaisesRegex(abut.Error, f"ABUT_ERROR_{code}") as caught:
                self.world.sweep(ids, position=(9, 9, 9), rotation=(0, 0, 0, 1))
            self.assertIsNone(caught.exception.answers)
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_BUSY"):
            self.world.cast_rays((-9, 0, 0), (90, 0, 0), accept=lambda _: self.world.sweep(self.ids[0], self.targets[0]))
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT"):
            self.world.sweep(self.ids[0], self.targets[0], allowance=-1)
        with self.assertRaisesRegex(TypeError, "sweep: poses, position or rotation is wanted"):
            self.world.sweep(self.ids[0])
        with self.assertRaisesRegex(TypeError, "sweep: either poses"):
            self.world.sweep(self.ids[0], self.targets[0], position=(0, 0, 0))
        with self.assertRaisesRegex(ValueError, "poses: 30 elements, where ids has 2"):
            self.world.sweep(self.ids[:2], self.targets)


if __name__ == "__main__":
    unittest.main()
