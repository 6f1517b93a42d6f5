# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The plant: only what is planted clashes, and it is the same in any size."""

import pathlib
import tempfile
import unittest
from unittest import mock

import numpy as np

import abut
import sys
from abut.clash.plant import main, plant

module = sys.modules["abut.clash.plant"]


class APlant(unittest.TestCase):
    def test_all_that_clashes_is_planted(self):
        for count, seed, planted in ((39, 1, 1.0), (5000, 2, 0.25), (200_000, 3, 0.25), (3000, 4, 0.0)):
            with self.subTest(count=count, seed=seed):
                made = plant(count, seed, planted)
                pairs = abut.clash(made.rows, hulls=made.hulls, depth=True)
                np.testing.assert_array_equal(pairs[["i", "j"]], made.planted)
                self.assertEqual(len(pairs) > 0, planted > 0)
                self.assertTrue(((pairs["depth"] > 0.005) & (pairs["depth"] < 0.061)).all())
                if planted:
                    round_ones = (made.rows["hull"][pairs["i"]] >= 0).sum()
                    self.assertTrue(count == 39 or len(pairs) / 5 < round_ones < len(pairs) / 2)

    def test_nearer_than_planned(self):
        made = plant(20_000, 5)
        near = abut.clash(made.rows, hulls=made.hulls, clearance=0.01)
        np.testing.assert_array_equal(near, made.planted)
        self.assertGreater(len(abut.clash(made.rows, hulls=made.hulls, clearance=0.03)), len(made.planted) + 1000)

    def test_hulls_and_boxes_and_groups(self):
        made = plant(39 * 100)
        self.assertTrue(set(made.rows["hull"]) == set(range(-1, len(made.hulls))))
        self.assertGreater(len(np.unique(made.rows["group"])), 100)
        without = made.rows.copy()
        without["group"] = -1
        self.assertGreater(len(abut.clash(without, hulls=made.hulls)), 10 * len(made.planted))

    def test_the_beginning_of_a_larger_one(self):
        small, large = plant(1000, 6), plant(module.AT_ONCE * module.PARTS + 5000, 6)
        np.testing.assert_array_equal(small.rows, large.rows[:1000])
        np.testing.assert_array_equal(small.planted, large.planted[large.planted["j"] < 1000])
        self.assertFalse(np.array_equal(plant(1000, 7).rows, small.rows))
        self.assertEqual(len(plant(0).rows), 0)

    def test_jitter(self):
        still, moved = plant(20_000), plant(20_000, jitter=0.3)
        self.assertGreater(len(abut.clash(moved.rows, hulls=moved.hulls)), 10 * len(still.planted))

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plant.npy"
            with mock.patch("sys.argv", ["plant", "1e4", str(path), "--seed", "8"]):
                main()
            made = plant(10_000, 8)
            self.assertEqual(np.load(path).tobytes(), made.rows.tobytes())
            self.assertEqual(np.load(path.with_suffix(".planted.npy")).tobytes(), made.planted.tobytes())
            with np.load(path.with_suffix(".hulls.npz")) as clouds:
                self.assertEqual(len(clouds.files), len(made.hulls))


if __name__ == "__main__":
    unittest.main()
