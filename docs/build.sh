#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# The reference and the pages as HTML, in build-docs/html. Any warning of doxygen's is an error.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
ABUT_DOCS=build-docs
ABUT_VERSION=$(sed -n 's/^#define ABUT_VERSION "\(.*\)"/\1/p' include/abut/version.h)
export ABUT_DOCS ABUT_VERSION

rm -rf "$ABUT_DOCS"
mkdir "$ABUT_DOCS"
doxygen docs/Doxyfile
