# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The library's errors."""

from __future__ import annotations

import numpy as np

from .library import lib

LARGEST = 1e9  # ABUT_MAX_COORDINATE
EXTENTS = ("half", "radius")  # which must not be negative


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
            yield inner, field.reshape(len(array), -1)


def fault_in(given):
    """(element, field, value) of the first number that no call takes; None: there is none. `given` is an array of structs,
    or the name of an argument and its vectors."""
    fields = [(given[0], np.atleast_2d(given[1]))] if isinstance(given, tuple) else list(fields_of(np.atleast_1d(given)))
    found = []
    for name, numbers in fields:
        with np.errstate(invalid="ignore"):
            bad = ~(np.abs(numbers) <= LARGEST) | ((numbers < 0) if name in EXTENTS else False)
        elements = np.flatnonzero(bad.any(axis=1))
        if len(elements):
            value = numbers[elements[0]].tolist()
            found.append((int(elements[0]), name, value[0] if len(value) == 1 else tuple(value)))
    return min(found, key=lambda fault: fault[0], default=None)


def check(result, call, index=None, given=None):
    """Raises an Error for anything but ABUT_OK. given: the floats that the call got, among which the fault is looked for."""
    if result != 0:
        code, fault = lib.abut_result_name(result).decode(), None
        if given is not None and code in ("ABUT_ERROR_ARGUMENT", "ABUT_ERROR_LIMIT"):
            fault = fault_in(given)
        if fault is not None and index in (None, fault[0]):
            raise Error(code, call, *fault)
        raise Error(code, call, index)
