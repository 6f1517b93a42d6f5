# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""A plant of any size, for tests and measurements: storeys of pipe racks with frames, pipes, flanges, valves, cable trays,
ducts and equipment, of boxes and hulls. Nothing in it clashes but what is planted.

    python3 -m abut.clash.plant ROWS PLANT.npy [--seed 1] [--planted 0.25] [--jitter 0]

also writes PLANT.hulls.npz and PLANT.planted.npy. Lengths are metres, y is up. It is made bay by bay: the first rows of a
larger plant with the same seed and the same number of bays in a row are the same."""

from __future__ import annotations

import argparse
import pathlib
from typing import Iterator, NamedTuple

import numpy as np

from ..hull import Hull
from .partition import PAIR

ROW = np.dtype([("center", "<f4", 3), ("rotation", "<f4", 4), ("half", "<f4", 3), ("hull", "<i4"), ("group", "<i4")])

BAY = np.array([6.0, 6.5, 9.0])  # of a bay; along x pipes run from bay to bay
STOREYS, ROW_BAYS = 4, 64  # bays stand in blocks of 64 along x and 4 storeys; further blocks follow along z
LANES = np.array([-3.2, -2.4, -1.6, -0.8, 0.8, 1.6, 2.4, 3.2])  # z of the pipes of the lower level; z = 0 stays free
RADII = np.array([0.08, 0.12, 0.18, 0.26])
LOWER, UPPER, BEAM = 2.0, 4.2, 0.15  # heights of the levels, and a beam's half height
GAP = 0.02  # between what lies on a beam and the beam
AT_ONCE = 4096  # bays that are made together

HALF_SQRT = np.sqrt(0.5)
ALONG_X = (0.0, 0.0, HALF_SQRT, HALF_SQRT)  # turns what stands along y
UPRIGHT = (0.0, 0.0, 0.0, 1.0)

# Parts of a bay, in this order.
FRAME, PIPES, FLANGES, VALVES, TRAYS, DUCTS, EQUIPMENT, ROGUE = 10, 8, 8, 3, 3, 2, 4, 1
PARTS = FRAME + PIPES + FLANGES + VALVES + TRAYS + DUCTS + EQUIPMENT + ROGUE
GROUPS = 1 + PIPES + TRAYS + DUCTS  # of a line of bays: its frame, then one for each line of pipes, trays and ducts
VALVE_LANES = (0, 3, 5)


class Plant(NamedTuple):
    """rows: center, rotation, half, hull (a number into hulls, or -1) and group. planted: the pairs that clash, sorted."""
    rows: np.ndarray
    hulls: list[Hull]
    planted: np.ndarray


def hulls() -> list[Hull]:
    """Pipes of all radii, then a valve, a vessel and a motor."""
    pipes = [Hull.cylinder(BAY[0] / 2, float(radius), 12) for radius in RADII]
    return [*pipes, Hull.cone(0.15, 0.1, 8), Hull.cylinder(1.2, 0.5, 16), Hull.cylinder(0.3, 0.2, 10)]


VALVE, VESSEL, MOTOR = len(RADII), len(RADII) + 1, len(RADII) + 2


class Bays:
    """Arrays of so many bays that are filled part by part."""

    def __init__(self, bay: np.ndarray, chance: np.random.Generator) -> None:
        self.count, self.chance, self.next = len(bay), chance, 0
        along, rest = bay % ROW_BAYS, bay // ROW_BAYS
        storey, across = rest % STOREYS, rest // STOREYS
        self.line = across * STOREYS + storey  # of bays, one behind the other
        self.corner = np.stack([along, storey, across], axis=1) * BAY
        self.rows = np.zeros((self.count, PARTS), ROW)
        self.rows["hull"] = -1

    def put(self, center, half, group, rotation=UPRIGHT, hull=-1):
        """The next part, in coordinates of the bay; its number."""
        part, self.next = self.rows[:, self.next], self.next + 1
        part["center"] = self.corner + np.stack(np.broadcast_arrays(*center, np.zeros(self.count))[:3], axis=1)
        part["half"] = np.stack(np.broadcast_arrays(*half, np.zeros(self.count))[:3], axis=1)
        part["rotation"], part["hull"], part["group"] = rotation, hull, group
        return self.next - 1

    def group(self, k):
        """Number k of the groups of each bay's line. Even numbers; equipment has the odd ones."""
        return 2 * (self.line * GROUPS + k)


def put_frame(bays):
    """Two columns, two beams across, four along, and two braces."""
    group, (length, height, _) = bays.group(0), BAY
    for z in (-4.0, 4.0):
        bays.put((0, height / 2, z), (0.15, height / 2 - 0.2, 0.15), group)
    for level in (LOWER, UPPER):
        bays.put((0, level, 0), (0.1, BEAM, 4.0), group)
        for z in (-4.0, 4.0):
            bays.put((length / 2, level, z), (length / 2, BEAM, 0.1), group)
    angle = np.arctan2(UPPER - LOWER, length) / 2
    for z in (-4.0, 4.0):
        bays.put((length / 2, (LOWER + UPPER) / 2, z), (length / 2 - 0.2, 0.06, 0.06), group, (0, 0, np.sin(angle), np.cos(angle)))


def put_pipes(bays):
    """Pipes, every second one a hull, with flanges and a few valves. Returns the parts and their tops."""
    targets = []
    size = np.random.default_rng(1).integers(0, len(RADII), (64, PIPES))[bays.line % 64]
    base = LOWER + BEAM + GAP
    for lane, z in enumerate(LANES):
        radius = RADII[size[:, lane]]
        center, half, group = (BAY[0] / 2, base + radius, z), (BAY[0] / 2, radius, radius), bays.group(1 + lane)
        if lane % 2:
            part = bays.put(center, (0, 0, 0), group, ALONG_X, size[:, lane])
        else:
            part = bays.put(center, half, group)
        targets.append((part, base + 2 * radius, z))
    for lane, z in enumerate(LANES):
        radius = RADII[size[:, lane]]
        bays.put((BAY[0] - 0.5, base + radius, z), (0.04, radius + 0.01, radius + 0.06), bays.group(1 + lane))
    for lane in VALVE_LANES:
        top = base + 2 * RADII[size[:, lane]]
        bays.put((1.0, top + 0.15, LANES[lane]), (0, 0, 0), bays.group(1 + lane), UPRIGHT, VALVE)
    return targets


def put_upper_level(bays):
    """Cable trays and ducts."""
    targets, base = [], UPPER + BEAM + GAP
    for k, z in enumerate((-3.3, -2.3, -1.3)):
        part = bays.put((BAY[0] / 2, base + 0.05, z), (BAY[0] / 2, 0.05, 0.3), bays.group(1 + PIPES + k))
        targets.append((part, base + 0.1, z))
    for k, z in enumerate((0.6, 2.4)):
        part = bays.put((BAY[0] / 2, base + 0.4, z), (BAY[0] / 2, 0.4, 0.6), bays.group(1 + PIPES + TRAYS + k))
        targets.append((part, base + 0.8, z))
    return targets


def put_equipment(bays, number):
    """A vessel and a motor on a base, turned anyhow, and a pipe that rises through the free lane."""
    group, turn = 2 * number + 1, bays.chance.uniform(0, np.pi, bays.count)
    about_y = np.stack([np.zeros(bays.count), np.sin(turn), np.zeros(bays.count), np.cos(turn)], axis=1)
    s, c = about_y[:, 1] * HALF_SQRT, about_y[:, 3] * HALF_SQRT
    lying = np.stack([s, s, c, c], axis=1)  # along x first, then turned about y
    bays.put((BAY[0] / 2, 0.1, 0), (1.6, 0.1, 0.7), group, about_y)
    bays.put((BAY[0] / 2, 0.75, 0), (0, 0, 0), group, lying, VESSEL)
    bays.put((BAY[0] / 2, 1.35, 0), (0, 0, 0), group, lying, MOTOR)
    bays.put((BAY[0] / 2, 2.5, 0), (0.08, 1.0, 0.08), group)


def put_rogue(bays, targets, planted):
    """A support that somebody put onto a pipe, a tray or a duct: in some bays into it. Returns (bays, part, depths)."""
    part, top, z = (np.stack(np.broadcast_arrays(*column, np.zeros(bays.count))[:len(targets)], axis=1) for column in zip(*targets))
    which = bays.chance.integers(0, len(targets), bays.count)
    every = np.arange(bays.count)
    wrong = bays.chance.random(bays.count) < planted
    depth = bays.chance.uniform(0.02, 0.06, bays.count)
    turn = bays.chance.uniform(0, np.pi, bays.count)
    rotation = np.stack([np.zeros(bays.count), np.sin(turn), np.zeros(bays.count), np.cos(turn)], axis=1)
    height = top[every, which] + 0.1 + np.where(wrong, -depth, GAP)
    rogue = bays.put((2.2, height, z[every, which]), (0.05, 0.1, 0.05), -1, rotation)
    return np.flatnonzero(wrong), part[every, which].astype(int), rogue


def blocks(count: int, seed: int = 1, planted: float = 0.25, jitter: float = 0.0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(rows, planted pairs) of some bays after the others: a plant that need not fit into memory."""
    for first in range(0, -(-count // PARTS), AT_ONCE):
        chance = np.random.default_rng((seed, first))
        bays = Bays(np.arange(first, first + AT_ONCE), chance)
        put_frame(bays)
        targets = put_pipes(bays) + put_upper_level(bays)
        put_equipment(bays, np.arange(first, first + AT_ONCE))
        wrong, part, rogue = put_rogue(bays, targets, planted)
        rows = bays.rows.reshape(-1)[:count - first * PARTS]
        if jitter:
            rows["center"] += chance.normal(0, jitter, (AT_ONCE * PARTS, 3))[:len(rows)]
        pairs = np.empty(len(wrong), PAIR)
        pairs["i"], pairs["j"] = (first + wrong) * PARTS + part[wrong], (first + wrong) * PARTS + rogue
        yield rows, pairs[pairs["j"] < count]


def plant(count: int, seed: int = 1, planted: float = 0.25, jitter: float = 0.0) -> Plant:
    """A plant of `count` rows. planted: the share of bays (of 39 rows) in which a support sits in what it stands on.
    jitter: a length by which every row is moved about, so that much else clashes."""
    made = list(blocks(count, seed, planted, jitter))
    pairs = np.concatenate([pairs for _, pairs in made] or [np.empty(0, PAIR)])
    return Plant(np.concatenate([rows for rows, _ in made] or [np.empty(0, ROW)]), hulls(), np.sort(pairs, order=("i", "j")))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m abut.clash.plant", description="Writes a plant with planted clashes.")
    parser.add_argument("rows", type=lambda text: int(float(text)))
    parser.add_argument("path", type=pathlib.Path, metavar="PLANT.npy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--planted", type=float, default=0.25, help="share of bays with a planted clash")
    parser.add_argument("--jitter", type=float, default=0.0, help="metres by which rows are moved about")
    given = parser.parse_args()
    if given.rows < 1 or given.path.suffix != ".npy":
        parser.error("at least one row, and a path that ends in .npy, are wanted")
    rows = np.lib.format.open_memmap(given.path, "w+", ROW, (given.rows,))
    done, planted = 0, []
    for some, pairs in blocks(given.rows, given.seed, given.planted, given.jitter):
        rows[done:done + len(some)] = some
        done += len(some)
        planted.append(pairs)
    rows.flush()
    np.save(given.path.with_suffix(".planted.npy"), np.sort(np.concatenate(planted), order=("i", "j")))
    np.savez(given.path.with_suffix(".hulls.npz"), *(hull.vertices for hull in hulls()))


if __name__ == "__main__":
    main()
