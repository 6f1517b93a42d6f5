#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""What came of a run of `meson test`: outcomes.py COUNTS TESTLOG.json

Prints a line for each suite and everything that failing tests said; what passing tests said stays in the log beside it,
but for lines that begin with [name], their notes. Writes "PASSED FAILED" to the file COUNTS."""

import json
import re
import sys

GOOD, SKIPPED = ("OK", "EXPECTEDFAIL"), ("SKIP",)
NOTE = re.compile(r"^\[[a-z]\w*\] .*$", re.M)


def suite_of(test):
    """The first suite of "abut:world+threads / world-step", which is the room."""
    return re.sub(r"^.*?:", "", test["name"].split(" / ")[0]).split("+")[0]


def complaint(test):
    said = "\n".join(test.get(stream, "").rstrip("\n") for stream in ("stdout", "stderr") if test.get(stream))
    return f"-- {test['name']}: {test['result']} after {test['duration']:.1f} s\n   {' '.join(test['command'])}\n{said}"


def main():
    counts, log = sys.argv[1:]
    with open(log, encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    bad = [test for test in tests if test["result"] not in GOOD + SKIPPED]
    print(*map(complaint, bad), sep="\n\n", end="\n\n" if bad else "")
    for suite in dict.fromkeys(sorted(map(suite_of, tests))):
        mine = [test for test in tests if suite_of(test) == suite]
        failed, skipped = sum(test in bad for test in mine), sum(test["result"] in SKIPPED for test in mine)
        print(f"  {suite:<14}{len(mine) - failed - skipped:>5} passed{sum(test['duration'] for test in mine):>9.1f} s"
              + (f", {skipped} skipped" if skipped else "") + (f", {failed} FAILED" if failed else ""))
    for test in tests:
        for note in NOTE.findall(test.get("stdout", "")):
            print(f"  {note}")
    with open(counts, "w", encoding="utf-8") as file:
        print(sum(test["result"] in GOOD for test in tests), len(bad), file=file)


if __name__ == "__main__":
    main()
