# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Models and answers in all forms that abut.clash takes and writes: the same pairs from each."""

import pathlib
import pickle
import sys
import tempfile
import unittest
import warnings

import numpy as np
import zarr

import abut
from abut.clash.files import GEOMETRY, check_names, open_model, read_csv, read_hulls
from abut.clash.model import Mapped, Model
from clash.oracle import random_boxes, with_groups

run = sys.modules["abut.clash.run"]


def as_table(rows):
    """The columns of a file with one number each."""
    columns = {f"{key}_{axis}": rows[key][:, k] for key, axes in (("center", "xyz"), ("rotation", "xyzw"), ("half", "xyz"))
               for k, axis in enumerate(axes)}
    return {**columns, "group": rows["group"]}


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.rows = with_groups(random_boxes(600, 41), 4)
        self.wanted = abut.clash(self.rows, depth=True)
        self.assertGreater(len(self.wanted), 200)


class Models(Folder):
    def same(self, model, reachable=None):
        self.assertEqual(abut.clash(model, depth=True, partitions=3).tobytes(), self.wanted.tobytes())
        if reachable is not None:
            self.assertEqual(Model("model", model).reachable, reachable)

    def test_in_memory(self):
        columns = {key: self.rows[key] for key in ("center", "rotation", "half", "group")}
        self.same(self.rows, reachable=False)
        self.same(columns, reachable=False)
        self.same({**columns, "name": self.rows["name"], "group": columns["group"].astype("i1")})
        self.same({key: column.tolist() if key != "group" else column for key, column in columns.items()})
        self.same({key: column[::-1][::-1] for key, column in columns.items()})
        self.same(self.rows[::-1][::-1])

    def test_three_arrays(self):
        boxes = random_boxes(200, 42)
        wanted = abut.clash(boxes)
        center, rotation, half = (boxes[key] for key in ("center", "rotation", "half"))
        for model in ((center, rotation, half), [center.astype(float), rotation, half], (center.tolist(), rotation.tolist(), half.tolist())):
            self.assertEqual(abut.clash(model).tobytes(), wanted.tobytes())

    def test_npy(self):
        np.save(self.folder / "model.npy", self.rows)
        self.same(np.load(self.folder / "model.npy", mmap_mode="r"), reachable=True)
        self.same(open_model(self.folder / "model.npy"), reachable=True)
        self.same(np.load(self.folder / "model.npy", mmap_mode="r")[:], reachable=False)  # a view keeps no place of its own

    def test_columns_in_files(self):
        columns = {}
        for key in ("center", "rotation", "half", "group"):
            np.save(self.folder / f"{key}.npy", self.rows[key])
            columns[key] = np.load(self.folder / f"{key}.npy", mmap_mode="r")
        self.same(columns, reachable=True)

    def test_a_mapped_file_travels_as_its_name(self):
        np.save(self.folder / "model.npy", np.tile(self.rows, 50))
        mapped = Mapped(np.load(self.folder / "model.npy", mmap_mode="r"))
        sent = pickle.dumps(mapped)
        self.assertLess(len(sent), 2000)
        np.testing.assert_array_equal(pickle.loads(sent)[590:610], mapped[590:610])

    def test_zarr(self):
        zarr.save_array(str(self.folder / "table.zarr"), self.rows, chunks=(100,), fill_value=None)
        self.same(open_model(self.folder / "table.zarr"), reachable=True)
        group = zarr.open(str(self.folder / "columns.zarr"), "w")
        for key in ("center", "rotation", "half", "group"):
            group.create_dataset(key, data=self.rows[key], chunks=(70,) + self.rows[key].shape[1:])
        self.same(open_model(self.folder / "columns.zarr"), reachable=True)
        self.same({key: zarr.array(self.rows[key]) for key in ("center", "rotation", "half", "group")}, reachable=False)

    def test_csv(self):
        table = as_table(self.rows)
        names = list(table)[::-1]
        np.savetxt(self.folder / "model.csv", np.stack([table[name].astype(float) for name in names], axis=1), "%.9g", ",",
                   header=",".join(names), comments="")
        self.same(open_model(self.folder / "model.csv"))

    def test_csv_that_is_wrong(self):
        path, head = self.folder / "model.csv", ",".join(GEOMETRY)
        for text, words in ((head.replace("half_z", "half_w") + "\n", "no column half_z"), ("", "no column center_x"),
                            (f"{head}\n1,2\n", "2 columns, where the header has 10"), (f"{head}\n1,2,3,0,0,0,1,1,one,1\n", "could not convert string 'one'"),
                            (f"{head},group\n1,2,3,0,0,0,1,1,1,1,0.5\n", "group has numbers that are not whole")):
            path.write_text(text, encoding="utf-8")
            with self.subTest(words), self.assertRaisesRegex(ValueError, words), warnings.catch_warnings():
                read_csv(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy's, of a file without rows
            path.write_text(head + "\n", encoding="utf-8")
            self.assertEqual(len(abut.clash(read_csv(path))), 0)

    def test_a_frame_of_dask(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import dask.dataframe
            import pandas
            frame = dask.dataframe.from_pandas(pandas.DataFrame(as_table(self.rows)), npartitions=7)
            usual = run.BLOCK_ROWS
            try:
                for run.BLOCK_ROWS in (1000, 90):
                    self.same(frame, reachable=True)
            finally:
                run.BLOCK_ROWS = usual
            with self.assertRaisesRegex(ValueError, "no column half_x, half_y"):
                abut.clash(frame[[name for name in frame.columns if name not in ("half_x", "half_y")]])

    def test_files_that_are_wrong(self):
        for name, kind, words in (("model.txt", ValueError, "a model ends in"), ("none.npy", FileNotFoundError, "no such file")):
            with self.assertRaisesRegex(kind, words):
                open_model(self.folder / name)
        (self.folder / "model.npy").write_bytes(b"no numbers")
        with self.assertRaises(ValueError):
            open_model(self.folder / "model.npy")
        check_names("columns", GEOMETRY)

    def test_parquet_says_what_it_needs(self):
        try:
            import pyarrow
            self.skipTest(f"pyarrow {pyarrow.__version__} is installed")
        except ImportError:
            pass
        (self.folder / "model.parquet").write_bytes(b"")
        with self.assertRaisesRegex(ImportError, "pandas and pyarrow"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            open_model(self.folder / "model.parquet")

    def test_hulls(self):
        clouds = [np.random.default_rng(k).normal(size=(20, 3)) for k in range(12)]
        np.savez(self.folder / "hulls.npz", *clouds)
        for made, cloud in zip(read_hulls(self.folder / "hulls.npz"), clouds, strict=True):
            np.testing.assert_array_equal(made.vertices, abut.Hull(cloud).vertices)
        np.save(self.folder / "hulls.npy", clouds[0])
        with self.assertRaisesRegex(ValueError, "clouds of points"):
            read_hulls(self.folder / "hulls.npy")


class Answers(Folder):
    def left(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_npy_and_zarr(self):
        for name in ("pairs.npy", "pairs.zarr"):
            for _ in range(2):  # the second time it is replaced
                pairs = abut.clash(self.rows, depth=True, output=self.folder / name, partitions=5)
                self.assertEqual(np.asarray(pairs[:]).tobytes(), self.wanted.tobytes())
                self.assertEqual(pairs.dtype, self.wanted.dtype)
        self.assertEqual(self.left(), ["pairs.npy", "pairs.zarr"])
        self.assertEqual(np.load(self.folder / "pairs.npy").tobytes(), self.wanted.tobytes())
        self.assertEqual(zarr.open(str(self.folder / "pairs.zarr"), "r")[:].tobytes(), self.wanted.tobytes())

    def test_csv(self):
        for depth, head in ((True, "i,j,depth"), (False, "i,j")):
            pairs = abut.clash(self.rows, depth=depth, output=self.folder / "pairs.csv", partitions=3)
            lines = (self.folder / "pairs.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual((lines[0], len(lines) - 1), (head, len(self.wanted)))
            read = np.loadtxt(lines[1:], pairs.dtype, delimiter=",")
            self.assertEqual(read.tobytes(), pairs.tobytes())  # nine digits are a float's
        self.assertEqual(self.left(), ["pairs.csv"])

    def test_no_pairs(self):
        for name in ("pairs.npy", "pairs.zarr"):
            pairs = abut.clash(self.rows[:1], output=str(self.folder / name))
            self.assertEqual((len(pairs), pairs.dtype.names), (0, ("i", "j")))
        self.assertEqual(len(np.load(self.folder / "pairs.npy", mmap_mode=None)), 0)
        abut.clash(self.rows[:0], output=self.folder / "pairs.csv")
        self.assertEqual((self.folder / "pairs.csv").read_text(encoding="utf-8"), "i,j\n")

    def test_an_error_leaves_what_was_there(self):
        (self.folder / "pairs.npy").write_bytes(b"before")
        self.rows["half"][5] = -1
        with self.assertRaises(abut.Error):
            abut.clash(self.rows, output=self.folder / "pairs.npy")
        self.assertEqual((self.folder / "pairs.npy").read_bytes(), b"before")
        with self.assertRaises(FileNotFoundError):
            abut.clash(self.rows, output=self.folder / "none" / "pairs.npy")
        self.assertEqual(self.left(), ["pairs.npy"])


if __name__ == "__main__":
    unittest.main()
