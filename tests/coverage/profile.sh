#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# profile.sh PROGRAM [ARGUMENT...]: runs a test of build-coverage. What it counts goes to profiles/PROGRAM. All its threads
# share a processor, so that they seldom count at once: the first that no other test has, by a lock that the program holds.
build=${1%/tests/*}
LLVM_PROFILE_FILE=$build/profiles/${1##*/}/%p.profraw
export LLVM_PROFILE_FILE
processor=0
while taskset --cpu-list "$processor" true 2>/dev/null; do
    exec 9>"$build/processor-$processor"
    if flock -n 9; then
        exec taskset --cpu-list "$processor" "$@"
    fi
    processor=$((processor + 1))
done
exec "$@"
