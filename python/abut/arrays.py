# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Turns callers' arguments into arrays that the library can read. Wrong types and shapes are refused here, by the
argument's name; the library refuses wrong values (NaN, a stale id)."""

import operator
import sys

import numpy as np

from .layout import AABB, BodyId, OBB, OBB2, POSE

FLOATS_OF = {POSE: 7, OBB: 10, OBB2: 6, AABB: 6}


def address(array):
    """For arrays of structs __array_interface__ takes seven times as long, and swallows an interrupt on the way."""
    return array.ctypes.data


def as_in_c(array, dtype=None):
    """The array with its elements side by side and aligned: all that the library reads consists of words of four bytes."""
    array = np.ascontiguousarray(array, dtype)
    return array if address(array) % 4 == 0 else array.copy()


def addresses(array):
    """The address of each element along the first axis of a contiguous array."""
    first, n = address(array), len(array)
    return range(first, first + array.nbytes, array.nbytes // n) if n else ()


def plain_array(name, value):
    """What numpy makes of it. Refused: lists of different lengths, and elements that a mask hides, which would be read."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name}: some elements are masked; fill or remove them first")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: not an array: {error}") from None


def number(name, value):
    """One number, as a float."""
    try:
        if isinstance(value, bytearray) or np.asarray(value).dtype.kind in "SU":  # of which float() would read the text
            raise TypeError
        return float(value)
    except OverflowError:  # infinity, as in to_floats
        return np.inf if value > 0 else -np.inf
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a number is wanted, not {type(value).__name__}") from None


def octets(name, value):
    """Bytes, from all that has some."""
    try:
        return value if isinstance(value, bytes) else bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{name}: bytes are wanted, not {type(value).__name__}") from None


def integer(name, value, dtype):
    """One integer within the range of `dtype`."""
    array = integers(name, value, dtype)
    if array.ndim:
        raise ValueError(f"{name}: one number is wanted, not a row of them")
    return int(array)


def to_floats(name, value):
    array = plain_array(name, value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are wanted, not {array.dtype}")
    with np.errstate(over="ignore"):  # infinity, which the library refuses
        return as_in_c(array, np.float32)


def vectors(name, value, *shape):
    """float32 of this shape, or n of them."""
    array = to_floats(name, value)
    if array.shape[-len(shape):] != shape or array.ndim > len(shape) + 1:
        wanted = ", ".join(map(str, shape))
        raise ValueError(f"{name}: shape {array.shape}, but ({wanted}{',' * (len(shape) == 1)}) or (n, {wanted}) is wanted")
    return array


def vector(name, value, *shape):
    """float32 of exactly this shape."""
    array = to_floats(name, value)
    if array.shape != shape:
        raise ValueError(f"{name}: shape {array.shape}, but {shape} is wanted")
    return array


def scalars(name, value):
    """One float32 or a one-dimensional array of them."""
    array = to_floats(name, value)
    if np.ndim(value) > 1:
        raise ValueError(f"{name}: shape {array.shape}, but one number or a row of them is wanted")
    return array if np.ndim(value) else array.reshape(())


def integers(name, value, dtype):
    """One integer or a one-dimensional array of them, within the range of `dtype`."""
    dtype = np.dtype(dtype)
    array = plain_array(name, value)
    if array.dtype.kind not in "iub":  # Python integers for which numpy chose another type, as for []
        try:
            flat = [operator.index(number) for number in np.asarray(value, dtype=object).ravel()]
        except TypeError:
            raise TypeError(f"{name}: whole numbers are wanted, not {array.dtype}") from None
        array = np.array(flat, dtype=object).reshape(array.shape)
    if array.ndim > 1:
        raise ValueError(f"{name}: shape {array.shape}, but one number or a row of them is wanted")
    limits = np.iinfo(dtype)
    if array.size and array.dtype != dtype and not (limits.min <= int(array.min()) and int(array.max()) <= limits.max):
        raise ValueError(f"{name}: numbers from {limits.min} to {limits.max} are wanted")
    return array.astype(dtype, copy=False)


def body_ids(name, value):
    """A one-dimensional array of ids; a single id becomes an array of one."""
    return np.atleast_1d(integers(name, value, np.uint64))


def body_id(name, value):
    """One id, as C expects it."""
    array = integers(name, value, np.uint64)
    if array.ndim != 0:
        raise ValueError(f"{name}: shape {array.shape}, but one id is wanted")
    return BodyId.from_buffer_copy(array.tobytes())


def each_id(ids):
    """The elements of an array of ids, as C expects them."""
    return (BodyId * len(ids)).from_buffer_copy(ids.tobytes())


def packed(body):
    return int.from_bytes(bytes(body), sys.byteorder)


def records(name, value, dtype):
    """An array of structs: of `dtype`, or of as many floats each. Copied only if necessary; it may be strided."""
    array = plain_array(name, value)
    if array.dtype != dtype:
        if array.dtype.names is not None or dtype not in FLOATS_OF:
            raise TypeError(f"{name}: an array of {' '.join(dtype.names)} is wanted, not {array.dtype}")
        array = vectors(name, array, FLOATS_OF[dtype]).view(dtype)[..., 0]
    if array.ndim > 1:
        raise ValueError(f"{name}: shape {array.shape}, but one or a row of them is wanted")
    return np.atleast_1d(array)


def common_length(**arrays):
    """The common length of arguments that broadcast: name = (array, rank of an element)."""
    length, first = 1, None
    for name, (array, rank) in arrays.items():
        if array.ndim > rank and array.shape[0] != 1:
            if first is not None and array.shape[0] != length:
                raise ValueError(f"{name}: {array.shape[0]} elements, where {first} has {length}")
            length, first = array.shape[0], name
    return length


def broadcast(array, n):
    """A contiguous array of n elements."""
    return as_in_c(np.broadcast_to(array, (n,)))


def fill(dtype, **values):
    """An array of structs from their fields, which broadcast."""
    arrays = {name: vectors(name, value, *dtype[name].shape) for name, value in values.items()}
    made = np.zeros(common_length(**{name: (array, 1) for name, array in arrays.items()}), dtype)
    for name, array in arrays.items():
        made[name] = array
    return made
