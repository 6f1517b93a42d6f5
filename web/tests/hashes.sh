#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# hashes.sh HASHES MODULE [FRAMES]: the testbed, compiled natively and as WebAssembly, comes to the same bits: poses,
# contacts and answers of every frame of every scene.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
native=$("$1" "${3:-600}")
web=$(node "$here/hashes.mjs" "$2" "${3:-600}")
echo "$web"
if [ "$native" != "$web" ]; then
    printf 'natively it is\n%s\n' "$native" >&2
    exit 1
fi
