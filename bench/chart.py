#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Draws the contests of whole frames in a JSON file of abut-bench: chart.py FILE.json FILE.svg, with gnuplot."""
import json
import subprocess
import sys

GROUPS = {"broad": "broad phase", "frames": "whole frame with manifolds", "round": "whole frame with manifolds"}
COLUMN, HEIGHT, HEAD = 900, 30, 90  # pixels: of a plot, of a bar, of a plot without its bars


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def bar_plot(number, contest):
    """gnuplot's commands for one plot: a bar per method, ours in another colour, the slowest at the bottom."""
    methods = sorted(contest["methods"], key=lambda method: -method["median_ns"])
    rows = [(place, method["median_ns"] / 1e6, "0x1b7837" if method["method"].startswith("abut") else "0x9e9ac8",
             method["method"]) for place, method in enumerate(methods)]
    data = "\n".join(f"{place} {ms:.6g} {colour} {quoted(name)} {quoted(f'{ms:.3g} ms')}"
                     for place, ms, colour, name in rows)
    return f"""$data{number} << END
{data}
END
set title {quoted(GROUPS[contest["group"]] + ": " + contest["input"])} noenhanced
set yrange [-0.6:{len(rows) - 0.4}]
set xrange [0:{rows[0][1] * 1.2:.6g}]
plot $data{number} using (0):1:(0):2:($1-0.38):($1+0.38):3:yticlabels(4) \\
  with boxxyerror lc rgb variable fs solid 1.0 notitle, \\
  $data{number} using 2:1:5 with labels left offset 0.5,0 noenhanced notitle
"""


def is_drawn(contest):
    return contest["group"] in GROUPS and contest["unit"] == "frame" and not contest["input"].startswith("growth")


def script(report, picture):
    contests = [contest for contest in report["contests"] if is_drawn(contest)]
    if not contests:
        return None
    columns = 1 if len(contests) % 2 else 2  # no place stays empty
    rows = len(contests) // columns
    most = max(len(contest["methods"]) for contest in contests)
    about = f"abut {report['abut']}, {report['isa']} kernels, commit {report['commit']}; " \
            f"{report['processor']}, {report['compiler']}; median milliseconds a frame"
    return f"""set terminal svg size {columns * COLUMN},{rows * (HEAD + HEIGHT * most) + HEAD} font "sans-serif,16" background "white"
set output {quoted(picture)}
set multiplot layout {rows},{columns} title {quoted(about)} noenhanced
set lmargin 36
set rmargin 4
set ytics scale 0 noenhanced
set xtics nomirror
set border 1
""" + "".join(bar_plot(number, contest) for number, contest in enumerate(contests)) + "unset multiplot\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = script(json.load(file), sys.argv[2])
    if commands is not None:
        subprocess.run(["gnuplot"], input=commands, text=True, check=True)


if __name__ == "__main__":
    main()
