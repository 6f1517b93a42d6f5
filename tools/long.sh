#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# long.sh BUILD SECONDS: the tests that judge answers by 113-bit oracles, with new random cases for so many seconds. Rounds
# are numbered, and the number is the seed: BUILD/long.txt has them, so that another call goes on where this one ends.
# Prints how many pairs of boxes were judged in all rounds so far.
set -euo pipefail

build=$1 seconds=$2
judges=(narrowphase-box_overlap narrowphase-convex_overlap narrowphase-round_touch narrowphase-ray_judged
    narrowphase-cast_judged narrowphase-sweep_judged narrowphase-distance_truth narrowphase-mesh_ray_judged culling-exact)
kept=$build/long.txt
log=$(mktemp)
trap 'rm -f "$log"' EXIT
touch "$kept"
round=$(($(tail -n 1 "$kept" | cut -d ' ' -f 1) + 1))
while [ "$SECONDS" -lt "$seconds" ]; do
    for judge in "${judges[@]}"; do
        if ! ABUT_TEST_SEED=$round ABUT_TEST_SCALE=4 "$build/tests/test-$judge" >"$log" 2>&1; then
            cat "$log" >&2
            echo "long.sh: ABUT_TEST_SEED=$round ABUT_TEST_SCALE=4 $build/tests/test-$judge fails" >&2
            exit 1
        fi
        [ "$judge" != narrowphase-box_overlap ] || pairs=$(sed -n 's/^\([0-9]*\) pairs:.*/\1/p' "$log")
    done
    echo "$round $pairs" >>"$kept"
    round=$((round + 1))
done
awk '{ pairs += $2 } END { printf "%d rounds, %d pairs of boxes, no fault\n", NR, pairs }' "$kept"
