# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Ctrl-C at any moment: hulls stay alive, exceptions arrive, and worlds can be changed afterwards."""

import contextlib
import gc
import sys
import threading
import unittest
from unittest import mock

import numpy as np

import abut
import abut.bodies
import abut.calls
import abut.questions
import abut.snapshots
import abut.world

RAY = (0, 9, 0), (0, -9, 0)


def rock(seed=1):
    return abut.Hull(np.random.default_rng(seed).normal(size=(12, 3)))


@contextlib.contextmanager
def interrupted(module, name):
    """The library's function does its work, and an interrupt comes before Python sees what it returned."""
    real = getattr(module.lib, name)

    def call(*arguments):
        real(*arguments)
        raise KeyboardInterrupt

    with mock.patch.object(module, "lib", mock.Mock(wraps=module.lib, **{name: call})):
        yield


@contextlib.contextmanager
def at_entry(kind, name):
    """An interrupt comes before the first line of a function that C code calls, once."""
    real, left = getattr(kind, name), [KeyboardInterrupt]

    def enter(*arguments):
        if left:
            raise left.pop()
        return real(*arguments)

    with mock.patch.object(kind, name, enter):
        yield


def box_world(**settings):
    world = abut.World(**settings)
    world.create((1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
    return world


class Kept(unittest.TestCase):
    def check(self, world):
        """Each hull that a body uses is kept, also after many bodies have gone."""
        boxes = world.create((1, 1, 1), position=[(9, 0, 0)] * 50)
        world.create(hull=rock(5))
        world.destroy(boxes)
        gc.collect()
        used = {int(pointer) for pointer in world._placed_shapes(None, "shapes")[0]["hull"]} - {0}
        self.assertGreater(len(used), 1)
        self.assertLessEqual(used, set(world._handle.kept.shapes))

    def test_create(self):
        world = abut.World()
        with interrupted(abut.bodies, "abut_bodies_create"):
            self.assertRaises(KeyboardInterrupt, world.create, hull=rock())
        self.assertEqual(len(world), 1)
        self.check(world)

    def test_a_create_that_fails_keeps_nothing(self):
        world = abut.World()
        for _ in range(9):
            self.assertRaises(abut.Error, world.create, hull=rock(), position=(np.nan, 0, 0))
        self.assertLess(len(world._handle.kept.shapes), 2)

    def test_ids_are_the_callers_own(self):
        world = abut.World()
        world.create(hull=rock())[:] = 0
        world.create((1, 1, 1))
        self.check(world)

    def test_set_shapes(self):
        world = box_world()
        with interrupted(abut.bodies, "abut_body_set_shape"):
            self.assertRaises(KeyboardInterrupt, world.set_shapes, world.bodies(), abut.convex(rock()))
        self.check(world)

    def test_restore(self):
        saved, world = abut.World(), box_world()
        saved.create(hull=rock(), position=[(0, 0, 0), (5, 0, 0)])
        with interrupted(abut.snapshots, "abut_world_restore"):
            self.assertRaises(KeyboardInterrupt, world.restore, saved.save(), hulls=rock())
        self.assertEqual(len(world), 2)
        self.check(world)

    def test_a_restore_that_fails_keeps_what_was_kept(self):
        world = abut.World()
        world.create(hull=rock())
        before = dict(world._handle.kept.shapes)
        self.assertRaises(abut.Error, world.restore, b"abut", hulls=rock(2))
        self.assertEqual(world._handle.kept.shapes, before)


class Raised(unittest.TestCase):
    def setUp(self):
        self.hook = sys.unraisablehook

    def tearDown(self):
        self.assertIs(sys.unraisablehook, self.hook)

    def test_at_the_entry_of_accept(self):
        world = box_world()
        with at_entry(abut.questions.Asked, "ask"):
            self.assertRaises(KeyboardInterrupt, world.cast_rays, *RAY, accept=lambda candidate: True)
        self.assertNotEqual(world.cast_rays(*RAY, accept=lambda candidate: True)["body"][0], 0)

    def test_at_the_entry_of_should_collide(self):
        world = box_world(should_collide=lambda *_: True)
        with at_entry(abut.world.Question, "ask"):  # found when the world is made
            other = box_world(should_collide=lambda *_: True)
            self.assertRaises(KeyboardInterrupt, other.step)
            self.assertEqual(other.step().contacts, 1)
        self.assertEqual(world.step().contacts, 1)

    def test_at_the_entry_of_a_finder(self):
        saved, world = abut.World(), abut.World()
        saved.create(hull=rock())
        with at_entry(abut.snapshots.Finder, "find_hull"):
            self.assertRaises(KeyboardInterrupt, world.restore, saved.save(), hulls=rock())
        world.restore(saved.save(), hulls=rock())
        self.assertEqual(len(world), 1)

    def test_questions_within_questions(self):
        world = box_world()

        def accept(candidate):
            with at_entry(abut.questions.Asked, "ask"):
                self.assertRaises(KeyboardInterrupt, world.cast_rays, *RAY, accept=lambda candidate: True)
            return True

        self.assertNotEqual(world.cast_rays(*RAY, accept=accept)["body"][0], 0)

    def test_what_others_raise_goes_to_the_hook_before(self):
        class Fails:
            def __del__(self):
                raise KeyError("other")

        def accept(candidate):
            Fails()
            return True

        seen = []
        with mock.patch.object(sys, "unraisablehook", lambda args: seen.append(args.exc_type)):
            self.assertNotEqual(box_world().cast_rays(*RAY, accept=accept)["body"][0], 0)
        self.assertEqual(set(seen), {KeyError})

    def test_newer_pythons_describe_the_function_only(self):
        caught, before = abut.calls.Caught(), mock.Mock()
        for text, error in (("another", KeyError()), (f"on {caught.reraise!r}", KeyboardInterrupt()), (None, KeyError())):
            caught.unraisable(before, mock.Mock(object=None, err_msg=text, exc_value=error))
        self.assertEqual(before.call_count, 2)
        self.assertRaises(KeyboardInterrupt, caught.reraise)


class Changes(unittest.TestCase):
    def check(self, world):
        """Whether it may be changed, from any thread."""
        world.step()
        failed = []

        def change():
            try:
                world.step()
            except abut.Error as error:
                failed.append(error)

        thread = threading.Thread(target=change)
        thread.start()
        thread.join()
        self.assertEqual(failed, [])
        self.assertEqual(world._handle.calls, {})

    def test_an_interrupt_before_exit_or_after_enter(self):
        def stop(*_):
            raise KeyboardInterrupt

        hook = sys.unraisablehook
        for kind, name in ((abut.calls.Change, "__exit__"), (abut.calls.Call, "end"), (abut.questions.Asked, "__exit__"),
                           (abut.questions.Asked, "listen")):
            world = box_world()
            with self.subTest(f"{kind.__name__}.{name}"):
                with mock.patch.object(kind, name, stop):
                    caught = None  # whose traceback keeps the frames, as in an interactive Python
                    try:
                        world.sweep(world.bodies(), position=(0, 0, 0), accept=lambda candidate: True)
                    except KeyboardInterrupt as error:
                        caught = error
                self.assertIsNotNone(caught)
                self.assertGreater(len(world._handle.calls) + (name == "__exit__"), 0)
                self.check(world)
            sys.unraisablehook = hook

    def test_another_thread_is_refused_during_a_change(self):
        codes = []

        def change():
            try:
                world.refresh()
            except abut.Error as error:
                codes.append(error.code)

        def ask(*_):
            thread = threading.Thread(target=change)
            thread.start()
            thread.join()
            return True

        world = box_world(should_collide=ask)
        world.step()
        world = box_world()
        world.cast_rays(*RAY, accept=ask)
        self.assertEqual(set(codes), {"ABUT_ERROR_BUSY"})
        self.assertGreater(len(codes), 1)


if __name__ == "__main__":
    unittest.main()
