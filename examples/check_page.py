#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""All C code of a page must be taken from these sources, but for indentation: check_page.py PAGE SOURCE..."""

import re
import sys


def squeeze(code):
    return '\n'.join(line.strip() for line in code.splitlines())


def main():
    page_path, *source_paths = sys.argv[1:]
    sources = ''
    for path in source_paths:
        with open(path, encoding='utf-8') as file:
            sources += squeeze(file.read())
    with open(page_path, encoding='utf-8') as file:
        blocks = re.findall(r'^```c\n(.*?)^```$', file.read(), re.MULTILINE | re.DOTALL)
    strange = [block for block in blocks if squeeze(block) not in sources]
    if strange or not blocks:
        sys.exit('\n'.join([f'{page_path}: not in the sources ({len(blocks)} blocks of code):', *strange]))


main()
