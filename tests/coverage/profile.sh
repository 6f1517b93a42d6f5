#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# profile.sh PROGRAM [ARGUMENT...]: runs a test of build-coverage. What it counts goes to profiles/PROGRAM. All its threads
# share a processor, so that they seldom count at once.
LLVM_PROFILE_FILE=${1%/tests/*}/profiles/${1##*/}/%p.profraw
export LLVM_PROFILE_FILE
processor=$(($$ % $(nproc)))
if taskset --cpu-list "$processor" true 2>/dev/null; then
    exec taskset --cpu-list "$processor" "$@"
fi
exec "$@"
