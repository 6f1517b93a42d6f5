#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Checks in pages and headers what neither a compiler nor doxygen checks: check_text.py TOP

- A link to a file or folder of the tree leads there, and to a heading, if it names one (as GitHub spells anchors).
- A file or folder named in backticks with its path exists in the tree, in src/ or tests/, or beside the page.
- Every page of docs/ is listed in docs/README.md.
- Every abut_name and ABUT_NAME, in a page or in a comment of a public header, exists; a prefix is followed by an
  underscore or a star. Prefixes of names that only a build makes, such as ABUT_TEST_, count as names of the tree.
- errors.md has a row for each abut_result, and no others.
- Every value of a public enum has a comment (doxygen 1.9.4 does not ask for that).

Links to other sites are not checked: a test must not need a network."""

import os
import pathlib
import re
import sys

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)|<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
FILE = re.compile(r"`([\w-]+/[\w./*-]*\w\.(?:c|h|py|sh|js|json|md|csv|build))`")
NAME = re.compile(r"\b(?:abut|ABUT)_\w*")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
COMMENT_AFTER = re.compile(r"/\*\*<.*?\*/", re.S)
SOURCES = (".c", ".h", ".cpp", ".build", ".txt", ".py", ".sh", ".in", ".js", ".cmake", ".ini", ".rst", ".html")


def files(top):
    for folder, folders, names in os.walk(top):
        folders[:] = [f for f in folders if not f.startswith("build") and f not in (".git", "__pycache__", "results")]
        for name in names:
            yield pathlib.Path(folder, name)


def without_code(text):
    """`text` with code blanked, line for line."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    text = re.sub(r"^```.*?^```$|<!--.*?-->", blank, text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]+`", blank, text)


def anchors(text):
    """The anchors of all headings."""
    seen = {}
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(slug, -1) + 1
        seen[slug] = count
        yield slug if count == 0 else f"{slug}-{count}"


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def broken_links(path, text, top):
    visible = without_code(text)
    for found in LINK.finditer(visible):
        target = found[1] or found[2]
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        aim = (path.parent / place).resolve() if place else path
        where = line_of(text, found.start())
        if not aim.exists() or not aim.is_relative_to(top):
            yield where, f"links to {target}, which is not there"
        elif anchor and anchor not in set(anchors(aim.read_text(encoding="utf-8"))):
            yield where, f"links to {target}: no such heading"


def missing_files(path, text, top):
    told = re.findall(r"^<!-- file (\S+) -->$", text, re.M)  # files that the reader makes
    for found in FILE.finditer(text):
        if found[1] not in told and not any(any(base.glob(found[1])) for base in (top, top / "src", top / "tests", path.parent)):
            yield line_of(text, found.start()), f"{found[1]} is not there"


def unlisted(top):
    listed = set(re.findall(r"\]\(([\w-]+\.md)", (top / "docs/README.md").read_text(encoding="utf-8")))
    for path in sorted((top / "docs").glob("*.md")):
        if path.name not in listed | {"README.md"}:
            yield path, 1, "is not listed in docs/README.md"


def known_names(top):
    names = set()
    for path in files(top):
        if path.suffix in SOURCES or path.name in ("run", "meson_options.txt"):
            names.update(NAME.findall(path.read_text(encoding="utf-8", errors="replace")))
    return names


def declared_names(top):
    names = set()
    for path in (top / "include/abut").glob("*.h"):
        names.update(NAME.findall(COMMENT.sub(" ", path.read_text(encoding="utf-8"))))
    return names


def unknown_names(text, names):
    for found in NAME.finditer(text):
        name, after = found[0], text[found.end():found.end() + 1]
        prefix = name.endswith("_") or after == "*"
        if not (any(known.startswith(name) for known in names) if prefix else name in names):
            yield line_of(text, found.start()), f"{name} does not exist"


def wrong_rows(top):
    path = top / "docs/errors.md"
    header = (top / "include/abut/types.h").read_text(encoding="utf-8")
    wanted = re.findall(r"^ +(ABUT_OK|ABUT_ERROR_\w+) = ", header, flags=re.M)
    rows = re.findall(r"^\| `(ABUT_\w+)` \|", path.read_text(encoding="utf-8"), flags=re.M)
    if rows != wanted:
        yield path, 1, f"has rows for {rows}, but types.h says {wanted}"


def bare_values(text):
    enums = list(re.finditer(r"^typedef enum (\w+) \{\n(.*?)^\} \1;", text, flags=re.M | re.S))
    if len(enums) != len(re.findall(r"^typedef enum\b", text, flags=re.M)):
        yield 1, "has an enum that is not written with a value to a line"
    for body in enums:
        for value in re.finditer(r"^ +(\w+)( = [-\w]+)?,?(.*)$", COMMENT_AFTER.sub("/**<", body[2]), flags=re.M):
            if "/**<" not in value[3]:
                yield line_of(text, body.start()), f"{value[1]} of {body[1]} has no comment"


def problems(top):
    everywhere, public = known_names(top), declared_names(top)
    for path in sorted(files(top)):
        if path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            for line, what in [*broken_links(path, text, top), *unknown_names(text, everywhere),
                               *missing_files(path, text, top)]:
                yield path, line, what
        elif path.parent == top / "include/abut":
            text = path.read_text(encoding="utf-8")
            for line, what in bare_values(text):
                yield path, line, what
            for comment in COMMENT.finditer(text):
                for line, what in unknown_names(comment[0], public):
                    yield path, line_of(text, comment.start()) + line - 1, what
    yield from unlisted(top)
    yield from wrong_rows(top)


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    found = [f"{path.relative_to(top)}:{line}: {what}" for path, line, what in problems(top)]
    print("\n".join([*found, f"{len(found)} problems with links, names and comments"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
