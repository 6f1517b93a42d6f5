# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# shellcheck shell=bash disable=SC2034,SC2154 # `run` sources these files together
#
# Configuring and compiling build folders, and formatting. Sourced by `run`.

# ccache, where it is installed, saves most of a second build. A build server has it: its users' projects compile the library
# again and again, with homes and folders of their own.
PATH=/usr/lib/ccache:$PATH
[ -z "${CI:-}" ] || export CCACHE_DIR="${CCACHE_DIR:-$top/build-ccache}" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1

everything=(-Dtests=enabled -Dexamples=enabled -Dbench=enabled)
with_assertions=(--buildtype=debugoptimized -Dc_args=-g1) # lines for debuggers, and no more to write and link

quietly() { # COMMAND...: shows the command's output only if it fails
    local log status=0
    log=$(mktemp)
    "$@" </dev/null >"$log" 2>&1 || status=$?
    [ "$status" = 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

configure() { # BUILD OPTION...: sets up a build folder, or changes its options
    local build=$top/$1 made_by="$top ${CC:-} ${CXX:-}"
    shift
    if [ "$(cat "$build/made-by" 2>/dev/null)" != "$made_by" ] || [ ! -e "$build/build.ninja" ] ||
        { [[ $* == *--cross-file* ]] && stale "$build"; }; then
        rm -rf "$build"
        quietly meson setup "$build" "$top" "$@" || return
        echo "$made_by" >"$build/made-by"
    elif [ -n "$installed_packages" ] || [ "$(cat "$build/options" 2>/dev/null)" != "$*" ]; then
        quietly meson setup --reconfigure "$build" "$top" "$@" || return
    fi
    echo "$*" >"$build/options"
}

# Whether a meson.build has changed. When ninja configures a cross build again by itself, Meson 1.0 loses the options that
# override those of the cross file: such a build begins anew.
stale() { # BUILD
    [ -n "$(find "$top" -name 'build*' -prune -o \( -name meson.build -o -name meson_options.txt \) \
        -newer "$1/build.ninja" -print -quit)" ]
}

compile() { # BUILD TARGET...: shows how far it is on a terminal, and elsewhere what takes long
    local build=$1 started=$SECONDS ninja
    shift
    ninja=(ninja -C "$top/$build" ${JOBS:+-j "$JOBS"} "$@")
    [ -e "$top/$build/built" ] || say "the first build in $build: ${first_build_takes:-some minutes} on two processors"
    if [ -t 2 ]; then
        NINJA_STATUS="$build: %f of %t, %e s  " "${ninja[@]}" </dev/null >&2 || return
    else
        quietly "${ninja[@]}" || return
        [ $((SECONDS - started)) -lt 5 ] || say "built in $build: $((SECONDS - started)) s"
    fi
    touch "$top/$build/built"
}

# Has the compiler read, for its warnings, what no target has needed so far: that takes half as long, and nothing is linked.
only_read() { # BUILD
    local commands=$top/$1/only-read
    ninja -C "$top/$1" -n -v | sed -n 's/^\[[0-9/]*\] \(.*\) -MD -MQ .* -c /\1 -fsyntax-only /p' >"$commands"
    (cd "$top/$1" && quietly xargs --arg-file "$commands" --delimiter '\n' --max-procs "${JOBS:-$(nproc)}" -n 1 sh -c)
}

# Debian's emscripten keeps its JavaScript packages where only Debian's node looks by itself.
export NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs
# It is a Python program and begins anew for every file: under Debian's own Python, because what PATH finds first may take ten
# times as long to begin.
[ ! -x /usr/bin/python3 ] || export EMSDK_PYTHON=${EMSDK_PYTHON:-/usr/bin/python3}

wasm_binaries="[binaries]
c = '$top/web/emcc.sh'" # a second cross file, for a faster emcc

build_web() { # the module for the browser
    configure build-web --cross-file "$top/web/wasm32-emscripten.ini" --cross-file <(echo "$wasm_binaries") && compile build-web
}

c_files_to() { # COMMAND...: runs the command with all C and C++ files of the tree as further arguments
    (cd "$top" && find . \( -name .git -o -type d -name 'build*' \) -prune -o \( -name '*.[ch]' -o -name '*.inc' -o -name '*.cpp' \) -print0 |
        sort -z | xargs -0 "$@")
}
