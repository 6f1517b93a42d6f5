#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

# %% [markdown]
# # Who hits whom, and when
#
# A track is a folder with `bodies.csv` (the hit boxes: body, name, half extents) and `poses.csv` (frame, body, position,
# rotation). The script plays it in a world, one step per frame, and draws the contacts over time:
#
#     hits_over_time.py [TRACK] [-o PICTURE.png]
#
# No loop runs over bodies or contacts; only over frames.

# %%
import argparse
import pathlib
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import abut

tree = pathlib.Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser(description="Plots the contacts of a hit-box track over time.")
parser.add_argument("track", nargs="?", type=pathlib.Path, default=tree / "demo" / "tracks" / "sparring")
parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("hits_over_time.png"))
options = parser.parse_args()

# %% [markdown]
# ## The track
#
# Names are `character_limb`. A character whose name has underscores of its own ends with a number: `dance_a2_left_knee`.

# %%
bodies = np.loadtxt(options.track / "bodies.csv", dtype=str, delimiter=",", skiprows=1, ndmin=2)
rows = np.loadtxt(options.track / "poses.csv", delimiter=",", skiprows=1, ndmin=2)

names = bodies[:, 1]
half = bodies[:, 2:5].astype(np.float32)
owners = [re.match(r".*?\d(?=_)|[^_]+", name)[0] for name in names]
characters = list(dict.fromkeys(owners))
character_of = np.array([characters.index(owner) for owner in owners])

frame, body = rows[:, 0].astype(int), rows[:, 1].astype(int)
poses = np.empty((frame.max() + 1, len(names)), abut.POSE)
poses["position"][frame, body] = rows[:, 2:5]
poses["rotation"][frame, body] = rows[:, 5:9]

# %% [markdown]
# ## Playing it
#
# Bodies of one negative group never touch: a character does not hit itself. `user` is the number of the hit box, and
# contacts return it as `user_a` and `user_b`.

# %%
lists, seconds = [], 0.0
with abut.World() as world:
    ids = world.create(half, group=-1 - character_of, user=np.arange(len(names)))
    for pose in poses:
        world.set_poses(ids, pose)
        report = world.step()
        lists.append(world.contacts())
        seconds += report.seconds_bounds + report.seconds_broad + report.seconds_narrow

per_frame = np.array([len(contacts) for contacts in lists])
contacts = np.concatenate(lists)
at = np.repeat(np.arange(len(lists)), per_frame)
depth = 100 * abut.depths(contacts)
a, b = contacts["user_a"].astype(int), contacts["user_b"].astype(int)

# %% [markdown]
# ## By pairs of characters, and by pairs of hit boxes
#
# `np.unique` numbers the pairs that ever touch; `np.add.at` and `np.maximum.at` then count and measure.

# %%
fights, fight_of = np.unique(np.sort(np.stack([character_of[a], character_of[b]], 1), axis=1), axis=0,
                             return_inverse=True)
fight_of = fight_of.ravel()
count = np.zeros((len(fights), len(poses)), int)
np.add.at(count, (fight_of, at), 1)
deepest = np.zeros((len(fights), len(poses)))
np.maximum.at(deepest, (fight_of, at), depth)

hits, first, hit_of = np.unique(a * len(names) + b, return_index=True, return_inverse=True)
raster = np.full((len(hits), len(poses)), np.nan)
raster[hit_of, at] = depth
ROWS = 36
longest = np.sort(np.argsort(-np.isfinite(raster).sum(1), kind="stable")[:ROWS])
shown = longest[np.lexsort((at[first[longest]], fight_of[first[longest]]))]  # by fight, then by their first frame

# %% [markdown]
# ## The picture

# %%
COLOURS = np.array(["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000"])
colour_of = COLOURS[np.arange(len(fights)) % len(COLOURS)]
plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 9, "axes.edgecolor": "#888888", "axes.grid": True,
                     "axes.spines.top": False, "axes.spines.right": False, "grid.color": "#e4e4e4",
                     "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.titleweight": "bold",
                     "axes.titlelocation": "left", "xtick.color": "#444444", "ytick.color": "#444444"})
heights = [1.5, 1.5, 0.35 + 0.145 * max(len(shown), 4)]
figure, (top, middle, bottom) = plt.subplots(3, 1, sharex=True, figsize=(11, sum(heights) + 1.9), dpi=110,
                                             height_ratios=heights, layout="constrained")
figure.suptitle(f"{options.track.resolve().name}: {len(names)} hit boxes, {len(characters)} characters, "
                f"{len(poses)} frames", x=0.01, ha="left", fontsize=13, fontweight="bold")
frames = np.arange(len(poses))
labels = [f"{characters[i]} and {characters[j]}" for i, j in fights]

if len(fights):
    top.stackplot(frames, count, colors=colour_of, labels=labels, step="mid", linewidth=0)
    top.legend(loc="lower right", bbox_to_anchor=(1.01, 0.98), ncols=3, frameon=False, handlelength=1, handleheight=1,
               columnspacing=1.5, fontsize=8)
top.set_title("Pairs that touch")
top.set_ylim(0, max(per_frame.max() * 1.08, 1))
top.yaxis.get_major_locator().set_params(integer=True)

for line, colour in zip(np.where(deepest > 0, deepest, np.nan), colour_of):
    middle.fill_between(frames, line, step="mid", color=colour, alpha=0.12, linewidth=0)
    middle.plot(frames, line, color=colour, linewidth=1.3, drawstyle="steps-mid")
middle.set_title("Deepest penetration [cm]")
middle.set_ylim(0, max(deepest.max(initial=0) * 1.2, 1))
if len(contacts):
    worst = np.argmax(depth)
    middle.plot(at[worst], depth[worst], "o", color="black", markersize=4, clip_on=False)
    left = at[worst] < 0.6 * len(poses)
    middle.annotate(f"{names[a[worst]]} into {names[b[worst]]}: {depth[worst]:.1f} cm", (at[worst], depth[worst]),
                    xytext=(8 if left else -8, 2), textcoords="offset points", fontsize=8,
                    ha="left" if left else "right")

if len(shown):
    bottom.set_facecolor("#f7f7f7")
    image = bottom.pcolormesh(np.arange(len(poses) + 1) - 0.5, np.arange(len(shown) + 1) - 0.5, raster[shown],
                              cmap="inferno_r", vmin=0, vmax=np.ceil(depth.max()))
    figure.colorbar(image, ax=bottom, label="depth [cm]", pad=0.008, fraction=0.02, aspect=40)
    bottom.set_yticks(np.arange(len(shown)), [f"{names[a[i]]} · {names[b[i]]}" for i in first[shown]], fontsize=7)
    for label, i in zip(bottom.get_yticklabels(), first[shown]):
        label.set_color(colour_of[fight_of[i]])
    bottom.invert_yaxis()
bottom.grid(False)
bottom.set_title("Which hit boxes" + (f" (the {len(shown)} that touch longest of {len(hits)} pairs)"
                                      if len(shown) < len(hits) else ""))
bottom.set_xlabel("frame")
bottom.set_xlim(-0.5, len(poses) - 0.5)
figure.savefig(options.output)

# %%
print(f"{len(contacts)} contacts of {len(hits)} pairs in {np.count_nonzero(per_frame)} of {len(poses)} frames, "
      f"{per_frame.max()} at most; {1e6 * seconds / len(poses):.0f} us a frame; written: {options.output}")
