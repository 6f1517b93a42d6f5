#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Runs a program and compares its output with a file: check_output.py EXPECTED PROGRAM [ARGUMENT...]"""

import difflib
import subprocess
import sys


def main():
    expected_path, command = sys.argv[1], sys.argv[2:]
    with open(expected_path, encoding='utf-8') as file:
        expected = file.read()
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f'{command[0]} exited with {run.returncode}')
    if run.stdout != expected:
        sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True),
                                                   expected_path, 'printed'))
        sys.exit(1)


main()
