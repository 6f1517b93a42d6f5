#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# The reference and the pages as HTML, in build-docs/html. Any warning of doxygen's is an error. Doxygen has a dark style of its
# own since 1.9.5. With --check the pages are read as a browser reads them.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
ABUT_DOCS=build-docs
ABUT_VERSION=$(sed -n 's/^#define ABUT_VERSION "\(.*\)"/\1/p' include/abut/version.h)
ABUT_STYLES=docs/reference.css
own_dark_style=1.9.5
[ "$(printf '%s\n' "$own_dark_style" "$(doxygen --version)" | sort -V | head -n 1)" = "$own_dark_style" ] ||
    ABUT_STYLES+=" docs/reference-dark.css"
export ABUT_DOCS ABUT_VERSION ABUT_STYLES

rm -rf "$ABUT_DOCS"
mkdir "$ABUT_DOCS"
doxygen docs/Doxyfile
cp -r docs/images "$ABUT_DOCS/html/images"
[ "${1:-}" != --check ] || exec /usr/bin/python3 docs/check_html.py "$ABUT_DOCS/html"
