# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Saving and restoring worlds, pairs, and moving the origin."""

import gc
import unittest
import weakref

import numpy as np

import abut


def rock(seed):
    return abut.Hull(np.random.default_rng(seed).normal(size=(30, 3)), max_vertices=12)


def hills():
    x, z = np.meshgrid(np.arange(9), np.arange(9))
    return abut.Mesh.grid(0.3 * np.sin(x) + 0.2 * np.cos(z), spacing=(4, 1, 4))


def fill(world, n=60, shapes=()):
    """Boxes, spheres and rocks over a terrain; returns the ids of what moves."""
    ground, stone = shapes or (hills(), rock(1))
    rng = np.random.default_rng(7)
    world.create(mesh=ground, motion=abut.Motion.STATIC)
    hull = [None, stone, None] * (n // 3)
    radius = [0.0, 0.0, 0.5] * (n // 3)
    half = np.where(np.arange(n)[:, None] % 3 == 0, 0.6, np.zeros((1, 3)))
    return world.create(half=half, radius=radius, hull=hull, position=rng.uniform((2, 0, 2), (30, 4, 30), (n, 3)), user=range(n))


def move(world, ids, seed):
    """A frame whose poses depend on the seed and on what was touched."""
    rng = np.random.default_rng(seed)
    place = world.poses(ids)["position"] + rng.uniform(-0.4, 0.4, (len(ids), 3))
    world.set_poses(ids, position=place + 0.01 * len(world.contacts()))
    return world.step()[1:6]


def lists(world):
    return [which.tobytes() for which in (world.contacts(), world.parts(), world.events(), world.pairs())]


class Restored(unittest.TestCase):
    def test_frames_after_a_restore_are_those_after_the_save(self):
        world = abut.World(contact_margin=0.05)
        ids = fill(world)
        for seed in range(4):
            move(world, ids, seed)
        saved = world.save()
        once = [(move(world, ids, seed), lists(world), world.hash()) for seed in range(4, 9)]
        self.assertGreater(once[-1][0][2], 5)
        world.restore(saved)
        self.assertEqual(world.save(), saved)
        self.assertEqual([(move(world, ids, seed), lists(world), world.hash()) for seed in range(4, 9)], once)

    def test_another_world_with_its_own_shapes_goes_on(self):
        with abut.World() as world, abut.World() as other:
            ids = fill(world)
            for seed in range(3):
                move(world, ids, seed)
            saved, stone = world.save(), rock(1)
            other.create((1, 1, 1))
            with self.assertRaises(abut.Error) as caught:
                other.restore(saved)
            self.assertEqual((caught.exception.code, len(other)), ("ABUT_ERROR_HANDLE", 1))
            other.restore(saved, hulls=(one for one in (rock(2), stone)), meshes=hills())
            self.assertEqual((other.hash(), lists(other)), (world.hash(), lists(world)))
            self.assertIs(other.shapes(ids[1])[0].hull, stone)
            self.assertEqual(move(other, ids, 3), move(world, ids, 3))
            self.assertEqual(other.create((1, 1, 1))[0], world.create((1, 1, 1))[0])

    def test_what_was_destroyed_comes_back(self):
        with abut.World() as world:
            boxes = world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
            world.step()
            saved = world.save()
            world.destroy(boxes)
            more = world.create((2, 2, 2), position=(0, 0, 0))
            world.restore(saved)
            self.assertEqual((world.valid(boxes).all(), world.valid(more).any()), (True, False))
            self.assertEqual(world.step().contacts, 1)
            self.assertEqual(abut.Phase(world.events()["phase"][0]), abut.Phase.PERSIST)

    def test_shapes_live_as_long_as_a_world_needs_them(self):
        world, stone = abut.World(), rock(1)
        known, ids = weakref.ref(stone), world.create(hull=stone, position=[(0, 0, 0), (1, 0, 0)])
        world.step()
        saved = world.save()
        other = abut.World()
        other.restore(saved, hulls=[stone])
        world.close()
        del stone
        gc.collect()
        self.assertEqual((other.step().contacts, other.shapes(ids[0])[0].hull is known()), (1, True))
        other.restore(abut.World().save())
        gc.collect()
        self.assertIsNone(known())

    def test_bytes_of_all_kinds_are_safe(self):
        with abut.World() as world:
            ids = fill(world)
            move(world, ids, 0)
            saved, before = world.save(), (world.hash(), lists(world))
            for data in (b"", b"abut", saved[:-1], saved + b"\0", np.random.default_rng(0).bytes(len(saved))):
                with self.assertRaises(abut.Error) as caught:
                    world.restore(data)
                self.assertEqual(caught.exception.code, "ABUT_ERROR_FORMAT")
                self.assertEqual((world.hash(), lists(world)), before)
            world.restore(bytearray(saved))
            self.assertRaises(TypeError, world.restore, saved, hulls=[1])
            self.assertRaises(TypeError, world.restore, saved, meshes=rock(1))

    def test_a_list_in_view_stays(self):
        with abut.World() as world:
            world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
            world.step()
            saved, view = world.save(), world.contacts(copy=False)
            self.assertRaises(BufferError, world.restore, saved)
            del view
            world.restore(saved)

    def test_callbacks_neither_save_nor_restore(self):
        said, saved = [], abut.World().save()

        def ask(*_):
            for call in (lambda: world.save(), lambda: world.restore(saved)):
                try:
                    call()
                except abut.Error as error:
                    said.append(error.code)
            return True

        world = abut.World(should_collide=ask)
        world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
        self.assertEqual(world.step().contacts, 1)
        self.assertEqual(said, ["ABUT_ERROR_BUSY"] * 2)


class Digests(unittest.TestCase):
    def test_equal_shapes_have_equal_digests(self):
        self.assertEqual(rock(1).digest, abut.Hull.from_bytes(rock(1).to_bytes()).digest)
        self.assertEqual(hills().digest, abut.Mesh.from_bytes(hills().to_bytes()).digest)
        self.assertEqual(len({rock(1).digest, rock(2).digest, hills().digest}), 3)


class Pairs(unittest.TestCase):
    def test_pairs_are_those_of_the_contacts(self):
        with abut.World() as world:
            ids = fill(world)
            self.assertEqual(len(world.pairs()), 0)
            move(world, ids, 0)
            pairs, contacts = world.pairs(), world.contacts()
            self.assertGreater(len(pairs), 5)
            for name in ("a", "b"):
                np.testing.assert_array_equal(pairs[name], contacts[name])
            self.assertEqual(pairs.dtype, abut.PAIR)


class Shifts(unittest.TestCase):
    def test_bodies_move_and_contacts_go_on(self):
        with abut.World() as world:
            ids = world.create((1, 1, 1), position=[(1024, 0, 0), (1025, 0, 0), (1030, 0, 0)])
            world.step()
            before, contacts = world.poses(ids)["position"], world.contacts()
            world.shift((1024, -2, 0))
            np.testing.assert_array_equal(world.poses(ids)["position"], before - np.float32((1024, -2, 0)))
            self.assertEqual(world.step().begun, 0)
            after = world.contacts()
            self.assertEqual((len(after), abut.Phase(after["phase"][0])), (1, abut.Phase.PERSIST))
            np.testing.assert_array_equal(after["b"], contacts["b"])
            for wrong in ((np.nan, 0, 0), (1e20, 0, 0)):
                self.assertRaises(abut.Error, world.shift, wrong)
            self.assertRaises(ValueError, world.shift, (1, 2))


if __name__ == "__main__":
    unittest.main()
