# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Bodies of a world: created, moved, read, changed and destroyed, many at a time."""

import gc
import sys
import unittest
import weakref

import numpy as np

import abut
from tracks import Field


class Making(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)

    def test_arguments_broadcast(self):
        ids = self.world.create((1, 2, 3), position=[(0, 0, 0), (10, 0, 0), (20, 0, 0)], user=[1, 2, 3], group=-4,
                                detail=[0, 1, 2], motion=abut.Motion.STATIC, category=2, mask=4)
        self.assertEqual((ids.dtype, len(ids), len(self.world)), (np.uint64, 3, 3))
        self.assertEqual(self.world.users(ids).tolist(), [1, 2, 3])
        self.assertEqual(self.world.details().tolist(), [0, 1, 2])
        self.assertEqual(self.world.motions().tolist(), [1, 1, 1])
        self.assertEqual(self.world.filters().tolist(), [(2, 4, -4)] * 3)
        np.testing.assert_array_equal(self.world.bounds()["max"], [(1, 2, 3), (11, 2, 3), (21, 2, 3)])
        self.assertEqual(len(self.world.create((1, 1, 1))), 1)
        self.assertEqual(len(self.world.create([(1, 1, 1)], user=range(5))), 5)
        self.assertEqual(len(self.world.create(np.empty((0, 3)), user=7)), 0)
        self.assertEqual(len(self.world.create((1, 1, 1), position=np.empty((0, 3)))), 0)
        self.assertEqual(len(self.world), 9)

    def test_defaults_are_those_of_c(self):
        ids = self.world.create((1, 1, 1))
        self.assertEqual(self.world.poses(ids).view(np.float32).tolist(), [0, 0, 0, 0, 0, 0, 1])
        self.assertEqual(self.world.filters(ids).tolist(), [(1, 2**64 - 1, 0)])
        self.assertEqual((self.world.users(ids)[0], self.world.motions(ids)[0], self.world.details(ids)[0]), (0, 0, 0))

    def test_largest_numbers_go_through(self):
        ids = self.world.create((1, 1, 1), user=2**64 - 1, mask=abut.MASK_NONE, group=-2**31, category=2**63 - 1)
        self.assertEqual(self.world.users(ids).tolist(), [2**64 - 1])
        self.assertEqual(self.world.filters(ids).tolist(), [(2**63 - 1, 2**63, -2**31)])
        self.world.set_users(ids, [2**64 - 1])
        self.world.create((1, 1, 1), user=[1, 2**64 - 1])  # which numpy alone would take for floats
        self.assertEqual(self.world.users()[-1], 2**64 - 1)

    def test_any_kind_of_array_will_do(self):
        wide = np.arange(36.0).reshape(3, 12)
        for half in (wide[:, 1:7:2], np.asfortranarray(wide[:, :3]), wide[::-1, 2::-1], wide[:, 1:4].astype(">f8"),
                     wide[:, :3].astype(int), wide[:, :3].tolist(), wide[:, :3].astype(np.float16)):
            ids = self.world.create(half)
            np.testing.assert_array_equal(self.world.bounds(ids)["max"], np.asarray(half, float))

    def test_a_box_may_sit_anywhere_in_its_body(self):
        ids = self.world.create((1, 2, 3), position=(5, 0, 0), box_position=[(1, 0, 0), (0, 0, 0)],
                                box_rotation=(0, 0, 1, 1))
        bounds = self.world.bounds(ids)
        np.testing.assert_allclose(bounds["min"], [(4, -1, -3), (3, -1, -3)], atol=1e-5)

    def test_each_body_its_own_hull_or_a_box(self):
        hulls = [abut.Hull(scale * np.eye(4, 3)) for scale in (2, 3)]
        ids = self.world.create((1, 1, 1), hull=[hulls[1], None, hulls[0], hulls[1]])
        np.testing.assert_allclose(self.world.bounds(ids)["max"][:, 0], [3, 1, 2, 3], rtol=1e-5)
        self.assertEqual(len(self.world.create(hull=np.array(hulls), position=[(9, 9, 9)])), 2)
        with self.assertRaisesRegex(ValueError, "half: 3 elements, where hull has 2"):
            self.world.create(np.ones((3, 3)), hull=hulls)

    def test_attached_bodies_move_with_their_parents(self):
        cars = self.world.create((2, 1, 1), position=[(0, 0, 0), (0, 0, 10)])
        wheels = self.world.create((0.3, 0.3, 0.1), position=(1, -1, 0), parent=np.repeat(cars, 2))
        self.world.set_poses(cars, position=[(100, 0, 0), (200, 0, 0)])
        self.assertEqual(self.world.poses(wheels)["position"][:, 0].tolist(), [1, 1, 1, 1])
        self.assertEqual(self.world.world_poses(wheels)["position"][:, 0].tolist(), [101, 101, 201, 201])
        self.assertEqual(self.world.step().contacts, 0)
        self.world.destroy(cars[:1])
        self.assertEqual(self.world.valid([*cars, *wheels]).tolist(), [False, True, False, False, True, True])
        self.assertEqual(self.world.bodies().tolist(), [cars[1], *wheels[2:]])


class Moving(unittest.TestCase):
    def setUp(self):
        self.field = Field(50)
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create(self.field.half)

    def positions(self):
        return self.world.poses(self.ids)["position"]

    def test_structs_floats_and_parts_mean_the_same(self):
        poses = self.field.poses
        hashes = []
        floats = poses.view(np.float32).reshape(-1, 7)
        for arguments in ({"poses": poses}, {"poses": floats}, {"poses": floats.astype(float)},
                          {"position": poses["position"], "rotation": poses["rotation"]}):
            self.world.set_poses(self.ids, abut.poses())
            self.world.set_poses(self.ids, **arguments)
            hashes.append(self.world.hash())
        self.assertEqual(len(set(hashes)), 1)
        np.testing.assert_array_equal(self.positions(), poses["position"])

    def test_structs_within_the_callers_own_are_read_where_they_lie(self):
        entities = np.zeros(50, [("name", "S3"), ("id", "u8"), ("hp", "i2"), ("pose", abut.POSE), ("x", "u1")])
        entities["id"], entities["pose"] = self.ids, self.field.poses
        for part in (slice(None), slice(None, None, 3), slice(None, None, -1), slice(7, 8), slice(0, 0)):
            chosen = entities[part]
            self.world.set_poses(self.ids, abut.poses())
            self.world.set_poses(chosen["id"], chosen["pose"])
            wanted = np.zeros((50, 3), np.float32)
            wanted[part] = self.field.poses["position"][part]
            np.testing.assert_array_equal(self.positions(), wanted)

    def test_one_pose_for_all_and_a_broadcast_one(self):
        self.world.set_poses(self.ids, abut.poses((1, 2, 3)))
        self.assertTrue((self.positions() == (1, 2, 3)).all())
        self.world.set_poses(self.ids, np.broadcast_to(abut.poses((4, 5, 6)), (50,)))
        self.assertTrue((self.positions() == (4, 5, 6)).all())
        self.world.set_poses(np.broadcast_to(self.ids[3], (50,)), self.field.poses)  # the last of them wins
        np.testing.assert_array_equal(self.positions()[3], self.field.poses["position"][-1])

    def test_what_is_not_given_stays(self):
        self.world.set_poses(self.ids, self.field.poses)
        before = self.world.poses(self.ids)
        self.world.set_poses(self.ids, position=before["position"] + 1)
        np.testing.assert_array_equal(self.world.poses(self.ids)["rotation"], before["rotation"])
        self.world.set_poses(self.ids[:9], rotation=(0, 0, 0, 1))
        after = self.world.poses(self.ids)
        np.testing.assert_array_equal(after["position"], before["position"] + 1)
        self.assertTrue((after["rotation"][:9] == (0, 0, 0, 1)).all())
        np.testing.assert_array_equal(after["rotation"][9:], before["rotation"][9:])

    def test_a_bad_element_is_named_and_nothing_changes(self):
        poses, before = self.field.poses.copy(), self.world.hash()
        for what, code in ((np.nan, "ABUT_ERROR_ARGUMENT"), (np.inf, "ABUT_ERROR_ARGUMENT"), (2e9, "ABUT_ERROR_LIMIT")):
            poses["position"][31, 1] = what
            with self.assertRaises(abut.Error) as caught:
                self.world.set_poses(self.ids, poses)
            self.assertEqual((caught.exception.code, caught.exception.index), (code, 31))
            self.assertIn("element 31", str(caught.exception))
        self.assertEqual(self.world.hash(), before)

    def test_float64_beyond_float32_is_refused_as_infinity(self):
        with self.assertRaises(abut.Error) as caught:
            self.world.set_poses(self.ids, position=(1e300, 0, 0))
        self.assertEqual(caught.exception.code, "ABUT_ERROR_ARGUMENT")


class Changing(unittest.TestCase):
    def setUp(self):
        self.world = abut.World()
        self.addCleanup(self.world.close)
        self.ids = self.world.create((1, 1, 1), position=[(i, 0, 0) for i in range(4)])

    def test_filters_part_by_part(self):
        self.world.set_filters(self.ids, group=[1, 2, 3, 4])
        self.world.set_filters(self.ids[1:3], mask=abut.MASK_NONE)
        self.assertEqual(self.world.filters(self.ids).tolist(), [
            (1, 2**64 - 1, 1), (1, 2**63, 2), (1, 2**63, 3), (1, 2**64 - 1, 4)])
        self.assertEqual(self.world.step().contacts, 0)
        self.world.set_filters(self.ids, category=2, mask=2, group=0)
        self.assertEqual(self.world.step().contacts, 5)

    def test_motion_detail_and_user(self):
        self.world.set_motions(self.ids[:2], abut.Motion.STATIC)
        self.world.set_details(self.ids, [abut.Detail.BOUNDS, 0, 1, 2])
        self.world.set_users(self.ids[2:], [2**64 - 1, 5])
        self.assertEqual(self.world.motions().tolist(), [1, 1, 0, 0])
        self.assertEqual(self.world.details().tolist(), [2, 0, 1, 2])
        self.assertEqual(self.world.users().tolist(), [0, 0, 2**64 - 1, 5])
        self.assertEqual(self.world.step().contacts, 4)

    def test_the_first_bad_one_is_named(self):
        stale = self.world.create((1, 1, 1))
        self.world.destroy(stale)
        for name, *given in (("set_users", 1), ("set_details", 1), ("set_motions", 1), ("filters",), ("users",)):
            with self.assertRaises(abut.Error) as caught:
                getattr(self.world, name)([self.ids[0], self.ids[1], stale[0], self.ids[2]], *given)
            error = caught.exception
            self.assertEqual((error.code, error.call, error.index), ("ABUT_ERROR_HANDLE", name, 2))

    def test_filters_before_the_first_bad_one_are_set(self):
        before = self.world.filters(self.ids)["mask"]
        with self.assertRaisesRegex(abut.Error, r"^ABUT_ERROR_HANDLE \(set_filters, element 2\)$"):
            self.world.set_filters([self.ids[0], self.ids[1], 77, self.ids[2]], mask=[5, 6, 7, 8])
        self.assertEqual(self.world.filters(self.ids)["mask"].tolist(), [5, 6, *before[2:].tolist()])

    def test_destroy_is_all_or_none(self):
        self.world.destroy(self.ids[3])
        with self.assertRaisesRegex(abut.Error, "ABUT_ERROR_HANDLE"):
            self.world.destroy(self.ids)
        self.assertEqual(len(self.world), 3)
        self.world.destroy([self.ids[0], self.ids[0]])
        self.world.destroy([])
        self.assertEqual(self.world.bodies().tolist(), self.ids[1:3].tolist())

    def test_hulls_live_as_long_as_bodies_use_them(self):
        hull = abut.Hull(np.random.default_rng(1).normal(size=(20, 3)))
        other = abut.Hull(np.random.default_rng(2).normal(size=(20, 3)))
        alive, other_alive = weakref.ref(hull), weakref.ref(other)
        ids = self.world.create(hull=hull, position=[(i, 1, 0) for i in range(3)])
        more = self.world.create((1, 1, 1), hull=[hull, None, other])
        attached = self.world.create(hull=other, parent=ids[0])
        del hull, other
        gc.collect()
        self.assertGreater(self.world.step().contacts, 3)
        self.world.validate()
        self.world.destroy([*ids, more[0]])
        self.assertIsNone(alive())
        self.assertIsNotNone(other_alive())  # of more[2]; the attached one was destroyed with its parent
        self.assertFalse(self.world.valid(attached)[0])
        self.world.step()
        self.world.close()
        gc.collect()
        self.assertIsNone(other_alive())

    def test_hulls_of_bodies_that_come_and_go_do_not_pile_up(self):
        seen = []
        for i in range(50):
            hull = abut.Hull(np.random.default_rng(i).normal(size=(8, 3)))
            seen.append(weakref.ref(hull))
            ids = self.world.create(hull=hull, position=[(0, 0, 0)] * 5)
            self.world.destroy(ids)
        del hull
        self.assertLess(sum(ref() is not None for ref in seen), 5)

    def test_hulls_that_bodies_no_longer_have_do_not_pile_up(self):
        body, seen = self.world.create(radius=1)[0], []
        for i in range(50):
            hull = abut.Hull(np.random.default_rng(i).normal(size=(8, 3)))
            seen.append(weakref.ref(hull))
            self.world.set_shapes(body, abut.convex(hull))
            del hull
        self.assertLess(sum(ref() is not None for ref in seen), 5)
        self.assertEqual(len(self.world.shapes(body)[0].hull.vertices), len(seen[-1]().vertices))
        with self.assertRaises(abut.Error):
            self.world.set_shapes([body, 77], abut.sphere(1))
        self.assertEqual(self.world.shapes(body), [abut.sphere(1)])
        self.assertLess(sum(ref() is not None for ref in seen), 2)

    def test_hulls_stay_when_the_caller_writes_to_ids(self):
        hull = abut.Hull(np.random.default_rng(1).normal(size=(20, 3)))
        alive, ids = weakref.ref(hull), self.world.create(hull=hull, position=[(0, 0, 0), (9, 0, 0)])
        del hull
        ids[:] = self.world.create(radius=1, position=[(20, 0, 0), (30, 0, 0)])
        self.world.destroy(ids)
        self.assertIsNotNone(alive())
        self.assertIs(self.world.shapes()[-1].hull, alive())

    def test_many_hulls_take_no_longer_to_find(self):
        hulls = [abut.Hull(np.eye(4, 3) + i) for i in range(300)]
        shapes = [abut.convex(hull) for hull in hulls]

        def work(call, *arguments):
            calls = []
            sys.setprofile(lambda frame, event, _: calls.append(event) if event in ("call", "c_call") else None)
            try:
                call(*arguments)
            finally:
                sys.setprofile(None)
            return len(calls)

        with abut.World() as shared, abut.World() as each, abut.World() as spheres:
            a = shared.create(hull=hulls[0], position=np.zeros((300, 3)))
            b = each.create(hull=hulls, position=np.zeros((300, 3)))
            c = spheres.create(radius=1, position=np.zeros((300, 3)))
            self.assertLess(work(each.shapes, b), 2 * work(shared.shapes, a))
            self.assertLess(work(shared.set_shapes, a, shapes[1]), 2 * work(spheres.set_shapes, c, abut.sphere(2)))
            self.assertLess(work(each.set_shapes, b, shapes[::-1]), 3 * work(spheres.set_shapes, c, abut.sphere(1)))

    def test_hulls_of_attached_bodies_do_not_pile_up(self):
        seen = []
        for i in range(20):
            hulls = [abut.Hull(np.random.default_rng(k).normal(size=(8, 3))) for k in range(10)]
            seen += map(weakref.ref, hulls)
            top = self.world.create((1, 1, 1))
            self.world.create(hull=hulls, parent=top[0])
            self.world.destroy(top)
        del hulls
        self.assertLess(sum(ref() is not None for ref in seen), 30)


class Deciding(unittest.TestCase):
    def test_should_collide_has_the_last_word(self):
        asked = []

        def odd_only(a, user_a, b, user_b):
            asked.append((a, user_a, b, user_b))
            return (user_a + user_b) % 2 == 1

        with abut.World(should_collide=odd_only) as world:
            ids = world.create((1, 1, 1), position=[(i, 0, 0) for i in range(3)], user=[2**64 - 2, 11, 12])
            world.step()
            self.assertEqual(world.contacts()[["user_a", "user_b"]].tolist(), [(2**64 - 2, 11), (11, 12)])
        first = [int(i) for i in ids]
        self.assertEqual(asked, [(first[0], 2**64 - 2, first[1], 11), (first[0], 2**64 - 2, first[2], 12),
                                 (first[1], 11, first[2], 12)])

    def test_what_it_raises_is_raised_by_the_step(self):
        def refuse(*_):
            raise KeyError("mine")

        with abut.World(should_collide=refuse) as world:
            world.create((1, 1, 1), position=[(i, 0, 0) for i in range(3)])
            self.assertRaisesRegex(KeyError, "mine", world.step)
            self.assertEqual(len(world.contacts()), 3)
            self.assertRaises(KeyError, world.step)

    def test_it_may_read_and_not_change(self):
        codes = []

        def ask(a, *_):
            world.poses([a])
            world.contacts()
            for change in (lambda: world.step(), lambda: world.create((1, 1, 1)), lambda: world.destroy(a),
                           lambda: world.set_poses(a, position=(0, 0, 0)), lambda: world.set_users(a, 1),
                           lambda: world.contacts(copy=False)):
                try:
                    change()
                except abut.Error as error:
                    codes.append(error.code)
                except BufferError:
                    codes.append("buffer")
            return True

        with abut.World(should_collide=ask) as world:
            world.create((1, 1, 1), position=[(i, 0, 0) for i in range(2)])
            self.assertEqual(world.step().contacts, 1)
        self.assertEqual(codes, ["ABUT_ERROR_BUSY"] * 5 + ["buffer"])

    def test_a_world_may_be_closed_within(self):
        def close(*_):
            world.close()
            return True

        world = abut.World(should_collide=close)
        world.create((1, 1, 1), position=[(i, 0, 0) for i in range(3)])
        self.assertEqual(world.step().contacts, 3)
        self.assertRaises(ValueError, world.step)


if __name__ == "__main__":
    unittest.main()
