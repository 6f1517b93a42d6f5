#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The same bits on every platform: compiles the single file and the tests that pin bits, and runs them there.

platforms.py TOP FOLDER [--only PATTERN] [--publish DATE]

A platform is a compiler with options and what runs its programs: nothing, an emulator, Wine or node. One whose compiler
is missing is an error, unless it is another version of one that is there; one whose runner does not run here is only linked. --publish writes the table into
docs/determinism.md; with --only, which takes a regular expression, the rows of the others stay, and should be of that
day, too.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

TESTS = {
    "contacts": ["tests/world/step/bits.c"],
    "casts, sweeps": ["tests/world/cast/bits.c"],
    "questions, shapes, snapshots": ["tests/world/query/bits.c"],
    "pairs": ["tests/narrowphase/pinned.c"],
}
SUPPORT = ["tests/world/world_test.c", "scenes/scene_hulls.c", "scenes/scene_rng.c", "scenes/scenes.c"]
SUPPORT += [f"tests/support/{name}.c" for name in ("digest", "failing_allocator", "lattice", "print", "rng", "test", "wild")]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
STATIC = ["-static"]
WEB = ["-sALLOW_MEMORY_GROWTH", "-sTOTAL_STACK=1mb", "-sSINGLE_FILE"]  # Debian's emcc does not know that node can fetch
BEGIN, END = "<!-- platforms: begin -->\n", "<!-- platforms: end -->\n"


class Platform(NamedTuple):
    name: str
    compiler: str
    options: list
    link: list = []
    runner: list = []
    suffix: str = ""
    of_tests: list = []  # options that only the tests are compiled with
    optional: bool = False  # left out, without an error, where its compiler is missing


def on_debian_cross(name, triple, emulator, options=()):
    return Platform(name, f"{triple}-gcc", ["-O2", *options], STATIC, [emulator])


def wine():
    found = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
    return [found]


# Beside gcc 12 and clang 14, which Debian 12 calls gcc and clang. Version 11 is the last gcc that has to be told that wide
# registers are cleared (ABUT_CLEAR_WIDE).
OTHER_VERSIONS = ("gcc-11", "clang-13", "clang-15", "clang-16")

PLATFORMS = [
    *(Platform(f"x86-64, {compiler} {level}", compiler, level.split())
      for compiler in ("gcc", "clang") for level in ("-O0", "-O1", "-O2", "-O3", "-O2 -flto", "-O3 -march=native")),
    *(Platform(f"x86-64, {compiler} -O2", compiler, ["-O2"], optional=True) for compiler in OTHER_VERSIONS),
    Platform("x86-64, musl", "musl-gcc", ["-O2"], STATIC),
    on_debian_cross("x86, 32 bits", "i686-linux-gnu", "qemu-i386", ["-msse2", "-mfpmath=sse"]),
    on_debian_cross("AArch64", "aarch64-linux-gnu", "qemu-aarch64"),
    on_debian_cross("Arm, 32 bits", "arm-linux-gnueabihf", "qemu-arm"),
    on_debian_cross("RISC-V, 64 bits", "riscv64-linux-gnu", "qemu-riscv64"),
    on_debian_cross("POWER, little-endian", "powerpc64le-linux-gnu", "qemu-ppc64le"),
    on_debian_cross("IBM Z, big-endian", "s390x-linux-gnu", "qemu-s390x", ["-fexcess-precision=fast"]),
    Platform("Windows, x86-64, MinGW-w64", "x86_64-w64-mingw32-gcc", ["-O2"], STATIC, wine(), ".exe"),
    # Debian's emcc 3.1.6 makes wrong code of scene_rng_bell where it puts sums of 64-bit integers into vectors.
    Platform("WebAssembly with SIMD", "emcc", ["-O2", "-msimd128"], WEB, ["node"], ".js", ["-fno-slp-vectorize"]),
    Platform("WebAssembly without SIMD", "emcc", ["-O2"], WEB, ["node"], ".js"),
]


def call(command, log):
    """Runs a command; its output goes to the log. False where it fails."""
    log.write(f"$ {' '.join(map(str, command))}\n")
    log.flush()
    return subprocess.run(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT, check=False).returncode == 0


def version_of(compiler):
    text = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(?:\)|version) (\d[\d.]*)", text)
    name = "emcc" if compiler == "emcc" else "clang" if "clang" in compiler else "gcc"
    return f"{name} {found[1]}" if found else name


def runs_here(platform, folder):
    """Whether the runner runs a program that does nothing."""
    if not platform.runner:
        return True
    if not shutil.which(platform.runner[0]):
        return False
    empty, program = folder / "empty.c", folder / f"empty{platform.suffix}"
    empty.write_text("int main(void) { return 0; }\n")
    with open(folder / "empty.log", "w", encoding="utf-8") as log:
        return (call([platform.compiler, empty, "-o", program, *platform.link], log)
                and call([*platform.runner, program], log))


def try_platform(platform, top, folder):
    """The row of the table, and whether all is well."""
    place = folder / re.sub(r"\W+", "-", platform.name)
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "log", "w", encoding="utf-8") as log:
        started = time.monotonic()
        compile_ = [platform.compiler, "-std=c17", *platform.options]
        thing = place / "abut.o"
        if not call([*compile_, *WARNINGS, "-c", folder / "abut/abut.c", "-o", thing], log):
            return "does not compile", False
        include = [f"-I{path}" for path in (folder / "abut", top / "include", top / "tests", top / "scenes",
                                             top / "tests/cross/cmocka")]
        here = runs_here(platform, place)
        for test, sources in TESTS.items():
            program = place / f"{re.sub(r'[^a-z]+', '-', test)}{platform.suffix}"
            files = [top / source for source in sources + SUPPORT]
            # The tests' own arithmetic is to be exact, too: not fused, and not made into vectors by gcc (base/compiler.h).
            exact = ["-ffp-contract=off", *(["-fno-tree-vectorize"] if "gcc" in platform.compiler else [])]
            if not call([*compile_, *platform.of_tests, *exact, "-DABUT_CMOCKA_STAND_IN", *include, *files, thing, "-o",
                         program, "-lm", *platform.link], log):
                return f"{test}: does not link", False
            if here and not call([*platform.runner, program], log):
                return f"{test}: other bits", False
        log.write(f"{time.monotonic() - started:.0f} s\n")
    return "the same bits" if here else "compiles and links", True


def row_of(platform, result):
    runner = {"": "", "wine64": "Wine", "wine": "Wine", "node": "node"}.get(
        pathlib.Path(platform.runner[0] if platform.runner else "").name, "QEMU")
    return f"| {platform.name} | {version_of(platform.compiler)} | {runner} | {result} |\n"


def publish(page, rows, date):
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    before, tail = rest.split(END)
    kept = {row.split(" | ")[0]: row for row in before.splitlines(True)} | {row.split(" | ")[0]: row for row in rows}
    rows = [kept[f"| {platform.name}"] for platform in PLATFORMS if f"| {platform.name}" in kept]
    table = (f"Of {date}, by `./run test platforms`:\n\n| platform | compiler | run by | |\n|---|---|---|---|\n"
             + "".join(rows))
    page.write_text(head + BEGIN + table + END + tail, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="PATTERN", help="platforms in whose name this is found")
    parser.add_argument("--publish", metavar="DATE", help="write the table into docs/determinism.md")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, arguments.top / "packaging/amalgamate.py", arguments.folder / "abut"], check=True)
    rows, failed = [], 0
    chosen = [p for p in PLATFORMS if re.search(arguments.only, p.name, re.IGNORECASE)
              and not (p.optional and shutil.which(p.compiler) is None)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda p: try_platform(p, arguments.top, arguments.folder), chosen)
        for platform, (result, well) in zip(chosen, results):
            print(f"{platform.name}: {result}", flush=True)
            rows.append(row_of(platform, result))
            failed += not well
    if arguments.publish and not failed:
        publish(arguments.top / "docs/determinism.md", rows, arguments.publish)
    print(f"{len(chosen)} platforms, {failed} failed; logs in {arguments.folder}")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
