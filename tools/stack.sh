#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# stack.sh [BYTES]: how much stack the public calls use: measured by tests/world/state/stack.c in a release build of gcc; at
# most, along all ways that calls may take (tests/policy/stack.py); and the functions whose own frames take at least BYTES
# (2048). Builds in build-stack.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build-stack
[ -e "$build/build.ninja" ] || CC=gcc meson setup "$build" "$top" --buildtype=release -Dtests=enabled \
    -Dexamples=disabled -Dbench=disabled >/dev/null
ninja -C "$build" tests/test-world-stack >/dev/null
ABUT_TEST_STACK_TABLE=1 "$build/tests/test-world-stack" | sed -n '/^\[stack\]/p; /^|/p'
echo
python3 "$top/tests/policy/stack.py" --root "$top" --build "$build" --table --frames "${1:-2048}"
