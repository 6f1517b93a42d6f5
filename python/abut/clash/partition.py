# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""What clashes within one partition: a world of the rows that reach it, one step, and those of its pairs that are the
partition's own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..contacts import depths
from ..enums import Detail
from ..errors import Error
from ..layout import BODY_DEF
from ..world import World
from .model import Block, Hulls, bounds, joined

PAIR = np.dtype([("i", "<i8"), ("j", "<i8")])
DEEP_PAIR = np.dtype([("i", "<i8"), ("j", "<i8"), ("depth", "<f4")])

AT_ONCE = 1 << 16  # contacts whose depths are computed together
LARGEST_GROUP = np.iinfo(np.int32).max - 1
FIRST, SECOND = 1, 2  # categories of two models


class Rules(NamedTuple):
    """What counts as a clash, and what is told of it."""
    clearance: float
    depth: bool

    @property
    def dtype(self) -> np.dtype:
        return DEEP_PAIR if self.depth else PAIR

    @property
    def pad(self) -> float:
        """Two rows within the clearance have bounds that meet when each is grown by this."""
        return self.clearance * 0.50001

    @property
    def detail(self) -> Detail:
        return Detail.MANIFOLD if self.depth or self.clearance else Detail.OVERLAP


def find(names: tuple[str, ...], parts: list[list[Block]], hulls: Hulls, lowest: np.ndarray, rules: Rules) -> np.ndarray:
    """The pairs of one model, or between two, that belong to the partition with this lowest corner, sorted."""
    blocks = [joined(pieces) for pieces in parts]
    outside = [beyond(bounds(name, block, hulls, rules.pad)[0], lowest) for name, block in zip(names, blocks)]
    if not all(len(block.rows) for block in blocks):
        return np.empty(0, rules.dtype)
    defs = definitions(blocks, hulls, rules)
    with World(body_capacity=len(defs), contact_margin=rules.clearance) as world:
        try:
            ids = world._create(defs)
        except Error as error:
            raise named(error, names, blocks) from None
        world.step()
        listed = world.contacts(copy=False) if rules.depth else world.pairs(copy=False)
        rows, outside = np.concatenate([block.rows for block in blocks]), np.concatenate(outside)
        found = owned(listed, ids, rows, outside, rules)
        del listed
    return found


def definitions(blocks, hulls, rules):
    """abut_body_def of each row. Those of two models touch only each other."""
    made = np.zeros(sum(len(block.rows) for block in blocks), BODY_DEF)
    end = 0
    for k, block in enumerate(blocks):
        first, end = end, end + len(block.rows)
        defs = made[first:end]
        defs["pose"]["position"], defs["pose"]["rotation"] = block.boxes["center"], block.boxes["rotation"]
        defs["half"], defs["detail"] = block.boxes["half"], rules.detail
        if block.hull is not None and len(hulls):
            defs["hull"] = np.where(block.hull >= 0, hulls.pointers[block.hull], 0)
        if len(blocks) == 2:
            defs["filter"]["category"], defs["filter"]["mask"] = (FIRST, SECOND) if k == 0 else (SECOND, FIRST)
    made["filter"]["group"] = filter_groups(blocks)
    return made


def filter_groups(blocks):
    """The library keeps bodies of the same negative group apart."""
    if all(block.group is None for block in blocks):
        return 0
    groups = np.concatenate([np.full(len(block.rows), -1) if block.group is None else block.group for block in blocks])
    if groups.max() > LARGEST_GROUP:
        groups = np.where(groups < 0, -1, np.unique(groups, return_inverse=True)[1])
    return np.where(groups < 0, 0, -1 - groups)


def named(error, names, blocks):
    """The same error, with the row's number in its model."""
    index = error.index
    for name, block in zip(names, blocks):
        if index is not None and index < len(block.rows):
            return Error(error.code, name, int(block.rows[index]), error.field, error.value)
        index = None if index is None else index - len(block.rows)
    return error


def beyond(low, lowest):
    """Bit k: the row begins before the partition does on axis k."""
    made = np.zeros(low.shape[1], np.uint8)
    for axis in range(3):
        made |= (low[axis] < lowest[axis]).astype(np.uint8) << axis
    return made


def owned(listed, ids, rows, outside, rules):
    """A pair belongs to the partition that holds the lowest corner of what the two bounds share. Both reach this one, so
    it is this one unless both begin before it on some axis."""
    step = ids[1] - ids[0] if len(ids) > 1 else 1  # ids of a new world are evenly spaced
    a, b = (((listed[side] - ids[0]) // step).astype(np.int64) for side in "ab")
    own = np.flatnonzero((outside.take(a) & outside.take(b)) == 0)
    made = np.empty(len(own), rules.dtype)
    made["i"], made["j"] = rows.take(a.take(own)), rows.take(b.take(own))
    if rules.depth:
        for first in range(0, len(own), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            made["depth"][part] = depths(listed.take(own[part]))
    return made
