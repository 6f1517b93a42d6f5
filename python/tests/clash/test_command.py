# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""python3 -m abut.clash, as it is typed."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import abut
from abut.clash import summary
from abut.clash.model import Model
from abut.clash.plant import plant


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.plant = plant(5000)
        np.save(cls.folder / "plant.npy", cls.plant.rows)
        np.savez(cls.folder / "hulls.npz", *(hull.vertices for hull in cls.plant.hulls))

    def run_it(self, *arguments, status=0):
        done = subprocess.run([sys.executable, "-W", "error", "-m", "abut.clash", *arguments], cwd=self.folder, check=False,
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(pathlib.Path(abut.__file__).parents[1])})
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_a_plant(self):
        done = self.run_it("plant.npy", "--hulls", "hulls.npz", "-o", "pairs.npy", "--plot", "pairs.png", "--clearance", "0.01")
        pairs = np.load(self.folder / "pairs.npy")
        np.testing.assert_array_equal(pairs[["i", "j"]], self.plant.planted)
        first = done.stdout.splitlines()[0]
        self.assertRegex(first, rf"^5,000 boxes: {len(pairs)} clashes in [0-9.]+ s \(1 partition, 1.00 copies a box\)$")
        worst = pairs[np.argmax(pairs["depth"])]
        self.assertRegex(done.stdout, rf"deepest\n +i +j +depth\n +{worst['i']} +{worst['j']} +0.0[0-9]+\n")
        self.assertRegex(done.stdout, r"by groups \(-1: none\)\n +group +group +clashes +deepest\n +-1 +[0-9]+ +[0-9]+ +0.0[0-9]+\n")
        self.assertIn(f"  and {len(pairs) - 10} more", done.stdout)
        self.assertEqual((self.folder / "pairs.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(done.stderr, "")

    def test_other_forms(self):
        quiet = self.run_it("plant.npy", "--hulls", "hulls.npz", "-o", "two.zarr", "--no-depth", "--quiet", "--partitions", "4",
                            "--memory", "1 GB", "--other", "plant.npy")
        self.assertEqual(quiet.stdout + quiet.stderr, "")
        import zarr
        self.assertEqual(zarr.open(str(self.folder / "two.zarr"), "r").dtype.names, ("i", "j"))
        shown = self.run_it("plant.npy", "--hulls", "hulls.npz", "--no-depth").stdout
        self.assertNotIn("deep", shown)

    def test_the_example(self):
        example = pathlib.Path(abut.__file__).parents[1] / "examples" / "plant_clashes.py"
        done = subprocess.run([sys.executable, "-W", "error", str(example), "5000", "-o", "example.png"], cwd=self.folder, check=False,
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(example.parents[1])})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{len(self.plant.planted)} clashes, as many as were planted", done.stdout)
        self.assertEqual((self.folder / "example.png").read_bytes()[:4], b"\x89PNG")

    def test_errors(self):
        (self.folder / "bad.csv").write_text("center_x,center_y\n", encoding="utf-8")
        rows = self.plant.rows.copy()
        rows["half"][77] = np.nan
        np.save(self.folder / "bad.npy", rows)
        for arguments, words in ((["none.npy"], "none.npy: there is no such file"), (["plant.npy"], "plant.npy, element 11: hull"),
                                 (["bad.csv"], "bad.csv: there is no column center_z"), (["plant.npy", "-o", "pairs.txt"], "pairs.txt: the output ends in none"),
                                 (["bad.npy", "--hulls", "hulls.npz"], "ABUT_ERROR_ARGUMENT (bad.npy, element 77: half is (nan, nan, nan))"),
                                 (["plant.npy", "--hulls", "hulls.npz", "--clearance", "-1"], "clearance: -1.0"),
                                 (["plant.npy", "--hulls", "none.npz"], "none.npz"), (["plant.npy", "--workers", "0"], "--workers: 0"),
                                 (["plant.npy", "--hulls", "hulls.npz", "--memory", "lots"], "memory: 'lots'")):
            with self.subTest(words):
                done = self.run_it(*arguments, status=1)
                self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
                self.assertTrue(done.stderr.startswith("clash: "))
                self.assertIn(words, done.stderr)
        self.assertIn("usage:", self.run_it(status=2).stderr)
        self.assertIn("center_x", self.run_it("--help").stdout)


class Summary(unittest.TestCase):
    def setUp(self):
        chance = np.random.default_rng(1)
        boxes = abut.obbs(chance.uniform(0, 20, (500, 3)), (1, 1, 1))
        self.model = {"center": boxes["center"], "rotation": boxes["rotation"], "half": boxes["half"],
                      "group": chance.integers(-1, 3, 500)}
        self.pairs = abut.clash(self.model, depth=True)
        self.read, summary.BLOCK_ROWS = summary.BLOCK_ROWS, 64

    def tearDown(self):
        summary.BLOCK_ROWS = self.read

    def test_by_groups(self):
        found = summary.by_groups(self.pairs, [Model("model", self.model)])
        group, counts = self.model["group"], {}
        for i, j, depth in self.pairs:
            key = tuple(sorted((group[i], group[j])))
            count, deepest = counts.get(key, (0, -np.inf))
            counts[key] = count + 1, max(deepest, depth)
        self.assertEqual({(one.first, one.second): (one.count, one.deepest) for one in found}, counts)
        self.assertEqual([one.count for one in found], sorted((count for count, _ in counts.values()), reverse=True))
        other = {key: column[:100] for key, column in self.model.items() if key != "group"}
        both = summary.by_groups(abut.clash(self.model, other), [Model("a", self.model), Model("b", other)])
        self.assertEqual({one.second for one in both}, {-1})
        self.assertTrue(np.isnan(both[0].deepest))
        self.assertEqual(summary.by_groups(self.pairs[:0], [Model("model", self.model)]), [])

    def test_deepest(self):
        for count in (1, 7, len(self.pairs), len(self.pairs) + 5):
            wanted = np.sort(self.pairs["depth"])[::-1][:count]
            np.testing.assert_array_equal(summary.deepest(self.pairs, count)["depth"], wanted)

    def test_centers_are_those_of_the_rows(self):
        rows = np.random.default_rng(2).integers(0, 500, 300)
        np.testing.assert_array_equal(summary.centers_of(Model("model", self.model), rows), self.model["center"][rows])

    def test_pictures_of_none_and_one(self):
        with tempfile.TemporaryDirectory() as folder:
            for count in (0, 1):
                path = pathlib.Path(folder) / "density.png"
                summary.draw_density(self.pairs[:count], [Model("model", self.model)], path)
                self.assertEqual(path.read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
