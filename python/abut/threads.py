# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Pools of threads, on which a world's loops run side by side."""

import ctypes

import numpy as np

from .arrays import integer
from .errors import check
from .layout import Parallel
from .library import lib


class Pool:
    """A pool of `workers` threads, the one that calls included; 0: as many as there are processors for the process."""

    def __init__(self, workers):
        self.pointer = ctypes.c_void_p()
        check(lib.abut_pool_create(workers, ctypes.byref(self.pointer)), "threads")

    def parallel(self):
        return lib.abut_pool_parallel(self.pointer)

    def __del__(self, destroy=lib.abut_pool_destroy, byref=ctypes.byref):
        if self.pointer:
            destroy(byref(self.pointer))


def pool_of(threads):
    """The Pool that World's argument asks for; None: the calling thread is enough."""
    if threads is None:
        return None
    if isinstance(threads, str):
        if threads != "all":
            raise ValueError(f"threads: {threads!r}, where a number or 'all' is wanted")
        return Pool(0)
    count = integer("threads", threads, np.int64)
    if count < -1:
        raise ValueError(f"threads: {count}, where -1 or more is wanted")
    return Pool(0 if count < 0 else min(count, 0xFFFFFFFF)) if count else None


def parallel_of(pool):
    return pool.parallel() if pool else Parallel()
