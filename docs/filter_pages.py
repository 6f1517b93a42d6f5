#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Prints a page in the form that doxygen needs: filter_pages.py PAGE, from the top of the tree

GitHub makes anchors of headings by itself; doxygen does it differently or not at all. So headings get explicit labels
here, and links lead to these. Links to files of the tree that are not pages lose their target, which the HTML does
not have. Images lie in the folder `images` of the HTML. Code with an apostrophe gets double backticks, since doxygen takes it for the end of a quotation."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
from check_text import anchors  # noqa: E402

IMAGE = re.compile(r"(!\[[^\]]*\]\()(?!\w+:)[^)\s]*?([^)/\s]+\))")
LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)")


def label(path, anchor=None):
    """Unique among all pages, whatever folder the tree is in."""
    parts = path.resolve().relative_to(pathlib.Path.cwd()).with_suffix("").parts
    return "-".join([*parts, *([anchor] if anchor else [])]).lower()


def outside_code(text, change):
    """Applies `change` outside fenced code."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    slugs = anchors(text)
    seen = []

    def heading(found):
        slug = next(slugs)
        seen.append(slug)
        if len(seen) == 1:  # the title is the page's; that of the main page already has a name
            return found[0] if label(page) == "readme" else f"{found[0]} {{#{label(page)}}}"
        return f"{found[0].replace('`', '')} {{#{label(page, slug)}}}"  # doxygen would print <tt> in it

    def link(found):
        words, place, anchor = " ".join(found[1].split()), found[2], found[3]  # doxygen's @ref ends with the line
        target = page.parent / place if place else page
        if target.suffix != ".md":
            return words
        if label(target) == "readme" and not anchor:
            return f"[{words}](@ref index)"
        return f"[{words}](@ref {label(target, anchor)})"

    def change(part):
        part = re.sub(r"`[^`]+`", lambda span: f"`{span[0]}`" if "'" in span[0] else span[0], part)
        part = IMAGE.sub(r"\1images/\2", part)
        return LINK.sub(link, re.sub(r"^(#{1,6}) +.*$", heading, part, flags=re.M))

    sys.stdout.write(outside_code(text, change))


if __name__ == "__main__":
    main()
