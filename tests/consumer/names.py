#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Checks that the single file exposes only the names that the public headers declare.

names.py TREE HEADER OBJECT COMPILER...

The object must export exactly the public functions, and every name that the header declares or defines must begin with
abut_ or ABUT_. The check itself is tested on headers with bad names.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
tree = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(tree / "packaging"), str(tree / "tests" / "policy")]
import c_text  # noqa: E402
import policy  # noqa: E402

BAD_HEADERS = ("#define LIMIT 3\n", "typedef struct box { int size; } abut_box;\n", "enum { ABUT_ONE, TWO };\n",
               "static inline int helper(void) { return 0; }\n")


def foreign(names):
    return sorted(name for name in names if not name.lower().startswith("abut_"))


def macros(compiler, text):
    command = [*compiler, "-E", "-dM", "-x", "c", "-"]
    listing = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^#define (\w+)", listing, flags=re.M))


def header_complaints(header, compiler):
    text = header.read_text()
    system = "\n".join(re.findall(r"^#include <[\w/.]+>", text, flags=re.M)) + "\n"
    added = macros(compiler, f'#include "{header}"\n') - macros(compiler, system)
    plain = re.sub(r'#ifdef __cplusplus\n(extern "C" \{|\})\n#endif', "", text)
    names = set().union(*(c_text.declared(item)[0] for item in c_text.items_of(c_text.tokens_of(plain))))
    return [f"{header.name} exposes {name}" for name in foreign(added | names)]


def symbols(listing_option, obj):
    listing = subprocess.run(["nm", listing_option, "--defined-only", "--format=posix", obj],
                             capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in listing.splitlines()}


def main():
    header, obj, compiler = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    problems = header_complaints(header, compiler)
    with tempfile.TemporaryDirectory() as folder:
        for text in BAD_HEADERS:
            bad = pathlib.Path(folder, "bad.h")
            bad.write_text(text)
            if len(header_complaints(bad, compiler)) != 1:
                problems.append(f"not found: {text.strip()}")
    problems += policy.export_complaints(policy.Tree(tree), symbols("--extern-only", obj))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
