#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# fuzz.sh BUILD TARGET|all SECONDS: runs targets from kept inputs, seeds and what earlier runs have found, which
# BUILD/corpus keeps. An input that breaks something is written to fuzz/inputs/TARGET, where the tests run it from then on.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$1 wanted=$2 seconds=$3
export UBSAN_OPTIONS=print_stacktrace=1

all_targets() {
    (cd "$top/fuzz/inputs" && ls)
    echo python
}

fuzz_python() {
    PYTHONPATH=$top/python timeout --signal=INT "$((seconds + 60))" /usr/bin/python3 -B "$top/fuzz/python.py" --seconds "$seconds"
}

fuzz_target() { # TARGET
    local corpus=$build/corpus/$1 quiet=()
    [[ $1 != track && $1 != xyz ]] || quiet=(-close_fd_mask=2) # they report each bad line
    mkdir -p "$corpus" "$build/seeds/$1"
    "$build/fuzz/fuzz-$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=8192 -print_final_stats=1 \
        "-artifact_prefix=$top/fuzz/inputs/$1/" "${quiet[@]}" "$corpus" "$top/fuzz/inputs/$1" "$build/seeds/$1" \
        >"$build/fuzz-$1.log" 2>&1
}

mkdir -p "$build/seeds"
"$build/fuzz/fuzz-seeds" "$build/seeds"
[ "$wanted" != all ] || wanted=$(all_targets)
failed=0
for target in $wanted; do
    if [ "$target" = python ]; then
        fuzz_python || failed=1
    elif [ ! -x "$build/fuzz/fuzz-$target" ]; then
        echo "fuzz.sh: no target '$target'; there are: $(all_targets | tr '\n' ' ')" >&2
        exit 1
    elif fuzz_target "$target"; then
        echo "$target: nothing in $(sed -n 's/stat::number_of_executed_units: *//p' "$build/fuzz-$target.log") runs, $seconds s"
    else
        echo "$target: BROKEN, see $build/fuzz-$target.log and the new file in fuzz/inputs/$target" >&2
        failed=1
    fi
done
exit "$failed"
