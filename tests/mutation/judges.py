# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""What notices a variant: tests that fail, in builds without and with the address sanitizer, and counts of work."""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import threading

from builder import PROGRAMS, Builder

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "work"))
import work  # noqa: E402

WORKS = "works more or less"  # how a test notices what gives the same answers


def environment(share, **more):
    return {**os.environ, "ABUT_TEST_SHARE": str(share), "MALLOC_PERTURB_": "0", **more}


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0)) # the address sanitizer's own memory is without limits


def run_test(program, run, folder, limit):
    """Why the test fails, or None."""
    try:
        done = subprocess.run([program], env=environment(run.share), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              cwd=folder, timeout=20 * run.seconds + 10, preexec_fn=limit, check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    return None if done.returncode == 0 else "crashes" if done.returncode < 0 else "fails"


def passes_as_is(name, builder, run):
    """Whether a test that notices a variant does not notice the source itself: it may ask for time that a sanitizer takes."""
    if name not in builder.sound:
        program = next(p for pattern in PROGRAMS for p in builder.build.glob(pattern) if p.name == name)
        builder.sound[name] = run_test(program, run, builder.build, builder.limit) is None
    return builder.sound[name]


def try_with(builder, variant, text, tests, reach, folder):
    """(test, how it noticed), ("", "") for a survivor, None for no variant after all."""
    objects = builder.build_objects(variant, text, folder)
    if objects is None:
        return None
    for name in tests:
        program = builder.link_test(name, variant, objects, folder)
        how = run_test(program, reach[name], folder, builder.limit)
        program.unlink()
        if how and passes_as_is(name, builder, reach[name]):
            return name.removeprefix("test-"), how
    return "", ""


class Work:
    """How much work the programs that pin answers do, in the build of phase work."""

    def __init__(self, top, build):
        self.builder, self.source = Builder(top, build, limit_memory), (top / "src").resolve()
        self.programs = {p.name: p for p in work.programs_of(build)}
        self.usual, self.lock = {}, threading.Lock()

    def usual_of(self, name, folder):
        with self.lock:
            if name not in self.usual:
                self.usual[name] = work.count(self.programs[name], folder, self.source)
            return self.usual[name]

    def differs(self, name, program, variant, seconds, folder):
        """Whether it fails, or takes other lines and branches than usual more or less often. Those of the line that
        has changed are others anyway."""
        usual = self.usual_of(name, folder)
        try:
            counts = work.count(program, folder, self.source, timeout=20 * seconds + 20, preexec_fn=self.builder.limit)
        except subprocess.TimeoutExpired:
            return True
        own = variant.path, variant.line
        return counts is None or any(counts[row] != usual[row] for row in counts | usual if row[:2] != own)

    def try_variant(self, variant, text, tests, reach, folder):
        """As try_with."""
        objects = self.builder.build_objects(variant, text, folder)
        for name in [name for name in tests if name in self.programs] if objects else ():
            program = self.builder.link_test(name, variant, objects, folder)
            if self.differs(name, program, variant, reach[name].seconds, folder):
                return name.removeprefix("test-"), WORKS
            program.unlink()
        return "", ""


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def try_variant(variant, text, judges, tests, reach, folder):
    """As try_with, by one judge after the other until one of them notices."""
    plain, counting, checked = judges
    outcome = try_with(plain, variant, text, tests, reach, empty(folder))
    if outcome == ("", ""):
        outcome = counting.try_variant(variant, text, tests, reach, empty(folder))
    if outcome == ("", ""):
        outcome = try_with(checked, variant, text, tests, reach, empty(folder)) or outcome
    return outcome
