#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# run.sh BUILD [UNITTEST ARGUMENTS]: tests the Python module with the shared library and the demo of a build folder.
# PYTHON=... takes another Python, ABUT_TRACKS="DIR ..." plays further tracks.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || { echo "usage: run.sh BUILD [UNITTEST ARGUMENTS]" >&2 && exit 2; }
ABUT_BUILD=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- discover --start-directory "$here" --top-level-directory "$here"
export ABUT_BUILD ABUT_LIBRARY=$ABUT_BUILD PYTHONPATH=$here/..
cd "$here"
exec "${PYTHON:-/usr/bin/python3}" -B -W error -m unittest "$@"
