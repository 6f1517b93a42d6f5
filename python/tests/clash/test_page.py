# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The snippets of docs/clash.md print what the page says."""

import doctest
import pathlib
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "clash.md"


class Page(unittest.TestCase):
    def test_snippets(self):
        self.assertGreater(PAGE.read_text(encoding="utf-8").count("\n>>> "), 10)
        failed, _ = doctest.testfile(str(PAGE), module_relative=False)
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
