#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Whether the library does as much work as it did: a gate for speed without a clock.

work.py TOP BUILD [--keep]

BUILD is a build by clang with counters for coverage and portable kernels alone, whose counts are the same on every
machine. The programs that pin answers run in it, each on the same input at all times, and for each file of src/ the sum
of how often its lines and branches were taken must be what `kept.txt` beside this script says. More is work that an
answer does not need; less is worth keeping, too. A change that means it runs --keep, and its author reads the difference.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

KEPT = pathlib.Path(__file__).parent / "kept.txt"
PROGRAMS = ("test-*pinned*", "test-*_work")
HEAD = """# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# How often lines and branches of each file of src/ are taken by the programs that pin answers: work.py --keep writes it.
"""


def tool(name):
    found = shutil.which(name) or shutil.which(f"{name}-14")
    if not found:
        sys.exit(f"work.py: no {name}")
    return found


def clang_version():
    out = subprocess.run([tool("clang"), "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"version (\d+)", out).group(1)


def programs_of(build):
    found = {p for pattern in PROGRAMS for p in (build / "tests").glob(pattern)}
    return sorted(p for p in found if p.is_file() and os.access(p, os.X_OK))


def read_rows(listing, source):
    """(path from src/, line, row) -> count, from llvm-cov's listing in the form of lcov: of lines and of branches."""
    counts, path = collections.Counter(), None
    for text in listing.splitlines():
        if text.startswith("SF:"):
            file = pathlib.Path(text[3:]).resolve()
            path = str(file.relative_to(source)) if source in file.parents else None
        elif path is not None and text.startswith(("DA:", "BRDA:")):
            row, count = text.rsplit(",", 1)
            line = int(row.split(":")[1].split(",")[0])
            counts[path, line, row] += int(count) if count != "-" else 0
    return counts


def listing_of(program, folder, share, **how):
    """What the program takes with 1/share of its random cases, in the form of lcov, or None if it fails. `how` goes to
    subprocess.run."""
    raw, merged = folder / f"{program.name}.profraw", folder / f"{program.name}.profdata"
    variables = {"MALLOC_PERTURB_": "0", "ABUT_TEST_SHARE": str(share), "LLVM_PROFILE_FILE": str(raw)}
    done = subprocess.run([program], env={**os.environ, **variables}, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False, **how)
    if done.returncode != 0:
        return None
    if raw.stat().st_size == 0:  # nothing in this program has counters
        raw.unlink()
        return ""
    subprocess.run([tool("llvm-profdata"), "merge", raw, "-o", merged], check=True)
    out = subprocess.run([tool("llvm-cov"), "export", "-format=lcov", "-skip-functions", program, f"-instr-profile={merged}"],
                         check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    raw.unlink()
    merged.unlink()
    return out.stdout


def count(program, folder, source, **how):
    """How often the program takes each line and branch of `source`, or None if it fails."""
    listing = listing_of(program, folder, 1, **how)
    return None if listing is None else read_rows(listing, source)


def count_all(top, build):
    """Path from src/ -> how often its lines and branches are taken by all programs together."""
    folder, source, sums = build / "counts", (top / "src").resolve(), collections.Counter()
    folder.mkdir(exist_ok=True)
    programs = programs_of(build)
    if not programs:
        sys.exit(f"work.py: no programs in {build.name}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, rows in zip(programs, pool.map(lambda p: count(p, folder, source), programs)):
            if rows is None:
                sys.exit(f"work.py: {program.name} fails")
            for (path, _, _), n in rows.items():
                sums[path] += n
    return {path: n for path, n in sorted(sums.items()) if n}


def read_kept():
    """The version of clang, and path -> count."""
    rows = [line.split() for line in KEPT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return rows[0][1], {path: int(n.replace(",", "")) for path, n in rows[1:]}


def keep(sums, version):
    rows = "".join(f"{path} {n:,}\n" for path, n in sums.items())
    KEPT.write_text(f"{HEAD}clang {version}\n{rows}", encoding="utf-8")
    print(f"written: {KEPT.name}, {len(sums)} files")


def compare(sums, kept):
    """Says where they differ; whether they do not."""
    for path in sorted({*sums, *kept}):
        now, before = sums.get(path, 0), kept.get(path, 0)
        if now != before:
            change = f" ({100 * (now / before - 1):+.3f} %)" if before else ""
            print(f"src/{path}: {now:,} lines and branches taken, {before:,} are kept{change}")
    print(f"{len(sums)} files, {sum(sums.values()):,} lines and branches taken")
    return sums == kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    version, sums = clang_version(), count_all(arguments.top, arguments.build.resolve())
    if arguments.keep:
        keep(sums, version)
        return 0
    by, kept = read_kept()
    if by != version: # which says where a region of code begins a little differently
        print(f"the counts are kept by clang {by}, this is clang {version}: not compared")
        return 0
    if compare(sums, kept):
        return 0
    print("if that is meant: python3 tests/work/work.py . build-work --keep")
    return 1


if __name__ == "__main__":
    sys.exit(main())
