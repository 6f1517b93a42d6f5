#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Which branches of src/ no test takes.

coverage.py TOP BUILD [--html FILE]

BUILD is a build with clang's -fprofile-instr-generate -fcoverage-mapping whose tests have run through `profile.sh`,
which writes what they count to BUILD/profiles/PROGRAM. A branch is a condition and one of its outcomes. One that no
test takes must stand, with its reason, in `exceptions.txt` beside this script; one that stands there although tests
take it must go. The page names all of them.

Each program is looked at by itself: of most branches clang counts one outcome alone, and the other is a difference,
which is wrong where two threads have counted at once (profile.sh makes that rare).
"""

import argparse
import collections
import concurrent.futures
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
OUTCOMES = ("true", "false")
SOMETIMES = ("another processor", "two threads at the same moment")  # so begin reasons that hold in some runs alone


class Branch(NamedTuple):
    path: str  # from src/
    line: int
    condition: str
    outcome: str


class Excuse(NamedTuple):
    path: str  # of a file, or the beginning of paths with a `*`
    condition: str  # or `*`: all of the file
    outcome: str  # or `both`
    reason: str

    def excuses(self, branch):
        path = branch.path.startswith(self.path[:-1]) if self.path.endswith("*") else branch.path == self.path
        return (path and self.condition in ("*", branch.condition)
                and self.outcome in ("both", branch.outcome))


def tool(name):
    found = shutil.which(name) or shutil.which(f"{name}-14")
    if not found:
        sys.exit(f"coverage.py: no {name}")
    return found


def export(program, folder):
    """What clang counted in one program."""
    merged = folder / "merged.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "-o", merged, *sorted(folder.glob("*.profraw"))], check=True)
    out = subprocess.run([tool("llvm-cov"), "export", program, f"-instr-profile={merged}"], check=False, capture_output=True)
    if out.returncode != 0:
        message = out.stderr.decode()
        if "No coverage data found" not in message: # as in a program without a function of src/
            sys.exit(f"coverage.py: {program.name}: {message}")
        return []
    return json.loads(out.stdout)["data"][0]["functions"]


def export_all(build):
    folders = sorted((build / "profiles").iterdir())
    if not folders:
        sys.exit("coverage.py: no test has run")
    programs = [next((build / "tests").rglob(folder.name)) for folder in folders]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        yield from several.map(export, programs, folders)


def text_between(lines, first, first_column, last, last_column):
    """The source of a condition, on one line."""
    if first == last:
        return lines[first - 1][first_column - 1:last_column - 1]
    parts = [lines[first - 1][first_column - 1:], *lines[first:last - 1], lines[last - 1][:last_column - 1]]
    return " ".join(part.strip() for part in parts)


def outcomes_of(functions):
    """How often each branch of one program was taken: the place of its condition -> [times true, times false]."""
    taken = collections.defaultdict(lambda: [0, 0])
    for function in functions:
        for first, column, last, last_column, true, false, file, *_ in function["branches"]:
            times = taken[(function["filenames"][file], first, column, last, last_column)]
            times[0] += true
            times[1] += false
    return taken


def read_branches(programs, top):
    """Whether some program takes each branch of src/: (branch, column) -> bool."""
    places = {}
    for functions in programs:
        for place, times in outcomes_of(functions).items():
            taken = places.setdefault(place, [False, False])
            taken[0] |= times[0] > 0
            taken[1] |= times[1] > 0
    source = (top / "src").resolve()
    sources, branches = {}, {}
    for (path, *place), outcomes in places.items():
        path = pathlib.Path(path).resolve()
        if source in path.parents:
            lines = sources.setdefault(path, path.read_text(encoding="utf-8").splitlines())
            name, condition = str(path.relative_to(source)), text_between(lines, *place)
            for outcome, taken in zip(OUTCOMES, outcomes):
                branch = (Branch(name, place[0], condition, outcome), place[1])
                branches[branch] = branches.get(branch, False) or taken
    return branches


def read_exceptions():
    """Lines `path | condition | true, false or both | reason`."""
    found = []
    for line in (HERE / "exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            path, *rest = line.split(" | ", 1)
            fields = [path, *(rest[0].rsplit(" | ", 2) if rest else [])] # a condition may have a ` | ` of its own
            if len(fields) != 4 or fields[2] not in (*OUTCOMES, "both") or not fields[3]:
                sys.exit(f"coverage.py: exceptions.txt: not 'path | condition | outcome | reason': {line}")
            found.append(Excuse(*fields))
    return found


def write_page(page, total, missing, excused):
    def rows(branches):
        return "".join(f"<tr><td>{html.escape(b.path)}:{b.line}<td><code>{html.escape(b.condition)}</code>"
                       f"<td>never {b.outcome}<td>{html.escape(why)}\n" for b, why in branches)
    page.write_text(
        "<!doctype html><meta charset=utf-8><title>Branches of abut</title><style>body{font:15px sans-serif;margin:2em}"
        "td{padding:2px 12px 2px 0;vertical-align:top}</style>"
        f"<h1>Branches</h1><p>{total} branches; {len(missing)} that no test takes; {len(excused)} more with a reason."
        f"<table>{rows((b, '') for b in missing)}{rows(excused)}</table>\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--html", type=pathlib.Path)
    arguments = parser.parse_args()
    branches, exceptions = read_branches(export_all(arguments.build), arguments.top), read_exceptions()
    never = sorted(branch for (branch, _), taken in branches.items() if not taken)
    missing, excused, used = [], [], set()
    for branch in never:
        reasons = [e for e in exceptions if e.excuses(branch)]
        used.update(reasons)
        excused += [(branch, reasons[0].reason)] if reasons else []
        missing += [] if reasons else [branch]
    for branch in missing:
        print(f"src/{branch.path}:{branch.line}: never {branch.outcome}: {branch.condition}")
    idle = [e for e in exceptions if e not in used and not e.reason.startswith(SOMETIMES)]
    for e in idle:
        print(f"exceptions.txt: a test takes it: {e.path} | {e.condition} | {e.outcome}")
    if arguments.html:
        write_page(arguments.html, len(branches), missing, excused)
    debts = sum(reason == "no test yet" for _, reason in excused)
    print(f"{len(branches)} branches: {len(missing)} new ones that no test takes, {debts} without a test yet, "
          f"{len(excused) - debts} with a reason why not")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
