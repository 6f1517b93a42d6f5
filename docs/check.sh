#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# What the pages and the headers say: every declaration is documented, every link leads somewhere, all code compiles and
# prints what it is said to.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
./build.sh
python3 check_links.py ..
python3 check_code.py .. ../build-docs/code
