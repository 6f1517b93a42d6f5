# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""abut.clash on workers in other processes, one of which dies."""

import concurrent.futures
import io
import logging
import os
import pathlib
import signal
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import distributed
import numpy as np
import zarr

import abut
from abut.clash.__main__ import main
from clash.oracle import random_boxes

run, engine = sys.modules["abut.clash.run"], sys.modules["abut.clash.engine"]

warnings.simplefilter("default")  # Dask and what it stands on have warnings of their own, such as of a slow disk
sys.warnoptions.clear()  # which processes that are started would take over


class Die(distributed.WorkerPlugin):
    """Kills the first worker that begins a task of this kind; a file says that it is done."""

    name = "die"

    def __init__(self, kind, done):
        self.kind, self.done = kind, done

    def transition(self, key, start, finish, **_):
        if finish == "executing" and f"-{self.kind}" in str(key):
            try:
                os.close(os.open(self.done, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)


class OnACluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        cls.folder = tempfile.TemporaryDirectory()
        cls.cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL,
                                               local_directory=cls.folder.name)
        cls.client = distributed.Client(cls.cluster)
        cls.boxes = random_boxes(20000, 31)
        cls.wanted = abut.clash(cls.boxes, depth=True)
        cls.usual, run.BLOCK_ROWS = run.BLOCK_ROWS, 4000

    @classmethod
    def tearDownClass(cls):
        run.BLOCK_ROWS = cls.usual
        cls.client.close()
        cls.cluster.close()
        cls.folder.cleanup()

    def on_disk(self):
        path = pathlib.Path(self.folder.name) / "model.npy"
        np.save(path, self.boxes)
        return np.load(path, mmap_mode="r")

    def check(self, boxes, **named):
        pairs, told = run.run(boxes, depth=True, client=self.client, partitions=6, **named)
        self.assertEqual(pairs.tobytes(), self.wanted.tobytes())
        self.assertEqual((told.partitions, told.blocks), (6, 5))

    def test_a_model_in_memory(self):
        self.check(self.boxes)

    def test_a_model_on_disk_is_read_by_the_workers(self):
        sent, send = [], engine.Cluster.send
        engine.Cluster.send = lambda cluster, value: sent.append(type(value).__name__) or send(cluster, value)
        try:
            self.check(self.on_disk())
            self.assertNotIn("Block", sent)
            self.check(self.boxes)
            self.assertIn("Block", sent)
        finally:
            engine.Cluster.send = send

    def test_a_bar(self):
        with mock.patch("sys.stdout", io.StringIO()) as out, mock.patch("sys.stderr", io.StringIO()) as error:
            self.check(self.boxes, progress=True)
        self.assertIn("100% Completed", out.getvalue() + error.getvalue())

    def test_by_address_and_into_a_file(self):
        path = pathlib.Path(self.folder.name) / "pairs.npy"
        pairs = abut.clash(self.boxes, depth=True, client=self.cluster.scheduler_address, output=path)
        self.assertEqual(np.load(path).tobytes(), self.wanted.tobytes())
        self.assertEqual(np.asarray(pairs).tobytes(), self.wanted.tobytes())

    def test_from_the_command_line(self):
        folder = pathlib.Path(self.folder.name)
        np.save(folder / "typed.npy", self.boxes)
        with mock.patch("sys.stdout", io.StringIO()) as out:
            status = main(["--scheduler", self.cluster.scheduler_address, str(folder / "typed.npy"), "-o", str(folder / "typed.zarr")])
        self.assertEqual(status, 0)
        self.assertIn(f"20,000 boxes: {len(self.wanted):,} clashes", out.getvalue())
        self.assertEqual(zarr.open(str(folder / "typed.zarr"), "r")[:].tobytes(), self.wanted.tobytes())

    def test_hulls_and_two_models(self):
        hulls = [abut.Hull.cylinder(0.5, 0.3, 12)]
        model = {key: self.boxes[key][:6000] for key in ("center", "rotation", "half")}
        model["hull"] = np.arange(6000) % 3 - 1
        model["hull"][model["hull"] == 1] = -1
        wanted = abut.clash(model, self.boxes, hulls=hulls)
        self.assertEqual(abut.clash(model, self.boxes, hulls=hulls, client=self.client, partitions=5).tobytes(), wanted.tobytes())

    def test_two_at_the_same_time(self):
        """They share the scheduler, for which equal keys are the same task."""
        models = [random_boxes(5000, seed) for seed in (33, 34)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda model: abut.clash(model, client=self.client, partitions=4), models))
        for model, pairs in zip(models, found):
            self.assertEqual(pairs.tobytes(), abut.clash(model).tobytes())

    def test_an_error_is_the_users(self):
        boxes = self.boxes.copy()
        boxes["half"][12345] = np.nan
        with self.assertRaisesRegex(abut.Error, "boxes, element 12345: half"):
            abut.clash(boxes, client=self.client)

    def test_a_killed_worker_changes_nothing(self):
        for kind in ("look", "split", "pairs"):
            for boxes in (self.boxes, self.on_disk()):
                if kind == "look" and boxes is self.boxes:
                    continue  # the process that has them looks at them
                with self.subTest(kind=kind, on_disk=boxes is not self.boxes):
                    done = pathlib.Path(self.folder.name) / f"{kind}-{boxes is self.boxes}"
                    self.client.register_worker_plugin(Die(kind, str(done)))
                    try:
                        self.check(boxes)
                    finally:
                        self.client.unregister_worker_plugin("die")
                    self.assertTrue(done.exists(), "no worker was killed")

    def test_workers_that_die_again_and_again(self):
        usual, gather = engine.FIRST_WAIT, engine.Cluster._gather
        engine.FIRST_WAIT, engine.Cluster._gather = 0.001, lambda *_: None  # as if all was lost
        try:
            with self.assertRaisesRegex(RuntimeError, f"lost again and again, {engine.ATTEMPTS} times; 6 of 6 tasks"):
                abut.clash(self.boxes, client=self.client, partitions=6)
        finally:
            engine.FIRST_WAIT, engine.Cluster._gather = usual, gather


class ItsOwnProcesses(unittest.TestCase):
    def test_a_number_of_processes(self):
        boxes = random_boxes(3000, 32)
        self.assertEqual(abut.clash(boxes, client=2).tobytes(), abut.clash(boxes).tobytes())

    def test_no_scheduler(self):
        with self.assertRaises(OSError):
            with distributed.worker.dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}):
                abut.clash(random_boxes(3), client="tcp://127.0.0.1:9")


if __name__ == "__main__":
    unittest.main()
