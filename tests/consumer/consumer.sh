#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# Uses abut as other projects do, from C and from C++: as a Meson subproject, and installed, through pkg-config, through CMake
# and by hand. (single_file.sh tests the single file.) With kernels in plain C alone: all of them take long to compile, and
# the projects of docs/packaging.md have them. Needs meson, ninja, pkg-config, cmake and a compiler; writes only into a
# temporary folder.
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
    quietly meson setup "$app/build" "$app" --wrap-mode=forcefallback -Dabut:default_library="$1" --buildtype=debug \
        -Dabut:wide=false --prefix="$temp/prefix-$1"
    quietly ninja -C "$app/build"
    quietly meson test -C "$app/build"
    local part
    for part in tests examples demo bench scenes; do
        [ ! -e "$app/build/subprojects/abut/$part" ] || fail "a subproject builds $part"
    done
    quietly meson install -C "$app/build" --no-rebuild
    echo "subproject, $1: fine"
}

install_abut() {
    prefix=$temp/prefix
    quietly meson setup "$temp/build" "$top" --prefix="$prefix" --libdir=lib \
        --buildtype=debug -Dwide=false
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
    [ -e "$temp/stage$prefix/lib/pkgconfig/abut.pc" ] || fail "DESTDIR was ignored"
    [ -e "$temp/stage$prefix/lib/cmake/abut/abut-config.cmake" ] || fail "DESTDIR was ignored by the CMake package"
    echo "staged install: fine"
}

installed() { # NAME COMPILER...
    local name=$1
    shift
    local flags=(-Wall -Wextra -Wpedantic -Werror "$here/consumer.c")
    # shellcheck disable=SC2046
    quietly "$@" "${flags[@]}" -o "$temp/$name" $(pkg-config --cflags --libs abut)
    LD_LIBRARY_PATH=$prefix/lib quietly "$temp/$name"
    # By hand, and the static library.
    quietly "$@" "${flags[@]}" -o "$temp/$name-plain" -I "$prefix/include" -x none -L "$prefix/lib" -labut
    LD_LIBRARY_PATH=$prefix/lib quietly "$temp/$name-plain"
    # shellcheck disable=SC2046
    quietly "$@" "${flags[@]}" -o "$temp/$name-static" $(pkg-config --cflags abut) -x none "$prefix/lib/libabut.a" -lm
    quietly "$temp/$name-static"
    echo "installed, $name, shared and static: fine"
}

# An installation with shared libraries, static ones or both.
with_cmake() { # PREFIX COMPONENT...
    local from=$1 build=$temp/cmake-${1##*/}
    shift
    quietly cmake -S "$here/cmake" -B "$build" -DCMAKE_PREFIX_PATH="$from" -DVERSION=0.1 \
        -DWANTED="$(IFS=';' && echo "$*")"
    quietly cmake --build "$build"
    (cd "$build" && quietly ctest --no-tests=error)
    echo "CMake, $*: fine"
}

refused_by_cmake() { # PREFIX VERSION COMPONENT
    ! cmake -S "$here/cmake" -B "$temp/cmake-refused" -DCMAKE_PREFIX_PATH="$1" -DVERSION="$2" -DWANTED="$3" \
        >"$temp/log" 2>&1 || fail "CMake accepts this installation for version $2, $3"
    grep -q abut "$temp/log" || fail "CMake fails for another reason than abut $2, $3: $(cat "$temp/log")"
    rm -rf "$temp/cmake-refused"
}

all_with_cmake() {
    with_cmake "$temp/prefix-shared" shared
    with_cmake "$temp/prefix-static" static
    mv "$prefix" "$prefix-moved"
    with_cmake "$prefix-moved" shared static
    mv "$prefix-moved" "$prefix"
    refused_by_cmake "$prefix" 0.0 shared
    refused_by_cmake "$prefix" 0.1.99 shared
    refused_by_cmake "$prefix" 0.99 shared
    refused_by_cmake "$prefix" 1 shared
    refused_by_cmake "$prefix" 0.2...0.9 shared
    refused_by_cmake "$prefix" "" magic
    refused_by_cmake "$temp/prefix-static" "" shared
    echo "CMake, other versions and missing components: refused"
}

as_subproject shared
as_subproject static
install_abut
staged
installed c17 "${CC:-cc}" -std=c17
if command -v "${CXX:-c++}" >/dev/null; then
    installed c++17 "${CXX:-c++}" -std=c++17 -x c++
fi
all_with_cmake
