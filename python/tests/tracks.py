# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""What several tests need: tracks of hit boxes, a field of tumbling boxes, and a program in a Python of its own."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np

import abut

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ABUT_BUILD", TREE / "build-release"))
TRACKS = [TREE / "demo" / "tracks" / "sparring", *map(pathlib.Path, os.environ.get("ABUT_TRACKS", "").split())]


class Track:
    def __init__(self, folder):
        bodies = np.loadtxt(folder / "bodies.csv", dtype=str, delimiter=",", skiprows=1, ndmin=2)
        rows = np.loadtxt(folder / "poses.csv", delimiter=",", skiprows=1, ndmin=2)
        self.names, self.half = bodies[:, 1], bodies[:, 2:5].astype(float)
        owners = [re.match(r".*?\d(?=_)|[^_]+", name)[0] for name in self.names]
        self.owner = np.unique(owners, return_inverse=True)[1]
        self.poses = rows[np.lexsort((rows[:, 1], rows[:, 0])), 2:].astype(np.float32).reshape(-1, len(bodies), 7)

    def create(self, world):
        return world.create(self.half, group=-1 - self.owner, user=np.arange(len(self.half)))


class Field:
    """n boxes that tumble and drift; about one in two touches another."""

    def __init__(self, n, seed=7):
        self.rng = np.random.default_rng(seed)
        self.half = self.rng.uniform(0.2, 0.8, (n, 3))
        self.poses = abut.poses(self.rng.uniform(0, (4 * n) ** (1 / 3), (n, 3)), self.rng.normal(size=(n, 4)))
        self.drift = self.rng.normal(scale=0.02, size=(n, 7)).astype(np.float32)

    def move(self):
        self.poses.view(np.float32).reshape(-1, 7)[...] += self.drift


def run_python(*arguments, **environment):
    """(exit status, stdout, stderr) of a Python of its own."""
    done = subprocess.run([sys.executable, "-B", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=120)
    return done.returncode, done.stdout, done.stderr
