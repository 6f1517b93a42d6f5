#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# stack.sh [BYTES]: how much stack the public calls use, measured by tests/world/state/stack.c in a release build, and the
# functions whose own frames take at least BYTES (2048), as -fstack-usage of gcc reports them. Builds in build-stack.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build-stack
[ -e "$build/build.ninja" ] || CC=gcc meson setup "$build" "$top" --buildtype=release -Dc_args=-fstack-usage \
    -Dtests=enabled -Dexamples=disabled -Dbench=disabled >/dev/null
ninja -C "$build" tests/test-world-stack >/dev/null
ABUT_TEST_STACK_TABLE=1 "$build/tests/test-world-stack" | sed -n '/^\[stack\]/p; /^|/p'

# A line of a .su file: file:line:column:function, bytes, kind; the folder says which instruction set it was compiled for.
printf '\n| frame | function | compiled for |\n|---|---|---|\n'
# shellcheck disable=SC2016
find "$build/src" -name '*.su' -print0 | xargs -0 awk -F'\t' -v least="${1:-2048}" '$2 >= least {
    parts = split($1, place, ":")
    set = FILENAME ~ /kernels-/ ? FILENAME : "all"
    sub(/.*kernels-/, "", set)
    sub(/\.a\.p.*/, "", set)
    printf "| %d | `%s` | %s |\n", $2, place[parts], set
}' | sort -t '|' -k 2,2nr
