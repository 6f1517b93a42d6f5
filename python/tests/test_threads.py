# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Worlds with several threads: the same answers, and callbacks from all of them."""

import threading
import unittest

import numpy as np

import abut


def threads_here():
    try:
        abut.World(threads=2).close()
    except abut.Error:
        return False
    return True


def heap(world, n=3000):
    rng = np.random.default_rng(3)
    return world.create(half=(0.5, 0.5, 0.5), position=rng.uniform(0, 12, (n, 3)), user=range(n))


def frames(world, ids, n=3):
    """What a few frames and questions answer, as bytes."""
    answers, rng = [], np.random.default_rng(5)
    for _ in range(n):
        world.set_poses(ids, position=rng.uniform(0, 12, (len(ids), 3)))
        answers += [world.step()[1:6], world.contacts().tobytes(), world.hash()]
        answers.append(world.cast_rays(rng.uniform(0, 12, (500, 3)), (0, 30, 0)).tobytes())
    return answers


class Arguments(unittest.TestCase):
    def test_what_is_no_number_of_threads_is_refused(self):
        for wrong in (-2, "some"):
            self.assertRaises(ValueError, abut.World, threads=wrong)
        for wrong in (1.5, [2]):
            self.assertRaises((TypeError, ValueError), abut.World, threads=wrong)
        for wrong in (257, 2**40):
            with self.assertRaises(abut.Error) as caught:
                abut.World(threads=wrong)
            self.assertEqual(caught.exception.code, "ABUT_ERROR_LIMIT")

    def test_none_is_the_calling_thread(self):
        for none in (None, 0):
            with abut.World(threads=none) as world:
                self.assertIsNone(world._handle.pool)


@unittest.skipUnless(threads_here(), "the library has no threads here")
class Threads(unittest.TestCase):
    def test_every_number_gives_the_same_answers(self):
        with abut.World() as world:
            alone = frames(world, heap(world))
        for threads in (1, 2, 5, -1, "all"):
            with abut.World(threads=threads) as world:
                self.assertEqual(frames(world, heap(world)), alone)

    def test_should_collide_is_asked_on_all_of_them(self):
        lock, asked = threading.Lock(), set()

        def ask(a, user_a, b, user_b):
            with lock:
                asked.add((user_a, user_b))
            return (user_a + user_b) % 3 > 0

        answers = []
        for threads in (None, 4):
            asked.clear()
            with abut.World(should_collide=ask, threads=threads) as world:
                answers.append((frames(world, heap(world), 2), frozenset(asked)))
        self.assertGreater(len(answers[0][1]), 1000)
        self.assertEqual(answers[0], answers[1])

    def test_an_exception_of_any_thread_is_raised(self):
        def ask(a, user_a, b, user_b):
            raise KeyError(user_a)

        with abut.World(should_collide=ask, threads=3) as world:
            heap(world)
            self.assertRaises(KeyError, world.step)

    def test_one_thread_at_a_time_changes_a_world(self):
        """Two at once would end the process: the second is refused, by whichever call, and nothing has changed."""
        hull, refused = abut.Hull(np.eye(4, 3)), []

        def change(world, ids):
            for call in (world.step, world.refresh, lambda: world.create((1, 1, 1)), lambda: world.destroy(ids),
                         lambda: world.set_poses(ids, position=(0, 0, 0)), lambda: world.set_shapes(ids, abut.Shape(hull=hull)),
                         lambda: world.set_users(ids, 1), lambda: world.sweep(ids, position=(0, 0, 0)),
                         lambda: world.shift((1, 0, 0)), lambda: world.restore(saved)):
                try:
                    call()
                except abut.Error as error:
                    refused.append(error.code)

        def meanwhile(*_):
            if not refused:
                other = threading.Thread(target=change, args=(world, ids))
                other.start()
                other.join()
            return True

        with abut.World(should_collide=meanwhile) as world:
            ids = heap(world, 500)
            saved, before = world.save(), world.hash()
            self.assertGreater(world.step().contacts, 0)
            self.assertEqual(refused, ["ABUT_ERROR_BUSY"] * 10)
            self.assertEqual(world.hash(), before)
            world.set_poses(ids, position=(0, 0, 0))  # and now it may be changed again
            thread = threading.Thread(target=lambda: refused.append(len(world.create((1, 1, 1)))))
            thread.start()
            thread.join()
            self.assertEqual(refused[-1], 1)

    def test_worlds_in_several_python_threads(self):
        """Each with callbacks and a pool of its own, all at once."""
        made = {}

        def play(which):
            with abut.World(should_collide=lambda *_: True, threads=2) as world:
                made[which] = frames(world, heap(world, 800))

        players = [threading.Thread(target=play, args=(which,)) for which in range(3)]
        for player in players:
            player.start()
        for player in players:
            player.join()
        self.assertEqual(sorted(made), [0, 1, 2])
        self.assertEqual((made[1], made[2]), (made[0], made[0]))

    def test_a_view_outlives_the_world_and_its_pool(self):
        world = abut.World(threads=2)
        heap(world)
        world.step()
        view = world.contacts(copy=False)
        copied = view.copy()
        world.close()
        np.testing.assert_array_equal(view, copied)


if __name__ == "__main__":
    unittest.main()
