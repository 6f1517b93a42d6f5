# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Type hints and help: every public function has both, and a type checker that reads them accepts right programs only."""

import inspect
import pathlib
import subprocess
import sys
import tempfile
import unittest

import abut

RIGHT = """
import abut
world: abut.World = abut.World(threads="all")
ids = world.create(half=(1, 1, 1), position=[(0, 0, 0), (1, 0, 0)], hull=[abut.Hull.cylinder(1, 0.5, 12), None])
report: abut.Report = world.step()
world.set_poses(ids, position=world.poses(ids)["position"] + 1)
hit = world.cast_rays((0, 9, 0), (0, -9, 0), mask=1)[0]["fraction"]
near, counts = world.nearest_many([(0, 0, 0)], k=2)
data: bytes = world.save()
clashes = abut.clash(abut.obbs(center=[(0, 0, 0), (1, 0, 0)], half=(1, 1, 1)), clearance=0.1, depth=True)
touching: bool = bool(abut.shape_overlap(abut.sphere(1), abut.poses(), abut.box((1, 1, 1)), abut.poses())[0])
"""
WRONG = ("abut.World(threads=1.5)", "abut.World().step().bodies.x", "abut.Hull.cylinder(1, 'wide', 12)", "abut.sphere()",
         "abut.World().overlaps('box', abut.poses())", "abut.World().restore('text')", "abut.capsule(1, 2, 3)",
         "abut.clash([], clearance='wide')")


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


class Types(unittest.TestCase):
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
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.py"
            for lines, wanted in [(RIGHT, 0), *((f"import abut\n{line}\n", 1) for line in WRONG)]:
                program.write_text(lines, encoding="utf-8")
                command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--cache-dir", str(pathlib.Path(folder) / "cache"),
                           str(program)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if "No module named mypy" in done.stderr:
                    self.skipTest("mypy is not installed")
                self.assertEqual(done.returncode, wanted, f"{lines}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
