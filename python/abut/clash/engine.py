# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Where the work runs: a graph of tasks for Dask, on the threads of this process or on the workers of a cluster."""

from __future__ import annotations

import contextlib
import os
import sys
import uuid
from typing import Any, Callable, Iterator

ATTEMPTS = 5  # times that data which died with a worker is sent again

Graph = dict  # of Dask: key -> (function, arguments), where an argument may be a key or a list of keys


class Threads:
    """The threads of this process; dask.config sets their number."""

    def __init__(self, progress: bool) -> None:
        import dask
        import dask.threaded
        self.get, self.progress = dask.threaded.get, progress
        pool = dask.config.get("pool", None)
        self.threads = dask.config.get("num_workers", None) or getattr(pool, "_max_workers", None) or len(os.sched_getaffinity(0))

    remote = False

    def constant(self, value: Any) -> Any:
        """What a task gets for a value that is in memory here."""
        return value

    def run(self, make: Callable[[], Graph], keys: list, receive: Callable[[Any, Any], None]) -> None:
        """Calls receive(key, result) for each key of the graph."""
        with self._bar():
            results = self.get(make(), keys, num_workers=self.threads)
        for key, result in zip(keys, results):
            receive(key, result)

    def _bar(self):
        if not self.progress:
            return contextlib.nullcontext()
        from dask.diagnostics import ProgressBar
        return ProgressBar(out=sys.stderr)


class Cluster:
    """The workers of a distributed.Client. What a worker computed and lost with its life is computed again by Dask; what
    was sent to it is sent again."""

    remote = True

    def __init__(self, client: Any, progress: bool) -> None:
        self.client, self.progress = client, progress
        client.wait_for_workers(1)
        self.threads = max(client.nthreads().values())

    def constant(self, value: Any) -> Any:
        return self.client.scatter([value], hash=False)[0]

    def run(self, make: Callable[[], Graph], keys: list, receive: Callable[[Any, Any], None]) -> None:
        left = list(keys)
        for _ in range(ATTEMPTS):
            graph = make()
            futures = dict(zip(left, self.client.get(graph, left, sync=False)))
            left = self._gather(futures, receive)
            if not left:
                return
        raise RuntimeError(f"workers were lost again and again, {ATTEMPTS} times; {len(left)} of {len(keys)} tasks are left")

    def _gather(self, futures, receive):
        """The keys whose data was lost."""
        from distributed import as_completed, CancelledError, progress
        if self.progress:
            progress(list(futures.values()), notebook=False)
            print(file=sys.stderr)
        names, left = {future.key: key for key, future in futures.items()}, []
        for future in as_completed(list(futures.values())):
            key = names[future.key]
            try:
                result = future.result()
            except CancelledError:
                left.append(key)
                continue
            receive(key, result)
        return left


@contextlib.contextmanager
def engine(client: Any, progress: bool) -> Iterator[Threads | Cluster]:
    """From the argument of clash(): None, a distributed.Client, the address of a scheduler, or a number of processes."""
    try:
        import dask  # noqa: F401
    except ImportError:
        raise ImportError("abut.clash needs Dask (python3-dask, or pip install dask)") from None
    if client is None:
        yield Threads(progress)
        return
    try:
        import distributed
    except ImportError:
        raise ImportError("client: Dask's workers are in python3-distributed, or pip install distributed") from None
    if isinstance(client, distributed.Client):
        yield Cluster(client, progress)
    elif isinstance(client, str):
        with distributed.Client(client) as made:
            yield Cluster(made, progress)
    elif isinstance(client, int) and not isinstance(client, bool) and client > 0:
        with distributed.LocalCluster(client, threads_per_worker=1, dashboard_address=None) as cluster, \
                distributed.Client(cluster) as made:
            yield Cluster(made, progress)
    else:
        raise TypeError(f"client: a distributed.Client, an address or a number of processes is wanted, not {client!r}")


def new_name() -> str:
    """For the keys of one run: a scheduler takes equal keys for the same task."""
    return f"clash-{uuid.uuid4().hex[:12]}"
