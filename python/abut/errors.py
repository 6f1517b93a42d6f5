# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The library's errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .arrays import number
from .enums import Detail, Motion
from .library import lib

LARGEST = 1e9  # ABUT_MAX_COORDINATE
EXTENTS = ("half", "radius")  # which must not be negative
PLACES = ("position", "pose position", "origin", "center", "points", "vertices")  # which have a limit; directions and rotations have none


class Error(Exception):
    """A call that the library refused; nothing has changed.

    code: the result's name, such as "ABUT_ERROR_HANDLE"; types.h explains each.
    index: the element of a batch that was at fault, where that is known; otherwise None.
    field, value: what of it was wrong, where that is known; otherwise None.
    answers: of a batch of questions, what the call would have returned; otherwise None."""

    __module__ = "abut"

    def __init__(self, code: str, call: str, index: int | None = None, field: str | None = None,
                 value: float | str | tuple[float, ...] | None = None) -> None:
        super().__init__(code, call, index, field, value)
        self.code, self.call, self.index, self.field, self.value = code, call, index, field, value
        self.answers: Any = None

    def __str__(self) -> str:
        at = "" if self.index is None else f", element {self.index}"
        what = "" if self.field is None else f": {self.field} is {self.value}"
        return f"{self.code} ({self.call}{at}{what})"


def fields_of(array, path=""):
    """(name, its numbers) for all floats of an array of structs."""
    for name in array.dtype.names:
        field, inner = array[name], {"pose": path, "box": "box_", "from": "pose ", "shape": path}.get(name, path + name)
        if field.dtype.names:
            yield from fields_of(field, inner)
        elif field.dtype.kind == "f":
            yield inner, field.reshape(len(array), math.prod(field.shape[1:]))


def is_wrong(code, name, numbers, attached):
    """Whether each number is one for which a call returns `code`."""
    if code == "ABUT_ERROR_ARGUMENT":
        return ~np.isfinite(numbers) | ((numbers < 0) & (name in EXTENTS))
    counts = ~attached if name == "position" else True  # attached: it counts from another body
    return (np.abs(numbers) > LARGEST) & (name in PLACES + EXTENTS) & counts


def wrong_settings(defs):
    """(which, name, its numbers) for what abut_body_def allows less of than its types do."""
    alone = (defs["hull"] == 0) & (defs["mesh"] == 0)
    yield alone & (defs["radius"] == 0) & ~defs["half"].any(axis=1), "half", defs["half"]
    yield (defs["mesh"] != 0) & (defs["radius"] != 0), "radius", defs["radius"]
    yield defs["filter"]["category"] >> np.uint64(63) != 0, "category", defs["filter"]["category"]
    for name, kinds in (("motion", Motion), ("detail", Detail)):
        yield ~np.isin(defs[name], list(kinds)), name, defs[name]


def fault_in(given, code, index=None):
    """(element, field, value) of the first number, of any element or of that at `index`, for which a call returns `code`;
    None: there is none. `given` is an array of structs, or the name of an argument and its vectors."""
    attached, found = np.False_, []
    if isinstance(given, tuple):
        fields = [(given[0], np.atleast_2d(given[1]))]
    else:
        fields = fields_of(given)
        if "parent" in given.dtype.names:
            attached = (given["parent"] != 0)[:, None]
    for name, numbers in fields:
        with np.errstate(invalid="ignore"):
            elements = np.flatnonzero(is_wrong(code, name, numbers, attached).any(axis=1))
        elements = elements if index is None else elements[elements == index]
        if len(elements):
            found.append(fault_at(elements[0], name, numbers))
    if not isinstance(given, tuple) and "motion" in given.dtype.names and code == "ABUT_ERROR_ARGUMENT":
        found += [fault_at(which.argmax(), name, numbers) for which, name, numbers in wrong_settings(given) if which.any()]
    return min(found, key=lambda fault: fault[0], default=None)


def fault_at(element, name, numbers):
    value = np.atleast_1d(numbers[element]).tolist()
    return int(element), name, value[0] if len(value) == 1 else tuple(value)


def size(call, name, value, most=float(np.finfo(np.float32).max)):
    """One number, which must not be negative; a finite float unless told."""
    value = number(name, value)
    if not 0 <= value <= most:
        raise Error("ABUT_ERROR_ARGUMENT", call, None, name, value)
    return value


def check(result, call, index=None, given=None):
    """Raises an Error for anything but ABUT_OK. index: the element at fault, where that is known. given: the floats that
    the call got, among which the fault is looked for."""
    if result != 0:
        code, fault = lib.abut_result_name(result).decode(), None
        if code == "ABUT_ERROR_BUSY":  # which is no element's fault
            index = None
        if given is not None and code in ("ABUT_ERROR_ARGUMENT", "ABUT_ERROR_LIMIT"):
            fault = fault_in(given, code, index)
        raise Error(code, call, *(fault or (index,)))


def check_one(result, call, *given):
    """check() for a call about one element, which is not numbered."""
    if result != 0:
        code = lib.abut_result_name(result).decode()
        faults = [fault_in(np.atleast_1d(one), code) for one in given]
        raise Error(code, call, None, *next((fault[1:] for fault in faults if fault), ()))
