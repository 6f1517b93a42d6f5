#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Types the commands of pages as a reader would: run_lines.py TOP SCRATCH [--by-hand] PAGE...

For each page, its blocks of language `sh` run one after another in one shell, in a fresh copy of the tree and with a home
folder of their own; the first line that fails ends it. Before that, each block below a comment

    <!-- file NAME -->

is written to that file. <!-- after: COMMAND --> above a block names what the reader has typed before, elsewhere. A block below
<!-- by hand: REASON --> runs only with --by-hand: it needs a machine that may be changed, or hours. Where "prints" and a
block follow, the commands must print that block."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^(?:<!-- (?P<note>file|after:|by hand:) (?P<about>.+?) -->\n+)?```(?P<language>\w*)\n(?P<text>.*?)^```$"
                   r"(?P<prints>\n\nprints\n\n```\w*\n(?P<expected>.*?)^```$)?", re.M | re.S)


def copy_tree(top, folder):
    """The files of the tree, without build folders."""
    def unwanted(inside, names):
        builds = [name for name in names if name.startswith("build")] if pathlib.Path(inside) == top else []
        return [*builds, ".git", "__pycache__"]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(top, folder, symlinks=True, ignore=unwanted)


def script_of(page, by_hand, folder):
    """The page's commands as one script; each block's output goes to a file if the page shows it."""
    lines, expected = ["set -euo pipefail"], []
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["note"] == "file":
            target = folder / found["about"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(found["text"], encoding="utf-8")
        elif found["language"] == "sh" and (by_hand or found["note"] != "by hand:"):
            text = found["text"]
            if found["note"] == "after:":
                lines.append(f"{found['about']} >/dev/null")
            if found["expected"] is not None:
                output = folder.parent / f"printed-{len(expected)}"
                expected.append((output, text, found["expected"]))
                text = f"{{\n{text}}} >'{output}'\n"
            lines += ["set -v", text.rstrip("\n"), "{ set +v; } 2>/dev/null"]
    return "\n".join(lines) + "\n", expected


def complaint(page, top, scratch, by_hand):
    folder, home = scratch / "abut", scratch / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    copy_tree(top, folder)
    script, expected = script_of(top / page, by_hand, folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MESON", "NINJA", "MAKE"))}
    environment.setdefault("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))
    ran = subprocess.run(["bash"], input=script, cwd=folder, env={**environment, "HOME": str(home)}, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if ran.returncode != 0:
        return f"{page}: a command failed:\n{ran.stdout}"
    for output, text, wanted in expected:
        if output.read_text(encoding="utf-8") != wanted:
            return f"{page}: printed something else:\n{text}\n{output.read_text(encoding='utf-8')}"
    if "set +v" not in script:
        return f"{page}: has no commands"
    return None


def main():
    parser = argparse.ArgumentParser(description="Runs the commands of pages.")
    parser.add_argument("top", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("scratch", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--by-hand", action="store_true", help="also blocks that change the machine")
    parser.add_argument("page", nargs="+")
    options = parser.parse_args()
    complaints = [complaint(page, options.top, options.scratch, options.by_hand) for page in options.page]
    print(*filter(None, complaints), sep="\n")
    sys.exit(1 if any(complaints) else 0)


if __name__ == "__main__":
    main()
