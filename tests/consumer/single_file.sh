#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# single_file.sh FOLDER COMPILER [RUNNER...]
#
# Makes abut.c and abut.h, compiles them as users do and tests the result: the examples print the expected output, and
# contacts have the pinned bits with every instruction set. RUNNER emulates the compiler's target. CMOCKA: the arguments
# that cmocka needs. CXX: if set, a C++ compiler that the header is tested with.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1 compiler=$2
runner=("${@:3}")
object=$folder/abut.o
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
mkdir -p "$folder"

fail() {
    echo "single_file.sh: $compiler: $*" >&2
    exit 1
}

made() {
    local again=$folder/again
    python3 "$top/packaging/amalgamate.py" "$folder/abut"
    python3 "$top/packaging/amalgamate.py" "$again"
    diff -r "$folder/abut" "$again" || fail "the same tree gave different bytes"
}

compiled() {
    "$compiler" -std=c17 "${warnings[@]}" -O2 -c "$folder/abut/abut.c" -o "$object"
    python3 "$top/tests/consumer/names.py" "$top" "$folder/abut/abut.h" "$object" "$compiler"
}

# 32-bit x86 aligns doubles to 4 bytes, so types are laid out otherwise there. Of headers for it, seldom installed, glibc
# needs one, and an empty one will do: the others are those of 64 bits.
compiles_for_32_bits() {
    [[ $("$compiler" -dumpmachine) == x86_64-*-gnu ]] || return 0
    mkdir -p "$folder/narrow/gnu" && : >"$folder/narrow/gnu/stubs-32.h"
    "$compiler" -m32 -msse2 -mfpmath=sse -std=c17 "${warnings[@]}" -fsyntax-only -I "$folder/narrow" \
        -idirafter /usr/include/x86_64-linux-gnu "$folder/abut/abut.c" || fail "32-bit x86 refuses it"
}

# Contraction would change bits only on processors that have these instructions, so the listing is searched for them.
never_fused() {
    local objdump=objdump
    [[ $compiler != *-gcc ]] || objdump=${compiler%gcc}objdump
    "$objdump" -d "$object" >"$folder/listing"
    ! grep -m 1 -wE 'vfn?m(add|sub)+[0-9]+[ps][sd]|fn?m(add|sub)|fml[as]' "$folder/listing" || fail "arithmetic was fused"
}

built() { # NAME ARGUMENT...: a program
    local name=$1
    shift
    "$compiler" -I "$folder/abut" "${@:2}" -o "$folder/$name" "$1" "$object" -lm -pthread
}

consumed() {
    printf '#include "abut.h"\n#include <abut/abut.h>\nint main(void) { return !abut_version(); }\n' >"$folder/both.c"
    built both "$folder/both.c" "${warnings[@]}"
    built consumer "$top/tests/consumer/consumer.c" "${warnings[@]}"
    "${runner[@]}" "$folder/consumer" >/dev/null || fail "the consumer fails"
    if [ -n "${CXX:-}" ]; then
        "$CXX" -std=c++17 -I "$folder/abut" "${warnings[@]}" -x c++ -c "$top/tests/consumer/consumer.c" -o "$folder/user.o"
        "$CXX" -o "$folder/user" "$folder/user.o" "$object"
        "${runner[@]}" "$folder/user" >/dev/null || fail "the consumer in C++ fails"
    fi
}

# An example may have more sources in a folder of its name. It computes with floats itself, so it is not to be fused.
examples_print_the_same() {
    local expected name sources
    for expected in "$top"/examples/*.expected; do
        name=$(basename "$expected" .expected)
        mapfile -t sources < <(find "$top/examples/$name" -name '*.c' 2>/dev/null | sort)
        built "$name" "$top/examples/$name.c" "${sources[@]}" -O1 -ffp-contract=off
        "${runner[@]}" "$folder/$name" | diff "$expected" - || fail "$name prints a different output"
    done
}

# The library's own test of its bits, linked with this object. Its sources also include single public headers.
bits_are_the_same() {
    # shellcheck disable=SC2086
    "$compiler" -O1 -I "$folder/abut" -I "$top/include" -I "$top/tests" -I "$top/scenes" -o "$folder/bits" \
        "$top"/tests/world/{step/bits,world_test}.c "$top"/tests/support/{failing_allocator,print,rng,test}.c \
        "$top"/scenes/{scene_hulls,scene_rng,scenes}.c "$object" ${CMOCKA:--lcmocka} -lm
    "${runner[@]}" "$folder/bits" >"$folder/bits.log" 2>&1 || { cat "$folder/bits.log" >&2 && fail "the bits differ"; }
}

made
compiled
compiles_for_32_bits
never_fused
consumed
examples_print_the_same
bits_are_the_same
echo "single file, $compiler: fine"
