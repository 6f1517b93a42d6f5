# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The whole work: look at all rows, cut space, send rows to partitions, find their pairs, sort them."""

from __future__ import annotations

import operator
import os
import time
import warnings
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import number
from ..hull import Hull
from . import cuts
from .answer import Answer
from .engine import Threads, engine
from .model import Block, Hulls, Model, bounds, check, joined
from .partition import Rules, find

SAMPLE, SAMPLED = 20_000, 1 / 500  # rows by which cuts are chosen: so many at least, and this share of all
PARTITION_ROWS, ENOUGH = 250_000, 256  # smaller partitions are no faster; more are made only for the memory's sake
ROW_BYTES, PAIR_BYTES = 450, 100  # of a partition at work, for each row and each pair of bounds
PIECES = 1 << 16  # blocks grow with their partitions, as far as the memory allows: a piece costs Dask some 0.1 to 1 ms
MOST_PIECES = 1 << 22  # of all passes: Dask alone would take an hour
BLOCK_ROWS, BLOCK_BYTES = 500_000, 200  # most rows of a block, and what each takes while it is split
FEW_HULLS = 20  # so many go with each task


class Told(NamedTuple):
    """What a run tells of itself."""
    rows: tuple[int, ...]
    pairs: int
    partitions: int
    passes: int  # over all rows, to keep within the memory
    blocks: int
    copies: float  # partitions that a row reaches, on average
    bytes: int  # of rows on their way to partitions
    seconds: float


class Look(NamedTuple):
    """What is known of a block before it is read for good."""
    sample: Block
    loss: float


def look(name: str, block: Block, hulls: Hulls, count: int) -> Look:
    check(name, block, hulls)
    chance = np.random.default_rng(len(block.rows))
    places = np.sort(chance.choice(len(block.rows), min(count, len(block.rows)), replace=False))
    return Look(block.take(places), block.loss)


def split(name: str, block: Block, hulls: Hulls, made: cuts.Cuts, first: int, end: int, pad: float) -> list[Block | None]:
    """The rows of a block for each of the partitions first .. end - 1."""
    places = made.route(*bounds(name, block, hulls, pad), first, end)
    return [block.take(rows) if len(rows) else None for rows in places]


def find_in(names: tuple[str, ...], parts: list[list[Block | None]], hulls: Hulls, lowest: np.ndarray,
            rules: Rules) -> np.ndarray:
    return find(names, [[piece for piece in pieces if piece is not None] for pieces in parts], hulls, lowest, rules)


class Plan(NamedTuple):
    cuts: cuts.Cuts
    passes: list[tuple[int, int]]  # each for the partitions first .. end - 1


class Run:
    """One call of clash()."""

    def __init__(self, on: Any, models: list[Model], hulls: Hulls, rules: Rules, memory: int) -> None:
        self.on, self.models, self.hulls, self.rules, self.memory = on, models, hulls, rules, memory
        self.names = tuple(model.name for model in models)
        self.rows = sum(map(len, models))

    def ranges(self, partitions: int) -> list[tuple[int, int, int]]:
        """(model, first row, end) of each block."""
        most = max(PIECES // partitions, 2 * self.on.threads)
        fitting = int(self.memory / 4 / (BLOCK_BYTES * self.on.threads))
        rows = max(1, min(max(BLOCK_ROWS, -(-self.rows // most)), fitting))
        return [(k, first, min(first + rows, len(model))) for k, model in enumerate(self.models)
                for first in range(0, len(model), rows)]

    def sent_hulls(self, on: Any) -> Any:
        return on.send(self.hulls) if len(self.hulls) > FEW_HULLS else self.hulls

    def sent_blocks(self, on: Any, ranges: list[tuple[int, int, int]]) -> dict[tuple[int, int], Any]:
        """What tasks get for each block: how to read it, unless only this process can."""
        def sent(model, first, end):
            return on.send(model.read(first, end)) if on.remote and not model.reachable else (model.read, first, end)
        return {(k, first): sent(self.models[k], first, end) for k, first, end in ranges}

    def survey(self) -> list[Block]:
        """Looks at all rows; errors are raised here. Returns a sample of each model. What only this process has is looked at
        here, and sent once, later."""
        on = self.on if all(model.reachable for model in self.models) else Threads(self.on.progress)
        ranges = self.ranges(1)
        share = max(SAMPLE / max(self.rows, 1), SAMPLED)

        def make(name):
            hulls, blocks, graph, keys = self.sent_hulls(on), self.sent_blocks(on, ranges), {}, {}
            for k, first, end in ranges:
                keys[k, first] = key = (f"{name}-look", k, first)
                graph[key] = (look, self.names[k], blocks[k, first], hulls, int(share * (end - first)) + 1)
            return graph, keys

        looks: dict[tuple[int, int], Look] = {}
        on.run(make, looks.__setitem__)
        samples = []
        for k, model in enumerate(self.models):
            several = [looks[which] for which in sorted(looks) if which[0] == k]
            warn_of_loss(model, several)
            samples.append(joined([one.sample for one in several]))
        return samples

    def plan(self, samples: list[Block], partitions: int | None) -> Plan:
        sides = [bounds(name, block, self.hulls, self.rules.pad) for name, block in zip(self.names, samples)]
        low, high = (np.concatenate([side[end] for side in sides], axis=1) for end in range(2))
        if partitions is None:
            row_bytes = ROW_BYTES + PAIR_BYTES * cuts.pairs_per_row(low, high, self.rows)
            needed = self.rows * row_bytes * self.on.threads / (self.memory / 2)
            wanted = max(needed, min(self.rows / PARTITION_ROWS, ENOUGH))
            partitions = 1 if wanted <= 1 else -(-int(np.ceil(wanted)) // self.on.threads) * self.on.threads
        made = cuts.make(low, high, min(partitions, PIECES))
        passes, blocks = self.passes(made), len(self.ranges(len(made)))
        if blocks * (len(made) + len(passes)) > MOST_PIECES:
            raise ValueError(f"memory: too little for {self.rows:,} rows, which would go to {len(made):,} partitions in "
                             f"{blocks:,} blocks, {len(passes):,} times")
        return Plan(made, passes)

    def passes(self, made: cuts.Cuts) -> list[tuple[int, int]]:
        """Threads have no place but the memory for rows on their way; workers of a cluster write to their disks."""
        held = sum(len(model) * (56 + 12 * model.has("hull") + 12 * model.has("group")) for model in self.models)
        count = 1 if self.on.remote else int(np.ceil(held * made.copies / (self.memory / 2)))
        count = min(max(count, 1), len(made))
        return [(len(made) * k // count, len(made) * (k + 1) // count) for k in range(count)]

    def find(self, plan: Plan, answer: Answer, first: int, end: int) -> None:
        """One pass: the pairs of the partitions first .. end - 1."""
        ranges, lowest = self.ranges(len(plan.cuts)), plan.cuts.lowest

        def make(name):
            hulls, blocks, graph, keys = self.sent_hulls(self.on), self.sent_blocks(self.on, ranges), {}, {}
            pieces = {p: [[] for _ in self.models] for p in range(first, end)}
            for k, begin, _ in ranges:
                whole = (f"{name}-split", k, begin)
                graph[whole] = (split, self.names[k], blocks[k, begin], hulls, plan.cuts, first, end, self.rules.pad)
                for p in range(first, end):
                    piece = (f"{name}-piece", k, begin, p)
                    graph[piece] = (operator.getitem, whole, p - first)
                    pieces[p][k].append(piece)
            for p in range(first, end):
                keys[p] = key = (f"{name}-pairs", p)
                graph[key] = (find_in, self.names, pieces[p], hulls, lowest[p], self.rules)
                if not self.on.remote:
                    graph[key] = (answer.keep, graph[key])
            return graph, keys

        def receive(_, pairs):
            answer.parts.append(answer.keep(pairs) if self.on.remote else pairs)

        self.on.run(make, receive)


def warn_of_loss(model, looks):
    """Floats have 24 bits: far from the origin they cannot tell near things apart."""
    loss = max((one.loss for one in looks), default=0.0)
    halves = np.concatenate([one.sample.boxes["half"].max(axis=1) for one in looks]) if looks else np.empty(0)
    if len(halves) and loss > 0.01 * np.median(halves):
        warnings.warn(f"{model.name}: as floats, centers lose up to {loss:.3g}, more than 1 % of a usual half extent; "
                      "origin= moves the model nearer to zero before", RuntimeWarning, stacklevel=5)


def bytes_of(memory):
    from dask.utils import parse_bytes
    try:
        made = int(parse_bytes(memory))
    except (ValueError, TypeError, AttributeError):
        raise ValueError(f"memory: {memory!r}, where a number of bytes or text such as '2 GB' is wanted") from None
    if made <= 0:
        raise ValueError(f"memory: {memory!r} is not positive")
    return made


def run(boxes: Any, other: Any = None, *, clearance: float = 0.0, depth: bool = False, client: Any = None,
        memory: str | int = "2 GB", hulls: Sequence[Hull] = (), origin: ArrayLike | None = None,
        output: str | os.PathLike[str] | None = None, partitions: int | None = None,
        progress: bool = False) -> tuple[Any, Told]:
    """clash(), with what the run tells of itself."""
    began = time.perf_counter()
    clearance = number("clearance", clearance)
    if not 0 <= clearance < np.inf:
        raise ValueError(f"clearance: {clearance}, where a length of 0 or more is wanted")
    if partitions is not None and not 1 <= operator.index(partitions) <= PIECES:
        raise ValueError(f"partitions: {partitions}, where 1 to {PIECES} are wanted")
    moved = None if origin is None else np.asarray(origin, np.float64)
    if moved is not None and (moved.shape != (3,) or not np.isfinite(moved).all()):
        raise ValueError(f"origin: {origin!r}, where three numbers are wanted")
    models = [Model("boxes", boxes, moved)] + ([] if other is None else [Model("other", other, moved)])
    rules = Rules(clearance, bool(depth))
    with engine(client, progress) as on, Answer(rules.dtype, output, on.threads) as answer:
        work = Run(on, models, Hulls(hulls), rules, bytes_of(memory))
        plan = work.plan(work.survey(), partitions)
        for first, end in plan.passes:
            work.find(plan, answer, first, end)
        pairs = answer.finish(len(models[0]))
    rows = tuple(map(len, models))
    held = int(sum(rows) * plan.cuts.copies * 48)
    return pairs, Told(rows, len(pairs), len(plan.cuts), len(plan.passes), len(work.ranges(len(plan.cuts))),
                       plan.cuts.copies, held, time.perf_counter() - began)


def clash(boxes: Any, other: Any = None, *, clearance: float = 0.0, depth: bool = False, client: Any = None,
          memory: str | int = "2 GB", hulls: Sequence[Hull] = (), origin: ArrayLike | None = None,
          output: str | os.PathLike[str] | None = None, partitions: int | None = None,
          progress: bool = False) -> Any:
    """All pairs of boxes and hulls that touch, or come as near as `clearance`: an array of structs i, j and, with
    depth=True, depth (below 0: the gap), sorted by (i, j). Within one model i < j; with `other`, i counts `boxes` and j
    counts `other`. The answer is the same for any partitions, workers and threads: that of one abut.World.

    boxes: an array of structs with center, rotation (x, y, z, w) and half, as abut.OBB; or (centers, rotations, halves); or
    a mapping of such columns, a Zarr group among them. Arrays may be files (numpy.memmap, Zarr) that are larger than
    memory. Two more columns are optional: `hull`, a number into `hulls` (-1: the box), whose pose center and rotation are;
    and `group`: boxes with the same number never clash, negative ones are in no group.
    client: None for the threads of this process; a number of processes on this machine; the address of a scheduler of
    Dask, or a distributed.Client.
    memory: what the rows at work may take in a process, beside the model and the answer. partitions: at most so many,
    instead of as many as follow from it.
    origin: subtracted from all centers before they are rounded to floats, for models far from zero.
    output: a file, .npy, .zarr or .csv, to which the answer is written; it is then returned open for reading (of a .csv
    the array is returned that was written).
    progress: shows a bar on stderr.

    Bad rows raise an Error or a ValueError that names the row; nothing is written then. Memory beside `memory`: 16 bytes a
    pair (24 with depth, and twice that while they are sorted) without `output`. Cost: about 2 microseconds a box and core."""
    return run(boxes, other, clearance=clearance, depth=depth, client=client, memory=memory, hulls=hulls, origin=origin,
               output=output, partitions=partitions, progress=progress)[0]
