#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# check.sh BUILD
#
# What the pages and the headers say: every declaration is documented, every link leads somewhere, all code compiles and
# prints what it is said to. BUILD is a folder in which the library has been built.
set -euo pipefail

build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
status=0
docs/build.sh || status=1
python3 docs/check_text.py . || status=1
python3 docs/check_code.py . "$build/src/libabut.a" build-docs/code || status=1
exit "$status"
