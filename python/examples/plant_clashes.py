# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Clashes of a plant: what clashes, how deep, with what, and where.

    python3 plant_clashes.py [PARTS] [-o PICTURE.png] [--workers N]
"""

import argparse

import numpy as np

import abut
from abut.clash.model import Model
from abut.clash.plant import plant
from abut.clash.summary import deepest, draw_density


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="?", type=lambda text: int(float(text)), default=100_000)
    parser.add_argument("-o", "--output", default="plant_clashes.png", help="the picture (default: %(default)s)")
    parser.add_argument("--workers", type=int, help="processes; default: the threads of this one")
    given = parser.parse_args()

    model, hulls, planted = plant(given.parts)
    pairs = abut.clash(model, hulls=hulls, depth=True, client=given.workers)
    same = np.array_equal(pairs[["i", "j"]], planted)
    print(f"{len(model):,} parts, {len(pairs):,} clashes, {'as many as were planted' if same else 'not those that were planted'}")

    of_hulls = (model["hull"][pairs["i"]] >= 0).mean() if len(pairs) else 0.0
    print(f"{of_hulls:.0%} with a round part; the deepest:")
    for i, j, depth in deepest(pairs, 3):
        print(f"  part {i} and part {j}, {1000 * depth:.0f} mm, at {model['center'][i].round(1)}")

    draw_density(pairs, [Model("plant", model)], given.output)
    print(f"written: {given.output}")


if __name__ == "__main__":
    main()
