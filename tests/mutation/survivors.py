#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The variants that no test notices, with reasons: survivors.txt.

survivors.py TOP: whether each of its lines is still a variant of src/, and whether variants.py makes what it should.
"""

import pathlib
import sys
from typing import NamedTuple

from variants import variants_of

HERE = pathlib.Path(__file__).parent
SAMPLE = """enum { SIZE = 7 };
static const double SLACK = 0x1p-46;
static int f(int a, const double *b) { /* a < b */
    assert(a < 9);
    int c[2], d[3][4] = {{a + b[4]}}, e[5];
    for (int i = 0; i < a; i++) {
        if (b[i] >= -1 && a != 0) {
            return a + 2;
        }
    }
    ABUT_PREFETCH(&b[a + 2]);
    int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a < c[0] ? a : c[1];
    return "a < b" == 0;
}
"""
VARIANTS_OF_SAMPLE = [  # in the order of their places
    "static const double SLACK = 0.0;",
    "int c[2], d[3][4] = {{a - b[4]}}, e[5];",
    "int c[2], d[3][4] = {{a + b[5]}}, e[5];",
    "for (int i = 1; i < a; i++) {",
    "for (int i = 0; (i < a) && false; i++) {",
    "for (int i = 0; i >= a; i++) {",
    "for (int i = 0; i <= a; i++) {",
    "if ((b[i] >= -1 && a != 0) && false) {",
    "if (b[i] < -1 && a != 0) {",
    "if (b[i] > -1 && a != 0) {",
    "if (b[i] >= -2 && a != 0) {",
    "if (b[i] >= -1 || a != 0) {",
    "if (b[i] >= -1 && a == 0) {",
    "if (b[i] >= -1 && a != 1) {",
    "return a - 2;",
    "return a + 3;",
    "int least = a >= c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[1] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[1], most = f(a < c[0] ? c[0] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a >= c[0] ? c[0] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[1] ? c[0] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[1] : a, b), other = a < c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a >= c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a <= c[0] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a < c[1] ? a : c[1];",
    "int least = a < c[0] ? a : c[0], most = f(a < c[0] ? c[0] : a, b), other = a < c[0] ? a : c[2];",
    'return "a < b" != 0;',
    'return "a < b" == 1;',
]


class Survivor(NamedTuple):
    path: str  # from src/
    line: str
    variant: str
    reason: str


def read_survivors():
    """Lines `path | line => variant | reason`."""
    found = []
    for row in (HERE / "survivors.txt").read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            path, *rest = row.split(" | ", 1)
            change, *reason = rest[0].rsplit(" | ", 1) if rest else [""] # code may have a ` | ` of its own
            fields = [path, *change.split(" => "), *reason]
            if len(fields) != 4:
                sys.exit(f"survivors.txt: not 'path | line => variant | reason': {row}")
            found.append(Survivor(*fields))
    return found


def is_variant(survivor, top):
    source = top / "src" / survivor.path
    if not source.exists():
        return False
    text = source.read_text(encoding="utf-8")
    return any(v.lines(text) == (survivor.line, survivor.variant) for v in variants_of(survivor.path, text))


def main():
    top = pathlib.Path(sys.argv[1])
    made = [v.lines(SAMPLE)[1] for v in variants_of("sample.c", SAMPLE)]
    complaints = [f"not made: {line}" for line in VARIANTS_OF_SAMPLE if line not in made]
    complaints += [f"not to be made: {line}" for line in made if line not in VARIANTS_OF_SAMPLE]
    complaints += [f"survivors.txt: no variant of src/: {s.path} | {s.line} => {s.variant}"
                   for s in read_survivors() if not is_variant(s, top)]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
