# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The pairs of all partitions as one sorted array, in memory or in a file."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

AT_ONCE = 1 << 20  # pairs that are sorted together
KINDS = (".npy", ".zarr", ".csv")


class Answer:
    """Collects sorted arrays of pairs, and sorts them into one. With a path they wait beside it on the disk, and what has
    that name is replaced when all is done."""

    def __init__(self, dtype: np.dtype, path: str | os.PathLike[str] | None, threads: int) -> None:
        self.threads = threads
        self.dtype, self.path, self.parts = dtype, None if path is None else pathlib.Path(path), []
        self.folder = None
        if self.path is not None:
            if self.path.suffix not in KINDS:
                raise ValueError(f"output: {self.path} ends in none of {', '.join(KINDS)}")
            if self.path.suffix == ".zarr":
                import zarr  # noqa: F401 -- if it is missing, that is said before the work
            self.folder = tempfile.TemporaryDirectory(prefix=f".{self.path.name}.", dir=self.path.parent)

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.parts = []
        if self.folder is not None:
            self.folder.cleanup()

    def keep(self, pairs: np.ndarray) -> np.ndarray:
        """A partition's pairs, where they wait. Safe to call from several threads."""
        if self.folder is None or len(pairs) == 0:
            return pairs
        handle, name = tempfile.mkstemp(suffix=".npy", dir=self.folder.name)
        with os.fdopen(handle, "wb") as file:
            np.save(file, pairs)
        return np.load(name, mmap_mode="r")

    def finish(self, rows: int) -> Any:
        """All pairs, sorted; their i are below `rows`."""
        count = sum(map(len, self.parts))
        if self.path is None or self.path.suffix == ".csv":
            made = np.empty(count, self.dtype)
            self._merge(made, rows, count)
            if self.path is not None:
                self._write_text(made)
            return made
        place = pathlib.Path(self.folder.name) / self.path.name
        if self.path.suffix == ".npy":
            made = np.lib.format.open_memmap(place, "w+", self.dtype, (count,)) if count else np.empty(0, self.dtype)
            self._merge(made, rows, count)
            if count:
                made.flush()
            else:
                np.save(place, made)
            os.replace(place, self.path)
            return np.load(self.path, mmap_mode="r")
        import zarr
        self._merge(zarr.open(str(place), "w", shape=(count,), chunks=(AT_ONCE,), dtype=self.dtype, fill_value=None), rows, count)
        if self.path.exists():
            os.replace(self.path, place.with_suffix(".old"))  # goes with the folder
        os.replace(place, self.path)
        return zarr.open(str(self.path), "r")

    def _write_text(self, pairs):
        place = pathlib.Path(self.folder.name) / self.path.name
        np.savetxt(place, pairs, ["%d", "%d", "%.9g"][:len(pairs.dtype)], ",", header=",".join(pairs.dtype.names), comments="")
        os.replace(place, self.path)

    def _merge(self, made, rows, count):
        """Range of i after range of i: each is a slice of every part."""
        ranges = max(1, -(-count // AT_ONCE))
        limits = [rows * k // ranges for k in range(ranges + 1)]
        places = [np.searchsorted(part["i"], limits) for part in self.parts]

        def sort(k):
            together = [part[place[k]:place[k + 1]] for part, place in zip(self.parts, places)]
            return in_order(np.concatenate(together or [np.empty(0, self.dtype)]), limits[k])

        done = 0
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            for first in range(0, ranges, self.threads):
                for pairs in pool.map(sort, range(first, min(first + self.threads, ranges))):
                    made[done:done + len(pairs)] = pairs
                    done += len(pairs)


def in_order(pairs, first):
    """Sorted by (i, j): as one number each, and by merging, because they are sorted in runs. All i are `first` or more."""
    width = int(pairs["j"].max(initial=0)) + 1  # of j; rows of a model are far fewer than 2^32
    keys = (pairs["i"] - first) * width + pairs["j"]
    order = np.argsort(keys, kind="stable")
    made = np.empty(len(pairs), pairs.dtype)
    made["i"], made["j"] = np.divmod(keys.take(order), width)
    made["i"] += first
    if "depth" in pairs.dtype.names:
        made["depth"] = pairs["depth"].take(order)
    return made
