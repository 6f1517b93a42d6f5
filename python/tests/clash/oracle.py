# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Models for the tests, and their clashes by asking for every pair."""

import numpy as np

import abut

ROW = np.dtype([("half", "f4", 3), ("name", "S4"), ("center", "f4", 3), ("group", "i8"), ("rotation", "f4", 4)])


def random_boxes(count, seed=1, density=1.0, flat=False):
    """Boxes in a cube (flat: in a plane), with about `density` clashes each."""
    chance = np.random.default_rng(seed)
    side = max((count / density) ** (1 / 3), 1.0) * 1.05
    boxes = np.zeros(count, abut.OBB)
    boxes["center"] = chance.uniform(-side / 2, side / 2, (count, 3)) * ((1, 0.02, 1) if flat else (1, 1, 1))
    boxes["rotation"] = chance.normal(size=(count, 4))
    boxes["half"] = chance.uniform(0.05, 0.5, (count, 3))
    return boxes


def with_groups(boxes, groups, seed=1):
    rows = np.zeros(len(boxes), ROW)
    for key in ("center", "rotation", "half"):
        rows[key] = boxes[key]
    rows["group"] = np.random.default_rng(seed).integers(-1, groups, len(boxes))
    return rows


def every_pair(boxes, other=None, clearance=0.0, group=None, other_group=None):
    """All (i, j) that clash, sorted."""
    if other is None:
        i, j = np.triu_indices(len(boxes), 1)
        other, other_group = boxes, group
    else:
        i, j = (places.ravel() for places in np.indices((len(boxes), len(other))))
    if group is not None:
        apart = (group[i] == other_group[j]) & (group[i] >= 0)
        i, j = i[~apart], j[~apart]
    if len(i) == 0:
        return np.empty((0, 2), int)
    touch = abut.collide_many(boxes[i], other[j], clearance)[0] if clearance else abut.overlap_many(boxes[i], other[j])
    return np.stack([i[touch], j[touch]], axis=1)


def one_world(boxes, clearance=0.0):
    """(pairs, depths) of one world, sorted."""
    with abut.World(contact_margin=clearance) as world:
        ids = world.create(half=boxes["half"], position=boxes["center"], rotation=boxes["rotation"])
        world.step()
        contacts = world.contacts()
    pairs = np.stack([np.searchsorted(ids, contacts["a"]), np.searchsorted(ids, contacts["b"])], axis=1)
    return pairs, abut.depths(contacts)


def as_columns(pairs):
    return np.stack([pairs["i"], pairs["j"]], axis=1)
