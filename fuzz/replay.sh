#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# replay.sh SEEDS REPLAY CHANGED INPUTS TARGET: a target without a fuzzer, on kept inputs, made ones and changed copies.
# ABUT_TEST_SHARE=20 tries a twentieth of the copies, ABUT_TEST_SCALE=20 twenty times as many.
set -euo pipefail

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1" "$made"
"$2" $(($3 * ${ABUT_TEST_SCALE:-1} / ${ABUT_TEST_SHARE:-1})) "$4" "$made/$5" 2>"$made/log" || { cat "$made/log" >&2; exit 1; }
