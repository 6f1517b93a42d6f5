#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# emcc for many files. It is a Python program that takes half a second to begin, and where it compiles, it only adds options to
# those for clang. So it is asked for them once for all files with the same options, and then clang is called. Everything else
# is left to emcc. Answers are kept in the build folder.
set -euo pipefail

arguments=("$@") options=() own=() # what may decide which options emcc adds, and all else
while [ $# -gt 0 ]; do
    case $1 in
    -o | -MF | -MQ) own+=("$1" "${2:-}") && shift ;;
    -c | *.c | -[DIMW]*) own+=("$1") ;;
    *) options+=("$1") ;;
    esac
    shift
done
answer=emcc-options/${options[*]}
# Meson asks what the compiler can do in other folders.
[[ -e build.ninja && " ${own[*]} " == *" -c "* && "${options[*]}" =~ ^[-a-z0-9O=\ ]{1,250}$ ]] || exec emcc "${arguments[@]}"

if [ ! -e "$answer" ]; then
    mkdir -p emcc-options
    echo "$(em-config LLVM_ROOT)/clang $(emcc "${options[@]}" --cflags)" >"emcc-options/$$"
    mv "emcc-options/$$" "$answer"
fi
read -ra command <"$answer"
exec "${command[@]}" "${own[@]}"
