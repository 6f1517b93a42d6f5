#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Small wrong variants of src/: which of them do the tests let pass?

mutate.py TOP FOLDER [--count N] [--seed N] [--only PATH] [--log FILE]

Each variant changes one place of one file: a comparison, a sign, a bound, a constant, a slack, a condition, a branch. A
copy of the tree in FOLDER is built with it; first the tests of the file's own sub-room run, then those of its room and
of the world, at a share of their cases. Variants that compile to the same code as the original do not count. What
survives and is no mistake stands, with the reason, in `equivalent.txt` beside this script.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
SHARE = "8"  # of the tests' random cases

# What is replaced, and by what.
RULES = [
    ("comparison", re.compile(r" (<=|>=|<|>) (?!=)"), {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    ("comparison", re.compile(r" (==|!=) "), {"==": "!=", "!=": "=="}),
    ("condition", re.compile(r" (&&|\|\|) "), {"&&": "||", "||": "&&"}),
    ("sign", re.compile(r" ([+-]) "), {"+": "-", "-": "+"}),
    ("bound", re.compile(r"(?<=[<>=] )(\d+)(?=[;,) ])"), None),
    ("constant", re.compile(r"(?<![\w.])([1-9]\d?)(?![\w.])"), None),
    ("slack", re.compile(r"0x1p-(\d\d)(?!\d)"), None),
    ("branch", re.compile(r"^ +if \((.*)\) \{$"), None),
]


def replacement(kind, found, table):
    """The text to put in place of found[1], or None."""
    if table:
        return table[found[1]]
    if kind in ("bound", "constant"):
        return str(int(found[1]) + 1)
    if kind == "slack":
        return str(int(found[1]) + 6)
    return f"0 && ({found[1]})"


def places_in(path, text):
    """All that may be changed: (kind, line, start, end, new)."""
    comment = False
    for number, line in enumerate(text.splitlines()):
        stripped = line.strip()
        comment = comment or stripped.startswith("/*")
        skip = comment or not line.startswith(" ") or stripped.startswith(("#", "//", "_Static_assert", "*"))
        comment = comment and "*/" not in line
        code = line.split("/*")[0]
        if skip:
            continue
        for kind, pattern, table in RULES:
            for found in pattern.finditer(code):
                new = replacement(kind, found, table)
                yield kind, number, found.start(1), found.end(1), new


def choose(top, only, count, seed):
    """Variants spread over all files: each kind and each folder has its share."""
    by_room = collections.defaultdict(list)
    for path in sorted((top / "src").rglob("*.c")):
        name = str(path.relative_to(top))
        if only in name and "arithmetic.c" not in name:
            for place in places_in(path, path.read_text(encoding="utf-8")):
                by_room[(str(path.parent), place[0])].append((name, *place))
    r = random.Random(seed)
    groups = [r.sample(group, len(group)) for _, group in sorted(by_room.items())]
    r.shuffle(groups)
    chosen = []
    while len(chosen) < count and any(groups):
        for group in groups:
            if group and len(chosen) < count:
                chosen.append(group.pop())
    return chosen


def run(command, folder, seconds=900, **environment):
    try:
        return subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=seconds, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Lab:
    """A copy of the tree, and its build."""

    def __init__(self, top, folder):
        self.tree, self.build = folder / "tree", folder / "build"
        shutil.rmtree(folder, ignore_errors=True)
        names = shutil.ignore_patterns("build*", ".git", "__pycache__")
        shutil.copytree(top, self.tree, ignore=names)
        for command in (["meson", "setup", self.build, self.tree, "-Doptimization=1", "-Ddebug=false", "-Db_ndebug=false",
                         "-Dtests=enabled", "-Dexamples=disabled", "-Ddefault_library=static"],
                        ["ninja", "-C", self.build]):
            if not run(command, folder, 3600):
                sys.exit(f"mutate.py: {command[0]} fails on the tree as it is")
        listed = subprocess.run(["meson", "test", "-C", self.build, "--list"], capture_output=True, text=True, check=True)
        self.tests = [line.split(" / ")[1].strip() for line in listed.stdout.splitlines() if " / " in line]
        self.original = self.digest()

    def digest(self):
        """Of all code that was compiled from src/."""
        found = hashlib.sha256()
        for path in sorted((self.build / "src").rglob("*.o")):
            found.update(path.read_bytes())
        return found.digest()

    def compiles(self):
        return run(["ninja", "-C", self.build], self.tree, 900)

    def passes(self, tests):
        return not tests or run(["meson", "test", "-C", self.build, "--no-rebuild", "--maxfail=1", "--timeout-multiplier",
                                 "3", *tests], self.tree, ABUT_TEST_SHARE=SHARE)

    def stages(self, name):
        """The tests of the file's sub-room, of its room, and of the rooms above."""
        parts = pathlib.Path(name).parts  # src, room, sub-room...
        room, sub = parts[1], parts[2] if len(parts) > 3 else ""
        near = [t for t in self.tests if t.startswith(f"{room}-{sub}") and sub]
        own = [t for t in self.tests if t.startswith(f"{room}-") and t not in near]
        rest = [t for t in self.tests if t.split("-")[0] in ("base", "shape", "broadphase", "culling", "kernels",
                                                            "narrowphase", "world") and t not in near + own]
        return [near, own, rest]

    def verdict(self, name):
        if not self.compiles():
            return "does not compile"
        if self.digest() == self.original:
            return "same code"
        for tests in self.stages(name):
            if not self.passes(tests):
                return "found"
        return "SURVIVED"

    def try_variant(self, name, line, start, end, new):
        path = self.tree / name
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        lines[line] = lines[line][:start] + new + lines[line][end:]
        path.write_text("".join(lines), encoding="utf-8")
        result = self.verdict(name)
        path.write_text(text, encoding="utf-8")
        return result, lines[line].strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose path has this in it")
    parser.add_argument("--log", type=pathlib.Path)
    arguments = parser.parse_args()
    equivalent = set((HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines())
    arguments.folder.mkdir(parents=True, exist_ok=True)
    lab = Lab(arguments.top.resolve(), arguments.folder.resolve())
    counts = collections.Counter()
    for name, kind, line, start, end, new in choose(arguments.top, arguments.only, arguments.count, arguments.seed):
        started = time.monotonic()
        result, changed = lab.try_variant(name, line, start, end, new)
        explained = any(e.startswith(f"{name} | {changed} | ") for e in equivalent)
        result = "explained" if result == "SURVIVED" and explained else result
        counts[result] += 1
        text = f"{result}: {name}:{line + 1}: {kind}: {changed} ({time.monotonic() - started:.0f} s)"
        print(text, flush=True)
        if arguments.log:
            with open(arguments.log, "a", encoding="utf-8") as log:
                log.write(text + "\n")
    tried = counts["found"] + counts["SURVIVED"] + counts["explained"]
    survived = counts["SURVIVED"] + counts["explained"]
    print(f"{tried} variants: {survived} survived ({100 * survived / max(tried, 1):.1f} %), {counts['explained']} of them "
          f"explained; {counts['same code']} more are the same code, {counts['does not compile']} do not compile")
    return 1 if survived > 0.05 * tried else 0


if __name__ == "__main__":
    sys.exit(main())
