# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""How the shared library is found, and the message when it is not."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import abut
from abut import library
from tracks import run_python

ASK = "import abut; print(abut.library_path)"
PACKAGE = pathlib.Path(abut.__file__).parent


class Finding(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def assert_found(self, wanted, **environment):
        status, said, complaints = run_python("-c", ASK, **environment)
        self.assertEqual((status, said.strip()), (0, str(wanted)), complaints)

    def assert_missing(self, text, **environment):
        status, _, complaints = run_python("-c", ASK, **environment)
        self.assertEqual(status, 1)
        self.assertIn("ImportError: abut: ", complaints)
        self.assertIn(text, complaints)
        self.assertIn("meson setup build && ninja -C build", complaints)

    def test_a_file_a_folder_and_a_build_folder(self):
        file = pathlib.Path(abut.library_path)
        for place in (file, file.parent, file.parent.parent):
            self.assert_found(file, ABUT_LIBRARY=str(place))

    def test_beside_the_package(self):
        shutil.copytree(PACKAGE, self.folder / "abut")
        copy = shutil.copy(abut.library_path, self.folder / "libabut.so.0")
        self.assert_found(copy, ABUT_LIBRARY="", PYTHONPATH=str(self.folder))

    def test_in_the_trees_build_folder(self):
        shutil.copytree(PACKAGE, self.folder / "python" / "abut")
        build = self.folder / "build" / "src"
        build.mkdir(parents=True)
        copy = shutil.copy(abut.library_path, build / "libabut.so.0")
        environment = {"ABUT_LIBRARY": "", "PYTHONPATH": str(self.folder / "python")}
        self.assertNotEqual(run_python("-c", ASK, **environment)[1].strip(), copy)  # not every folder is abut's tree
        (self.folder / "include" / "abut").mkdir(parents=True)
        (self.folder / "include" / "abut" / "abut.h").touch()
        self.assert_found(copy, **environment)

    def test_nothing_there(self):
        self.assert_missing("no shared library at ABUT_LIBRARY=", ABUT_LIBRARY=str(self.folder))
        (self.folder / "libabut.so.0").write_text("no library\n" * 100)
        self.assert_missing("invalid ELF header", ABUT_LIBRARY=str(self.folder))

    def build(self, source):
        path = self.folder / "libabut.so.0"
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-shared", "-fPIC", "-o", path, "-x", "c", "-"], input=source, text=True, check=True)
        return str(path)

    def test_a_library_that_lacks_a_function(self):
        self.assert_missing("has no abut_result_name: it is older", ABUT_LIBRARY=self.build("int abut;"))

    def test_a_library_of_another_series(self):
        functions = "".join(f"int {name}(void) {{ return 0; }}\n" for name in library.SIGNATURES if name != "abut_version")
        stranger = self.build(functions + 'const char *abut_version(void) { return "0.2.0"; }')
        self.assert_missing("is version 0.2.0; this module speaks to 0.1.x", ABUT_LIBRARY=stranger)
        self.assertTrue(abut.__version__.startswith("0.1."))


if __name__ == "__main__":
    unittest.main()
