# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The results of a step, against the C demo and against pair tests; copies, views, and their lifetimes."""

import gc
import json
import subprocess
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import abut
from tracks import BUILD, TRACKS, Field, Track


def demo_of(folder):
    command = [BUILD / "demo" / "abut-demo", "--track", folder, "--json", "--boxes", "100", "--frames", "2"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["track"]


def two_boxes():
    world = abut.World()
    return world, world.create((1, 1, 1), position=[(0, 0, 0), (1.5, 0, 0)], user=[70, 80])


class Contacts(unittest.TestCase):
    def test_tracks_have_the_contacts_of_the_c_demo(self):
        for folder in TRACKS:
            track, reported = Track(folder), demo_of(folder)
            counts, starts, depths = [], 0, {}
            with abut.World() as world:
                ids = track.create(world)
                for i, poses in enumerate(track.poses):
                    world.set_poses(ids, poses)
                    report, contacts, events = world.step(), world.contacts(), world.events()
                    counts.append(len(contacts))
                    self.assertEqual(report.contacts, len(contacts))
                    starts += int((events["phase"] == abut.Phase.BEGIN).sum()) * (i > 0)
                    for a, b, depth in zip(contacts["user_a"], contacts["user_b"], abut.depths(contacts)):
                        depths[a, b] = max(depths.get((a, b), 0), float(depth))
            self.assertEqual(counts, reported["per_frame_contacts"])
            self.assertEqual(starts, reported["totals"]["hit_starts"])
            deepest = {}
            for hit in reported["hits"]:
                deepest[hit["a"], hit["b"]] = max(deepest.get((hit["a"], hit["b"]), 0), hit["depth"])
            mine = {(track.names[a], track.names[b]): depth for (a, b), depth in depths.items()}
            self.assertEqual(mine.keys(), deepest.keys())
            for pair, depth in mine.items():
                self.assertAlmostEqual(depth, deepest[pair], delta=1e-6)

    def test_a_step_and_pair_tests_say_the_same(self):
        field = Field(300)
        with abut.World() as world:
            world.create(field.half, user=np.arange(300))
            ids = world.bodies()
            world.set_poses(ids, field.poses)
            world.step()
            contacts, poses = world.contacts(), world.poses(ids)
        boxes = abut.obbs(poses["position"], field.half, poses["rotation"])
        a, b = np.triu_indices(300, 1)
        touch = abut.overlap_many(boxes[a], boxes[b])
        self.assertGreater(touch.sum(), 30)
        self.assertEqual(set(zip(a[touch], b[touch])), set(zip(contacts["user_a"], contacts["user_b"])))
        again, manifolds = abut.collide_many(boxes[contacts["user_a"]], boxes[contacts["user_b"]])
        self.assertTrue(again.all())
        self.assertEqual(manifolds.tobytes(), contacts["manifold"].tobytes())

    def test_begin_persist_end(self):
        world, ids = two_boxes()
        phases, seen = [], []
        for x in (1.5, 1.6, 5, 5, 1):
            world.set_poses(ids[1], position=(x, 0, 0))
            report = world.step()
            seen.append((report.begun, report.ended))
            phases.append([abut.Phase(p).name for p in world.events()["phase"]])
        self.assertEqual(phases, [["BEGIN"], ["PERSIST"], ["END"], [], ["BEGIN"]])
        self.assertEqual(seen, [(1, 0), (0, 0), (0, 1), (0, 0), (1, 0)])

    def test_users_and_ids_come_back(self):
        world, ids = two_boxes()
        world.step()
        contact = world.contacts()[0]
        self.assertEqual((contact["a"], contact["b"]), tuple(ids))
        self.assertEqual((contact["user_a"], contact["user_b"]), (70, 80))
        self.assertEqual(contact["previous1"], 0)
        world.set_poses(ids[1], position=(1.4, 0, 0))
        world.step()
        self.assertEqual(world.contacts()["previous1"].tolist(), [1])

    def test_depths_and_points(self):
        world, ids = two_boxes()
        far = world.create((1, 1, 1), position=(0, 50, 0), detail=abut.Detail.OVERLAP)
        world.create((1, 1, 1), position=(0, 50, 0))
        world.step()
        contacts = world.contacts()
        depths = abut.depths(contacts)
        self.assertEqual(depths.dtype, np.float32)
        self.assertAlmostEqual(depths[0], 0.5, delta=1e-6)
        self.assertTrue(np.isnan(depths[1]) and contacts["a"][1] == far[0])
        which, points = abut.contact_points(contacts)
        self.assertEqual(which.tolist(), [0, 0, 0, 0])
        np.testing.assert_allclose(points["position"][:, 0], 0.75)
        self.assertEqual(points.dtype, abut.CONTACT_POINT)
        self.assertEqual(abut.depths(contacts[:0]).shape, (0,))

    def test_a_margin_tells_gaps(self):
        with abut.World(contact_margin=0.25) as world:
            world.create((1, 1, 1), position=[(0, 0, 0), (2.125, 0, 0)])
            world.step()
            self.assertAlmostEqual(abut.depths(world.contacts())[0], -0.125, delta=1e-6)

    def test_contacts_of_a_body(self):
        with abut.World() as world:
            floor = world.create((500, 1, 500), motion=abut.Motion.STATIC)
            boxes = world.create((1, 1, 1), position=[(3 * i, 1.5, 0) for i in range(150)])
            world.step()
            contacts = world.contacts()
            for body, count in ((floor[0], 150), (boxes[7], 1)):
                mine = world.body_contacts(body)
                self.assertEqual(len(mine), count)
                self.assertTrue(((contacts["a"][mine] == body) | (contacts["b"][mine] == body)).all())
            self.assertEqual(len(world.body_contacts(0)), 0)
            self.assertEqual(len(world.body_contacts(2**64 - 1)), 0)


class Threads(unittest.TestCase):
    def test_worlds_step_side_by_side(self):
        def play(seed):
            field = Field(1000, seed)
            with abut.World() as world:
                ids = world.create(field.half)
                reported = []
                for _ in range(10):
                    field.move()
                    world.set_poses(ids, field.poses)
                    world.step()
                    reported.append(world.events().tobytes())
            return reported

        alone = [play(seed) for seed in range(4)]
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(play, range(4))), alone)


class Lifetimes(unittest.TestCase):
    def test_a_copy_outlives_everything_and_is_the_callers(self):
        world, ids = two_boxes()
        world.step()
        contacts, events = world.contacts(), world.events()
        kept = contacts.copy()
        world.set_poses(ids[1], position=(9, 9, 9))
        world.step()
        world.close()
        del world
        self.assertEqual(contacts.tobytes(), kept.tobytes())
        self.assertEqual(events.tobytes(), kept.tobytes())
        contacts["user_a"] = 5

    def test_a_view_shows_the_worlds_memory_and_is_read_only(self):
        world, _ = two_boxes()
        world.step()
        view = world.contacts(copy=False)
        self.assertEqual(view.tobytes(), world.contacts().tobytes())
        self.assertEqual(view.ctypes.data, world.contacts(copy=False).ctypes.data)
        for write in (lambda: view.__setitem__(0, 0), lambda: view["phase"].__setitem__(0, 1),
                      lambda: view.setflags(write=True)):
            self.assertRaises(ValueError, write)

    def test_a_view_holds_up_the_step_until_its_last_part_is_gone(self):
        for of in ("contacts", "events"):
            world, ids = two_boxes()
            world.step()
            view = getattr(world, of)(copy=False)
            part = view["manifold"]["points"][:, :2]["separation"]
            del view
            world.set_poses(ids[1], position=(1.25, 0, 0))
            with self.assertRaisesRegex(BufferError, "copy=False"):
                world.step()
            self.assertAlmostEqual(float(part[0, 0]), -0.5, delta=1e-6)
            del part
            self.assertEqual(world.step().contacts, 1)

    def test_a_loop_over_views_that_are_let_go(self):
        world, ids = two_boxes()
        total = 0
        for i in range(20):
            world.set_poses(ids[1], position=(i / 10, 0, 0))
            world.step()
            total += float(abut.depths(world.contacts(copy=False)).sum())
        self.assertAlmostEqual(total, sum(2 - i / 10 for i in range(20)), delta=1e-4)

    def test_a_view_outlives_its_world(self):
        for drop in (abut.World.close, lambda world: None):
            world, _ = two_boxes()
            world.step()
            view, wanted = world.contacts(copy=False), world.contacts().tobytes()
            memory = weakref.ref(world._handle)
            drop(world)
            del world
            gc.collect()
            self.assertIsNotNone(memory())
            self.assertEqual(view.tobytes(), wanted)
            del view
            self.assertIsNone(memory())

    def test_a_closed_world_is_freed_at_once(self):
        """Not when Python next looks for cycles: worlds are large."""
        gc.disable()
        self.addCleanup(gc.enable)
        rock = abut.Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        world = abut.World(should_collide=lambda *_: True)
        ids = world.create(hull=rock, position=[(0, 0, 0), (0.1, 0, 0)])
        world.step()
        world.overlaps(abut.sphere(1), abut.poses(), accept=lambda candidate: True)
        world.sweep(ids, position=(0, 0, 5), accept=lambda candidate: True)
        world.restore(world.save())
        memory, hull = weakref.ref(world._handle), weakref.ref(rock)
        world.close()
        del rock
        self.assertEqual((memory(), hull()), (None, None))

    def test_no_contacts_are_an_empty_array_of_the_type(self):
        world, ids = two_boxes()
        for copy in (True, False):
            self.assertEqual((world.contacts(copy).shape, world.events(copy).dtype), ((0,), abut.CONTACT))
        empty = world.contacts(copy=False)
        self.assertFalse(empty.flags.writeable)
        world.step()
        self.assertEqual(len(empty), 0)


class WrongTypes(unittest.TestCase):
    def test_functions_of_contacts_name_their_argument(self):
        for function in (abut.depths, abut.contact_points, abut.part_contacts):
            for wrong in (None, [1, 2], np.zeros(3), np.zeros(2, abut.POSE), "abc", {}, np.zeros(2, abut.OBB)):
                with self.subTest(function.__name__, wrong=wrong), self.assertRaisesRegex(TypeError, "^contacts: "):
                    function(wrong)
            with self.assertRaisesRegex(ValueError, "^contacts: shape"):
                function(np.zeros((2, 2), abut.CONTACT))
        with self.assertRaisesRegex(TypeError, "^contacts: "):
            abut.part_contacts(np.zeros(2, abut.CONTACT_PART))

    def test_parts_of_some_contacts_only(self):
        contacts = np.zeros(3, abut.CONTACT)
        contacts["part_count"], contacts["part_first"] = (2, 0, 1), (0, 0, 2)
        self.assertEqual(abut.part_contacts(contacts).tolist(), [0, 0, 2])
        self.assertEqual(abut.part_contacts(contacts[:0]).tolist(), [])
        for some in (contacts[1:], contacts[[0, 0, 2]]):
            with self.assertRaisesRegex(ValueError, "^contacts: "):
                abut.part_contacts(some)

    def test_one_contact(self):
        self.assertEqual(len(abut.depths(np.zeros(1, abut.CONTACT)[0])), 1)


if __name__ == "__main__":
    unittest.main()
