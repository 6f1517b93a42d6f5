#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# run.sh WEB NATIVE: the testbed's module in build folder WEB, against what build folder NATIVE has compiled.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
web=$1/web/testbed native=$2/web/testbed
most=269600 # bytes that a browser has to fetch

size=$(stat -c %s "$web/abut-testbed.wasm")
fetched=$(stat -c %s "$web/abut-testbed.wasm.gz")
echo "-- the module has $size bytes, $fetched as they are sent"
if [ "$fetched" -ge "$most" ]; then
    echo "that is not below $most" >&2
    exit 1
fi

echo "-- native and WebAssembly bits"
"$here/hashes.sh" "$native/abut-testbed-hashes" "$web/abut-testbed.wasm"

browser() { # NUMBER: every other test of the page
    /usr/bin/python3 "$here/browser.py" --part "$1/2" --module "$web" --hashes "$native/abut-testbed-hashes" \
        --screenshots "$web/screenshots"
}

echo "-- the page in two browsers, because either waits for much of its time"
status=0
browser 1 >"$web/browser-1.log" 2>&1 &
browser 2 || status=1
wait "$!" || status=1
cat "$web/browser-1.log"
exit "$status"
