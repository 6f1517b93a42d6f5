#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""A page as doxygen reads it, to stdout: filter_pages.py PAGE

GitHub makes anchors of headings by itself, doxygen does not in the same way, or not at all: headings get labels of their own
here, and links to them are led there. Links to files of the tree that are no pages lose their target, which the HTML does
not have. Code with an apostrophe gets double backticks, since doxygen takes it for the end of a quotation."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
from check_text import anchors  # noqa: E402

LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((?!\w+:)([^)#\s]*)(?:#([\w-]+))?\)")


def label(path, anchor):
    """Unique among all pages, and stays the same however a page is named on the command line."""
    path = pathlib.Path(path).resolve()
    return f"{path.parent.name}-{path.stem}-{anchor}"


def outside_code(text, change):
    """`change` applied to what is not in a fence."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    slugs = anchors(text)

    def heading(found):
        slug = next(slugs)
        return f"{found[0]} {{#{label(page, slug)}}}" if len(found[1]) > 1 else found[0]  # the title is the page's

    def link(found):
        words, place, anchor = found[1], found[2], found[3]
        if anchor:
            return f"[{words}](#{label(page.parent / place if place else page, anchor)})"
        return found[0] if place.endswith(".md") else words

    def change(part):
        part = re.sub(r"(?<!`)`([^`\n]*'[^`]*)`(?!`)", r"``\1``", part)
        return LINK.sub(link, re.sub(r"^(#{1,6}) +.*$", heading, part, flags=re.M))

    sys.stdout.write(outside_code(text, change))


if __name__ == "__main__":
    main()
