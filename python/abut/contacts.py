# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Lists of contacts: reading them from a world, and computing with them."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import ArrayLike

from .arrays import plain_array
from .layout import CONTACT, MANIFOLD
from .library import lib


class Borrowed:
    """A list owned by a world, through numpy's array interface. Arrays made from it keep it alive, and it keeps the
    world's memory alive; the world knows it, and does not step while it lives."""

    def __init__(self, handle, where, count, dtype):
        self.handle = handle
        self.__array_interface__ = {"version": 3, "shape": (count,), "typestr": f"|V{dtype.itemsize}",
                                    "data": (where, True)}


def read_list(handle, which, dtype, copy):
    """lib.abut_world_contacts, lib.abut_world_events or lib.abut_world_parts, as an array."""
    count = ctypes.c_size_t()
    where = which(handle.pointer, ctypes.byref(count))
    if not where or count.value == 0:
        made = np.zeros(0, dtype)
        made.flags.writeable = copy
        return made
    if copy:
        made = np.empty(count.value, dtype)
        ctypes.memmove(made.ctypes.data, where, made.nbytes)
        return made
    borrowed = Borrowed(handle, where, count.value, dtype)
    handle.borrowed.add(borrowed)
    return np.asarray(borrowed).view(dtype)


def contacts_of(handle, body, lookup=lib.abut_body_contacts):
    """Indices of the contacts of one body."""
    indices = np.empty(64, np.uint32)
    count = lookup(handle.pointer, body, indices.ctypes.data, len(indices))
    if count > len(indices):
        indices = np.empty(count, np.uint32)
        count = lookup(handle.pointer, body, indices.ctypes.data, count)
    return indices[:count]


def _rows(contacts, **fields):
    """A row of structs that have these fields."""
    array = plain_array("contacts", contacts)
    if any(name not in (array.dtype.names or ()) or array.dtype[name] != dtype for name, dtype in fields.items()):
        raise TypeError(f"contacts: contacts with {' and '.join(fields)} are wanted, not {array.dtype}")
    if array.ndim > 1:
        raise ValueError(f"contacts: shape {array.shape}, but one or a row of them is wanted")
    return np.atleast_1d(array)


def depths(contacts: ArrayLike) -> np.ndarray:
    """The depth of each contact, or of each part: moving b that far along the normal separates the bodies. Negative where
    a contact_margin reports a gap; NaN where there are no points (ends, and pairs without a manifold)."""
    manifolds = _rows(contacts, manifold=MANIFOLD)["manifold"]
    there = np.arange(4) < manifolds["count"][:, None]
    least = np.where(there, manifolds["points"]["separation"], np.inf).min(axis=1)
    return np.where(manifolds["count"] > 0, -least, np.nan).astype(np.float32)


def contact_points(contacts: ArrayLike) -> np.ndarray:
    """(index of the contact or part, point) of every contact point: two arrays of the same length."""
    manifolds = _rows(contacts, manifold=MANIFOLD)["manifold"]
    which, place = np.nonzero(np.arange(4) < manifolds["count"][:, None])
    return which, manifolds["points"][which, place]


def part_contacts(contacts: ArrayLike) -> np.ndarray:
    """For each of world.parts(), the index of its contact: contacts[part_contacts(contacts)] has a row for each part."""
    contacts = _rows(contacts, part_count=CONTACT["part_count"], part_first=CONTACT["part_first"])
    counts, first = contacts["part_count"].astype(np.intp), contacts["part_first"].astype(np.intp)
    made = np.empty(counts.sum(), np.intp)
    before = np.cumsum(counts) - counts
    with_parts = np.flatnonzero(counts)
    with_parts = with_parts[np.argsort(first[with_parts])]
    if not np.array_equal(first[with_parts], np.cumsum(counts[with_parts]) - counts[with_parts]):
        raise ValueError("contacts: all that have parts are wanted, each once")
    made[np.repeat(first - before, counts) + np.arange(len(made))] = np.repeat(np.arange(len(contacts)), counts)
    return made
