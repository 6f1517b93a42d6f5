# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""python3 -m abut.clash: see --help, and docs/clash.md."""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings

import numpy as np

from ..errors import Error
from . import summary
from .answer import KINDS
from .files import open_model, read_hulls
from .model import Model
from .run import run

SHOWN = 10  # lines of a list

EPILOG = """MODEL is a .npy of structs with center, rotation (x, y, z, w) and half, and, if you like, hull and group; a .zarr of
those structs or of such columns; or a .csv or .parquet with the columns center_x, center_y, center_z, rotation_x, rotation_y,
rotation_z, rotation_w, half_x, half_y, half_z, hull, group. Pairs are structs of i, j and depth."""


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m abut.clash", epilog=EPILOG,
                                     description="Finds all pairs of boxes and hulls that clash.")
    parser.add_argument("model", metavar="MODEL", help="the boxes")
    parser.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path, help="write the pairs to this .npy, .zarr or .csv")
    parser.add_argument("--other", metavar="MODEL", help="only pairs of a box of MODEL and one of this model")
    parser.add_argument("--hulls", metavar="FILE.npz", help="the clouds of points that column 'hull' counts")
    parser.add_argument("--clearance", type=float, default=0.0, metavar="LENGTH", help="pairs as near as this clash, too")
    parser.add_argument("--no-depth", dest="depth", action="store_false", help="only who clashes: faster, smaller")
    parser.add_argument("--origin", type=float, nargs=3, metavar=("X", "Y", "Z"), help="subtract this from all centers")
    parser.add_argument("--plot", metavar="FILE.png", type=pathlib.Path, help="draw how many clashes there are where")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="work on the cluster of this scheduler of Dask")
    where.add_argument("--workers", type=int, metavar="N", help="work on N processes of this machine")
    parser.add_argument("--memory", default="2 GB", metavar="SIZE", help="for rows at work in a process (default: %(default)s)")
    parser.add_argument("--partitions", type=int, metavar="N", help="at most N, instead of as many as follow from --memory")
    parser.add_argument("--quiet", action="store_true", help="no bar and no summary")
    return parser.parse_args(given)


def table(title: str, heads: list[str], lines: list[list[str]], left_out: int) -> None:
    widths = [max(map(len, column)) for column in zip(heads, *lines)]
    print(f"\n{title}")
    for line in [heads, *lines]:
        print("  " + "  ".join(text.rjust(width) for text, width in zip(line, widths)))
    if left_out > 0:
        print(f"  and {left_out:,} more")


def length(value: float) -> str:
    return f"{value:.4g}"


def tell(pairs, told, models) -> None:
    rows = " x ".join(f"{count:,}" for count in told.rows)
    print(f"{rows} boxes: {told.pairs:,} clashes in {told.seconds:.2f} s ({told.partitions:,} "
          f"partition{'s' * (told.partitions != 1)}, {told.copies:.2f} copies a box)")
    if any(model.has("group") for model in models) and len(pairs):
        found = summary.by_groups(pairs, models)
        columns = 4 if "depth" in pairs.dtype.names else 3
        table("by groups (-1: none)", ["group", "group", "clashes", "deepest"][:columns],
              [[str(one.first), str(one.second), f"{one.count:,}", length(one.deepest)][:columns] for one in found[:SHOWN]],
              len(found) - SHOWN)
    if "depth" in pairs.dtype.names and len(pairs):
        worst = summary.deepest(pairs, SHOWN)
        table("deepest", ["i", "j", "depth"], [[str(one["i"]), str(one["j"]), length(one["depth"])] for one in worst],
              len(pairs) - SHOWN)


def work(given: argparse.Namespace) -> None:
    if given.output is not None and given.output.suffix not in KINDS:
        raise ValueError(f"{given.output}: the output ends in none of {', '.join(KINDS)}")
    if given.workers is not None and given.workers < 1:
        raise ValueError(f"--workers: {given.workers}, where 1 or more are wanted")
    origin = None if given.origin is None else np.array(given.origin)
    models = [Model(path, open_model(path), origin) for path in (given.model, given.other) if path is not None]
    pairs, told = run(models[0], models[1] if given.other else None, clearance=given.clearance, depth=given.depth,
                      client=given.scheduler or given.workers, memory=given.memory,
                      hulls=read_hulls(given.hulls) if given.hulls else (), origin=origin, output=given.output,
                      partitions=given.partitions, progress=not given.quiet and sys.stderr.isatty())
    if not given.quiet:
        tell(pairs, told, models)
    if given.plot is not None:
        summary.draw_density(pairs, models, given.plot)


def main(arguments_given: list[str] | None = None) -> int:
    given = arguments(arguments_given)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: print(f"clash: {message}", file=sys.stderr)
            work(given)
    except (OSError, ValueError, TypeError, ImportError, Error, RuntimeError, MemoryError) as error:
        print(f"clash: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
