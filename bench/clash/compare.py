# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""compare.py [BOXES] [--runs N]: abut.clash beside scipy's cKDTree with exact tests, and beside FCL's tree (`--fcl PROGRAM`)
on a sample. Every method has a process of its own, which says how much memory it took; they take turns."""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import abut
from abut.clash.plant import plant
from abut.clash.run import run

SAMPLE = 1_000_000  # boxes for FCL


def random_boxes(count):
    """Boxes in a cube with about one clash each."""
    chance = np.random.default_rng(count)
    boxes = np.zeros(count, abut.OBB)
    boxes["center"] = chance.uniform(0, count ** (1 / 3), (count, 3))
    boxes["rotation"] = chance.normal(size=(count, 4))
    boxes["half"] = chance.uniform(0.1, 0.465, (count, 3))
    return boxes


def by_tree(boxes):
    """Spheres round the boxes that may meet, from a k-d tree; then the exact test."""
    from scipy.spatial import cKDTree
    radius = np.linalg.norm(boxes["half"].astype(float), axis=1)
    near = cKDTree(boxes["center"]).query_pairs(2 * radius.max(), output_type="ndarray")
    found = 0
    for first in range(0, len(near), 1 << 20):
        i, j = near[first:first + (1 << 20)].T
        gap = np.linalg.norm(boxes["center"][i] - boxes["center"][j], axis=1)
        meet = gap <= radius[i] + radius[j]
        found += int(abut.overlap_many(boxes[i[meet]], boxes[j[meet]]).sum())
    return found


def method(name, path):
    """Runs in a process of its own."""
    boxes = np.load(path)
    if name == "warm":  # so that nobody pays for compiled modules on a cold disk
        return len(run(boxes[:1000])[0])
    if name == "cKDTree":
        return by_tree(boxes)
    return len(run(boxes, depth=name.endswith("depth"), client=2 if "processes" in name else None)[0])


def timed(name, path):
    command = [sys.executable, __file__, "--method", name, "--path", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory, pairs = done.stdout.split()
    return float(seconds), float(memory), int(pairs)


def timed_fcl(program, path):
    boxes = np.load(path)
    with tempfile.NamedTemporaryFile() as file:
        boxes.tofile(file.name)
        seconds, pairs = subprocess.run([program, file.name], capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float("nan"), int(pairs)


def show(name, count, runs):
    seconds = statistics.median(run[0] for run in runs)
    spread = (max(run[0] for run in runs) - min(run[0] for run in runs)) / seconds
    print(f"  {name:28} {count:>12,} {seconds:>9.2f} s {seconds / count * 1e6:>8.2f} us a box {runs[0][1]:>8.2f} GB "
          f"{runs[0][2]:>12,} pairs   spread {spread:.0%}", flush=True)


def compare(count, runs, fcl):
    with tempfile.TemporaryDirectory() as folder:
        everything, sample = os.path.join(folder, "all.npy"), os.path.join(folder, "sample.npy")
        np.save(everything, random_boxes(count))
        np.save(sample, random_boxes(min(count, SAMPLE)))
        timed("warm", sample)
        print(f"{os.cpu_count()} processors; medians of {runs}")
        methods = [("abut.clash", everything), ("abut.clash depth", everything), ("abut.clash 2 processes", everything),
                   ("cKDTree", everything)]
        results = {name: [] for name, _ in methods}
        for _ in range(runs):
            for name, path in methods:
                results[name].append(timed(name, path))
        for name, path in methods:
            show(name, count, results[name])
        if fcl:
            ours, theirs = [], []
            for _ in range(runs):
                ours.append(timed("abut.clash", sample))
                theirs.append(timed_fcl(fcl, sample))
            show("abut.clash, sample", min(count, SAMPLE), ours)
            show("FCL, sample", min(count, SAMPLE), theirs)


def grow(counts):
    """How the cost grows: random boxes, and a plant."""
    for count in counts:
        model, hulls = plant(count)[:2]
        for name, rows, named in (("random", random_boxes(count), {}), ("plant", model, {"hulls": hulls})):
            told = run(rows, **named)[1]
            print(f"  {name:8} {count:>12,} boxes {told.pairs:>12,} pairs {told.partitions:>4} partitions {told.blocks:>4} blocks "
                  f"{told.copies:5.2f} copies {told.bytes / 1e6:>9.1f} MB moved {told.seconds:>8.2f} s "
                  f"{told.seconds / count * 1e6:>6.2f} us a box {told.seconds / told.partitions:>7.3f} s a partition", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boxes", nargs="?", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--fcl", help="the program clash-fcl")
    parser.add_argument("--growth", action="store_true", help="instead: 100,000 boxes, ten times as many, ... up to BOXES")
    parser.add_argument("--method", help=argparse.SUPPRESS)
    parser.add_argument("--path", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.method:
        began = time.perf_counter()
        pairs = method(given.method, given.path)
        seconds = time.perf_counter() - began
        print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2 ** 20, pairs)
    elif given.growth:
        grow([10 ** k for k in range(5, 10) if 10 ** k <= given.boxes])
    else:
        compare(given.boxes, given.runs, given.fcl)


if __name__ == "__main__":
    main()
