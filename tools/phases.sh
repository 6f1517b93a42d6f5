# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
#
# shellcheck shell=bash disable=SC2034,SC2154 # `run` sources these files together
#
# The phases of `./run test`. Each adds to `passed` and `failed`, and returns non-zero if anything in it failed. Most of
# them run tests that Meson knows; tests/meson.build says which suites there are. Sourced by `run`.

usual_phases=(release clang sanitize tsan emulated format)
suites=(ode python docs consumers)              # tests of the release build, which run side by side
server_phases=(work web clash "${suites[@]}")   # a build server runs these as well
more_phases=(gcc arm platforms long)            # run only when they are named
phases_with_packages=(clang emulated "${server_phases[@]}" arm platforms)

passed=0
failed=0

failed_to_build() {
    failed=$((failed + 1))
    return 1
}

script_test() { # COMMAND...: counts as one test
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        return 1
    fi
}

run_meson_tests() { # BUILD TIMES ARGUMENT...: runs `meson test` with these arguments, and TIMES the usual time limits
    local build=$1 times=$2 counts ok=0 bad=0 status=0
    shift 2
    rm -f "$top/$build"/meson-logs/testlog*
    # On a terminal Meson shows how far it is; what is worth reading comes afterwards.
    local run=(meson test -C "$top/$build" --no-rebuild --quiet --timeout-multiplier "$times" ${JOBS:+--num-processes "$JOBS"} "$@")
    counts=$(mktemp)
    say "testing in $build"
    if [ -t 2 ]; then "${run[@]}" >&2 || status=1; else "${run[@]}" >"$counts.log" 2>&1 || status=1; fi
    # Meson puts the name of a wrapper or setup into the name of its log.
    if python3 "$top/tools/outcomes.py" "$counts" "$top/$build"/meson-logs/testlog*.json 2>/dev/null; then
        read -r ok bad <"$counts"
    fi
    if [ $((ok + bad)) = 0 ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then # no tests, or Meson itself failed
        status=1 bad=$((bad + 1))
        [ ! -e "$counts.log" ] || cat "$counts.log"
    fi
    rm -f "$counts" "$counts.log"
    passed=$((passed + ok))
    failed=$((failed + bad))
    return "$status"
}

whole_phase() { # BUILD TIMES OPTION...: builds everything and runs every test but those of the optional suites
    local build=$1 times=$2
    shift 2
    { configure "$build" "${everything[@]}" "$@" && compile "$build"; } || failed_to_build || return
    run_meson_tests "$build" "$times"
}

build_release() { # TARGET...: in build-release, as phase release configures it
    { configure build-release "${everything[@]}" --buildtype=release && compile build-release "$@"; } || failed_to_build
}

# Optional suites, with the release build; several run at once, because some of their tests take long in one process.
suites_phase() { # SUITE...
    build_release "${@/#/suite-}" && run_meson_tests build-release 4 "${@/#/--suite=}"
}

# The library as it is installed. A build server tries a third of the random cases: phase long tries others for an hour.
phase_release() {
    ABUT_TEST_SHARE=${ABUT_TEST_SHARE:-${CI:+3}} whole_phase build-release 2 --buildtype=release
}

# The same with assertions: a build to develop in. On a build server phases clang and sanitize have them.
phase_gcc() {
    CC=gcc CXX=g++ whole_phase build-gcc 2 "${with_assertions[@]}" -Dwerror=true
}

# All code but the benchmarks, whose peers take long to compile. What another compiler could make of it shows in answers that
# must be the same everywhere and in the stack that calls take, rather than in other random cases. It only reads the rest.
phase_clang() {
    { CC=clang CXX=clang++ configure build-clang -Dtests=enabled -Dexamples=enabled "${with_assertions[@]}" -Dwerror=true &&
        compile build-clang suite-everywhere tests/test-world-stack && only_read build-clang; } || failed_to_build || return
    ABUT_TEST_SHARE=${ABUT_TEST_SHARE:-4} run_meson_tests build-clang 2 --suite everywhere --suite bits --suite stack
}

# Without benchmarks and what reads the tree, too; the headers have been tried.
phase_sanitize() {
    { CC=gcc CXX=g++ configure build-sanitize -Dtests=enabled -Dexamples=enabled --buildtype=debugoptimized -Doptimization=1 \
        -Db_sanitize=address,undefined -Db_lundef=false "-Dc_args=-fno-sanitize-recover=all -g1" && compile build-sanitize; } ||
        failed_to_build || return
    UBSAN_OPTIONS=print_stacktrace=1 run_meson_tests build-sanitize 6 --no-suite policy --no-suite headers
}

# Threads that meet in the library, in the pool and in hooks of the tests, under ThreadSanitizer. Only what they need is built:
# of the kernels those in plain C, because all of them touch the same memory.
phase_tsan() {
    { CC=gcc CXX=g++ configure build-tsan "${with_assertions[@]}" -Dtests=enabled -Ddefault_library=static -Dwide=false \
        -Db_sanitize=thread -Db_lundef=false -Doptimization=1 && compile build-tsan suite-threads; } ||
        failed_to_build || return
    TSAN_OPTIONS=halt_on_error=1 ABUT_TEST_SHARE=4 run_meson_tests build-tsan 10 --suite threads
}

# Older processors, on which an instruction crashes that a misplaced compiler argument let in: one with SSE2 but no AVX, one
# with AVX2 but no AVX-512. Without `bits`, which is slow where floats are emulated: the release build has it with every
# instruction set, and policy-instructions reads all instructions of the library.
phase_emulated() {
    local status=0
    if ! on_x86_64; then
        say "this is no x86-64 processor: there are no older ones to emulate"
        return
    fi
    build_release suite-everywhere || return
    emulated core2duo --suite everywhere || status=1
    emulated Haswell --suite everywhere || status=1
    return "$status"
}

emulated() { # PROCESSOR ARGUMENT...
    echo "-- on a $1"
    ABUT_TEST_SHARE=20 ABUT_TEST_BEST_ISA=1 run_meson_tests build-release 10 --wrapper "qemu-x86_64 -cpu $1" "${@:2}"
}

phase_arm() {
    { configure build-arm --cross-file "$top/tests/cross/aarch64-linux-gnu.ini" --buildtype=release \
        -Dpkg_config_path="$top/tests/cross/cmocka" -Dtests=enabled \
        -Dwerror=true && compile build-arm; } || failed_to_build || return
    ABUT_TEST_SHARE=20 run_meson_tests build-arm 10 --suite everywhere --suite bits || return
    CMOCKA="-I $top/tests/cross/cmocka -DABUT_CMOCKA_STAND_IN" script_test "$top/tests/consumer/single_file.sh" \
        "$top/build-arm/single-file" aarch64-linux-gnu-gcc qemu-aarch64 -L /usr/aarch64-linux-gnu
}

# The pinned bits by every compiler and on every machine that Debian's packages reach. ABUT_PUBLISH=DATE writes the table of
# docs/determinism.md.
phase_platforms() {
    script_test python3 "$top/tests/platforms/platforms.py" "$top" "$top/build-platforms" ${ABUT_PUBLISH:+--publish "$ABUT_PUBLISH"}
}

# The judges with new cases, for an hour.
phase_long() {
    build_release && script_test "$top/tools/long.sh" "$top/build-release" "${ABUT_LONG_SECONDS:-3600}"
}

phase_format() {
    if ! find_clang_format; then
        say "clang-format 14 is not here: the format is not checked (other versions differ)"
        [ -z "${CI:-}" ] || script_test false
        return
    fi
    script_test c_files_to "$clang_format" --dry-run --Werror
}

# As much work as it did, by counts: what a clock would show only on a quiet machine.
phase_work() {
    build_work || failed_to_build || return
    script_test python3 "$top/tests/work/work.py" "$top" "$top/build-work"
}

# Alone: Dask may give its workers up where processors are busy.
phase_clash() { suites_phase clash; }

# The tests of suite `everywhere` as WebAssembly under node, and beside them the testbed in browsers: its module is linked on
# one processor, and browsers wait for much of their time.
phase_web() {
    local status=0 testbed log
    log=$(mktemp)
    testbed_in_browsers >"$log" 2>&1 &
    testbed=$!
    if configure_wasm_tests && compile build-wasm suite-everywhere; then
        ABUT_TEST_SHARE=20 run_meson_tests build-wasm 10 --suite everywhere --suite bits || status=1
    else
        failed_to_build || status=1
    fi
    script_test wait "$testbed" || status=1
    cat "$log"
    rm -f "$log"
    return "$status"
}

testbed_in_browsers() {
    build_web && build_release web/testbed/abut-testbed-hashes && "$top/web/tests/run.sh" "$top/build-web" "$top/build-release"
}

configure_wasm_tests() {
    configure build-wasm --cross-file "$top/web/wasm32-emscripten.ini" \
        --cross-file <(printf "%s\nexe_wrapper = ['node', '%s']\n" "$wasm_binaries" "$top/web/tests/run.mjs") -Db_lto=false \
        -Dportable=true -Dtests=enabled -Dpkg_config_path="$top/tests/cross/cmocka" -Dwerror=true
}
