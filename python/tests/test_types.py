# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Type hints and help: every public function has both, and a type checker that reads them accepts right programs only."""

import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv

import abut

RIGHT = """
from typing import Any, Optional, Tuple
import numpy as np
import abut
Pair = Tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]
world: abut.World = abut.World(threads="all")
ids = world.create(half=(1, 1, 1), position=[(0, 0, 0), (1, 0, 0)], hull=[abut.Hull.cylinder(1, 0.5, 12), None])
report: abut.Report = world.step()
world.set_poses(ids, position=world.poses(ids)["position"] + 1)
hit = world.cast_rays((0, 9, 0), (0, -9, 0), mask=1)[0]["fraction"]
near, counts = world.nearest_many([(0, 0, 0)], k=2)
data: bytes = world.save()
clashes = abut.clash(abut.obbs(center=[(0, 0, 0), (1, 0, 0)], half=(1, 1, 1)), clearance=0.1, depth=True)
met, hits = abut.shape_cast_ray(abut.sphere(1), abut.poses(), (0, 9, 0), (0, -9, 0))
meets: Pair = abut.shape_sweep(abut.sphere(1), abut.poses(), abut.poses(), abut.box((1, 1, 1)), abut.poses(), abut.poses())
ray: Pair = abut.shape_cast_ray(abut.sphere(1), abut.poses(), (0, 9, 0), (0, -9, 0))
core: Optional[abut.Hull] = abut.sphere(1).hull
ground: Optional[abut.Mesh] = abut.sphere(1).mesh
rock = abut.Hull.cylinder(1, 0.5, 12)
world.restore(data, hulls=rock)
world.restore(data, hulls=[rock], meshes=())
try:
    world.cast_rays((float("nan"), 0, 0), (1, 0, 0))
except abut.Error as error:
    print(error.answers)
touching: bool = bool(abut.shape_overlap(abut.sphere(1), abut.poses(), abut.box((1, 1, 1)), abut.poses())[0])
"""
WRONG = ("abut.World(threads=1.5)", "abut.World().step().bodies.x", "abut.Hull.cylinder(1, 'wide', 12)", "abut.sphere()",
         "abut.World().overlaps('box', abut.poses())", "abut.World().restore('text')", "abut.capsule(1, 2, 3)",
         "abut.clash([], clearance='wide')", "abut.sphere(1).hull.digest", "abut.World().restore(b'', hulls=[1])",
         "abut.shape_cast_ray(abut.sphere(1), abut.poses(), (0, 9, 0), (0, -9, 0)).shape", "abut.lib")


def public_functions():
    """(name, function) of everything that `import abut` offers, methods and properties included."""
    for name, thing in vars(abut).items():
        if name.startswith("_") or inspect.ismodule(thing) or not getattr(thing, "__module__", "").startswith("abut"):
            continue
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and not issubclass(thing, (tuple, int)):
            for parent in thing.__mro__:
                for method, found in vars(parent).items():
                    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
                    if parent.__module__.startswith("abut") and not method.startswith("_") and inspect.isfunction(found):
                        yield f"{name}.{method}", found


def installed(folder):
    """A Python in which the module is installed: of what is installed a type checker reads what is exported and declared,
    and tells nothing of its inside."""
    venv.create(folder, system_site_packages=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    shutil.copytree(pathlib.Path(abut.__file__).parent, pathlib.Path(site) / "abut")
    return str(python)


class Types(unittest.TestCase):
    def test_all_that_is_public_is_exported(self):
        public = {name for name, thing in vars(abut).items() if not name.startswith("_") and not inspect.ismodule(thing)}
        self.assertEqual(set(abut.__all__), public | {"__version__"})
        self.assertEqual(len(abut.__all__), len(set(abut.__all__)))

    def test_everything_public_has_hints_and_help(self):
        functions = dict(public_functions())
        self.assertGreater(len(functions), 80)
        for name, function in functions.items():
            with self.subTest(name):
                hints, arguments = function.__annotations__, inspect.signature(function).parameters
                self.assertEqual(set(arguments) - {"self", "cls"} - set(hints), set())
                self.assertIn("return", hints)
                self.assertTrue(inspect.getdoc(function))

    def test_a_type_checker_reads_them(self):
        self.assertTrue((pathlib.Path(abut.__file__).parent / "py.typed").exists())
        with tempfile.TemporaryDirectory() as name:
            folder, programs = pathlib.Path(name), {"right.py": RIGHT}
            programs.update((f"wrong{i}.py", f"import abut\n{line}\n") for i, line in enumerate(WRONG))
            for program, lines in programs.items():
                (folder / program).write_text(lines, encoding="utf-8")
            command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed(folder / "venv"),
                       "--cache-dir", "cache", *programs]
            environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
        if "No module named mypy" in done.stderr:
            self.skipTest("mypy is not installed")
        wrong = set(re.findall(r"^(\S+?):(\d+): error", done.stdout, re.MULTILINE))
        self.assertEqual(wrong, {(f"wrong{i}.py", "2") for i in range(len(WRONG))}, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
