# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""A model: millions of placed boxes and hulls, in memory or on disk, read in blocks of rows."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..arrays import address
from ..errors import Error, LARGEST, fault_in
from ..hull import Hull
from ..layout import AABB, OBB
from ..library import lib
from .files import Frame

GEOMETRY = {"center": 3, "rotation": 4, "half": 3}
NUMBERS = ("hull", "group")


class Block(NamedTuple):
    """Some rows of a model."""
    rows: np.ndarray  # their numbers in the model, ascending
    boxes: np.ndarray  # abut.OBB; of a hull its pose, and a half that means nothing
    hull: np.ndarray | None = None  # which of the hulls, -1: the box; None: all are boxes
    group: np.ndarray | None = None  # equal ones never clash, negative: none; None: no groups
    loss: float = 0.0  # by how much a coordinate of a centre changed when it became a float

    def take(self, places: np.ndarray) -> Block:
        return Block(*(None if column is None else column.take(places) for column in self[:4]))

    @property
    def bytes(self) -> int:
        return sum(column.nbytes for column in self[:4] if column is not None)


def joined(blocks: list[Block]) -> Block:
    if not blocks:
        return Block(np.empty(0, np.int64), np.empty(0, OBB))
    return Block(*(None if columns[0] is None else np.concatenate(columns) for columns in list(zip(*blocks))[:4]))


class Mapped:
    """A file that is mapped into memory. It travels to another process as its name."""

    def __init__(self, array):
        self.array, self.dtype, self.shape = array, array.dtype, array.shape

    def __len__(self):
        return len(self.array)

    def __getitem__(self, rows):
        return np.asarray(self.array[rows])

    def __reduce__(self):
        order = "C" if self.array.flags.c_contiguous else "F"
        return map_file, (self.array.filename, self.dtype, self.array.offset, self.shape, order)


def map_file(name, dtype, offset, shape, order):
    return Mapped(np.memmap(name, dtype, "r", offset, shape, order))


def is_whole_file(array):
    """Not part of one: such an array keeps the offset of the whole."""
    return isinstance(array, np.memmap) and isinstance(array.base, mmap.mmap) and array.filename is not None


def column_of(name, value):
    """Something with a length, a dtype and a shape that gives arrays for ranges of rows."""
    if is_whole_file(value):
        return Mapped(value)
    if not all(hasattr(value, wanted) for wanted in ("__getitem__", "dtype", "shape")):
        value = np.asarray(value)
    if value.dtype.names is None and value.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are wanted, not {value.dtype}")
    return value


def is_reachable(column):
    """Whether another process can open it by itself: a file, a Dask frame, or an array of Zarr in files or in a store with
    an address."""
    store = getattr(column, "store", None)
    return isinstance(column, (Mapped, Frame)) or hasattr(store, "path") or hasattr(store, "url")


class Model:
    """Rows of center, rotation (x, y, z, w), half and, if there are, hull and group."""

    def __init__(self, name: str, value: Any, origin: np.ndarray | None = None) -> None:
        self.name, self.origin = name, origin
        self.table, self.columns = None, {}
        if isinstance(value, Model):
            self.name, self.table, self.columns = value.name, value.table, value.columns
        elif hasattr(value, "npartitions") and hasattr(value, "columns"):
            self.table = Frame(value)
        elif isinstance(value, Mapping) or hasattr(value, "array_keys"):
            self.columns = {key: column_of(f"{name}[{key!r}]", value[key]) for key in (*GEOMETRY, *NUMBERS) if key in value}
            self._check_columns()
        elif isinstance(value, (tuple, list)) and len(value) == 3:
            self.columns = {key: column_of(f"{name}: {key}", column) for key, column in zip(GEOMETRY, value)}
            self._check_columns()
        else:
            self.table = column_of(name, value)
            self._check_table()

    def _check_columns(self):
        missing = [key for key in GEOMETRY if key not in self.columns]
        if missing:
            raise ValueError(f"{self.name}: there is no {' and no '.join(missing)}")
        rows = len(self)
        for key, column in self.columns.items():
            wanted = (rows, GEOMETRY[key]) if key in GEOMETRY else (rows,)
            if tuple(column.shape) != wanted:
                raise ValueError(f"{self.name}: {key} has the shape {tuple(column.shape)}, but {wanted} is wanted")
            if key in NUMBERS and column.dtype.kind not in "iu":
                raise TypeError(f"{self.name}: {key} has {column.dtype}, but whole numbers are wanted")

    def _check_table(self):
        dtype = self.table.dtype
        if dtype.names is None or len(self.table.shape) != 1:
            raise TypeError(f"{self.name}: a row of structs with center, rotation and half, or (centers, rotations, halves), "
                            f"is wanted, not {dtype} of shape {tuple(self.table.shape)}")
        for key, length in GEOMETRY.items():
            if key not in dtype.names or dtype[key].shape != (length,) or dtype[key].base.kind not in "fiu":
                raise TypeError(f"{self.name}: {key} of {length} numbers is wanted in each struct, which has {dtype}")
        for key in NUMBERS:
            if key in dtype.names and (dtype[key].shape or dtype[key].kind not in "iu"):
                raise TypeError(f"{self.name}: {key} has {dtype[key]}, but a whole number is wanted")

    def __len__(self) -> int:
        return int((self.columns["center"] if self.table is None else self.table).shape[0])

    @property
    def reachable(self) -> bool:
        """Whether other processes can read it themselves."""
        return all(map(is_reachable, self.columns.values() if self.table is None else [self.table]))

    def has(self, key: str) -> bool:
        return key in (self.columns if self.table is None else self.table.dtype.names)

    def read(self, first: int, end: int) -> Block:
        """Rows first .. end - 1."""
        table = None if self.table is None else np.asarray(self.table[first:end])
        part = {key: np.asarray(self.columns[key][first:end]) if table is None else table[key]
                for key in (*GEOMETRY, *NUMBERS) if self.has(key)}
        boxes, loss = self._boxes(table, part)
        return Block(np.arange(first, first + len(boxes)), boxes, whole_numbers(part, "hull", np.int32),
                     whole_numbers(part, "group", np.int64), loss)

    def _boxes(self, table, part):
        if table is not None and table.dtype == OBB and self.origin is None:
            return np.ascontiguousarray(table), 0.0
        made = np.empty(len(part["center"]), OBB)
        center = part["center"] if self.origin is None else np.subtract(part["center"], self.origin, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # infinity, which is refused
            made["center"], made["rotation"], made["half"] = center, part["rotation"], part["half"]
            loss = 0.0 if center.dtype == np.float32 else np.abs(center - made["center"]).max(initial=0.0)
        return made, float(loss)


def whole_numbers(part, key, dtype):
    if key not in part:
        return None
    values, limits = part[key], np.iinfo(dtype)
    if values.dtype.kind == "u" or values.dtype.itemsize > np.dtype(dtype).itemsize:  # what does not fit is no hull or group
        values = np.where((values < limits.min) | (values > limits.max), limits.max, values)
    return np.ascontiguousarray(values, dtype)


class Hulls:
    """The hulls of a model, by number."""

    def __init__(self, hulls: Any = ()) -> None:
        self.hulls = list(hulls)
        for i, hull in enumerate(self.hulls):
            if not isinstance(hull, Hull):
                raise TypeError(f"hulls: element {i} is a {type(hull).__name__}, where an abut.Hull is wanted")
        corners = [hull.vertices.astype(np.float64) for hull in self.hulls]
        self.low = np.array([points.min(axis=0) for points in corners]).reshape(-1, 3)
        self.high = np.array([points.max(axis=0) for points in corners]).reshape(-1, 3)
        self.pointers = np.array([hull._pointer.value for hull in self.hulls], np.uintp)

    def __reduce__(self):
        return Hulls, (self.hulls,)

    def __len__(self) -> int:
        return len(self.hulls)

    def boxes(self, block: Block) -> np.ndarray:
        """Boxes that contain what the rows of a block are."""
        if block.hull is None or not (block.hull >= 0).any():
            return block.boxes
        made, which = block.boxes.copy(), np.flatnonzero(block.hull >= 0)
        hull, pose = block.hull[which], block.boxes[which]
        middle, half = (self.low + self.high)[hull] / 2, (self.high - self.low)[hull] / 2
        center = pose["center"].astype(np.float64)
        moved = center + turned(pose["rotation"].astype(np.float64), middle)
        slack = 1e-6 * (np.abs(center).max(axis=1) + np.abs(middle).sum(axis=1) + half.sum(axis=1))  # many roundings
        made["center"][which], made["half"][which] = moved, half + slack[:, None]
        return made


def turned(rotation, vector):
    """Vectors turned by quaternions of any length; of length 0: not turned."""
    length = np.linalg.norm(rotation, axis=1, keepdims=True)
    unit = np.where(length > 0, rotation, (0, 0, 0, 1)) / np.where(length > 0, length, 1)
    axis, w = unit[:, :3], unit[:, 3:]
    once = np.cross(axis, vector)
    return vector + 2 * (w * once + np.cross(axis, once))


def bounds(name: str, block: Block, hulls: Hulls, pad: float) -> tuple[np.ndarray, np.ndarray]:
    """(lowest, highest) corner of each row's bounds, grown by `pad` and rounded outward: (3, n) each."""
    boxes, made = hulls.boxes(block), np.empty(len(block.boxes), AABB)
    result = lib.abut_obb_bounds_many(address(boxes), len(made), address(made))
    low, high = np.ascontiguousarray(made["min"].T), np.ascontiguousarray(made["max"].T)
    bad = np.zeros(len(made), bool) if pad else ~((low >= -LARGEST) & (high <= LARGEST)).all(axis=0)  # NaN, too
    if result != 0 or bad.any():
        raise fault(name, block, int(bad.argmax()))
    if pad:
        np.nextafter(low - np.float32(pad), np.float32(-np.inf), out=low)
        np.nextafter(high + np.float32(pad), np.float32(np.inf), out=high)
    return low, high


def fault(name, block, place):
    """The error for a row without proper bounds."""
    row = block.boxes[place:place + 1]
    found = fault_in(row, "ABUT_ERROR_ARGUMENT") or fault_in(row, "ABUT_ERROR_LIMIT")
    if found:
        return Error("ABUT_ERROR_ARGUMENT", name, int(block.rows[place]), *found[1:])
    return Error("ABUT_ERROR_LIMIT", name, int(block.rows[place]))


def check(name: str, block: Block, hulls: Hulls) -> None:
    """Refuses rows that the library would refuse, by their number in the model."""
    if block.hull is not None:
        bad = np.flatnonzero((block.hull < -1) | (block.hull >= len(hulls)))
        if len(bad):
            raise ValueError(f"{name}, element {block.rows[bad[0]]}: hull {block.hull[bad[0]]}, where there are {len(hulls)}")
    if block.group is not None and (block.group == np.iinfo(np.int64).max).any():
        raise ValueError(f"{name}: groups from -1 to 2^63 - 2 are wanted")
    bounds(name, block, hulls, 0)
    are_boxes = np.ones(len(block.rows), bool) if block.hull is None else block.hull < 0
    points = np.flatnonzero(are_boxes & ~block.boxes["half"].any(axis=1))
    if len(points):
        raise Error("ABUT_ERROR_ARGUMENT", name, int(block.rows[points[0]]), "half", (0.0, 0.0, 0.0))
