# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Samples for policy.py --self-test: for every rule some trees that keep it and some that break it.

A rule that reports nothing for a breaking sample, or something for a keeping one, is itself defective.
"""
import pathlib
import subprocess
import tempfile

C_HEAD = "/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 the abut authors */\n"
HASH_HEAD = "# SPDX-License-Identifier: MIT\n# Copyright (c) 2026 the abut authors\n"


def function(lines, signature="int f(int x) {"):
    signature_lines = signature.count("\n") + 1
    return signature + "\n" + "    x++;\n" * (lines - signature_lines - 1) + "}\n"


# rule name: ([trees that keep it], [trees that break it]); a tree is {path: text}
SAMPLES = {
    "rule_rooms": (
        [
            {"src/base/a.c": '#include "base/a.h"\n#include <stdint.h>\n#include <abut/types.h>\n'},
            {"src/broadphase/a.c": '#include "base/radix.h"\n#include "broadphase/cells.h"\n'},
            {"src/world/a.c": '#include "broadphase/broadphase.h"\n#include "base/x.h"\n#include "world/x.h"\n'},
            {"src/world/step/a.c": '#include "world/step/step.h"\n#include "base/lanes/lanes.h"\n#include "world/x.h"\n'},
            {"src/world/step/a.c": '#include "world/body/body.h"\n#include "world/state/state.h"\n'},
            {"src/world/state/a.c": '#include "world/snapshot/format.h"\n'},
            {"src/base/a.h": '#include "base/workers/wait.h"\n'},
        ],
        [
            {"src/base/a.c": '#include "world/world.h"\n'},
            {"src/world/body/a.c": '#include "world/step/step.h"\n'},
            {"src/world/query/a.h": '#include "world/snapshot/format.h"\n'},
            {"src/base/lanes/a.h": '#include "base/workers/fpmode.h"\n'},
            {"src/base/a.inc": '#include "world/world.h"\n'},
            {"src/base/a.h": '#include "narrowphase/narrowphase.h"\n'},
            {"src/broadphase/a.c": '#include "narrowphase/narrowphase.h"\n'},
            {"src/culling/a.c": '#  include "broadphase/broadphase.h"\n'},
            {"src/narrowphase/a.c": '#include "world/world.h"\n'},
            {"src/world/a.c": '#include "narrowphase/obb.h"\n'},
            {"src/world/a.c": '#include "narrowphase/box/box.h"\n'},
            {"src/world/step/a.c": '#include "world/step/deep/a.h"\n'},
            {"src/world/a.c": '#include "../narrowphase/narrowphase.h"\n'},
            {"src/world/a.c": '#include "scenes/scenes.h"\n'},
            {"src/world/a.c": '#include "support/test.h"\n'},
            {"src/world/a.c": '#include "step.h"\n'},
            {"src/attic/a.c": '#include "base/x.h"\n'},
        ]),
    "rule_room_size": (
        [{f"src/base/{k}.c": "" for k in range(25)} | {f"src/base/lanes/{k}.h": "" for k in range(25)}],
        [{f"src/base/{k}.c": "" for k in range(26)}, {f"src/world/step/{k}.h": "" for k in range(26)}]),
    "rule_include_cycles": (
        [{"src/base/a.h": '#include "base/b.h"\n#include "base/c.h"\n', "src/base/b.h": '#include "base/c.h"\n',
          "src/base/c.h": "#include <math.h>\n"}],
        [
            {"src/base/a.h": '#include "base/b.h"\n', "src/base/b.h": '#include "base/a.h"\n'},
            {"src/base/a.h": '#include "base/a.h"\n'},
        ]),
    "rule_parts": (
        [{"src/narrowphase/box/a.c": '#include "narrowphase/box/a.inc"\n',
          "src/narrowphase/box/a.inc": '#include "narrowphase/box/b.inc"\n#include "base/bits.h"\n'},
         {"src/broadphase/a.c": '#include "base/a.inc"\n'}],
        [
            {"tests/base/a.c": '#include "base/a.inc"\n'},
            {"tests/narrowphase/box/a.c": '#include "narrowphase/box/a.inc"\n'},
            {"src/narrowphase/convex/a.c": '#include "narrowphase/box/a.inc"\n'},
        ]),
    "rule_public_headers": (
        [{"include/abut/a.h": "#include <abut/b.h>\n#include <stdbool.h>\n", "include/abut/b.h": ""}],
        [
            {"include/abut/a.h": '#include "base/bits.h"\n'},
            {"include/abut/a.h": "#include <abut/gone.h>\n"},
            {"include/abut/a.h": "#include <base/bits.h>\n"},
            {"include/abut/a.h": "#include <unistd.h>\n"},
        ]),
    "rule_outside": (
        [{"scenes/a.c": '#include "scenes.h"\n#include <abut/abut.h>\n', "tests/base/a.c": '#include "base/x.h"\n'}],
        [
            {"scenes/a.c": '#include "base/bits.h"\n'},
            {"bench/a.c": '#include "../src/world/world.h"\n'},
            {"examples/a.c": "#include <world/world.h>\n"},
        ]),
    "rule_file_size": (
        [{"src/base/a.c": "int x;\n" * 600, "build-gcc/a.c": "int x;\n" * 601}],
        [{"src/base/a.c": "int x;\n" * 601}, {"tests/deep/er/a.h": "\n" * 601}, {"src/base/a.inc": "\n" * 601}]),
    "rule_function_size": (
        [
            {"src/base/a.c": function(60) + function(60)},
            {"src/base/a.c": "static const int table[] = {\n" + "    1,\n" * 80 + "};\n"},
            {"src/base/a.h": 'extern "C" {\n' + "int f(int x);\n" * 80 + "}\n"},
            {"src/base/a.h": "typedef struct a {\n" + "    int (*f)(int);\n" * 80 + "} a;\n"},
            {"src/base/a.c": "/*\n" + "f() {\n" * 70 + "*/\n" + function(20)},
            {"src/base/a.c": "int f(int);\n" + "int x;\n" * 70 + function(20)},
        ],
        [
            {"src/base/a.c": function(61)},
            {"src/base/a.c": function(20) + "\nint x;\n" + function(61)},
            {"demo/a.c": function(61, "static int long_signature(int x,\n                          int y) {")},
            {"src/base/a.h": function(61, "static inline\nint f(int x) {")},
            {"src/base/a.inc": function(61)},
            {"src/base/a.c": "struct a {\n    int x;\n};\n" + function(61, "struct a *f(struct a *x) {")},
        ]),
    "rule_intrinsics": (
        [{"src/base/lanes/lanes_avx2.h": "#include <immintrin.h>\nx = _mm256_add_ps(a, b);\n", "src/base/lanes/lanes.h": ""}],
        [
            {"src/base/bits.h": "#include <immintrin.h>\n"},
            {"src/narrowphase/lanes.h": "#include <arm_neon.h>\n"},
            {"src/base/lanes_neon.h": "#include <arm_neon.h>\n"},
            {"tests/a.c": "#include <emmintrin.h>\n"},
            {"src/base/a.c": "# include <wasm_simd128.h>\n"},
            {"src/base/a.c": "    x = _mm_add_ps(a, b);\n"},
            {"src/world/a.c": "    x = __builtin_ia32_rdtsc();\n"},
        ]),
    "rule_license": (
        [{"src/a.c": C_HEAD, "run": "#!/usr/bin/env bash\n" + HASH_HEAD, "a.py": HASH_HEAD, "README.md": "#\n"}],
        [
            {"src/a.c": ""},
            {"src/a.h": "\n" + C_HEAD},
            {"src/a.inc": ""},
            {"src/a.c": C_HEAD.replace("MIT", "BSD-2-Clause")},
            {"run": "#!/usr/bin/env bash\necho\n"},
            {"tests/a.sh": "echo\n"},
        ]),
    "rule_listed": (
        [{"src/base/a.c": "", "src/base/meson.build": "files('a.c')\n"}],
        [
            {"src/base/a.c": "", "src/base/meson.build": "files('ba.c', 'a_b.c')\n"},
            {"tests/world/a.c": ""},
        ]),
    "rule_places": (
        [{"docs/a.md": "/usr/include, src/home/x, ${prefix}/home/x, a crate\n"}],
        [
            {"docs/a.md": "see https://py" + "pi.org/project/x\n"},
            {"run": "curl https://reg" + "istry.npm" + "js.org\n"},
            {"docs/a.md": "in /ho" + "me/somebody/abut\n"},
            {"docs/a.md": "cd /ro" + "ot/abut\n"},
            {"meson.build": "include_directories('/Us" + "ers/x')\n"},
        ]),
    "rule_open_tasks": (
        [{"src/a.c": "/* TO" + "DO: rays come with the second round */\n"}],
        [{"src/a.c": "/* TO" + "DO */\n"}, {"docs/a.md": "FIX" + "ME later\n"}]),
    "rule_words": (
        [
            {"src/a.c": "int stubborn, immutable; /* commuted */\n", "tests/policy/policy.py": "overhang\n"},
            {"docs/decisions.md": "then called astray\n", "web/page/a.js": "mute\n"},
        ],
        [
            {"src/world/a.h": "    uint32_t *astray; /* by slot */\n"},
            {"include/abut/a.h": "int abut_overhang(void);\n"},
            {"tests/world/a.c": "static void rest_box_of(int x);\n"},
            {"docs/a.md": "A mute body.\n"},
            {"src/a.c": "int x_born_2;\n"},
        ]),
}

HEADER = "/* ABUT_API int abut_gone(void); */\nABUT_API const char *abut_name(int x);\nABUT_API void abut_list(\n    int x);\n"
EXPORTS = (
    [["abut_name", "abut_list", "_init", "_fini", "__bss_start"]],
    [
        ["abut_name"],
        ["abut_name", "abut_list", "abut_gone"],
        ["abut_name", "abut_list", "helper"],
    ])

# (object file, symbol, whether it defines it)
CALLS = (
    [
        [("a.o", "f", True), ("b.o", "g", True), ("c.o", "h", True), ("a.o", "g", False), ("a.o", "h", False),
         ("b.o", "h", False), ("c.o", "sqrt", False)],
        [("k.o", "f_sse2", True), ("k.o", "f_avx2", True), ("k.o", "g_sse2", True), ("k.o", "g_sse2", False)],
    ],
    [
        [],
        [("a.o", "f", True), ("b.o", "g", True), ("a.o", "g", False), ("b.o", "f", False)],
        [("a.o", "f", True), ("b.o", "g", True), ("c.o", "h", True), ("a.o", "g", False), ("b.o", "h", False),
         ("c.o", "f", False)],
    ])


def build(module, folder, files):
    for path, text in files.items():
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return module.Tree(folder)


def reports(module, rule, files):
    with tempfile.TemporaryDirectory() as folder:
        return list(rule(build(module, folder, files)))


def rule_failures(module):
    for rule in module.RULES:
        keeping, breaking = SAMPLES.get(rule.__name__, ([], []))
        if not keeping or not breaking:
            yield f"{rule.__name__}: has no samples"
        for files in keeping:
            for report in reports(module, rule, files):
                yield f"{rule.__name__}: reported without cause: {report}"
        for files in breaking:
            if not reports(module, rule, files):
                yield f"{rule.__name__}: did not report {files}"


def export_failures(module):
    with tempfile.TemporaryDirectory() as folder:
        tree = build(module, folder, {"include/abut/a.h": HEADER})
        for symbols in EXPORTS[0]:
            for complaint in module.export_complaints(tree, symbols):
                yield f"exports: reported without cause: {complaint}"
        for symbols in EXPORTS[1]:
            if not list(module.export_complaints(tree, symbols)):
                yield f"exports: did not report {symbols}"


def call_failures(module):
    for symbols in CALLS[0]:
        for complaint in module.call_complaints(symbols):
            yield f"calls: reported without cause: {complaint}"
    for symbols in CALLS[1]:
        if not list(module.call_complaints(symbols)):
            yield f"calls: did not report {symbols}"


def archive_failures(module):
    """archive_symbols against an archive made here; skipped where there is no compiler called cc."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name, source in (("a", "int g(void); int f(void) { return g(); }"),
                                 ("b", "int f(void); int g(void) { return f(); } static int h; int *i(void) { return &h; }")):
                subprocess.run(["cc", "-c", "-x", "c", "-", "-o", f"{name}.o"], input=source, text=True, check=True,
                               capture_output=True, cwd=folder)
            subprocess.run(["ar", "rc", "sample.a", "a.o", "b.o"], check=True, capture_output=True, cwd=folder)
        except (OSError, subprocess.CalledProcessError):
            return
        found = set(module.archive_symbols(f"{folder}/sample.a"))
        wanted = {("a.o", "f", True), ("a.o", "g", False), ("b.o", "g", True), ("b.o", "f", False), ("b.o", "i", True)}
        if found != wanted:
            yield f"archive_symbols: saw {sorted(found)}"


def listing_failures(module):
    """dynamic_symbols against a library made here; skipped where there is no compiler called cc."""
    with tempfile.TemporaryDirectory() as folder:
        library = str(pathlib.Path(folder, "sample.so"))
        source = "int leaked; int abut_name(void) { return leaked; }"
        try:
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True,
                           check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return
        found = set(module.dynamic_symbols(library))
        if not {"leaked", "abut_name"} <= found:
            yield f"dynamic_symbols: saw only {sorted(found)}"


def empty_tree_failures(module):
    with tempfile.TemporaryDirectory() as folder:
        if not module.check_tree(folder):
            yield "check_tree: an empty tree was found to be in order"


def failures(module):
    return [*rule_failures(module), *export_failures(module), *call_failures(module), *listing_failures(module),
            *archive_failures(module), *empty_tree_failures(module)]
