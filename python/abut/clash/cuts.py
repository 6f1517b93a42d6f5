# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Cuts of space into partitions: a k-d tree from a sample (Bentley 1975, "Multidimensional binary search trees used for
associative searching"). A row goes to every partition that its bounds reach."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

USEFUL = 0.9  # a cut leaves at most so much of a node's rows on either side
REGIONS, REGION_ROWS = 64, 300  # by which density is estimated: so many at most, of so many rows of the sample or more


class Node(NamedTuple):
    """Partitions first .. end - 1. What begins below `cut` on `axis` reaches `low`, what does not end below it `high`."""
    first: int
    end: int
    axis: int = 0
    cut: np.float32 = np.float32(0)
    low: Node | None = None
    high: Node | None = None


@dataclasses.dataclass(frozen=True)
class Cuts:
    root: Node
    lowest: np.ndarray  # (partitions, 3): the lowest corner of each partition, which belongs to it
    copies: float  # partitions that a row reaches, on average of the sample

    def __len__(self) -> int:
        return self.root.end

    def route(self, low: np.ndarray, high: np.ndarray, first: int, end: int) -> list[np.ndarray]:
        """The places of the rows that reach each of the partitions first .. end - 1, ascending; bounds are (3, n)."""
        made: list[np.ndarray] = []
        visit(self.root, low, high, None, first, end, made)
        return made


def visit(node, low, high, places, first, end, made):
    if node.end <= first or node.first >= end:
        return
    if node.low is None:
        made.append(np.arange(low.shape[1]) if places is None else places)
        return
    begins, ends = low[node.axis], high[node.axis]
    if places is None:
        below, above = np.flatnonzero(begins < node.cut), np.flatnonzero(ends >= node.cut)
    else:
        below, above = places.compress(begins.take(places) < node.cut), places.compress(ends.take(places) >= node.cut)
    visit(node.low, low, high, below, first, end, made)
    visit(node.high, low, high, above, first, end, made)


def make(low: np.ndarray, high: np.ndarray, wanted: int) -> Cuts:
    """At most `wanted` partitions of about equal load. Where rows lie on top of each other no cut helps: there are fewer."""
    lowest: list[tuple[float, float, float]] = []
    reached = [0]

    def grow(places, corner, wanted):
        first = len(lowest)
        axis, cut = best_cut(low, high, places, wanted) if wanted > 1 else (None, None)
        if axis is None:
            lowest.append(corner)
            reached[0] += len(places)
            return Node(first, first + 1)
        beyond = (*corner[:axis], cut, *corner[axis + 1:])
        left = grow(places[low[axis, places] < cut], corner, wanted // 2)
        right = grow(places[high[axis, places] >= cut], beyond, wanted - wanted // 2)
        return Node(first, len(lowest), axis, cut, left, right)

    root = grow(np.arange(low.shape[1]), (-np.inf,) * 3, wanted)
    return Cuts(root, np.array(lowest, np.float32), reached[0] / max(low.shape[1], 1))


def best_cut(low, high, places, wanted):
    """(axis, cut) that shares the rows out best, or (None, None)."""
    best, found = USEFUL * len(places), (None, None)
    share = (wanted // 2) / wanted
    for axis in range(3):
        begins, ends = low[axis, places], high[axis, places]
        middles = begins / 2 + ends / 2
        if len(middles) == 0:
            continue
        rank = min(int(share * len(middles)), len(middles) - 1)
        cut = np.partition(middles, rank)[rank]
        below, above = np.count_nonzero(begins < cut), np.count_nonzero(ends >= cut)
        worst = max(below / (2 * share), above / (2 - 2 * share))
        if max(below, above) <= USEFUL * len(places) and worst <= best:
            best, found = worst, (axis, cut)
    return found


def pairs_per_row(low: np.ndarray, high: np.ndarray, rows: int) -> float:
    """How many bounds those of a row meet where rows lie densest, from a sample of so many rows: within each of some
    regions they are taken to lie anyhow."""
    count = low.shape[1]
    if count == 0:
        return 0.0
    regions = make(low, high, min(REGIONS, -(-count // REGION_ROWS)))
    most = 0.0
    for places in regions.route(low, high, 0, len(regions)):
        begins, ends = low.take(places, axis=1).astype(np.float64), high.take(places, axis=1).astype(np.float64)
        widths = ends - begins
        room = np.prod(np.ptp(begins + ends, axis=1) / 2 + widths.mean(axis=1))
        meet = np.prod(widths + np.roll(widths, 1, axis=1), axis=0).mean()
        most = max(most, len(places) * rows / count * min(1.0, meet / room if room > 0 else 1.0))
    return most
