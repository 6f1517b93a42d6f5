#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# long.sh BUILD SECONDS: the tests that judge answers to random cases, with new ones for so many seconds. Rounds are numbered,
# and the number is the seed: BUILD/long.txt has them, so that another call goes on where this one ends. Prints how many
# pairs of boxes were judged in all rounds so far.
set -euo pipefail

build=$1 seconds=$2
# By 113-bit arithmetic, in four times the usual number; and by brute force or what must hold, in the usual number.
exact=(narrowphase-box_overlap narrowphase-convex_overlap narrowphase-round_touch narrowphase-ray_judged
    narrowphase-cast_judged narrowphase-sweep_judged narrowphase-distance_truth narrowphase-mesh_ray_judged culling-exact)
others=(narrowphase-mesh_{contact,laws,merged,moving,slide,slivers} narrowphase-box_{flush,manifold,rest,separation}
    narrowphase-convex_{hint,large,manifold,rest} narrowphase-round_{capsules,distance,manifold,margin,measure}
    narrowphase-{distance_hard,footprint,footprint_grown,footprint_obb2,pairs,sweep_fronts} kernels-{casts,rays}
    culling-{frustum_matrix,frustum_vague,rounded,sides} shape-box_{bounds,fit,matrix} shape-hull_{bounds,create,face,simplify}
    shape-mesh_{create,walk} broadphase-{candidates,crowd,tree_update,tree_walks}
    world-{casts,cull,history,lives,mesh_casts,mesh_parts,never_tunnelled,parts,placement_random,rays_judged,shapes}
    world-{snapshot_judge,step,sweeps} world-questions_{nearest,random,rays,shapes})
kept=$build/long.txt
log=$(mktemp)
trap 'rm -f "$log"' EXIT

judge() { # SCALE PROGRAM...
    local scale=$1 program
    for program in "${@:2}"; do
        if ! ABUT_TEST_SEED=$round ABUT_TEST_SCALE=$scale "$build/tests/test-$program" >"$log" 2>&1; then
            cat "$log" >&2
            echo "long.sh: ABUT_TEST_SEED=$round ABUT_TEST_SCALE=$scale $build/tests/test-$program fails" >&2
            exit 1
        fi
        [ "$program" != narrowphase-box_overlap ] || pairs=$(sed -n 's/^\([0-9]*\) pairs:.*/\1/p' "$log")
    done
}

touch "$kept"
round=$(($(tail -n 1 "$kept" | cut -d ' ' -f 1) + 1))
while [ "$SECONDS" -lt "$seconds" ]; do
    judge 4 "${exact[@]}"
    judge 1 "${others[@]}"
    echo "$round $pairs" >>"$kept"
    round=$((round + 1))
done
awk '{ pairs += $2 } END { printf "%d rounds, %d pairs of boxes, no fault\n", NR, pairs }' "$kept"
