#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# `pip install .` as a user types it, but without a network: the build backend must be installed. Then the module is used
# from elsewhere, with nothing of the tree in reach.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${PYTHON:-/usr/bin/python3}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

if ! "$python" -c 'import mesonpy, pip, venv' 2>/dev/null; then
    echo "meson-python, pip or venv is not installed"
    [ -n "${CI:-}" ] || exit 77
    exit 1
fi

# A copy without build folders, because the backend builds beside its sources. The build folder has the usual depth, so that a
# compiler cache knows the library of other build folders.
mkdir "$temp/tree"
(cd "$top" && find . -mindepth 1 -maxdepth 1 ! -name 'build*' ! -name .git -exec cp -r {} "$temp/tree" \;)
"$python" -m venv --system-site-packages "$temp/venv"
(cd "$temp/tree" && "$temp/venv/bin/pip" --quiet --disable-pip-version-check wheel --no-build-isolation --no-deps --no-index \
    --config-settings=builddir=build --wheel-dir "$temp/wheels" . >"$temp/log" 2>&1) || { cat "$temp/log" && exit 1; }
wheel=$(echo "$temp"/wheels/*)
[[ $wheel == *-py3-none-*.whl ]] || { echo "${wheel##*/}: not for every Python 3" && exit 1; }
"$python" -m zipfile --list "$wheel" >"$temp/files"
if grep -E '\.(h|a|pc|cmake) ' "$temp/files" || ! grep -q 'abut/py.typed' "$temp/files"; then
    echo "the wheel has files that it should not have, or lacks others:" && cat "$temp/files" && exit 1
fi
rm -rf "$temp/tree"
"$temp/venv/bin/pip" --quiet --disable-pip-version-check install --no-deps --no-index "$wheel"
cd "$temp"
env -u ABUT_LIBRARY -u PYTHONPATH "$temp/venv/bin/python" -W error - "$temp" <<'PROGRAM'
import sys
import abut
assert abut.library_path.startswith(sys.argv[1] + "/venv/"), abut.library_path
with abut.World() as world:
    world.create(half=(1, 1, 1), position=[(0, 0, 0), (1, 0, 0)])
    assert world.step().contacts == 1
import abut.clash.plant
assert callable(abut.clash)
print(abut.__version__, abut.library_path)
PROGRAM
