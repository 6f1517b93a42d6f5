#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Fills in the tables of pages from one run's figures.

page.py FIGURES.json --publish DATE   keeps these figures in bench/published.json, and fills in the pages from it
page.py                               fills in the pages again from what is kept
page.py --check                       fails if a page says something else than the figures

FIGURES.json is what `./run bench --output FILE` or `--json` wrote, with all groups. In a page, lines between
<!-- figures: NAME --> and <!-- end --> are made here; bench/published_tables.py says which tables there are."""

import argparse
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from published_tables import TABLES  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parent.parent
KEPT = TOP / "bench" / "published.json"
PAGES = ("README.md", "docs/benchmarks.md")
PLACE = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def kept(report, date):
    """What the tables need of a report: without the times of every pair of methods, which follow from the medians."""
    for contest in report["contests"]:
        for method in contest["methods"]:
            del method["times"]
            for key in ("median_ns", "best_ns", "spread"):
                method[key] = float(f"{method[key]:.4g}")
    return {"date": date, **report}


def filled(page, report):
    def fill(found):
        name = found[2]
        if name not in TABLES:
            sys.exit(f"page.py: {page}: no table is called {name}")
        return f"{found[1]}\n{TABLES[name](report)}\n\n{found[3]}"
    return PLACE.sub(fill, (TOP / page).read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description="Fills in the tables of pages from the figures of one run.")
    parser.add_argument("figures", nargs="?", type=pathlib.Path)
    parser.add_argument("--publish", metavar="DATE", help="keep these figures, measured on that day")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a page is not what it would be")
    options = parser.parse_args()
    if bool(options.figures) != bool(options.publish):
        parser.error("figures and --publish come together")
    if options.figures:
        report = json.loads(options.figures.read_text(encoding="utf-8"))
        if report["quick"]:
            parser.error("figures of --quick are not for publishing")
        lines = json.dumps(kept(report, options.publish), separators=(",", ":")).replace('{"group"', '\n{"group"')
        KEPT.write_text(lines + "\n", encoding="utf-8")
    report = json.loads(KEPT.read_text(encoding="utf-8"))
    for page in PAGES:
        text = filled(page, report)
        if options.check and text != (TOP / page).read_text(encoding="utf-8"):
            sys.exit(f"{page}: its tables are not those of bench/published.json; python3 bench/page.py makes them")
        if not options.check:
            (TOP / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
