#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Compiles all C and C++ of the pages, and runs their programs: check_code.py TOP LIBRARY SCRATCH

A block with a main function is a program. It is run, and if the line after it is "prints", its output must be the
block below. Any other block must either be a piece of a program of its page, or compile within the context that is
in a comment above it and is valid until the next one:

    <!-- context
    static void frame(abut_world *world) {
        @
    }
    -->

The block takes the place of the @; without one it follows at file scope. A word behind "context" names a package of
pkg-config that the block needs, such as ode. Code that needs a missing package is not compiled, and the script reports it."""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"^<!-- context *(?P<need>\S*)\n(?P<context>.*?)^-->$"
                   r"|^```(?P<language>\w*)\n(?P<code>.*?)^```$(?P<prints>\n\nprints\n\n```\w*\n(?P<expected>.*?)^```$)?",
                   re.M | re.S)
COMPILERS = {"c": (os.environ.get("CC", "cc"), ["-std=c17"]), "cpp": (os.environ.get("CXX", "c++"), ["-std=c++17"])}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
PIECE = ["-Wno-unused", "-Wno-missing-field-initializers", "-c"]  # a piece need not use everything in its context
THEIRS = ["-w", "-c"]  # other libraries' headers are not written for our warnings


def squeeze(code):
    """Lines without indentation, so that a piece of a function is found in it."""
    return "\n".join(line.strip() for line in code.strip().splitlines())


class Page:
    def __init__(self, path, top, library, scratch):
        self.path, self.top, self.library, self.scratch = path, top, library, scratch
        self.text = path.read_text(encoding="utf-8")
        self.programs = [squeeze(found["code"]) for found in BLOCK.finditer(self.text)
                         if found["code"] and "int main(" in found["code"]]
        self.compiled = 0
        self.skipped = set()

    def complaints(self):
        need, context = "", None
        for found in BLOCK.finditer(self.text):
            name, line = self.path.relative_to(self.top), self.text.count("\n", 0, found.start()) + 1
            if found["context"] is not None:
                need, context = found["need"], found["context"]
            elif found["language"] in COMPILERS:
                complaint = self.check(found, need, context, f'#line {line + 1} "{name}"\n')
                if complaint:
                    yield f"{name}:{line}: {complaint}"

    def check(self, found, need, context, place):
        code, language = found["code"], found["language"]
        if "int main(" in code:
            return self.run(place + code, language, found["expected"])
        if any(squeeze(code) in program for program in self.programs):
            return None
        if context is None:
            return "neither part of a program of this page nor below a context"
        before, at, after = context.partition("@\n")
        flags = self.flags_of(need) if need else STRICT + PIECE
        if flags is None:
            self.skipped.add(need)
            return None
        return self.compile(f"{before}{place}{code}{after if at else ''}", language, flags)

    @staticmethod
    def flags_of(package):
        found = subprocess.run(["pkg-config", "--cflags", package], capture_output=True, text=True, check=False)
        return THEIRS + shlex.split(found.stdout) if found.returncode == 0 else None

    def compile(self, code, language, flags):
        """Returns the complaint, or None; the program is then self.output()."""
        self.compiled += 1
        compiler, standard = COMPILERS[language]
        source = self.output().with_suffix(f".{language}")
        source.write_text(code, encoding="utf-8")
        command = [*shlex.split(compiler), *standard, "-O1", f"-I{self.top}/include", *flags, str(source), "-o",
                   str(self.output())]
        if "-c" not in flags:
            command += [str(self.library), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.top)
        return None if done.returncode == 0 else f"does not compile:\n{done.stderr}"

    def output(self):
        return self.scratch / f"{self.path.stem}-{self.compiled}"

    def run(self, code, language, expected):
        complaint = self.compile(code, language, STRICT)
        if complaint:
            return complaint
        done = subprocess.run([str(self.output())], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"ends with {done.returncode}:\n{done.stderr}"
        if expected is not None and done.stdout != expected:
            return "prints something else:\n" + "".join(difflib.unified_diff(
                expected.splitlines(True), done.stdout.splitlines(True), "page", "program"))
        return None


def main():
    top, library, scratch = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    scratch.mkdir(parents=True, exist_ok=True)
    problems, compiled, skipped = [], 0, set()
    for path in [top / "README.md", *sorted((top / "docs").glob("*.md"))]:
        page = Page(path, top, library, scratch)
        problems += page.complaints()
        compiled += page.compiled
        skipped |= page.skipped
    for package in sorted(skipped):
        print(f"{package} is not here: what needs it is not compiled")
    print("\n".join([*problems, f"{compiled} pieces of code, {len(problems)} problems"]))
    return 1 if problems or compiled == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
