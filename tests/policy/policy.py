#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Checks what no compiler checks: the arrows between rooms, cycles, sizes, headers, exported names, words.

policy.py --root DIR                    all rules about text
policy.py --root DIR --exports LIBRARY  the dynamic symbols of the shared library against include/abut, and how
                                         it was linked
policy.py --calls LIBRARY               the object files of the static library: no cycle among those that use each other
policy.py --self-test                   every rule against samples that keep it and samples that break it

A rule is a generator over the files of a tree; it yields (path, line, complaint).
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLOORS = {"base": 1, "shape": 2, "broadphase": 3, "narrowphase": 3, "culling": 3, "world": 4}
# Sub-rooms that stand in an order: none includes a later one. What is not listed here is open to all of its room:
# world/state is the world itself, which all use and which is validated by all.
ORDERED = {"base": ("lanes", "workers"),
           "narrowphase": ("box", "ray", "distance", "convex", "round", "footprint", "cast", "sweep", "mesh", "mesh_ray", "patch",
                           "mesh_way"),
           "world": ("body", "query", "step", "cast", "cull", "draw", "snapshot")}
OUTSIDE = ("scenes", "examples", "demo", "bench", "web", "python")  # programs on the public face only
C_SUFFIXES = (".c", ".h", ".inc")
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_ROOM_FILES = 25

LICENSE = "SPDX-License-Identifier: MIT"
COPYRIGHT = "Copyright (c) 2026 the abut authors"

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
STANDARD_HEADER = re.compile(r"(std\w+|assert|c?float|inttypes|limits|c?math|string)(\.h)?")
INTRINSIC_HEADER = re.compile(r"\w*mmintrin\.h|x86intrin\.h|avx\w*intrin\.h|arm_\w+\.h|wasm_simd128\.h")
INTRINSIC_CALL = re.compile(r"\b(_mm\d*_\w+|__builtin_ia32_\w+|wasm_[a-z]\d+x\d+_\w+|v(ld1|st1|add|sub|mul)q_\w+)\s*\(")
HOSTS = [".".join(parts) for parts in (
    ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("crates", "io"),
    ("proxy", "golang", "org"), ("deb", "debian", "org"), ("snapshot", "debian", "org"), ("archive", "ubuntu", "com"),
    ("docker", "io"), ("ghcr", "io"), ("rubygems", "org"), ("maven", "org"), ("pkg", "dev"))]
HOST = re.compile(r"(?<![\w-])(" + "|".join(re.escape(host) for host in HOSTS) + r")\b|\bartifactory\b", re.I)
HOME = re.compile(r"(?<![\w.$}])/(home|root|Users|work|workspace|builds)/[A-Za-z0-9_.-]|[A-Z]:\\Users\\\w")
OPEN_TASK = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(.*)")
LINKER_SYMBOL = re.compile(r"_(init|fini|end|edata|_bss_start|_(asan|odr_asan|ubsan|start|stop|gcov|llvm)_.*)")

# Private words that the field's terms have replaced. They must not come back, alone or as a part of a name.
RETIRED = ("astray", "bereft", "born", "calm", "kin", "mute", "overhang", "patience", "picky", "polytope", "rim", "settle",
           "settled", "slot1", "stirred", "unrest", "witness", "rest box", "gives back")
RETIRED_WORD = re.compile(r"(?<![A-Za-z])(" + "|".join(w.replace(" ", "[ _]") for w in RETIRED) + r")(?![A-Za-z])", re.I)
RETIRED_IN = ("src/", "include/", "docs/", "tests/", "bench/", "scenes/", "examples/")
RETIRED_ALLOWED = ("docs/decisions.md", "tests/policy/")


class Tree:
    """The text files below a folder, read once. Build folders and version control are not part of it."""

    def __init__(self, root):
        self.texts = {}
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith("build") and f not in (".git", "__pycache__")]
            for name in set(names) - {".git"}:  # a file where the folder is a worktree of a repository
                path = pathlib.Path(folder, name)
                data = path.read_bytes() if path.is_file() else b"\0"
                if b"\0" not in data:
                    self.texts[path.relative_to(root).as_posix()] = data.decode("utf-8", "replace")

    def items(self, *suffixes, under=""):
        for path in sorted(self.texts):
            if path.startswith(under) and (not suffixes or path.endswith(suffixes)):
                yield path, self.texts[path]

    def includes(self, under=""):
        """(path, line, quoted?, what is included) for every include of every C file."""
        for path, text in self.items(*C_SUFFIXES, under=under):
            for number, line in enumerate(text.splitlines(), 1):
                found = INCLUDE.match(line)
                if found:
                    yield path, number, found[1] == '"', found[2]


def without_comments(text):
    """`text` with comments, strings and macro bodies blanked, line for line."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(\\\n|[^\n])*", blank, text, flags=re.M)


def rule_rooms(tree):
    for path, line, quoted, name in tree.includes(under="src/"):
        room = path.split("/")[1]
        if room not in FLOORS:
            yield path, line, f"room '{room}' stands on no floor"
        elif quoted:
            complaint = refused(room, name) or upwards(path, name)
            if complaint:
                yield path, line, complaint


def upwards(path, name):
    """Why the file must not include "name" because of the order of the sub-rooms of its room; None if it may."""
    (room, own), (other_room, other) = path.split("/")[1:3], name.split("/")[:2]
    order = ORDERED.get(room, ()) if room == other_room else ()
    if own in order and other in order and order.index(own) < order.index(other):
        return f"the arrow from {room}/{own} to {room}/{other} points up"
    return None


def refused(room, name):
    """Why a file of `room` must not include "name"; None if it may."""
    parts = name.split("/")
    other = parts[0]
    if len(parts) not in (2, 3) or other not in FLOORS:
        return f'"{name}" is not of the form "room/file.h" or "room/sub-room/file.h"'
    if other == room:
        return None
    if FLOORS[other] >= FLOORS[room]:
        return f"the arrow from {room} to {other} points sideways or up"
    if other != "base" and name != f"{other}/{other}.h":
        return f'{room} may include only "{other}/{other}.h" of {other}'
    return None


def rule_room_size(tree):
    """A newcomer should see the files of a room or sub-room at one glance."""
    counts = {}
    for path, _ in tree.items(*C_SUFFIXES, under="src/"):
        folder = path.rpartition("/")[0]
        counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if count > MAX_ROOM_FILES:
            yield folder, 1, f"{count} source files, more than {MAX_ROOM_FILES}"


def rule_include_cycles(tree):
    graph = {}
    for path, _, quoted, name in tree.includes(under="src/"):
        if quoted:
            graph.setdefault(path, []).append("src/" + name)
    for cycle in cycles(graph):
        yield cycle[0], 1, "an include cycle: " + " -> ".join([*cycle, cycle[0]])


def cycles(graph):
    """A cycle for each edge that closes one in a depth-first walk of `graph`: {node: nodes that it leads to}."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for target in sorted(graph.get(node, ())):
            if state.get(target) == "open":
                yield trail[trail.index(target):]
            elif target not in state:
                yield from visit(target, [*trail, target])
        state[node] = "done"

    for node in sorted(graph):
        if node not in state:
            yield from visit(node, [node])


def rule_parts(tree):
    """An .inc file is part of files of its folder: no other folder includes it. Base is open to all of src."""
    for path, line, quoted, name in tree.includes():
        if quoted and name.endswith(".inc"):
            folder = "src/" + name.rpartition("/")[0]
            if path.rpartition("/")[0] != folder and not (folder == "src/base" and path.startswith("src/")):
                yield path, line, f"{name} is part of files of {folder} only"


def rule_public_headers(tree):
    for path, line, quoted, name in tree.includes(under="include/"):
        own = re.fullmatch(r"abut/\w+\.h", name) and "include/" + name in tree.texts
        if quoted or not (own or STANDARD_HEADER.fullmatch(name)):
            yield path, line, f"a public header includes {name}, which is neither public nor standard"


def rule_outside(tree):
    for path, line, quoted, name in tree.includes():
        if path.split("/")[0] in OUTSIDE and (name.split("/")[0] in FLOORS or "src/" in name):
            yield path, line, f"{name}: programs see include/abut only"


def rule_file_size(tree):
    for path, text in tree.items(*C_SUFFIXES):
        lines = len(text.splitlines())
        if lines > MAX_FILE_LINES:
            yield path, lines, f"{lines} lines, more than {MAX_FILE_LINES}"


def functions(text):
    """(first line, last line) of each function at file scope; clang-format has put its last brace in column 0."""
    start, head = None, ""
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        line = line.rstrip()
        if head == "{":
            if line.startswith("}"):
                if line == "}":
                    yield start, number
                start, head = None, ""
            continue
        if start is None and re.match(r"[A-Za-z_]", line):
            start, head = number, ""
        if start is None:
            continue
        head += line
        if line.endswith("{"):
            is_function = re.search(r"\)\s*\{$", head)
            start, head = (start, "{") if is_function else (None, "")
        elif line.endswith((";", "}")):
            start, head = None, ""


def rule_function_size(tree):
    for path, text in tree.items(*C_SUFFIXES):
        for first, last in functions(text):
            if last - first + 1 > MAX_FUNCTION_LINES:
                yield path, first, f"a function of {last - first + 1} lines, more than {MAX_FUNCTION_LINES}"


def rule_intrinsics(tree):
    def allowed(path):
        return re.fullmatch(r"src/base/lanes/\w*\.h", path)
    for path, line, _, name in tree.includes():
        if INTRINSIC_HEADER.fullmatch(name) and not allowed(path):
            yield path, line, f"<{name}> belongs into src/base/lanes alone"
    for path, text in tree.items(*C_SUFFIXES):
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            found = INTRINSIC_CALL.search(line)
            if found and not allowed(path):
                yield path, number, f"{found[1]} belongs into src/base/lanes alone"


def rule_license(tree):
    for path, text in tree.items():
        lines = text.splitlines()
        if path.endswith((*C_SUFFIXES, ".cpp", ".hpp")):
            wanted = [f"/* {LICENSE}", f" * {COPYRIGHT} */"]
        elif path.endswith((".py", ".sh")) or text.startswith("#!"):
            wanted = [f"# {LICENSE}", f"# {COPYRIGHT}"]
            lines = lines[1:] if text.startswith("#!") else lines
        else:
            continue
        if lines[:2] != wanted:
            yield path, 1, "does not begin with the two-line SPDX header"


def rule_listed(tree):
    """A source that no meson.build names is neither built nor tested."""
    for path, text in tree.items(".c"):
        folder, _, name = path.rpartition("/")
        build = tree.texts.get(f"{folder}/meson.build", "")
        if not re.search(rf"\b{re.escape(name[:-2])}\b", build):
            yield path, 1, f"is not named in {folder}/meson.build"


def rule_places(tree):
    for path, text in tree.items():
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, what in ((HOST, "a package host"), (HOME, "somebody's folder")):
                found = pattern.search(line)
                if found:
                    yield path, number, f"names {what}: {found[0]}"


def rule_open_tasks(tree):
    for path, text in tree.items():
        for number, line in enumerate(text.splitlines(), 1):
            found = OPEN_TASK.search(line)
            if found and len(re.findall(r"\w+", found[2])) < 3:
                yield path, number, f"{found[1]} without a reason"


def rule_words(tree):
    for path, text in tree.items():
        if path.startswith(RETIRED_IN) and not path.startswith(RETIRED_ALLOWED):
            for number, line in enumerate(text.splitlines(), 1):
                found = RETIRED_WORD.search(line)
                if found:
                    yield path, number, f"'{found[1]}' is a private word: use the field's (docs/architecture.md)"


RULES = (rule_rooms, rule_room_size, rule_include_cycles, rule_parts, rule_public_headers, rule_outside, rule_file_size,
         rule_function_size, rule_intrinsics, rule_license, rule_listed, rule_places, rule_open_tasks,
         rule_words)


def declared_functions(tree):
    names = set()
    for _, text in tree.items(".h", under="include/abut/"):
        names.update(re.findall(r"^ABUT_API\b[^;(]*?(\w+)\s*\(", without_comments(text), flags=re.M))
    return names


def export_complaints(tree, symbols):
    declared = declared_functions(tree)
    exported = {name for name in symbols if not LINKER_SYMBOL.fullmatch(name)}
    for name in sorted(exported - declared):
        yield f"{name}: exported but not declared in include/abut"
    for name in sorted(name for name in exported if not name.startswith("abut_")):
        yield f"{name}: exported, but does not begin with abut_"
    for name in sorted(declared - exported):
        yield f"{name}: declared in include/abut but not exported"


def dynamic_symbols(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                             capture_output=True, text=True, check=True).stdout
    return [line.split()[0].split("@")[0] for line in listing.splitlines()]


def archive_symbols(library):
    """(object file, symbol, whether the file defines it) for every symbol that object files share."""
    listing = subprocess.run(["nm", "--print-file-name", "--extern-only", "--format=posix", library],
                             capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        found = re.fullmatch(r".*[\[/](\S+)\]: (\S+) (\w)\b.*", line)
        if found:
            yield found[1], found[2], found[3] not in "Uvw"


def call_complaints(symbols):
    """The copies of a kernel for several instruction sets have one file name, and so are one node of the graph."""
    symbols = list(symbols)
    definers = {}
    for path, name, defined in symbols:
        if defined:
            definers.setdefault(name, path)
    graph = {}
    for path, name, defined in symbols:
        if not defined and definers.get(name, path) != path:
            graph.setdefault(path, {}).setdefault(definers[name], name)
    for cycle in cycles(graph):
        steps = [f"{path} uses {graph[path][after]} of" for path, after in zip(cycle, [*cycle[1:], cycle[0]])]
        yield f"a call cycle: {' '.join(steps)} {cycle[0]}"
    if not definers:
        yield "the library has no symbols: nothing was checked"


def check_tree(root):
    tree = Tree(root)
    problems = [f"{path}:{line}: {what}" for rule in RULES for path, line, what in rule(tree)]
    if not any(path.startswith("include/abut/") for path in tree.texts):
        problems.append(f"{root} holds no include/abut: nothing was checked")
    return problems


def hardening_complaints(library):
    """Whether the shared library has what its link asks for; only where it is an ELF file."""
    if pathlib.Path(library).read_bytes()[:4] == b"\x7fELF":
        text = subprocess.run(["readelf", "-W", "-l", "-d", library], capture_output=True, text=True, check=True).stdout
        stack = [line for line in text.splitlines() if "GNU_STACK" in line]
        for holds, what in (("GNU_RELRO" in text, "no RELRO"), ("NOW" in text, "symbols are not bound at once"),
                            (bool(stack) and "RWE" not in stack[0], "an executable stack")):
            if not holds:
                yield f"{library}: {what}"


def main():
    parser = argparse.ArgumentParser(description="Checks what no compiler checks.")
    parser.add_argument("--root", type=pathlib.Path)
    parser.add_argument("--exports", metavar="LIBRARY")
    parser.add_argument("--calls", metavar="LIBRARY")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        sys.dont_write_bytecode = True
        import policy_samples
        problems = policy_samples.failures(sys.modules[__name__])
    elif options.exports:
        problems = list(export_complaints(Tree(options.root), dynamic_symbols(options.exports)))
        problems += hardening_complaints(options.exports)
    elif options.calls:
        problems = list(call_complaints(archive_symbols(options.calls)))
    else:
        problems = check_tree(options.root)
    print("\n".join([*problems, f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
