# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# shellcheck shell=bash disable=SC2034,SC2154 # `run` sources these files together
#
# Packages: what a command needs, and installing what is missing with apt-get. Sourced by `run`.

oldest_meson=0.61.2
clang_format=
installed_packages=
missing=()

need() { # PACKAGE REASON PROBE...: notes PACKAGE as missing unless PROBE succeeds
    local package=$1 reason=$2
    shift 2
    if [[ " ${missing[*]} " != *" $package "* ]] && ! "$@" >/dev/null 2>&1; then
        missing+=("$package")
        reasons+="  $package: $reason"$'\n'
    fi
}

a_compiler() {
    command -v "${CC:-cc}" || command -v gcc || command -v clang
}

cxx_compiler() {
    command -v "${CXX:-c++}" || command -v g++ || command -v clang++
}

compiles_header() {
    local compiler=${CC:-}
    [ -n "$compiler" ] || compiler=$(a_compiler | tail -n 1)
    echo "#include <$1>" | $compiler -E -x c -
}

compiles_cxx_header() {
    local compiler=${CXX:-}
    [ -n "$compiler" ] || compiler=$(cxx_compiler | tail -n 1)
    echo "#include <$1>" | $compiler -std=c++17 -E -x c++ -
}

on_x86_64() {
    [ "$(uname -m)" = x86_64 ]
}

find_clang_format() {
    local name
    for name in clang-format-14 clang-format; do
        if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
            clang_format=$name
            return 0
        fi
    done
    return 1
}

need_build() {
    need gcc "a C compiler" a_compiler
    need libc6-dev "the C library's headers" compiles_header stdlib.h
    need python3 "Meson, and reading the version" command -v python3
    need meson "the build" command -v meson
    need ninja-build "the build" command -v ninja
    need pkg-config "finding libraries" command -v pkg-config
}

need_json() {
    need libcjson-dev "the demo and the benchmarks write JSON" pkg-config --exists libcjson
}

need_bench() {
    need_json
    need g++ "Bullet, CGAL, Embree, FCL and nanoflann are C++" cxx_compiler
    need libbullet-dev "measured beside abut" pkg-config --exists bullet
    need libode-dev "measured beside abut" pkg-config --exists ode
    need libccd-dev "measured beside abut" pkg-config --exists ccd
    need libfcl-dev "measured beside abut" pkg-config --exists fcl
    need libcgal-dev "measured beside abut" compiles_cxx_header CGAL/box_intersection_d.h
    need libembree-dev "measured beside abut" compiles_cxx_header embree3/rtcore.h
    need libnanoflann-dev "measured beside abut" compiles_cxx_header nanoflann.hpp
    need gnuplot-nox "drawing the figures" command -v gnuplot
}

need_demo() {
    need_json
    need libcsv-dev "the demo reads and writes CSV" compiles_header csv.h
}

need_test() {
    need gcc "tests run with gcc" command -v gcc
    need g++ "the public headers are compiled as C++" command -v g++
    need libcmocka-dev "the test framework" pkg-config --exists cmocka
    [ -z "${CI:-}" ] || need ccache "compiling the same files again" command -v ccache
    need_demo
}

need_clang() {
    need clang "tests run with clang as well" command -v clang
}

need_clang_runtime() {
    need libclang-rt-dev "what clang's counters and sanitizers call" links_counters
}

links_counters() {
    echo 'int main(void) { return 0; }' | clang -fprofile-instr-generate -x c - -o /dev/null
}

need_emulated() {
    ! on_x86_64 || need qemu-user "tests run on emulated older processors" command -v qemu-x86_64
}

need_arm() {
    need qemu-user "tests run on an emulated processor" command -v qemu-aarch64
    need gcc-aarch64-linux-gnu "compiling for AArch64" command -v aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross "compiling for AArch64" test -e /usr/aarch64-linux-gnu/include/stdlib.h
}

need_cross() { # ARCHITECTURE TRIPLE
    need "gcc-$2" "compiling for $1" command -v "$2-gcc"
    need "libc6-dev-$1-cross" "compiling for $1" test -e "/usr/$2/include/stdlib.h"
}

need_platforms() {
    need_clang
    need qemu-user "tests run on emulated processors" command -v qemu-s390x
    need_cross i386 i686-linux-gnu
    need_cross arm64 aarch64-linux-gnu
    need_cross armhf arm-linux-gnueabihf
    need_cross riscv64 riscv64-linux-gnu
    need_cross ppc64el powerpc64le-linux-gnu
    need_cross s390x s390x-linux-gnu
    need gcc-mingw-w64-x86-64-win32 "compiling for Windows" command -v x86_64-w64-mingw32-gcc
    need wine64 "programs for Windows run" test -x /usr/lib/wine/wine64
    need musl-tools "compiling for musl" command -v musl-gcc
    need_emscripten
}

need_fuzz() {
    need_clang
    need_clang_runtime
    need_demo
    need python3-numpy "calls of the Python module" /usr/bin/python3 -c "import numpy"
}

need_coverage() {
    need_clang
    need_clang_runtime
    need llvm "counting branches" llvm_tools
}

need_work() {
    need_coverage
}

llvm_tools() {
    command -v llvm-cov || command -v llvm-cov-14
}

need_ode() {
    need libode-dev "an engine on top of abut" pkg-config --exists ode
}

need_python() {
    need python3-numpy "arrays of bodies and contacts" /usr/bin/python3 -c "import numpy"
    need python3-mesonpy "pip install ." /usr/bin/python3 -c "import mesonpy"
    need patchelf "wheels with a library" command -v patchelf
    need python3-pip "pip install ." /usr/bin/python3 -c "import pip"
    need python3-venv "a place to install into" /usr/bin/python3 -c "import ensurepip"
    need mypy "reading type hints" /usr/bin/python3 -c "import mypy"
    need python3-matplotlib "plotting" /usr/bin/python3 -c "import matplotlib"
}

need_clash() {
    need python3-numpy "arrays of boxes" /usr/bin/python3 -c "import numpy"
    need python3-dask "clash detection runs on it" /usr/bin/python3 -c "import dask"
    need python3-distributed "clash detection in several processes" /usr/bin/python3 -c "import distributed"
    need python3-zarr "models in compressed files" /usr/bin/python3 -c "import zarr"
    need python3-pandas "models in tables" /usr/bin/python3 -c "import pandas"
    need python3-matplotlib "drawing where clashes are" /usr/bin/python3 -c "import matplotlib"
}

need_bench_clash() {
    need_clash
    need python3-scipy "its k-d tree is measured beside abut" /usr/bin/python3 -c "import scipy"
    need g++ "FCL is C++" cxx_compiler
    need libfcl-dev "measured beside abut" pkg-config --exists fcl
}

need_reference() {
    need doxygen "the reference" command -v doxygen
    need python3 "the pages" command -v python3
}

need_docs() {
    need_reference
    need_browser
    need libbullet-dev "a page compiles code for it" pkg-config --exists bullet
    need libode-dev "a page compiles code for it" pkg-config --exists ode
    need libfcl-dev "a page names what it has" pkg-config --exists fcl
}

need_amalgamate() {
    need python3 "joining the sources" command -v python3
}

need_consumers() {
    need cmake "abut in a CMake project" command -v cmake
}

need_emscripten() {
    need emscripten "compiling to WebAssembly" command -v emcc
}

need_web() {
    need_emscripten
    need_browser
}

need_browser() {
    need chromium "pages and the testbed in a browser" command -v chromium
    need chromium-driver "driving the browser" command -v chromedriver
    need python3-selenium "driving the browser" /usr/bin/python3 -c "import selenium"
}

need_format() {
    need clang-format-14 "checking the format of the code" find_clang_format
}

apt() { # ARGUMENT...: apt-get as root, without questions
    local become=()
    [ "$(id -u)" = 0 ] || become=(sudo)
    quietly "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" "$@"
}

# A bare Ubuntu lists only the component 'main', but many of these packages are in 'universe'. This adds 'universe' for one
# installation, in a copy of the list of sources; the machine's own list does not change.
with_universe() {
    local sources
    sources=$(mktemp -d)
    cp -r /etc/apt/sources.list /etc/apt/sources.list.d "$sources" 2>/dev/null || true
    mkdir -p "$sources/sources.list.d"
    find "$sources" -type f -exec sed -i -E '/^(deb |Components:)/{/universe/!s/\bmain\b/main universe/}' {} +
    apt_options=(-o "Dir::Etc::SourceList=$sources/sources.list" -o "Dir::Etc::SourceParts=$sources/sources.list.d")
    chmod -R a+rX "$sources"
    say "using Ubuntu's component 'universe' for this installation"
    apt update && apt install -y --no-install-recommends "$@"
}

in_universe() { # PACKAGE...
    grep -q '^ID=ubuntu' /etc/os-release && ! apt-get install --simulate "$@" >/dev/null 2>&1
}

install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    say "missing, and what for:"
    say "${reasons%$'\n'}"
    command -v apt-get >/dev/null || die "there is no apt-get here; please install what is missing (Debian's names are used)"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "neither root nor sudo; as root: apt-get install ${missing[*]}"
    say "installing: ${missing[*]}"
    installed_packages=yes # build folders must be configured again
    apt_options=()
    apt update || die "apt-get update failed"
    if in_universe "${missing[@]}"; then
        with_universe "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
    else
        apt install -y --no-install-recommends "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
    fi
}

require_meson() {
    local have
    hash -r
    have=$(meson --version)
    [ "$(printf '%s\n' "$oldest_meson" "$have" | sort -V | head -n 1)" = "$oldest_meson" ] ||
        die "meson $have is too old: $oldest_meson or newer is needed"
}

prepare() { # GROUP...: checks what these groups need (need_GROUP) and installs what is missing
    local group
    missing=() reasons=
    for group in "$@"; do
        "need_$group"
    done
    install_missing
    [[ " $* " != *" build "* ]] || require_meson
}

# Not every system has this version: it is installed on its own, and phase_format handles its absence.
try_to_install_clang_format() {
    ! command -v apt-get >/dev/null || find_clang_format || (prepare format) || true
}
