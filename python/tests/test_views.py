# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Cameras and buildings: what is seen, and what may stand where."""

import copy
import pickle
import unittest
import weakref
from unittest import mock

import numpy as np

import abut
from abut.boxes import side_by_side
from tracks import Field


def projection(half_width, half_height, near, far):
    """OpenGL's glFrustum."""
    return np.array([[near / half_width, 0, 0, 0], [0, near / half_height, 0, 0],
                     [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)], [0, 0, -1, 0]])


class Frusta(unittest.TestCase):
    def setUp(self):
        field = Field(2000)
        self.boxes = abut.obbs(field.poses["position"] - 8, field.half, field.poses["rotation"])
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create(self.boxes["half"], position=self.boxes["center"],
                                     rotation=self.boxes["rotation"], user=np.arange(2000))
        self.views = [abut.Frustum.camera(abut.poses((1, 2, 3), (0, 1, 0, 3)), 0.1, 0.1, 0.1, 9),
                      abut.Frustum.perspective((0, 0, 0), (0, 0, 1), (0, 1, 0), (-1, 0, 0), 0.1, 0.2, 0.1),
                      abut.Frustum.orthographic(abut.obbs((4, 4, 4), (3, 3, 3), (1, 0, 0, 2))),
                      abut.Frustum.from_matrix(projection(0.1, 0.1, 0.1, 50))]

    def test_a_world_an_array_and_single_boxes_agree(self):
        for view in self.views:
            sides = np.array([view.side(box) for box in self.boxes])
            seen = np.flatnonzero(sides != abut.Side.OUTSIDE)
            self.assertTrue(50 < len(seen) < 1000 and (sides == abut.Side.INSIDE).any())
            np.testing.assert_array_equal(view.cull_obbs(self.boxes), seen)
            np.testing.assert_array_equal(view.cull_obbs(self.boxes[::-2]), (1999 - seen[seen % 2 == 1][::-1]) // 2)
            visible = self.world.cull(view)
            np.testing.assert_array_equal(visible["user"], seen)
            np.testing.assert_array_equal(visible["body"], self.ids[seen])
            np.testing.assert_array_equal(visible["inside"], sides[seen] == abut.Side.INSIDE)

    def test_a_box_that_had_to_be_converted_lives_while_it_is_read(self):
        converted = []

        def convert(name, value, dtype):
            box = side_by_side(name, value, dtype)
            converted.append(weakref.ref(box))
            return box

        def read(frustum, box):
            self.assertIsNotNone(converted[-1]())
            return abut.Side.INSIDE

        with mock.patch("abut.frustum.side_by_side", convert), mock.patch("abut.frustum.lib") as library:
            library.abut_frustum_test_obb = read
            self.assertEqual(abut.Frustum().side([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]), abut.Side.INSIDE)
        self.assertEqual(len(converted), 1)

    def test_many_views_in_one_call(self):
        visible = self.world.cull(self.views)
        for i, view in enumerate(self.views):
            mine = visible[visible["views"] >> i & 1 == 1]
            np.testing.assert_array_equal(mine["body"], self.world.cull(view)["body"])
        self.assertEqual(len(self.world.cull([])), 0)
        self.assertEqual(len(self.world.cull([abut.Frustum()] * 32)), 2000)

    def test_matrices_mean_cameras(self):
        camera = abut.Frustum.camera(abut.poses(), 0.1, 0.1, 0.1, 50)
        matrix = projection(0.1, 0.1, 0.1, 50)
        for same in (abut.Frustum.from_matrix(matrix), abut.Frustum.from_matrix(matrix.T.ravel()),
                     abut.Frustum.from_matrix(np.diag((1, 1, 0.5, 1)) @ (matrix + [0 * matrix[0], 0 * matrix[0], matrix[3],
                                                                                  0 * matrix[0]]), abut.Clip.ZERO_TO_ONE)):
            np.testing.assert_array_equal(same.cull_obbs(self.boxes), camera.cull_obbs(self.boxes))
        turned = np.eye(4)
        turned[:3, 3] = 0, 0, -5
        moved = abut.Frustum.from_matrix(matrix @ turned)
        np.testing.assert_array_equal(moved.cull_obbs(self.boxes), abut.Frustum.camera(
            abut.poses((0, 0, 5)), 0.1, 0.1, 0.1, 50).cull_obbs(self.boxes))

    def test_filters(self):
        self.world.set_filters(self.ids[::2], category=2)
        self.world.set_filters(self.ids[5], mask=abut.MASK_NONE)
        every = abut.Frustum()
        self.assertEqual(len(self.world.cull(every)), 2000)
        self.assertEqual(len(self.world.cull(every, mask=2)), 1000)
        self.assertEqual(len(self.world.cull(every, group=0)), 1999)
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_ARGUMENT .cull: category is"):
            self.world.cull(every, category=abut.MASK_NONE)
        with self.assertRaisesRegex(ValueError, "mask: one number"):
            self.world.cull(every, mask=[1, 2])

    def test_frusta_are_values(self):
        view = self.views[0]
        for same in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
            np.testing.assert_array_equal(same.cull_obbs(self.boxes), view.cull_obbs(self.boxes))

    def test_no_frustum(self):
        pose, box = abut.poses(), abut.obbs(half=(1, 1, 1))
        for make in (lambda: abut.Frustum.camera(pose, 0.1, 0.1, 1, 0.5), lambda: abut.Frustum.camera(pose, -1, 1, 1),
                     lambda: abut.Frustum.perspective((0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1), 1, 1, 1),
                     lambda: abut.Frustum.orthographic(abut.obbs(half=(1, 1, 0))),
                     lambda: abut.Frustum.from_matrix(np.zeros((4, 4))),
                     lambda: abut.Frustum.from_matrix(np.full((4, 4), np.nan))):
            with self.assertRaisesRegex(abut.Error, "Frustum"):
                make()
        self.assertRaises(ValueError, abut.Frustum.from_matrix, np.eye(3))
        self.assertRaises(ValueError, abut.Frustum.from_matrix, np.stack([np.eye(4)] * 2))
        self.assertRaises(ValueError, abut.Frustum.from_matrix, np.eye(4), 9)
        self.assertRaises(ValueError, abut.Frustum.camera, np.repeat(pose, 2), 1, 1, 1)
        self.assertRaises(TypeError, abut.Frustum.camera, box, 1, 1, 1)
        self.assertRaises(TypeError, abut.Frustum.camera, pose, "wide", 1, 1)
        self.assertRaises(ValueError, abut.Frustum().side, np.repeat(box, 2))
        self.assertEqual(abut.Frustum().side(abut.obbs(half=(-1, 1, 1))), abut.Side.OUTSIDE)


class Placements(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create((2, 5, 2), position=[(0, 5, 0), (10, 5, 0)], motion=abut.Motion.STATIC,
                                     category=[1, 2])

    def test_a_row_of_houses(self):
        places = abut.obb2s([(x, 0) for x in range(-8, 19)], (1, 1))
        answers = self.world.test_placements(places)
        free = [abs(x) > 3 and abs(x - 10) > 3 for x in range(-8, 19)]
        self.assertEqual(answers["free"].tolist(), free)
        self.assertEqual((answers["first_blocker"] == 0).tolist(), free)
        self.assertEqual((answers["blocker_count"] == 0).tolist(), free)
        np.testing.assert_array_equal(self.world.test_placements(places[::-2]), answers[::-2])
        moved = places.copy()
        moved["center"] += answers["push"]
        self.assertTrue(self.world.test_placements(moved)["free"].all())

    def test_rules(self):
        place = abut.obb2s((3, 0), (1, 1))
        ask = self.world.test_placements
        self.assertFalse(ask(place)["free"][0])
        self.assertTrue(ask(place, touch=abut.Touch.IS_FREE)["free"][0])
        self.assertFalse(ask(place, touch=abut.Touch.IS_FREE, clearance=0.5)["free"][0])
        self.assertTrue(ask(place, ignore=self.ids[0])["free"][0])
        self.assertTrue(ask(place, ignore=self.ids[::-1])["free"][0])
        self.assertTrue(ask(place, mask=2)["free"][0])
        self.assertEqual(ask(place)["first_blocker"].tolist(), [self.ids[0]])
        self.assertEqual(ask(place[:0]).shape, (0,))
        np.testing.assert_array_equal(ask([(3, 0, 1, 0, 1, 1), (6, 0, 1, 0, 0.5, 1)])["free"], [False, True])


class FrustumErrors(unittest.TestCase):
    def test_they_name_the_argument(self):
        right = {"pose": abut.poses(), "half_width": 1, "half_height": 1, "near": 1, "far": 9}
        for name, wrong in (("pose", abut.poses(position=(np.nan, 0, 0))), ("half_width", 0), ("half_height", -1),
                            ("near", np.nan), ("far", 0.5), ("far", np.nan)):
            with self.subTest(name), self.assertRaises(abut.Error) as raised:
                abut.Frustum.camera(**{**right, name: wrong})
            self.assertEqual(raised.exception.field, name)
        right = {"eye": (0, 0, 0), "left": (-1, 0, 0), "up": (0, 1, 0), "direction": (0, 0, -1), "half_width": 1,
                 "half_height": 1, "near": 1}
        for name, wrong in (("eye", (np.inf, 0, 0)), ("left", (0, 0, 0)), ("direction", (0, 0, np.nan))):
            with self.subTest(name), self.assertRaises(abut.Error) as raised:
                abut.Frustum.perspective(**{**right, name: wrong})
            self.assertEqual(raised.exception.field, name)
        with self.assertRaisesRegex(abut.Error, "view_projection"):
            abut.Frustum.from_matrix(np.full((4, 4), np.nan))
        with self.assertRaisesRegex(abut.Error, "box"):
            abut.Frustum.orthographic(abut.obbs(half=(-1, 1, 1)))


if __name__ == "__main__":
    unittest.main()
