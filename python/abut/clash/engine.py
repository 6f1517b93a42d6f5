# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Where the work runs: a graph of tasks for Dask, on the threads of this process or on the workers of a cluster."""

from __future__ import annotations

import contextlib
import sys
import time
import uuid
from typing import Any, Callable, Iterator

ATTEMPTS = 8  # times that data which died with a worker is sent again; the last wait is 13 seconds
FIRST_WAIT = 0.1  # seconds; twice as long each time

Graph = dict  # of Dask: key -> (function, arguments), where an argument may be a key or a list of keys
Make = Callable[[str], "tuple[Graph, dict]"]  # from a name that keys begin with: a graph, and {what is wanted: its key}


class Lost(Exception):
    """Data could not be sent: a worker is gone."""


class Threads:
    """The threads of this process; dask.config sets their number."""

    remote = False

    def __init__(self, progress: bool) -> None:
        import dask
        import dask.system
        import dask.threaded
        self.get, self.progress = dask.threaded.get, progress
        pool = dask.config.get("pool", None)
        self.threads = dask.config.get("num_workers", None) or getattr(pool, "_max_workers", None) or dask.system.CPU_COUNT

    def send(self, value: Any) -> Any:
        """What tasks get for a value that is in memory here."""
        return value

    def run(self, make: Make, receive: Callable[[Any, Any], None]) -> None:
        """Calls receive(what, result) for all that is wanted of a graph."""
        graph, keys = make(new_name())
        with self._bar():
            results = self.get(graph, list(keys.values()), num_workers=self.threads)
        for what, result in zip(keys, results):
            receive(what, result)

    def _bar(self):
        if not self.progress:
            return contextlib.nullcontext()
        from dask.diagnostics import ProgressBar
        return ProgressBar(out=sys.stderr)


class Cluster:
    """The workers of a distributed.Client. What a worker computed and took with it is computed again by Dask; what was sent
    to it is sent again."""

    remote = True

    def __init__(self, client: Any, progress: bool) -> None:
        self.client, self.progress = client, progress
        client.wait_for_workers(1)
        self.threads = max(client.nthreads().values())

    def send(self, value: Any) -> Any:
        try:
            return self.client.scatter([value], hash=False)[0]
        except (OSError, TimeoutError) as error:
            raise Lost(str(error)) from error

    def run(self, make: Make, receive: Callable[[Any, Any], None]) -> None:
        got: set[Any] = set()
        wait, wanted = FIRST_WAIT, 0
        for _ in range(ATTEMPTS):
            with contextlib.suppress(Lost):
                graph, keys = make(new_name())
                wanted, left = len(keys), [what for what in keys if what not in got]
                futures = dict(zip(left, self.client.get(graph, [keys[what] for what in left], sync=False)))
                self._gather(futures, got, receive)
                if len(got) == wanted:
                    return
            time.sleep(wait)  # until the scheduler knows who is gone, and others are there
            wait *= 2
            self.client.wait_for_workers(1)
        raise RuntimeError(f"workers were lost again and again, {ATTEMPTS} times; {wanted - len(got)} of {wanted} tasks are left")

    def _gather(self, futures, got, receive):
        """Receives all but what was lost."""
        from distributed import as_completed, CancelledError, progress
        if self.progress:
            progress(list(futures.values()), notebook=False)
            print(file=sys.stderr)
        names = {future.key: what for what, future in futures.items()}
        for future in as_completed(list(futures.values())):
            what = names[future.key]
            with contextlib.suppress(CancelledError):
                result = future.result()
                receive(what, result)
                got.add(what)


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
        with distributed.LocalCluster(client, threads_per_worker=1, dashboard_address=":0") as cluster, \
                distributed.Client(cluster) as made:
            yield Cluster(made, progress)
    else:
        raise TypeError(f"client: a distributed.Client, an address or a number of processes is wanted, not {client!r}")


def new_name() -> str:
    """A scheduler takes equal keys for the same task."""
    return f"clash-{uuid.uuid4().hex[:12]}"
