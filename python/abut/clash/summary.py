# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""What a person wants to know of many pairs first: between which groups, how deep, where."""

from __future__ import annotations

import os
from typing import Any, Iterator, NamedTuple

import numpy as np

from .model import Block, Model

BLOCK_ROWS = 1 << 20
POINTS = 1_000_000  # pairs that a plot shows
MOST_CELLS = 256  # of a plot, along its longer side
PER_CELL = 4  # clashes in each, if they were spread evenly


class GroupPair(NamedTuple):
    first: int
    second: int
    count: int
    deepest: float  # NaN: depths were not asked for


def read_rows(model: Model, rows: np.ndarray) -> Iterator[tuple[np.ndarray, Block]]:
    """(places in rows, those rows of the model), block after block."""
    order = np.argsort(rows, kind="stable")
    ascending = rows[order]
    for first in range(0, len(model), BLOCK_ROWS):
        begin, end = np.searchsorted(ascending, (first, first + BLOCK_ROWS))
        if begin < end:
            places = order[begin:end]
            yield places, model.read(first, min(first + BLOCK_ROWS, len(model))).take(rows[places] - first)


def groups_of(model: Model, rows: np.ndarray) -> np.ndarray:
    made = np.full(len(rows), -1, np.int64)
    if model.has("group"):
        for places, block in read_rows(model, rows):
            made[places] = block.group
    return made


def centers_of(model: Model, rows: np.ndarray) -> np.ndarray:
    made = np.empty((len(rows), 3))
    for places, block in read_rows(model, rows):
        made[places] = block.boxes["center"]
    return made


def by_groups(pairs: Any, models: list[Model]) -> list[GroupPair]:
    """How many pairs each two groups have; most first. Without `other` the lower group comes first. -1: no group."""
    if len(pairs) == 0:
        return []
    first, second = groups_of(models[0], np.asarray(pairs["i"])), groups_of(models[-1], np.asarray(pairs["j"]))
    if len(models) == 1:
        first, second = np.minimum(first, second), np.maximum(first, second)
    both, which, counts = np.unique(np.stack([first, second]), axis=1, return_inverse=True, return_counts=True)
    deepest = np.full(len(counts), np.nan if "depth" not in pairs.dtype.names else -np.inf)
    if "depth" in pairs.dtype.names:
        np.maximum.at(deepest, which.reshape(-1), pairs["depth"])
    order = np.lexsort((both[1], both[0], -counts))
    return [GroupPair(int(both[0, k]), int(both[1, k]), int(counts[k]), float(deepest[k])) for k in order]


def deepest(pairs: Any, count: int) -> np.ndarray:
    """The deepest pairs, deepest first."""
    depth = np.asarray(pairs["depth"])
    some = np.argpartition(-depth, count - 1)[:count] if count < len(depth) else np.arange(len(depth))
    return np.asarray(pairs[np.sort(some)])[np.argsort(-depth[np.sort(some)], kind="stable")]


def draw_density(pairs: Any, models: list[Model], path: str | os.PathLike[str]) -> None:
    """Writes a picture of how many clashes there are where, seen along the shortest side of their bounds."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    step = max(1, -(-len(pairs) // POINTS))
    some = np.asarray(pairs[::step])
    middles = (centers_of(models[0], some["i"]) + centers_of(models[-1], some["j"])) / 2
    sides = np.ptp(middles, axis=0) if len(some) else np.ones(3)
    across, up = sorted(sorted(range(3), key=lambda axis: -sides[axis])[:2])
    width, height = np.maximum(sides[[across, up]], max(sides.max(), 1e-6) / 20)  # what is flat is still seen
    figure = Figure(figsize=(9, min(max(9 * height / width, 2.5), 11) + 1), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    if len(some):
        cell = max(max(width, height) / MOST_CELLS, np.sqrt(width * height * PER_CELL / len(some)))
        cells = [max(1, round(side / cell)) for side in (width, height)]
        drawn = axes.hist2d(middles[:, across], middles[:, up], bins=cells, weights=np.full(len(some), float(step)), cmin=1)
        figure.colorbar(drawn[3], label="clashes in a cell", shrink=0.8)
    axes.set_aspect("equal")
    axes.set(xlabel="xyz"[across], ylabel="xyz"[up], title=f"{len(pairs):,} clashes")
    figure.savefig(path, format="png", dpi=120)
