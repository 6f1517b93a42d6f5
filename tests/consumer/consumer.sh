#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# Uses abut as strangers do: as a Meson subproject, and installed, through pkg-config, from C and from C++.
# Needs meson, ninja, pkg-config and a compiler; writes into a temporary folder only.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$top/tests/consumer
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

fail() {
    echo "consumer.sh: $*" >&2
    exit 1
}

quietly() {
    "$@" >"$temp/log" 2>&1 || {
        cat "$temp/log" >&2
        fail "failed: $*"
    }
}

as_subproject() { # KIND: shared or static
    local app=$temp/app-$1
    mkdir -p "$app/subprojects"
    cp "$here/meson.build" "$here/consumer.c" "$app"
    ln -s "$top" "$app/subprojects/abut"
    quietly meson setup "$app/build" "$app" --wrap-mode=forcefallback -Ddefault_library="$1"
    quietly ninja -C "$app/build"
    quietly meson test -C "$app/build"
    local part
    for part in tests examples demo bench scenes; do
        [ ! -e "$app/build/subprojects/abut/$part" ] || fail "a subproject builds $part"
    done
    echo "subproject, $1: fine"
}

install_abut() {
    prefix=$temp/prefix
    quietly meson setup "$temp/build" "$top" --prefix="$prefix" --libdir=lib \
        -Dtests=disabled -Dexamples=disabled -Dbench=disabled
    quietly meson install -C "$temp/build"
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    diff <(cd "$top/include/abut" && ls) <(cd "$prefix/include/abut" && ls) || fail "headers and installed headers differ"
    [ "$(ls "$prefix/include")" = abut ] || fail "more than include/abut was installed"
    [ -e "$prefix/lib/libabut.so.0" ] || fail "no libabut.so.0"
    quietly pkg-config --exists --print-errors 'abut >= 0.1'
    local version
    version=$(sed -n 's/.*ABUT_VERSION "\(.*\)".*/\1/p' "$top/include/abut/version.h")
    [ "$(pkg-config --modversion abut)" = "$version" ] || fail "abut.pc does not say $version"
}

staged() {
    DESTDIR=$temp/stage quietly meson install -C "$temp/build"
    [ -e "$temp/stage$prefix/lib/pkgconfig/abut.pc" ] || fail "DESTDIR was not heeded"
    echo "staged install: fine"
}

installed() { # NAME COMPILER...
    local name=$1
    shift
    local flags=(-Wall -Wextra -Wpedantic -Werror "$here/consumer.c")
    # shellcheck disable=SC2046
    quietly "$@" "${flags[@]}" -o "$temp/$name" $(pkg-config --cflags --libs abut)
    LD_LIBRARY_PATH=$prefix/lib quietly "$temp/$name"
    # shellcheck disable=SC2046
    quietly "$@" "${flags[@]}" -o "$temp/$name-static" $(pkg-config --cflags abut) -x none "$prefix/lib/libabut.a" -lm
    quietly "$temp/$name-static"
    echo "installed, $name, shared and static: fine"
}

as_subproject shared
as_subproject static
install_abut
staged
installed c17 "${CC:-cc}" -std=c17
if command -v "${CXX:-c++}" >/dev/null; then
    installed c++17 "${CXX:-c++}" -std=c++17 -x c++
fi
