#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Compiles every public header alone, and included twice, with all warnings as errors.

headers.py LANGUAGE STANDARD INCLUDE_DIR COMPILER...

LANGUAGE is c or c++. In C++ it also takes the address of every public function and checks the names that the object file
needs: a header without extern "C" needs a mangled one. Bad headers are tried first and must be refused.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
MORE_FLAGS = {"c": [], "c++": ["-Wold-style-cast"]}
BAD_HEADERS = {
    "uses a type it does not include": "static inline size_t bad(void) { return 0; }\n",
    "has no include guard": "struct bad { int x; };\n",
    "draws a warning": "#ifndef BAD_H\n#define BAD_H\nstatic inline int bad(int unused) { return 0; }\n#endif\n",
}


class Compiler:
    def __init__(self, language, standard, include, command):
        self.language = language
        self.include = include
        self.command = [*command, "-x", language, f"-std={standard}", *FLAGS, *MORE_FLAGS[language]]

    def run(self, text, extra, include=None):
        command = [*self.command, "-I", str(include or self.include), *extra, "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True)

    def complaint(self, header, include=None):
        """The compiler's complaints about `header`, alone or included twice; '' if there are none."""
        for times in (1, 2):
            result = self.run(f"#include <{header}>\n" * times, ["-fsyntax-only"], include)
            if result.returncode != 0:
                return result.stderr
        return ""


def accepted_bad_headers(compiler):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for what, text in BAD_HEADERS.items():
            pathlib.Path(folder, "bad.h").write_text(text)
            if not compiler.complaint("bad.h", folder):
                problems.append(f"a header that {what} was accepted: this test cannot fail")
    return problems


def public_functions(headers):
    for header in headers:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(), flags=re.S)
        yield from re.findall(r"^ABUT_API\b[^;(]*?(\w+)\s*\(", text, flags=re.M)


def mangled_names(compiler, names, text):
    """Those of `names` that a C++ object file, made from `text` and their addresses, does not need unmangled."""
    table = ", ".join(f"reinterpret_cast<void (*)()>(&{name})" for name in names)
    text += f"extern void (*const abut_table[])();\nvoid (*const abut_table[])() = {{{table}}};\n"
    with tempfile.TemporaryDirectory() as folder:
        made = str(pathlib.Path(folder, "names.o"))
        result = compiler.run(text, ["-fno-lto", "-c", "-o", made])
        if result.returncode != 0:
            return [result.stderr]
        asked = subprocess.run(["nm", "-u", made], capture_output=True, text=True, check=True).stdout.split()
    return [name for name in names if name not in asked and "_" + name not in asked]


def main():
    language, standard, include, *command = sys.argv[1:]
    compiler = Compiler(language, standard, pathlib.Path(include), command)
    problems = accepted_bad_headers(compiler)
    headers = sorted(compiler.include.glob("abut/*.h"))
    for header in headers:
        complaint = compiler.complaint(f"abut/{header.name}")
        if complaint:
            problems.append(f"abut/{header.name}:\n{complaint}")
    if language == "c++" and not problems:
        if not mangled_names(compiler, ["bad"], "void bad(void);\n"):
            problems.append("a mangled name was accepted: this test cannot fail")
        names = sorted(set(public_functions(headers)))
        missing = mangled_names(compiler, names, "#include <abut/abut.h>\n")
        problems += [f'not reachable from C++ through abut/abut.h, or not extern "C": {name}' for name in missing]
        print(f"{len(names)} functions")
    for problem in problems:
        print(problem)
    print(f"{len(headers)} headers as {standard}: {len(problems)} problems")
    return 1 if problems or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
