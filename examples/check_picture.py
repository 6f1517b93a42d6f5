#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Runs a program that writes a picture (P6) and compares the picture's statistics with a file: check_picture.py EXPECTED PROGRAM"""

import collections
import difflib
import hashlib
import os
import subprocess
import sys
import tempfile


def summary(data):
    """The size, the number of pixels per colour, and a hash of everything."""
    magic, size, most, pixels = data.split(b'\n', 3)
    width, height = map(int, size.split())
    if magic != b'P6' or most != b'255' or len(pixels) != 3 * width * height:
        sys.exit('not a whole P6 picture')
    colours = collections.Counter(pixels[i:i + 3].hex() for i in range(0, len(pixels), 3))
    yield f'{width} x {height}\n'
    for colour, count in sorted(colours.items()):
        yield f'#{colour} {count}\n'
    yield f'sha256 {hashlib.sha256(data).hexdigest()}\n'


def main():
    expected_path, program = sys.argv[1:]
    with open(expected_path, encoding='utf-8') as file:
        expected = file.readlines()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'picture.ppm')
        subprocess.run([program, path], stdout=subprocess.DEVNULL, check=True)
        with open(path, 'rb') as file:
            found = list(summary(file.read()))
    if found != expected:
        sys.stdout.writelines(difflib.unified_diff(expected, found, expected_path, 'drawn'))
        sys.exit(1)


main()
