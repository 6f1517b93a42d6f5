# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The library's errors."""

from __future__ import annotations

import math

import numpy as np

from .library import lib

LARGEST = 1e9  # ABUT_MAX_COORDINATE
EXTENTS = ("half", "radius")  # which must not be negative
PLACES = ("position", "pose position", "origin", "center", "points")  # which have a limit; directions and rotations have none


class Error(Exception):
    """A call that the library refused; nothing has changed.

    code: the result's name, such as "ABUT_ERROR_HANDLE"; types.h explains each.
    index: the element of a batch that was at fault, where that is known; otherwise None.
    field, value: what of it was wrong, where that is known; otherwise None."""

    __module__ = "abut"

    def __init__(self, code: str, call: str, index: int | None = None, field: str | None = None,
                 value: float | tuple[float, ...] | None = None) -> None:
        super().__init__(code, call, index, field, value)
        self.code, self.call, self.index, self.field, self.value = code, call, index, field, value

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
            value = numbers[elements[0]].tolist()
            found.append((int(elements[0]), name, value[0] if len(value) == 1 else tuple(value)))
    return min(found, key=lambda fault: fault[0], default=None)


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
