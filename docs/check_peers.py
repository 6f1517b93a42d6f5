#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Whether what the pages name of Bullet, ODE and FCL exists in their headers: check_peers.py TOP

In tables, a column or a row with a library's name speaks of it; elsewhere its prefix (bt, d) does. Libraries that are not
installed are not checked, and the script reports it. Box3D, Jolt and PhysX are in no distribution: see docs/migration.md for the versions that were read."""

import pathlib
import re
import sys

HEADERS = {"Bullet": "bullet", "ODE": "ode", "FCL": "fcl"}
PREFIXES = {"Bullet": re.compile(r"bt[A-Z]\w+$"), "ODE": re.compile(r"d[A-Z][a-z]\w+$")}
ROOTS = (pathlib.Path("/usr/include"), pathlib.Path("/usr/local/include"))
NAME = re.compile(r"[A-Za-z_]\w{3,}")
NO_NAMES = {"height", "length", "half_height", "space", "lz"}  # of arguments, as the page calls them


def words_of(library):
    """All names in the library's headers; None if there are none."""
    words = set()
    for root in ROOTS:
        for path in (root / HEADERS[library]).rglob("*.h*"):
            words |= set(NAME.findall(path.read_text(encoding="utf-8", errors="replace")))
    return words or None


def spans(text):
    return [name for code in re.findall(r"`([^`]+)`", text) for name in NAME.findall(code) if name not in NO_NAMES]


def claims(page):
    """(line, library, name) for everything in backticks that is said of a library."""
    head = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.split("|")[1:-1]] if line.startswith("|") else []
        if not cells:
            head = []
            for name in spans(line):
                for library, prefix in PREFIXES.items():
                    if prefix.match(name):
                        yield number, library, name
            continue
        head = head or cells
        for column, cell in enumerate(cells):
            if "abut" in head[column].split():
                continue
            library = head[column] if head[column] in HEADERS else cells[0] if cells[0] in HEADERS else None
            for name in spans(cell) if library else ():
                yield number, library, name


def main():
    top = pathlib.Path(sys.argv[1])
    known = {library: words_of(library) for library in HEADERS}
    for library in (library for library, words in known.items() if words is None):
        print(f"{library} is not installed: what the pages say of it is not checked")
    problems, count = [], 0
    for page in sorted([top / "README.md", *(top / "docs").glob("*.md")]):
        for number, library, name in claims(page):
            if known[library] is not None:
                count += 1
                if name not in known[library]:
                    problems.append(f"{page.relative_to(top)}:{number}: {library} has no {name}")
    print(*problems, f"{count} names, {len(problems)} problems", sep="\n")
    sys.exit(bool(problems or (known["Bullet"] and count < 50)))


if __name__ == "__main__":
    main()
