# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""abut.clash in one process: beside every pair asked for, beside one world, and beside itself with other partitions."""

import io
import sys
import unittest
import warnings
from unittest import mock

import numpy as np

import abut
from clash.oracle import as_columns, every_pair, one_world, random_boxes, with_groups

run = sys.modules["abut.clash.run"]


class AgainstOracles(unittest.TestCase):
    def same(self, pairs, wanted):
        np.testing.assert_array_equal(as_columns(pairs), wanted)

    def test_boxes(self):
        for count, seed in ((2, 1), (3, 2), (50, 3), (700, 4)):
            boxes = random_boxes(count, seed)
            for partitions in (None, 1, 2, 7, 64):
                with self.subTest(count=count, partitions=partitions):
                    self.same(abut.clash(boxes, partitions=partitions), every_pair(boxes))

    def test_two_models(self):
        a, b = random_boxes(300, 5), random_boxes(200, 6)
        wanted = every_pair(a, b)
        self.assertGreater(len(wanted), 50)
        for partitions in (1, 2, 9, 40):
            self.same(abut.clash(a, b, partitions=partitions), wanted)
        swapped = abut.clash(b, a, partitions=5)
        self.assertEqual({(i, j) for i, j in wanted}, {(j, i) for i, j in as_columns(swapped)})

    def test_clearance(self):
        boxes = random_boxes(400, 7, density=0.3)
        touching, counts = every_pair(boxes), []
        for clearance in (0.05, 0.4):
            wanted = every_pair(boxes, clearance=clearance)
            counts.append(len(wanted))
            for partitions in (1, 3, 32):
                self.same(abut.clash(boxes, clearance=clearance, partitions=partitions), wanted)
        self.assertTrue(len(touching) < counts[0] < counts[1])

    def test_exactly_the_clearance(self):
        for gap in (0.25, 2.0 ** -20):
            boxes = abut.obbs(center=[(0, 0, 0), (1 + gap, 0, 0), (0, 1 + 2 * gap, 0)], half=(0.5, 0.5, 0.5))
            self.same(abut.clash(boxes, clearance=gap), [(0, 1)])
            self.same(abut.clash(boxes, clearance=gap, partitions=2), [(0, 1)])
        boxes = abut.obbs(center=[(0, 0, 0), (1, 0, 0), (2.001, 0, 0)], half=(0.5, 0.5, 0.5))
        self.same(abut.clash(boxes), [(0, 1)])

    def test_depth(self):
        boxes = random_boxes(500, 8)
        for clearance in (0.0, 0.1):
            wanted, depths = one_world(boxes, clearance)
            for partitions in (1, 6, 64):
                pairs = abut.clash(boxes, clearance=clearance, depth=True, partitions=partitions)
                self.same(pairs, wanted)
                np.testing.assert_array_equal(pairs["depth"].view(np.uint32), depths.view(np.uint32))
        self.assertTrue((pairs["depth"] < 0).any() and (pairs["depth"] > 0).any())

    def test_groups(self):
        for groups in (1, 3, 200):
            rows = with_groups(random_boxes(400, 9, density=2), groups)
            boxes = abut.obbs(rows["center"], rows["half"], rows["rotation"])
            wanted = every_pair(boxes, group=rows["group"])
            self.assertLess(len(wanted), len(every_pair(boxes)))
            for scale in (1, 2 ** 40):  # of the groups' numbers: also such as no filter has
                rows["group"] = np.where(rows["group"] < 0, rows["group"], rows["group"] * scale)
                for partitions in (1, 8):
                    self.same(abut.clash(rows, partitions=partitions), wanted)

    def test_groups_of_two_models(self):
        a, b = with_groups(random_boxes(200, 10, 2), 3, 1), with_groups(random_boxes(200, 11, 2), 3, 2)
        plain = [abut.obbs(rows["center"], rows["half"], rows["rotation"]) for rows in (a, b)]
        wanted = every_pair(*plain, group=a["group"], other_group=b["group"])
        self.same(abut.clash(a, b, partitions=4), wanted)
        none = np.full(200, -1)
        self.same(abut.clash(a, plain[1]), every_pair(*plain, group=a["group"], other_group=none))

    def test_hulls(self):
        chance = np.random.default_rng(12)
        hulls = [abut.Hull(chance.normal(0.3, 0.3, (20, 3))), abut.Hull.cylinder(0.8, 0.2, 8)]
        boxes = random_boxes(150, 13)
        which = chance.integers(-1, 2, len(boxes)).astype(np.int8)
        shapes = [abut.box(box["half"]) if k < 0 else abut.convex(hulls[k]) for box, k in zip(boxes, which)]
        i, j = np.triu_indices(len(boxes), 1)
        poses = abut.poses(boxes["center"], boxes["rotation"])
        touch = np.array([abut.shape_overlap(shapes[a], poses[a], shapes[b], poses[b])[0] for a, b in zip(i, j)])
        wanted = np.stack([i[touch], j[touch]], axis=1)
        model = {"center": boxes["center"], "rotation": boxes["rotation"], "half": boxes["half"], "hull": which}
        for partitions in (1, 5, 64):
            self.same(abut.clash(model, hulls=hulls, partitions=partitions), wanted)

    def test_boxes_of_hulls_contain_them(self):
        """And are no larger than boxes round them must be, so that hulls do not go to partitions far away."""
        model = sys.modules["abut.clash.model"]
        chance = np.random.default_rng(24)
        clouds = [chance.normal(chance.normal(0, 20, 3), chance.uniform(0.01, 3, 3), (20, 3)) for _ in range(30)]
        hulls = [abut.Hull(cloud) for cloud in clouds]
        boxes = random_boxes(30, 25)
        boxes["rotation"][7:9] = (0, 0, 0, 0), (0, 0, 0, -3)
        block = model.Block(np.arange(30), boxes, np.arange(30, dtype=np.int32))
        low, high = model.bounds("boxes", block, model.Hulls(hulls), 0)
        round_them = model.Hulls(hulls).boxes(block)
        for k, hull in enumerate(hulls):
            true = abut.shape_bounds(abut.convex(hull), abut.poses(boxes["center"][k], boxes["rotation"][k]))
            self.assertTrue((low[:, k] <= true["min"]).all() and (high[:, k] >= true["max"]).all())
            np.testing.assert_allclose(round_them["half"][k], np.ptp(hull.vertices, axis=0) / 2, atol=1e-3)

    def test_a_hull_far_from_its_pose(self):
        away = abut.Hull(np.random.default_rng(1).normal(0, 0.2, (30, 3)) + (40, 5, -9))
        turn = np.array([0.1, 0.7, -0.3, 0.5])
        poses = abut.poses(rotation=[turn, -3 * turn])
        center = abut.shape_bounds(abut.convex(away), poses)[0]["min"]
        model = {"center": np.float32([(0, 0, 0), center]), "rotation": np.float32([turn, (0, 0, 0, 1)]),
                 "half": np.full((2, 3), 0.5, "f4"), "hull": np.array([0, -1])}
        self.same(abut.clash(model, hulls=[away], partitions=2), [(0, 1)])


class Partitions(unittest.TestCase):
    def test_any_number_gives_the_same_array(self):
        for flat, numbers in ((False, range(2, 65)), (True, (2, 5, 33, 64))):
            boxes = random_boxes(3000, 14, flat=flat)
            wanted = abut.clash(boxes, depth=True, clearance=0.02, partitions=1)
            self.assertGreater(len(wanted), 2000)
            for partitions in numbers:
                with self.subTest(flat=flat, partitions=partitions):
                    pairs, told = run.run(boxes, depth=True, clearance=0.02, partitions=partitions)
                    self.assertEqual(pairs.tobytes(), wanted.tobytes())
                    self.assertTrue(partitions * 0.7 <= told.partitions <= partitions)

    def test_boxes_whose_edges_are_the_cuts(self):
        """Cells of a grid: bounds begin and end exactly where space is cut, and all neighbours touch."""
        grid = np.stack(np.meshgrid(*[np.arange(6)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
        boxes = abut.obbs(grid, (0.5, 0.5, 0.5))
        wanted = every_pair(boxes)
        for partitions in (1, 2, 3, 8, 27, 64):
            np.testing.assert_array_equal(as_columns(abut.clash(boxes, partitions=partitions)), wanted)

    def at_the_cut(self, middle, gap, deep):
        """Two unit boxes with a gap, a thin plate at `middle` between them, and so many others on both sides that the plate's
        middle is where two partitions meet. deep: where two of four meet, on their second level."""
        before, after = 10 + deep, 10 - deep
        x = np.r_[-60 + np.arange(before) * 3.0, 0, middle, 1 + gap, 40 + np.arange(after + 23 * deep) * 3.0]
        half = np.full((len(x), 3), 0.5)
        half[before + 1] = 2.0 ** -6, 0.5, 0.5
        boxes = abut.obbs(np.stack([x, 0 * x, 0 * x], axis=1), half)
        for turn in range(3):  # along each axis
            for mirror in (1, -1):
                turned = boxes.copy()
                turned["center"], turned["half"] = np.roll(mirror * boxes["center"], turn, axis=1), np.roll(boxes["half"], turn, axis=1)
                yield turned

    def test_pairs_across_a_cut(self):
        for middle, gap in ((0.5, 0.0), (0.5 - 2.0 ** -6, 0.0), (0.5 + 2.0 ** -6, 0.0), (0.625, 0.25), (0.5 + 2.0 ** -6, 0.25), (1.0, 1.0)):
            for deep in (0, 1):
                for boxes in self.at_the_cut(middle, gap, deep):
                    pairs, told = run.run(boxes, clearance=gap, partitions=2 + 2 * deep)
                    self.assertEqual(told.partitions, 2 + 2 * deep)
                    np.testing.assert_array_equal(as_columns(pairs), every_pair(boxes, clearance=gap))
                    self.assertIn((10 + deep, 12 + deep), {(i, j) for i, j in as_columns(pairs)})

    def test_everything_in_one_place(self):
        boxes = random_boxes(300, 15)
        boxes["center"] = (3, 4, 5)
        boxes["half"] = 1
        for partitions in (None, 1, 2, 3, 64):
            pairs, told = run.run(boxes, partitions=partitions)
            self.assertEqual(told.partitions, 1)
            np.testing.assert_array_equal(as_columns(pairs), np.stack(np.triu_indices(300, 1), axis=1))

    def test_plates_in_one_place(self):
        plates = abut.obbs(np.full((40, 3), 2.0), (0, 1, 1))
        for partitions in (2, 3, 5):
            self.assertEqual(run.run(plates, partitions=partitions)[1].partitions, 1)

    def test_many_in_one_place_and_some_elsewhere(self):
        boxes = random_boxes(600, 16)
        boxes["center"][::3] = boxes["center"][0]
        for partitions in (2, 16):
            np.testing.assert_array_equal(as_columns(abut.clash(boxes, partitions=partitions)), every_pair(boxes))

    def test_one_box_among_all(self):
        boxes = random_boxes(500, 17)
        boxes["half"][250] = 100
        for partitions in (2, 16):
            np.testing.assert_array_equal(as_columns(abut.clash(boxes, partitions=partitions)), every_pair(boxes))

    def test_none_and_one(self):
        for count in (0, 1):
            boxes = random_boxes(count, 18)
            for partitions in (None, 3):
                pairs = abut.clash(boxes, depth=True, partitions=partitions)
                self.assertEqual((len(pairs), pairs.dtype.names), (0, ("i", "j", "depth")))
            self.assertEqual(len(abut.clash(boxes, random_boxes(9))), len(every_pair(boxes, random_boxes(9))))
            self.assertEqual(len(abut.clash(random_boxes(9), boxes[:0])), 0)

    def test_little_memory_takes_several_passes(self):
        boxes = random_boxes(30000, 19)
        wanted = abut.clash(boxes)
        pairs, told = run.run(boxes, memory="3 MB")
        self.assertGreater(told.passes, 1)
        self.assertGreater(told.partitions, 8)
        self.assertEqual(pairs.tobytes(), wanted.tobytes())

    def test_blocks_are_no_matter(self):
        boxes = random_boxes(3000, 20)
        wanted, rows = abut.clash(boxes), run.BLOCK_ROWS
        try:
            for run.BLOCK_ROWS in (1, 100, 1499, 2999):
                pairs, told = run.run(boxes, partitions=6)
                self.assertEqual(pairs.tobytes(), wanted.tobytes())
                self.assertTrue(rows == run.BLOCK_ROWS or told.blocks > 1)
        finally:
            run.BLOCK_ROWS = rows

    def test_many_pairs_are_sorted_in_ranges(self):
        answer = sys.modules["abut.clash.answer"]
        boxes, usual = random_boxes(4000, 21), answer.AT_ONCE
        wanted = abut.clash(boxes, depth=True)
        try:
            for answer.AT_ONCE in (1, 7, 1000):
                self.assertEqual(abut.clash(boxes, depth=True, partitions=9).tobytes(), wanted.tobytes())
        finally:
            answer.AT_ONCE = usual


class Progress(unittest.TestCase):
    def test_a_bar(self):
        boxes = random_boxes(200, 26)
        with mock.patch("sys.stderr", io.StringIO()) as said:
            pairs = abut.clash(boxes, progress=True)
            self.assertIn("100% Completed", said.getvalue())
        with mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(abut.clash(boxes).tobytes(), pairs.tobytes())
            self.assertEqual(said.getvalue(), "")


class Refused(unittest.TestCase):
    def setUp(self):
        self.boxes = random_boxes(40, 22)

    def refused(self, kind, words, *arguments, **named):
        with self.assertRaises(kind) as caught:
            abut.clash(*arguments, **named)
        self.assertIn(words, str(caught.exception))

    def test_bad_rows_are_named(self):
        usual = run.BLOCK_ROWS
        try:
            run.BLOCK_ROWS = 10
            for key, value, shown in (("center", (0, np.nan, 0), "center is (0.0, nan, 0.0)"), ("half", (1, -1, 1), "half is (1.0, -1.0, 1.0)"),
                                      ("half", (0, 0, 0), "half is (0.0, 0.0, 0.0)"), ("rotation", (0, 0, 0, np.inf), "rotation is (0.0, 0.0, 0.0, inf)"),
                                      ("center", (2e9, 0, 0), "center is (2000000000.0, 0.0, 0.0)")):
                boxes = self.boxes.copy()
                boxes[key][33] = value
                with self.subTest(shown):
                    self.refused(abut.Error, f"ABUT_ERROR_ARGUMENT (boxes, element 33: {shown})", boxes)
                    self.refused(abut.Error, "(other, element 33:", self.boxes, boxes)
        finally:
            run.BLOCK_ROWS = usual

    def test_bounds_beyond_the_limit(self):
        boxes = self.boxes.copy()
        boxes["center"][7], boxes["half"][7], boxes["rotation"][7] = 0.9e9, 0.9e9, (0, 0, 0, 2e9)
        self.refused(abut.Error, "ABUT_ERROR_LIMIT (boxes, element 7)", boxes)

    def test_hulls(self):
        model = {key: self.boxes[key] for key in ("center", "rotation", "half")}
        for number in (2, -2):
            model["hull"] = np.full(40, -1)
            model["hull"][17] = number
            self.refused(ValueError, f"boxes, element 17: hull {number}, where there are 1", model, hulls=[abut.Hull.wedge((1, 1, 1))])
        self.refused(TypeError, "hulls: element 0 is a str", self.boxes, hulls=["hull"])

    def test_models(self):
        center, rotation, half = (self.boxes[key] for key in ("center", "rotation", "half"))
        self.refused(TypeError, "boxes: a row of structs", np.zeros((4, 10)))
        self.refused(TypeError, "boxes: rotation of 4 numbers", self.boxes[["center", "half"]])
        self.refused(ValueError, "boxes: there is no rotation and no half", {"center": center})
        self.refused(ValueError, "boxes: half has the shape (39, 3), but (40, 3)", (center, rotation, half[1:]))
        self.refused(TypeError, "boxes: group has float32", {"center": center, "rotation": rotation, "half": half, "group": half[:, 0]})
        self.refused(TypeError, "other", self.boxes, "file.npy")
        self.refused(TypeError, "numbers are wanted", (np.array([["a"] * 3] * 40), rotation, half))

    def test_arguments(self):
        self.refused(ValueError, "clearance", self.boxes, clearance=-1)
        self.refused(ValueError, "clearance", self.boxes, clearance=float("nan"))
        self.refused(TypeError, "clearance", self.boxes, clearance="wide")
        self.refused(ValueError, "memory", self.boxes, memory="much")
        self.refused(ValueError, "memory", self.boxes, memory=0)
        self.refused(ValueError, "memory: too little for 3,000 rows", random_boxes(3000), memory=1000)
        self.refused(ValueError, "partitions", self.boxes, partitions=0)
        self.refused(TypeError, "client", self.boxes, client=1.5)
        self.refused(TypeError, "client", self.boxes, client=True)
        self.refused(ValueError, "origin", self.boxes, origin=(1, 2))
        self.refused(ValueError, "output", self.boxes, output="pairs.txt")


class FarAway(unittest.TestCase):
    def test_centers_that_floats_cannot_tell_apart(self):
        far = np.array([4.5e6, 5.3e5, 120.0])
        boxes = random_boxes(300, 23)
        model = (boxes["center"].astype(float) + far, boxes["rotation"], boxes["half"])
        with self.assertWarnsRegex(RuntimeWarning, "boxes: as floats, centers lose up to 0.[0-9]*.* origin="):
            abut.clash(model)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pairs = abut.clash(model, origin=far, partitions=3)
        moved = boxes.copy()
        moved["center"] = (boxes["center"].astype(float) + far) - far
        np.testing.assert_array_equal(as_columns(pairs), every_pair(moved))

    def test_floats_are_not_warned_of(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            abut.clash((np.full((3, 3), 4.5e6, "f4"), np.tile((0, 0, 0, 1), (3, 1)), np.ones((3, 3))))


if __name__ == "__main__":
    unittest.main()
