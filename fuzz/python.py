#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Calls of the Python module with any arguments: an exception or an answer, never a crash.

python.py [--seconds N] [--calls N] [--seed N]

Each child process makes random calls from a seed of its own; one that dies by a signal has found something, and
`python.py --child SEED` does it again.
"""

import argparse
import inspect
import os
import random
import subprocess
import sys
import time

CALLS = 400


def values(numpy):
    """Makers of arguments, good and bad."""
    nan, inf = float("nan"), float("inf")
    tame = [0, 1, -1, 2, 0.5, 3, 7]
    wild = [nan, inf, -inf, 1e30, -1e30, 1e-40, 2**31, 2**32, 2**63, 2**64, -2**63, None, True, "x", b"bytes", [], {},
            (1, 2), object(), 1j, [[1, 2], [3]], [None], ["a", 1], b"", bytearray(64)]
    shapes = [(0,), (1,), (3,), (4,), (2, 3), (2, 4), (1, 3), (0, 3), (8, 3), (2, 7), (16,), (4, 4), (2, 3, 3), (5,)]
    kinds = ["f4", "f8", "u4", "u8", "i4", "i8", "u1", "?", "O", "S3", "c8"]

    def array(r):
        shape, kind = r.choice(shapes), r.choice(kinds[:4] if r.random() < 0.7 else kinds)
        made = numpy.array([r.choice(tame) for _ in range(int(numpy.prod(shape)))]).reshape(shape)
        if r.random() < 0.2 and made.size:
            made = made.astype("f8")
            made.flat[r.randrange(made.size)] = r.choice([nan, inf, 1e30, -1e38])
        with numpy.errstate(all="ignore"):
            made = made.astype(kind)
        return made[::-1] if r.random() < 0.2 else made

    return [lambda r: r.choice(tame), lambda r: r.choice(wild), array, array,
            lambda r: [r.choice(tame) for _ in range(r.choice([3, 4, 7]))]]


class Player:
    """Random calls; what they return becomes arguments of others."""

    def __init__(self, seed, abut, numpy):
        self.random = random.Random(seed)
        self.makers = values(numpy)
        world = abut.World(contact_margin=0.1)
        ids = world.create((1, 1, 1), position=[[0, 0, 0], [1, 0, 0], [5, 0, 0]])
        hull = abut.Hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        mesh = abut.Mesh([[0, 0, 0], [4, 0, 0], [0, 0, 4]], [[0, 2, 1]])
        shapes = [abut.box((1, 1, 1)), abut.sphere(1), abut.capsule(1, 0.5), abut.convex(hull)]
        self.pool = [world, ids, hull, mesh, *shapes, abut.poses([[0, 0, 0], [1, 2, 3]]), abut.Frustum]
        self.functions = [f for name, f in inspect.getmembers(abut, callable)
                          if not name.startswith("_") and name != "clash"]
        self.classes = (abut.World, abut.Hull, abut.Mesh, abut.Frustum)
        self.errors = (abut.Error, TypeError, ValueError, OverflowError, IndexError, KeyError, AttributeError,
                       MemoryError, NotImplementedError, BufferError)

    def argument(self):
        if self.random.random() < 0.35:
            return self.random.choice(self.pool)
        return self.random.choice(self.makers)(self.random)

    def target(self):
        """A function, or a method of something."""
        if self.random.random() < 0.3:
            return self.random.choice(self.functions)
        ours = [made for made in self.pool if type(made).__module__.startswith("abut")]
        owner = self.random.choice(ours + [*self.classes] * 2)
        members = [getattr(owner, name) for name in dir(owner) if not name.startswith("_") and name != "close"]
        methods = [m for m in members if callable(m) and (inspect.ismethod(m) or not isinstance(owner, type))]
        return self.random.choice(methods or self.functions)

    def call(self):
        function = self.target()
        try:
            named = [p for p in inspect.signature(function).parameters.values()]
        except (TypeError, ValueError):
            named = []
        places = [p for p in named if p.kind is p.POSITIONAL_OR_KEYWORD]
        words = [p.name for p in named if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
        given = [self.argument() for _ in range(self.random.randint(0, len(places) + (self.random.random() < 0.1)))]
        more = {w: self.argument() for w in words[len(given):] if self.random.random() < 0.3}
        for big in ("body_capacity", "pair_capacity", "threads", "workers"): # not as much memory as there is
            if big in more:
                more[big] = self.random.choice([0, 1, 4, 100, -1, None, "x", 1.5])
        try:
            answer = function(*given, **more)
        except self.errors:
            return
        if answer is not None and len(self.pool) < 60:
            self.pool.append(answer)
        elif answer is not None:
            self.pool[self.random.randrange(8, len(self.pool))] = answer


def child(seed, calls):
    import warnings

    import numpy

    import abut
    warnings.simplefilter("ignore")
    player = Player(seed, abut, numpy)
    for _ in range(calls):
        player.call()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    parser.add_argument("--child", type=int)
    arguments = parser.parse_args()
    if arguments.child is not None:
        child(arguments.child, arguments.calls)
        return 0
    end, seed = time.monotonic() + arguments.seconds, arguments.seed
    while time.monotonic() < end or seed == arguments.seed:
        command = [sys.executable, __file__, "--child", str(seed), "--calls", str(arguments.calls)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout + done.stderr)
            print(f"python: BROKEN ({done.returncode}): fuzz/python.py --child {seed}")
            return 1
        seed += 1
    print(f"python: nothing in {(seed - arguments.seed) * arguments.calls} calls, {arguments.seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
