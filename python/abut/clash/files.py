# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Models and hulls in files, and tables whose columns are numbers: center_x, center_y, ..., half_z, hull, group."""

from __future__ import annotations

import csv
import os
import pathlib
from typing import Any

import numpy as np

from ..hull import Hull

AXES = {"center": "xyz", "rotation": "xyzw", "half": "xyz"}
GEOMETRY = [f"{key}_{axis}" for key, axes in AXES.items() for axis in axes]
WHOLE = ("hull", "group")


def table_dtype(names: Any) -> np.dtype:
    return np.dtype([(key, "<f8", len(axes)) for key, axes in AXES.items()] + [(key, "<i8") for key in WHOLE if key in names])


def from_columns(columns: dict[str, np.ndarray], dtype: np.dtype, count: int) -> np.ndarray:
    made = np.empty(count, dtype)
    for key, axes in AXES.items():
        for k, axis in enumerate(axes):
            made[key][:, k] = columns[f"{key}_{axis}"]
    for key in dtype.names[len(AXES):]:
        made[key] = columns[key]
    return made


def check_names(where: str, names: Any) -> None:
    missing = [name for name in GEOMETRY if name not in names]
    if missing:
        raise ValueError(f"{where}: there is no column {', '.join(missing)}; columns are {', '.join(GEOMETRY + list(WHOLE))}")


class Frame:
    """A dask.dataframe as a table that is read in ranges of rows. Each of its partitions is loaded when it is wanted."""

    def __init__(self, frame: Any) -> None:
        check_names("columns", frame.columns)
        self.frame, self.dtype = frame, table_dtype(frame.columns)
        lengths = frame.map_partitions(len).compute()
        self.ends = np.cumsum(np.asarray(lengths, np.int64))
        self.shape = (int(self.ends[-1]) if len(self.ends) else 0,)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> np.ndarray:
        first, end, _ = rows.indices(len(self))
        made = [np.empty(0, self.dtype)]
        for k in range(int(np.searchsorted(self.ends, first, "right")), len(self.ends)):
            begin = int(self.ends[k - 1]) if k else 0
            if begin >= end:
                break
            part = self.frame.partitions[k].compute(scheduler="sync").iloc[max(first - begin, 0):end - begin]
            made.append(from_columns({name: part[name].to_numpy() for name in part.columns}, self.dtype, len(part)))
        return np.concatenate(made)


def read_csv(path: pathlib.Path) -> np.ndarray:
    with open(path, encoding="utf-8", newline="") as file:
        names = [name.strip() for name in next(csv.reader(file), [])]
        check_names(str(path), names)
        dtype = table_dtype(names)
        try:
            numbers = np.loadtxt(file, delimiter=",", ndmin=2, dtype=np.float64)
        except ValueError as error:
            raise ValueError(f"{path}: {error} (rows are counted from the one after the header)") from None
    if numbers.size == 0:
        return np.empty(0, dtype)
    if numbers.shape[1] != len(names):
        raise ValueError(f"{path}: {numbers.shape[1]} columns, where the header has {len(names)}")
    for key in dtype.names[len(AXES):]:
        column = numbers[:, names.index(key)]
        if not (column == np.floor(column)).all():
            raise ValueError(f"{path}: {key} has numbers that are not whole")
    return from_columns(dict(zip(names, numbers.T)), dtype, len(numbers))


def open_model(path: str | os.PathLike[str]) -> Any:
    """What clash() takes as a model: .npy is mapped, .zarr and .parquet are opened, .csv is read."""
    path = pathlib.Path(path)
    if path.suffix not in (".npy", ".zarr", ".csv", ".parquet"):
        raise ValueError(f"{path}: a model ends in .npy, .zarr, .csv or .parquet")
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    if path.suffix == ".npy":
        return np.load(path, mmap_mode="r")
    if path.suffix == ".csv":
        return read_csv(path)
    if path.suffix == ".zarr":
        try:
            import zarr
        except ImportError:
            raise ImportError(f"{path}: .zarr needs Zarr (python3-zarr, or pip install zarr)") from None
        return zarr.open(str(path), "r")
    try:
        import dask.dataframe
        import pyarrow  # noqa: F401 -- Dask's reader stands on it
    except ImportError:
        raise ImportError(f"{path}: .parquet needs pandas and pyarrow (pip install pandas pyarrow)") from None
    return Frame(dask.dataframe.read_parquet(path))


def read_hulls(path: str | os.PathLike[str]) -> list[Hull]:
    """The hulls of a .npz file: each of its arrays, in their order, is a cloud of points."""
    clouds = np.load(path)
    if not hasattr(clouds, "files"):
        raise ValueError(f"{path}: a .npz of clouds of points is wanted")
    with clouds:
        return [Hull(clouds[name]) for name in clouds.files]
