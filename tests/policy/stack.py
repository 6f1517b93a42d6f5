#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The deepest stack that each public function can need, from what gcc writes down with -fcallgraph-info=su: frames and calls.

stack.py --root DIR --build DIR [--limit BYTES] [--table] [--frames BYTES]
stack.py --self-test

Calls through pointers are followed by stack_pointers.txt, which explains its lines. What functions of the C library use comes
on top, and what callbacks use; tests/world/state/stack.c measures whole stacks.
"""
import argparse
import fnmatch
import json
import multiprocessing.pool
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

LIMIT = 64 * 1024
C_LIBRARY = 4096  # for what a call of it uses, and the start of a thread

NODE = re.compile(r'^node: \{ title: "([^"]*)" label: "[^"]*?(\d+) bytes \(([^)]*)\)', re.M)
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)" label: "([^"]*)"', re.M)
PUBLIC = re.compile(r"\b(abut_\w+)\s*\(")
CALLED = re.compile(r"(\w+)(?:\[[^;]*?\])*\)?\s*\(")
MENTIONED = re.compile(r"(?<![\w.>])(?:ABUT_KERNEL\((\w+)\)|(\w+))(?!\s*\(|\w)")
KERNEL_CALLED = re.compile(r"ABUT_KERNEL\(\w+\)\s*\(")
CLONE = re.compile(r"\.(constprop|isra|part|cold)(\.\d+)?")
SECONDS = 10  # a graph that is older than its object file by more belongs to another compilation


class Rules:
    """The lines of stack_pointers.txt."""

    def __init__(self, text):
        self.pointers, self.never, self.again, self.roots = [], [], {}, []
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                self.add(*line.split("#")[0].split(None, 1))

    def add(self, kind, rest):
        if kind == "root":
            self.roots.append(rest.strip())
            return
        left, right = rest.split(": ", 1)
        if kind == "never":
            self.never.append((left.split(), right.split()))
        elif kind == "again":
            self.again[left] = int(right)
        else:
            names, targets = right.split(" = ", 1)
            self.pointers.append(Pointer(kind == "passed", left.split(), names.split(), targets.split()))


class Pointer:
    """`names` in `files` may be any of `targets`. If `passed`, it is one of those that are mentioned where it was passed."""

    def __init__(self, passed, files, names, targets):
        self.passed, self.files, self.names, self.targets = passed, files, names, targets

    def is_meant(self, file, name):
        return name in self.names and any(fnmatch.fnmatch(file, pattern) for pattern in self.files)

    def patterns(self, name):
        return [target.replace("=", name) for target in self.targets if target != "caller"]


def source_path(path):
    """Below src/."""
    return re.sub(r"^.*?\bsrc/", "", path)


class Graph:
    """Frames and calls. A static function is `unit|file:name`, as kernels are compiled several times."""

    def __init__(self):
        self.frame, self.calls, self.pointers, self.problems = {}, {}, {}, []

    def read(self, text, unit):
        def name(title):
            return f"{unit}|{source_path(title)}" if ":" in title else title
        for title, size, kind in NODE.findall(text):
            self.frame[name(title)] = int(size)
            if kind not in ("static", "dynamic,bounded"):
                self.problems.append(f"{title}: the size of its frame is not known")
        for source, target, at in EDGE.findall(text):
            file, line, _ = at.rsplit(":", 2)
            place = (source_path(file), int(line))
            if target == "__indirect_call":
                self.pointers.setdefault(name(source), set()).add(place)
            else:
                self.calls.setdefault(name(source), set()).add((name(target), place))

    def by_name(self):
        """{name as in stack_pointers.txt: functions}; what gcc splits from a function counts as that."""
        names = {}
        for function in self.frame:
            names.setdefault(CLONE.sub("", function.rpartition("|")[2]), set()).add(function)
        return names


def without_comments(text):
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"', blank, text, flags=re.S)


class Sources:
    """The text of src/, without comments: {path: lines}."""

    def __init__(self, texts):
        self.lines = {path: without_comments(text).split("\n") for path, text in texts.items()}

    def called_at(self, place):
        """The names that stand before a parenthesis there, or in the next lines if it is on none of them."""
        file, line = place
        first = CALLED.findall(self.lines[file][line - 1])
        return first, CALLED.findall(" ".join(self.lines[file][line - 1:line + 2]))

    def around(self, place):
        """The function that has this place: (its text, whether it is static)."""
        file, line = place
        lines = self.lines[file]
        first = next((k for k in range(line - 1, 0, -1) if lines[k - 1].startswith("}")), 0)
        end = next((k for k in range(line, len(lines)) if lines[k].startswith("}")), len(lines))
        text = lines[first:end]
        return "\n".join(text), any(part.startswith("static ") for part in text)

    def mentions(self, text):
        """Names that are not called: of functions whose address is taken, among others."""
        for kernel, other in MENTIONED.findall(KERNEL_CALLED.sub("(", text)):
            yield kernel + "_portable" if kernel else other


class Walk:
    """Finds the deepest stacks. What was passed on the way to a function, and what cannot be called below it, is part of the
    state of the walk: `given` = {rule: functions}, `without` = numbers of rules."""

    def __init__(self, graph, sources, rules):
        self.graph, self.sources, self.rules = graph, sources, rules
        self.names = graph.by_name()
        self.problems = list(graph.problems)
        self.targets, self.sites, self.given_in, self.known, self.path = {}, {}, {}, {}, []
        self.passed = {}  # name: {rule: functions}
        for rule in rules.pointers:
            for name in rule.names:
                for function in self.functions(rule, name):
                    if rule.passed:
                        plain = CLONE.sub("", function.rpartition("|")[2])
                        self.passed.setdefault(plain, {}).setdefault(rule, set()).add(function)

    def matching(self, pattern):
        found = [self.names[n] for n in self.names if (":" in n) == (":" in pattern) and fnmatch.fnmatchcase(n, pattern)]
        return set().union(*found)

    def functions(self, rule, name):
        if (rule, name) not in self.targets:
            found = set()
            for pattern in rule.patterns(name):
                some = self.matching(pattern)
                if not some:
                    self.complain(f"stack_pointers.txt: there is no {pattern}")
                found |= some
            self.targets[rule, name] = found
        return self.targets[rule, name]

    def complain(self, problem):
        if problem not in self.problems:
            self.problems.append(problem)

    def meant(self, place):
        """The rules for a call through a pointer: [(rule, name)]."""
        if place not in self.sites:
            for names in self.sources.called_at(place):
                found = [next(((r, n) for r in self.rules.pointers if r.is_meant(place[0], n)), None) for n in names]
                self.sites[place] = [f for f in found if f]
                if self.sites[place]:
                    break
            if not self.sites[place]:
                self.complain(f"{place[0]}:{place[1]}: what may be called through the pointer here?")
        return self.sites[place]

    def given_at(self, place):
        """What the function there passes on: {rule: functions}. A static one may have got it from others of its file."""
        text, static = self.sources.around(place)
        key = (place[0], text)
        if key not in self.given_in:
            given = self.given_by(place[0], text)
            if static and place[0].endswith(".c"):
                given = {**self.given_by(place[0], "\n".join(self.sources.lines[place[0]])), **given}
            self.given_in[key] = given
        return self.given_in[key]

    def given_by(self, file, text):
        given = {}
        for name in self.sources.mentions(text):
            for rule, functions in self.passed.get(f"{file}:{name}", {}).items():
                given[rule] = given.get(rule, frozenset()) | functions
        return given

    def deepest(self, function, given=frozenset(), without=frozenset()):
        """(bytes, the functions on the way)"""
        key = (function, given, without)
        if function not in self.graph.frame:
            return 0, ()
        if key in self.known:
            return self.known[key]
        if key in self.path:
            circle = [k[0].rpartition("|")[2] for k in self.path[self.path.index(key):]]
            self.complain("functions call each other: " + " -> ".join([*circle, circle[0]]))
            return 0, ()
        self.path.append(key)
        plain = CLONE.sub("", function.rpartition("|")[2])
        without |= {k for k, (below, _) in enumerate(self.rules.never) if any(fnmatch.fnmatch(plain, b) for b in below)}
        times = self.rules.again.get(plain, 1)
        best = 0, ()
        for target, now_given in self.steps(function, given):
            name = CLONE.sub("", target.rpartition("|")[2])
            never = any(fnmatch.fnmatch(name, t) for k in without for t in self.rules.never[k][1])
            if not never and not (target == function and times > 1):
                best = max(best, self.deepest(target, frozenset(now_given.items()), without))
        self.path.pop()
        self.known[key] = self.graph.frame[function] * times + best[0], (function, *best[1])
        return self.known[key]

    def steps(self, function, given):
        for target, place in sorted(self.graph.calls.get(function, ())):
            yield target, {**dict(given), **self.given_at(place)}
        for place in sorted(self.graph.pointers.get(function, ())):
            for rule, name in self.meant(place):
                targets = dict(given).get(rule) if rule.passed else None
                for target in sorted(targets or self.functions(rule, name)):
                    yield target, {**dict(given), **self.given_at(place)}

    def unlisted(self):
        """Functions whose address is taken, and that no line of stack_pointers.txt names."""
        listed = set(self.rules.roots)
        for rule in self.rules.pointers:
            for name in rule.names:
                listed |= {CLONE.sub("", f.rpartition("|")[2]) for f in self.functions(rule, name)}
        for path, lines in self.sources.lines.items():
            for name in set(self.sources.mentions("\n".join(lines)) if path.endswith(".c") else ()):
                for function in (f"{path}:{name}", name):
                    if function not in listed and function in self.names:
                        yield f"{path}: the address of {name} is taken: name it in stack_pointers.txt"


def check(graph, sources, rules, public, limit):
    """([(bytes, way)] of the public functions, the deepest first; problems)"""
    walk = Walk(graph, sources, rules)
    roots = sorted(public & graph.frame.keys()) + [f for root in rules.roots for f in walk.matching(root)]
    found = sorted((walk.deepest(function) for function in roots), reverse=True)
    for size, way in found:
        if size + C_LIBRARY > limit:
            steps = ", ".join(f"{f.rpartition('|')[2]} {graph.frame[f]}" for f in way if graph.frame[f] >= 512)
            walk.complain(f"{way[0]} needs {size} bytes, and {C_LIBRARY} for the C library: {steps}")
    for problem in walk.unlisted():
        walk.complain(problem)
    return found, walk.problems


def graph_files(build):
    """The files that gcc has written beside the objects of the library. ccache gives back objects alone: of those the sources are
    compiled again, without it."""
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    files, missing = [], []
    for entry in entries:
        made = pathlib.Path(build, entry["output"])
        if entry["output"].startswith("src/") and "-fcallgraph-info=su" in entry["command"] and made.exists():
            graph = made.with_suffix(".ci")
            files.append(graph)
            if not graph.exists() or made.stat().st_mtime - graph.stat().st_mtime > SECONDS:
                missing.append((entry, graph))
    with multiprocessing.pool.ThreadPool(os.cpu_count()) as pool:
        pool.starmap(compile_again, missing)
    return files


def compile_again(entry, graph):
    words = shlex.split(entry["command"])
    for option, more in (("-MD", 0), ("-MQ", 1), ("-MF", 1), ("-o", 1)):
        if option in words:
            at = words.index(option)
            del words[at:at + 1 + more]
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "unit.o")
        subprocess.run([*words, "-o", made], cwd=entry["directory"], env={**os.environ, "CCACHE_DISABLE": "1"}, check=True)
        graph.write_text(made.with_suffix(".ci").read_text())


def read_build(root, build):
    graph = Graph()
    for file in graph_files(build):
        unit = re.search(r"abut-kernels-(\w+)", str(file))
        graph.read(file.read_text(), unit[1] if unit else "all")
    texts = {source_path(str(p)): p.read_text() for p in pathlib.Path(root, "src").rglob("*.[chi]*") if p.suffix != ".build"}
    public = {name for p in pathlib.Path(root, "include").rglob("*.h") for name in PUBLIC.findall(p.read_text())}
    rules = Rules(pathlib.Path(__file__).with_name("stack_pointers.txt").read_text())
    return graph, Sources(texts), rules, public


# --- the self-test ---

SAMPLE_SOURCE = """static void leaf(void) {
}

static void visitor(void *x) {
}

static void other_visitor(void *x) {
}

static void each(void (*visit)(void *)) {
    visit(NULL);
}

static const table t = {leaf};

void abut_by_table(void) {
    t.run();
}

void abut_passes(void) {
    each(visitor); /* each(other_visitor) */
}
"""

SAMPLE_GRAPH = """graph: { title: "a.c"
node: { title: "../src/base/a.c:leaf.isra.0" label: "leaf\\n../src/base/a.c:1:13\\n1000 bytes (static)" }
node: { title: "../src/base/a.c:visitor" label: "visitor\\n../src/base/a.c:4:13\\n100 bytes (static)" }
node: { title: "../src/base/a.c:other_visitor" label: "other_visitor\\n../src/base/a.c:7:13\\n5000 bytes (static)" }
node: { title: "../src/base/a.c:each.part.0" label: "each\\n../src/base/a.c:10:13\\n10 bytes (dynamic,bounded)" }
node: { title: "abut_by_table" label: "abut_by_table\\n../src/base/a.c:16:6\\n8 bytes (static)" }
node: { title: "abut_passes" label: "abut_passes\\n../src/base/a.c:20:6\\n8 bytes (static)" }
node: { title: "memcpy" label: "memcpy" shape : ellipse }
edge: { sourcename: "../src/base/a.c:each.part.0" targetname: "__indirect_call" label: "../src/base/a.c:11:5" }
edge: { sourcename: "abut_by_table" targetname: "__indirect_call" label: "../src/base/a.c:17:5" }
edge: { sourcename: "abut_by_table" targetname: "memcpy" label: "../src/base/a.c:17:5" }
edge: { sourcename: "abut_passes" targetname: "../src/base/a.c:each.part.0" label: "../src/base/a.c:21:5" }
}
"""

SAMPLE_RULES = """# a comment
pointer base/*: run = base/a.c:leaf
passed base/a.c: visit = base/a.c:visitor base/a.c:other_visitor
"""

CIRCLE = 'edge: { sourcename: "../src/base/a.c:leaf.isra.0" targetname: "../src/base/a.c:leaf.isra.0" label: "../src/base/a.c:2:1" }\n'


def sample(graph="", rules=SAMPLE_RULES, limit=LIMIT):
    """({public function: bytes}, problems) of the samples and more lines of a graph."""
    read = Graph()
    read.read(SAMPLE_GRAPH + graph, "all")
    found, problems = check(read, Sources({"base/a.c": SAMPLE_SOURCE}), Rules(rules), {"abut_by_table", "abut_passes"}, limit)
    return {way[0]: size for size, way in found}, problems


def self_test():
    yield sample() == ({"abut_by_table": 1008, "abut_passes": 118}, [])
    yield sample(limit=1008 + C_LIBRARY)[1] == []
    yield "abut_by_table needs 1008 bytes" in "".join(sample(limit=1007 + C_LIBRARY)[1])
    yield "may be called" in "".join(sample(rules=SAMPLE_RULES.replace("run", "walk"))[1])
    yield "is no base/a.c:stem" in "".join(sample(rules=SAMPLE_RULES.replace("base/a.c:leaf", "base/a.c:leaf base/a.c:stem"))[1])
    yield "address of visitor is taken" in "".join(sample(rules=SAMPLE_RULES.replace("base/a.c:visitor ", ""))[1])
    yield "call each other: base/a.c:leaf.isra.0 -> base/a.c:leaf.isra.0" in "".join(sample(graph=CIRCLE)[1])
    yield sample(CIRCLE, SAMPLE_RULES + "again base/a.c:leaf: 3\n") == ({"abut_by_table": 3008, "abut_passes": 118}, [])
    yield sample(rules=SAMPLE_RULES + "never abut_by_table: *:leaf\n")[0]["abut_by_table"] == 8
    yield sample(rules=SAMPLE_RULES + "root base/a.c:other_visitor\n")[0]["all|base/a.c:other_visitor"] == 5000
    grows = SAMPLE_GRAPH.splitlines()[1].replace("(static)", "(dynamic)")
    yield "not known" in "".join(sample(grows + "\n")[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", metavar="DIR")
    parser.add_argument("--build", metavar="DIR")
    parser.add_argument("--limit", metavar="BYTES", type=int, default=LIMIT)
    parser.add_argument("--table", action="store_true", help="every public function")
    parser.add_argument("--frames", metavar="BYTES", type=int, help="also the functions whose own frames take that much")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        problems = [f"sample {k} is not judged as it should be" for k, passed in enumerate(self_test()) if not passed]
    else:
        sys.setrecursionlimit(10000)
        graph, *others = read_build(options.root, options.build)
        found, problems = check(graph, *others, options.limit)
        for size, way in found[:None if options.table else 3]:
            print(f"{size} {way[0]}")
        for function, size in sorted(graph.frame.items(), key=lambda item: -item[1]):
            if options.frames and size >= options.frames:
                print(f"frame {size} {function}")
    print("\n".join([*problems, f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
