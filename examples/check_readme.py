#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The README's example must be the program that is compiled and tested: check_readme.py README.md touch.c"""

import difflib
import re
import sys


def main():
    readme_path, source_path = sys.argv[1:]
    with open(readme_path, encoding='utf-8') as file:
        blocks = re.findall(r'^```c\n(.*?)^```$', file.read(), re.MULTILINE | re.DOTALL)
    shown = next((block for block in blocks if 'int main' in block), None)
    if shown is None:
        sys.exit(f'{readme_path}: no ```c block with a main function')
    with open(source_path, encoding='utf-8') as file:
        source = file.read()
    # The README omits the licence header.
    source = re.sub(r'\A/\* SPDX-License-Identifier:.*?\*/\n+', '', source, flags=re.DOTALL)
    if shown.rstrip() != source.rstrip():
        sys.stdout.writelines(difflib.unified_diff(source.splitlines(True), shown.splitlines(True), source_path,
                                                   readme_path))
        sys.exit(1)


main()
