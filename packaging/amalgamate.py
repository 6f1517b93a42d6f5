#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Writes the library as one file, abut.c, with abut.h beside it. The same tree always gives the same bytes. A third file,
abut/abut.h, only includes the second, so that programs may include "abut.h" or <abut/abut.h>.

amalgamate.py DIR [--root TREE]

The sources of all rooms, lowest floor first, become one translation unit:
  - A name at file scope that occurs in other files, too, gets its file's name as a prefix.
  - A header that declares names without abut_ is part of the file that includes it and is copied into each such file;
    every other header appears once.
  - Functions that the public headers do not declare are static.
  - Kernels appear once for each instruction set, between pragmas that allow its instructions, with the set's name at the
    end of their own; conditionals leave out the sets that the target lacks.
Where this script misunderstands a source, the result does not compile; tests/consumer compiles it and compares its answers.
"""
import argparse
import functools
import pathlib
import re
import sys

import c_text
from c_text import Failure, Token

ROOMS = ("base", "shape", "broadphase", "narrowphase", "culling", "world")
LANES = "ABUT_LANES_"
INCLUDED = (".h", ".inc")  # what another file includes
KERNEL = "ABUT_KERNEL"  # the macro of base/isa.h that appends the instruction set to a name
LANES_HEADER = "base/lanes/lanes.h"

# Instruction set: the target attribute that its functions need, for gcc and for clang; None: the target has it anyway.
TARGETS = {
    "sse2": (None, None),
    "avx2": ("avx2", "avx2"),
    "avx512": ("avx512f,avx512dq,prefer-vector-width=512", "avx512f,avx512dq"),
    "neon": (None, None),
    "wasm": (None, None),
}

# Names that the C library of some system declares at file scope.
TAKEN = {"index", "rindex", "select", "times", "div", "remove", "link", "pause", "signal", "time", "random", "y0", "y1",
         "yn", "j0", "j1", "jn", "gamma", "near", "far", "min", "max", "small"}

HEAD = """\
/* abut {version}: a collision world for C. {what}
 * Made of the source tree by packaging/amalgamate.py: change it there.
 *
 * SPDX-License-Identifier: MIT
 *
{license}
 */
"""

PROLOGUE = """\

#if defined(__cplusplus)
#  error "compile this file as C; C++ programs include abut.h and link with the object file"
#endif

/* The same bits everywhere: nothing may be contracted to fused multiply-add, whatever the command line says. Only clang's
 * -ffp-contract=fast ignores this. */
#if defined(__GNUC__) && !defined(__clang__)
#  pragma GCC optimize("fp-contract=off")
#endif

/* The instruction sets that kernels are compiled for; the program picks one at run time. On Windows gcc gets no wide
 * registers, because it does not align the stack for them. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#  define ABUT_HAVE_SSE2
#  if defined(__clang__) || !(defined(_WIN32) || defined(__CYGWIN__))
#    define ABUT_HAVE_AVX2
#    define ABUT_HAVE_AVX512
#  endif
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#  define ABUT_HAVE_NEON
#elif defined(_M_X64)
#  define ABUT_HAVE_SSE2
#elif defined(__wasm_simd128__)
#  define ABUT_HAVE_WASM
#endif

/* Not every function of a header is used here. */
#if defined(__GNUC__) || defined(__clang__)
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include "abut.h"

"""

EPILOGUE = """
#if defined(__GNUC__) || defined(__clang__)
#  pragma GCC diagnostic pop
#endif
"""


class Source:
    """A file below src for one instruction set: its tokens, without licence and include guard, and the names in it."""

    def __init__(self, path, text, isa):
        self.path = path
        tokens = c_text.tokens_of(re.sub(r"\A/\* SPDX.*?\*/\n", "", text, flags=re.S))
        if path.endswith(INCLUDED):
            tokens = c_text.without_guard(tokens)
        tokens = c_text.decided(tokens, LANES, {LANES + isa.upper()})
        self.tokens, self.pasted = c_text.with_pasted(tokens, {KERNEL: ("", f"_{isa}")})
        self.includes = [rest[1:rest.index('"', 1)] for word, rest in map(c_text.directive, self.tokens)
                         if word == "include" and rest.startswith('"')]
        self.items = c_text.items_of(self.tokens)
        self.names, self.linked = c_text.macros(self.tokens), set()
        for item in self.items:
            names, linked = c_text.declared(item)
            self.names |= names
            self.linked |= names if linked else set()

    @functools.cached_property
    def words(self):
        """All names in it, except those that are certainly members of a structure."""
        flat = c_text.tokens_of(re.sub(r"^\s*#\s*\w+", "", c_text.text_of(
            token for token in self.tokens if token.kind != "comment"), flags=re.M))
        flat = [token for token in flat if token.kind not in ("space", "comment")]
        return {token.text for before, token in zip([Token("", "")] + flat, flat)
                if token.kind == "name" and before.text not in (".", "->")}


class Tree:
    """The sources for one instruction set, all of them or only the kernels, and which headers are parts of other files."""

    def __init__(self, root, isa, same):
        self.root, self.isa, self.same, self.sources = root, isa, same, {}
        self.units, self.kernels = [], []
        for room in ROOMS:
            self.list_room(room)
        for path in self.units if isa == "portable" else self.kernels:
            self.read(path)
        self.parts = self.find_parts()

    def list_room(self, room):
        """Adds the sources that the meson.build of the room and of its sub-rooms list."""
        build = (self.root / "src" / room / "meson.build").read_text()
        for kind, files in re.findall(r"abut_(sources|kernels) \+= files\((.*?)\)", build, flags=re.S):
            paths = [f"{room}/{name}" for name in re.findall(r"'(\w+\.c)'", files)]
            self.units += paths
            self.kernels += paths if kind == "kernels" else []
        for inner in re.findall(r"subdir\('(\w+)'\)", build):
            self.list_room(f"{room}/{inner}")

    def read(self, path):
        if path not in self.sources:
            try:
                self.sources[path] = self.source_of(path)
                for header in self.sources[path].includes:
                    self.read(header)
            except Failure as failure:
                raise Failure(f"{path}: {failure}") from None

    def source_of(self, path):
        """One for all instruction sets if the text names none."""
        text = (self.root / "src" / path).read_text()
        if KERNEL in text or LANES in text:
            return Source(path, text, self.isa)
        return self.same.get(path) or self.same.setdefault(path, Source(path, text, self.isa))

    def closure(self, path):
        """The headers that `path` includes, directly or not, each after those that it includes."""
        found = []
        for header in self.sources[path].includes:
            found += [inner for inner in self.closure(header) + [header] if inner not in found]
        return found

    def find_parts(self):
        def private(path):
            return any(not name.lower().startswith("abut_") for name in self.sources[path].names)
        headers = [path for path in self.sources if path.endswith(INCLUDED)]
        return {path for path in headers if any(map(private, [path, *self.closure(path)]))}

    def shared(self, path):
        return [header for header in self.closure(path) if header not in self.parts]

    def unit(self, path):
        """The files that make up `path`: the headers that are part of it, and itself."""
        return [self.sources[part] for part in self.closure(path) + [path] if part in self.parts or part == path]

    def pasted(self):
        return set().union(*(source.pasted for source in self.sources.values()))

    def is_wide(self, path):
        """Whether the header differs between instruction sets."""
        return LANES_HEADER in [path, *self.closure(path)] or path.startswith("base/lanes/")


def read_public(root):
    """The public headers as one text, each after the headers that it includes."""
    texts, order = {}, []

    def visit(name):
        if name not in texts:
            texts[name] = (root / "include" / "abut" / name).read_text()
            for inner in re.findall(r"#\s*include <abut/(\w+\.h)>", texts[name]):
                visit(inner)
            order.append(name)
    visit("abut.h")
    names = sorted(path.name for path in (root / "include" / "abut").glob("*.h"))
    if sorted(order) != names:
        raise Failure(f"abut.h does not include all of {names}")
    system = sorted({name for text in texts.values() for name in re.findall(r"#\s*include <(\w+\.h)>", text)})
    out = ["#ifndef ABUT_ABUT_H\n#define ABUT_ABUT_H\n\n", *(f"#include <{name}>\n" for name in system)]
    for name in order[:-1]:
        text = re.sub(r"\A/\* SPDX.*?\*/\n", "", texts[name], flags=re.S)
        text = re.sub(r"^#\s*include <[\w/]+\.h>\n", "", text, flags=re.M)
        out.append(f"\n/* {'-' * 20} abut/{name} {'-' * 20} */\n" + re.sub(r"\n{3,}", "\n\n", text))
    return "".join(out) + "\n#endif\n"


class Amalgamation:
    def __init__(self, root):
        self.root = root
        self.header = read_public(root)
        self.api = set(re.findall(r"^ABUT_API\b[^;(]*?(\w+)\s*\(", self.header, flags=re.M))
        same = {}
        self.trees = {isa: Tree(root, isa, same) for isa in ("portable", *TARGETS)}
        self.plain = self.trees["portable"]
        self.prefixed = self.choose_names()
        self.out, self.system, self.done = [], set(), set()

    def choose_names(self):
        """For each unit, new names for those of its names that occur elsewhere, too."""
        elsewhere = {"abut.h": {token.text for token in c_text.tokens_of(self.header) if token.kind == "name"}}
        elsewhere.update((path, self.unit_words(path)) for path in self.plain.units)
        elsewhere.update((path, source.words) for path, source in self.plain.sources.items()
                         if path.endswith(INCLUDED) and path not in self.plain.parts)
        chosen, everything = {}, set().union(*elsewhere.values())
        public = {name for name in elsewhere["abut.h"] if name.startswith("abut_")}  # also structs defined in one file
        for path in self.plain.units:
            others = set().union(TAKEN, *(words for other, words in elsewhere.items() if other != path))
            new = {}
            for source in self.plain.unit(path):
                for name in sorted((source.names & others) - source.linked - public):
                    new[name] = self.prefixed_name(path, name, everything)
            chosen[path] = new
        return chosen

    def prefixed_name(self, path, name, everything):
        """The name prefixed with its file's, and with its room's where several rooms have a file of that name."""
        *rooms, stem = path[:-2].split("/")
        namesakes = [unit for unit in self.plain.units if unit.endswith(f"/{stem}.c")]
        for prefix in (stem,) * (len(namesakes) == 1) + ("_".join([*rooms, stem]),):
            new = f"{prefix}_{name}"
            new = new.upper() if name.isupper() else new
            if new not in everything:
                everything.add(new)
                return new
        raise Failure(f"{path}: {name} cannot become {new}, which exists already")

    def unit_words(self, path):
        return set().union(*(source.words for source in self.plain.unit(path)))

    def internal(self, source):
        """Its tokens, with 'static' before whatever has external linkage and is not public."""
        tokens = [Token(token.kind, re.sub(r"\bextern\b", "static", token.text)) if token.kind == "directive" else token
                  for token in source.tokens]
        for item in reversed(source.items):
            names, linked = c_text.declared(item)
            if linked and not names & self.api:
                if item.words[0] == "extern":
                    tokens[item.first] = Token("name", "static")
                else:
                    tokens.insert(item.first, Token("name", "static "))
            elif linked and not names <= self.api:
                raise Failure(f"{source.path}: {names} are partly public")
        return tokens

    def body(self, tree, path, new):
        """The tokens of one file, with each header that is part of it in place of its first inclusion."""
        source, out = tree.sources[path], []
        for token, top in c_text.at_top(self.internal(source)):
            word, rest = c_text.directive(token)
            if word == "include" and rest.startswith('"'):
                header = rest.split('"')[1]
                if header in tree.parts and header not in self.in_unit:
                    self.in_unit.add(header)
                    out += self.body(tree, header, new)
            elif word == "include" and rest.startswith("<abut/"):
                pass
            elif word == "include" and top:
                self.system.add(rest.split(">")[0] + ">")
            else:
                out.append(token)
        return out

    def emit(self, tree, path, new, brief=False):
        self.in_unit = set()
        tokens = self.body(tree, path, {})
        tokens, _ = c_text.with_pasted(tokens, c_text.pasting_macros(tokens))
        tokens = c_text.renamed(tokens, new)
        text = c_text.without_comments(tokens) if brief else c_text.text_of(tokens)
        text = re.sub(r"\n{3,}", "\n\n", text.strip("\n"))
        if text.strip():
            self.out.append(f"/* {'-' * 20} src/{path} {'-' * 20} */\n\n{text}\n\n")

    def emit_plain(self):
        """Everything once, with the portable kernels."""
        for path in self.plain.units:
            for header in self.plain.shared(path):
                if header not in self.done:
                    self.done.add(header)
                    self.emit(self.plain, header, {})
            self.emit(self.plain, path, self.prefixed[path])

    def emit_wide(self, isa):
        """The kernels for one more instruction set, and the headers that differ for it."""
        tree, done, before = self.trees[isa], set(), self.system
        self.system = set()
        start = len(self.out)
        pasted = tree.pasted()
        wide = [header for path in tree.kernels for header in tree.shared(path) if tree.is_wide(header)]
        suffixed = {name: with_suffix(name, isa) for header in wide for name in tree.sources[header].names}
        for path in tree.kernels:
            for header in tree.shared(path):
                if header not in done:
                    done.add(header)
                    self.emit_wide_header(tree, header, suffixed, pasted)
            own = set().union(*(source.names for source in tree.unit(path)))
            new = {name: with_suffix(self.prefixed[path].get(name, name), isa) for name in own if name not in pasted}
            self.emit(tree, path, {**suffixed, **new}, brief=True)
        texts, self.out[start:] = self.out[start:], []
        self.out += [f"#if defined(ABUT_HAVE_{isa.upper()})\n", *(f"#  include {name}\n" for name in
                     sorted(self.system - before)), pragmas(isa, "push"), "\n", *texts, pragmas(isa, "pop"),
                     f"#endif /* ABUT_HAVE_{isa.upper()} */\n\n"]
        self.system = before

    def emit_wide_header(self, tree, header, suffixed, pasted):
        source = tree.sources[header]
        if tree.is_wide(header):
            self.emit(tree, header, suffixed, brief=True)
            return
        tokens = self.internal(source)
        lines = []
        for item in c_text.items_of(tokens):
            if pasted & set(item.words):
                lines.append(c_text.text_of(c_text.renamed(tokens[item.first:item.end], suffixed)) + "\n")
        if lines:
            self.out += [*lines, "\n"]

    def source(self):
        self.emit_plain()
        for isa in TARGETS:
            self.emit_wide(isa)
        includes = "".join(f"#include {name}\n" for name in sorted(self.system))
        return PROLOGUE + includes + "\n" + "".join(self.out).rstrip("\n") + "\n" + EPILOGUE


def with_suffix(name, isa):
    if name.endswith("_" + isa):
        return name
    return f"{name}_{isa.upper() if name.isupper() else isa}"


def pragmas(isa, what):
    gcc, clang = TARGETS[isa]
    if gcc is None:
        return ""
    if what == "push":
        lines = (f'pragma clang attribute push(__attribute__((target("{clang}"))), apply_to = function)',
                 f'pragma GCC push_options\n#    pragma GCC target("{gcc}")')
    else:
        lines = "pragma clang attribute pop", "pragma GCC pop_options"
    return f"#  if defined(__clang__)\n#    {lines[0]}\n#  else\n#    {lines[1]}\n#  endif\n"


def amalgamate(root, folder):
    version = re.search(r'ABUT_VERSION "([^"]+)"', (root / "include/abut/version.h").read_text())[1]
    licence = "\n".join(f" * {line}".rstrip() for line in (root / "LICENSE").read_text().strip().splitlines())
    made = Amalgamation(root)
    texts = {
        "abut.h": ("The public headers.", made.header),
        "abut.c": ("The whole library in one file: cc -O3 -DNDEBUG -c abut.c (link programs with -lm -pthread).",
                   made.source()),
        "abut/abut.h": ("For programs that include <abut/abut.h>.", '#include "../abut.h"\n'),
    }
    (folder / "abut").mkdir(parents=True, exist_ok=True)
    for name, (what, text) in texts.items():
        (folder / name).write_text(HEAD.format(version=version, what=what, license=licence) + text, newline="\n")


def main():
    parser = argparse.ArgumentParser(description="Writes the library as one file: abut.c, with abut.h and abut/abut.h.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    try:
        amalgamate(options.root, options.folder)
    except Failure as failure:
        sys.exit(f"amalgamate.py: {failure}")
    except OSError as error:  # a folder that cannot be made or written to
        sys.exit(f"amalgamate.py: {error.filename}: {error.strerror}")


if __name__ == "__main__":
    main()
