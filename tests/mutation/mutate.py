#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Which small wrong variants of src/ the tests do not notice.

mutate.py TOP BUILD CHECKED COUNTED WORK [--count N] [--seed N] [--only PATH] [--again | --listed] [--seconds N] [--share N] [--jobs N] [--minutes N]

COUNTED is a build with clang's counters for coverage, in which each test program runs once to see which lines it takes and
how long that lasts. BUILD is a build by clang without counters and with assertions. A variant (variants.py) is compiled
there in place of its source, linked with the tests that take its line, and these run, the nearest and quickest first,
until one fails, hangs or crashes, or --seconds are over. Variants that compile to the same machine code are none
and are left out (Papadakis et al., "Trivial compiler equivalence", 2015), and so are those in lines that no test takes:
`./run coverage` has these. What survives is tried once more in WORK, where the programs that pin answers must do as much
work as before (../work/work.py: the variant's own line does not count), and in CHECKED, a build with the address sanitizer.

A variant that survives must stand, with its reason, in `survivors.txt` beside this script, and at most 5 % may survive,
not counting those that give the same answers. BUILD/mutation.txt has the last run; --again tries its survivors anew,
--listed those of survivors.txt, and --only draws from one file or folder of src/.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from builder import PROGRAMS, Builder
from judges import WORKS, Work, environment, limit_memory, no_core, try_variant, work
from survivors import read_survivors
from variants import KINDS, variants_of

ROOMS = ("base", "shape", "broadphase", "narrowphase", "culling", "world")
MOST_OBJECTS = 24  # a header that more objects include is left alone: compiling them would take minutes
LEAST_OF_A_ROOM = 60
ALLOWED = 0.05
SAME = "same answer: "  # how the reason begins of what is no wrong variant after all: no input can tell it from the source
TIME = "only time: "  # how the reason begins of what gives the same answers by more work: it counts, and is told apart
SHARE = 8  # of the random cases: a variant that only the other seven eighths notice counts as a survivor


class Run(NamedTuple):
    """How a test program ran once, on the sources as they are."""
    seconds: float
    share: int  # 1 if it asks for more cases than a smaller share has
    lines: dict  # path from src/ -> lines taken


# --- which tests take which lines ---

def read_lines(listing, source):
    """Lines that were taken, from llvm-cov's listing in the form of lcov."""
    lines, mine = {}, None
    for row in listing.splitlines():
        if row.startswith("SF:"):
            path = pathlib.Path(row[3:]).resolve()
            mine = lines.setdefault(str(path.relative_to(source)), []) if source in path.parents else None
        elif mine is not None and row.startswith("DA:"):
            number, count = row[3:].split(",")[:2]
            if count != "0":
                mine.append(int(number))
    return {path: taken for path, taken in lines.items() if taken}


def run_once(program, folder, share):
    """How long the program runs with 1/share of its cases, and the share: 1 if it needs all of them to pass."""
    for tried in (share, 1):
        start = time.monotonic()
        done = subprocess.run([program], env=environment(tried), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                              check=False)
        if done.returncode == 0:
            return time.monotonic() - start, tried
    sys.exit(f"mutate.py: {program} fails")


def run_counted(program, folder, source, share):
    listing = work.listing_of(program, folder, share)
    if listing is None:
        sys.exit(f"mutate.py: {program} fails")
    return read_lines(listing, source)


def find_reach(top, build, counted, share, jobs):
    """Test name -> Run. What is newer than the program is kept."""
    folder = build / f"reach-{share}"
    folder.mkdir(exist_ok=True)
    programs = sorted(p for pattern in PROGRAMS for p in counted.glob(pattern) if p.is_file() and os.access(p, os.X_OK))

    def reach_of(program):
        kept = folder / f"{program.name}.json"
        if not kept.exists() or kept.stat().st_mtime < program.stat().st_mtime:
            seconds, part = run_once(build / program.relative_to(counted), folder, share)
            lines = run_counted(program, folder, (top / "src").resolve(), part)
            kept.write_text(json.dumps({"seconds": seconds, "share": part, "lines": lines}), encoding="utf-8")
        found = json.loads(kept.read_text(encoding="utf-8"))
        lines = {path: set(taken) for path, taken in found["lines"].items()}
        return program.name, Run(found["seconds"], found["share"], lines)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(pool.map(reach_of, programs))


# --- which variants, and by which tests ---

def tests_of(variant, reach, most):
    """The tests that take the line of a variant, those of its own folder and room first, then the quickest: as many as
    last for `most` seconds together."""
    room, *rest = variant.path.split("/")
    own, folder = f"test-{room}-", f"test-{room}-{rest[0]}"

    def cost(name): # programs that pin answers notice most
        near = 1 if name.startswith(folder) else 2 if name.startswith(own) else 8
        return reach[name].seconds * near * (0.2 if "pinned" in name else 1)

    names = [name for name, run in reach.items() if variant.line in run.lines.get(variant.path, ())]
    seconds = 0
    for name in sorted(names, key=cost):
        if seconds <= most:
            seconds += reach[name].seconds
            yield name


def all_variants(top, reach, builder, only):
    """Room -> its variants in lines that a test takes."""
    taken = {}
    for run in reach.values():
        for path, lines in run.lines.items():
            taken.setdefault(path, set()).update(lines)
    rooms = {room: [] for room in ROOMS}
    for path in sorted(taken):
        if 0 < len(builder.objects_of(path, "src")) <= MOST_OBJECTS and (not only or path.startswith(only)):
            text = (top / "src" / path).read_text(encoding="utf-8")
            rooms[path.split("/")[0]] += [v for v in variants_of(path, text) if v.line in taken[path]]
    return rooms


class Lot:
    """Variants in the order in which they are tried, drawn from each room as many as it should have, by several threads."""

    def __init__(self, rooms, count, seed, minutes):
        dice, total = random.Random(seed), max(sum(map(len, rooms.values())), 1)
        self.rooms, self.lock, self.taken = rooms, threading.Lock(), dict.fromkeys(rooms, 0)
        self.end = time.monotonic() + 60 * minutes
        least = min(LEAST_OF_A_ROOM, count // len(rooms))
        self.wanted = {room: max(least, count * len(variants) // total) for room, variants in rooms.items()}
        for variants in rooms.values():
            dice.shuffle(variants)

    def draw(self):
        """(room, variant) of the room that has had the least of what it should have, or None at the end."""
        with self.lock:
            open_rooms = [r for r in self.rooms if self.rooms[r] and self.taken[r] < self.wanted[r]]
            if not open_rooms or time.monotonic() > self.end:
                return None
            room = min(open_rooms, key=lambda r: self.taken[r] / self.wanted[r])
            self.taken[room] += 1
            return room, self.rooms[room].pop()

    def put_aside(self, room):
        """What was drawn is no variant after all: another one takes its place."""
        with self.lock:
            self.taken[room] -= 1


def found_again(lines, top):
    """The variants of these (path from src/, line, what it becomes) that still are variants of the sources."""
    found = []
    for path, before, after in lines:
        if (top / "src" / path).exists():
            text = (top / "src" / path).read_text(encoding="utf-8")
            found += [v for v in variants_of(path, text) if v.lines(text) == (before, after)][:1]
    return found


def last_survivors(build):
    rows = [row.split("\t") for row in (build / "mutation.txt").read_text(encoding="utf-8").splitlines()]
    return [row[1:4] for row in rows if row[0] == "survives"]


def report(rows, survivors):
    """What is printed at the end; whether all is well."""
    alive = [row for row in rows if row[1] == ""]
    reasons = {(s.path, s.line, s.variant): s.reason for s in survivors}
    same = slow = unexplained = 0
    for variant, _, _, before, after in alive:
        reason = reasons.get((variant.path, before, after), "")
        same += reason.startswith(SAME)
        slow += reason.startswith(TIME)
        unexplained += reason == ""
        print(f"src/{variant.path}:{variant.line}: {KINDS[variant.kind]}: {before} => {after}"
              + (f"  ({reason})" if reason else ""))
    for name, mine in [(kind, [row for row in rows if row[0].kind == kind]) for kind in KINDS] + \
            [(room, [row for row in rows if row[0].path.startswith(room + "/")]) for room in ROOMS]:
        print(f"  {name:<12}{len(mine):>5} variants, {sum(row[1] == '' for row in mine)} survive")
    share = (len(alive) - same) / max(len(rows) - same, 1)
    counted = sum(row[2] == WORKS for row in rows)
    print(f"{len(rows)} variants: {len(rows) - len(alive)} noticed ({counted} by the work they do), {same} with the same "
          f"answers, {len(alive) - same} survive ({100 * share:.1f} %): {slow} cost only time, {unexplained} have no reason in "
          "survivors.txt")
    return share <= ALLOWED and unexplained == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("checked", type=pathlib.Path)
    parser.add_argument("counted", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="PATH")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each variant, as they last one by one")
    parser.add_argument("--share", type=int, default=SHARE, help="run 1/N of the random cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no variant after so many")
    arguments = parser.parse_args()
    top, build = arguments.top.resolve(), arguments.build.resolve()
    survivors = read_survivors()
    judges = (Builder(top, build, limit_memory), Work(top, arguments.work.resolve()),
              Builder(top, arguments.checked.resolve(), no_core))
    print("which tests take which lines ...", file=sys.stderr)
    reach = find_reach(top, build, arguments.counted.resolve(), arguments.share, arguments.jobs)
    given = last_survivors(build) if arguments.again else [s[:3] for s in survivors] if arguments.listed else None
    rooms = all_variants(top, reach, judges[0], arguments.only) if given is None else {"": found_again(given, top)}
    lot = Lot(rooms, arguments.count if given is None else sys.maxsize, arguments.seed, arguments.minutes)
    log = (build / ("mutation.txt" if given is None else "again.txt")).open("w", encoding="utf-8")
    rows = []

    def try_all(worker):
        while drawn := lot.draw():
            room, variant = drawn
            text = (top / "src" / variant.path).read_text(encoding="utf-8")
            tests = list(tests_of(variant, reach, arguments.seconds))
            outcome = try_variant(variant, text, judges, tests, reach, build / "variants" / str(worker))
            if outcome is None:
                lot.put_aside(room)
                continue
            before, after = variant.lines(text)
            rows.append((variant, *outcome, before, after))
            print(outcome[1] or "survives", variant.path, before, after, outcome[0], sep="\t", file=log, flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for worker in [pool.submit(try_all, k) for k in range(arguments.jobs)]:
            worker.result()
    log.close()
    for variant, test, _, before, after in sorted(rows) if arguments.listed else ():
        if test:
            print(f"survivors.txt: {test} notices {variant.path} | {before} => {after}")
    return 0 if report(sorted(rows), survivors) or given is not None else 1


if __name__ == "__main__":
    sys.exit(main())
