#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# measure.sh ARGUMENT...: runs the benchmarks of build-release; keeps their figures, and a chart of them, in bench/results,
# named by commit and arguments.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$top/bench/results
commit=$(git -C "$top" describe --always --dirty 2>/dev/null) || commit=unknown
name=$results/$(printf %s "$commit${*:+ $*}" | tr -cs '[:alnum:]' -)

mkdir -p "$results"
"$top/build-release/bench/abut-bench" --commit "$commit" --output "$name.json" "$@"
python3 "$top/bench/chart.py" "$name.json" "$name.svg"
echo "written: ${name#"$top"/}.json, and a chart beside it if whole frames were measured" >&2
