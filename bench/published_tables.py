# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The tables that page.py writes into pages: each is a function of a report, the figures of one run."""

import re

OTHERS = {"Bullet": "Bullet btCollisionWorld", "ODE": "ODE .*, 4$", "FCL": "FCL"}
BROAD = {"CGAL": "CGAL", "FCL": "FCL", "Bullet": "Bullet", "ODE": "ODE"}


def contest(report, group, wanted, question=None):
    """The contest of a group whose input matches (and whose question is this)."""
    for found in report["contests"]:
        if found["group"] == group and re.search(wanted, found["input"]) and question in (None, found.get("question")):
            return found
    raise SystemExit(f"the figures have no contest {group}: {wanted} {question or ''}")


def method(found, wanted):
    """The method of a contest whose name matches, or None."""
    return next((each for each in found["methods"] if re.search(wanted, each["method"])), None)


def digits(value, most=3):
    """Three significant digits, none after the point from 100 on."""
    if value == 0:
        return "0"
    text = f"{value:.{most}g}"
    return f"{float(text):,.0f}" if "e" in text or float(text) >= 100 else text


def ms(each):
    return f"{digits(each['median_ns'] / 1e6)} ms"


def ns(each):
    return f"{digits(each['median_ns'])} ns"


def us(each):
    return f"{digits(each['median_ns'] / 1e3)} µs"


def times(each, ours):
    return f"{digits(each['median_ns'] / ours['median_ns'], 2)} x" if each and ours["median_ns"] else ""


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines).replace("|  |", "| |").replace("|  |", "| |")


def against(report, group, rows, others, *, unit=ms, ours="^abut", count=None, head=""):
    """A row for each (label, input, question): ours, and how many times as long each of the others takes."""
    made = []
    for label, wanted, *question in rows:
        found = contest(report, group, wanted, *question)
        mine = method(found, ours)
        counted = [f"{mine[count]:,}"] if count else []
        made.append([label, *counted, unit(mine), *(times(method(found, each), mine) for each in others.values())])
    return markdown([head, *([count] if count else []), "abut", *others], made)


def machine(report):
    return (f"{report['processor']}, {report['isa'].upper().replace('AVX512', 'AVX-512')} kernels, {report['compiler']}, "
            f"{report['date']}, commit {report['commit']}.")


# --- README ---

def summary(report):
    def row(label, group, wanted, others, unit=ms, question=None, ours="^abut"):
        found = contest(report, group, wanted, question)
        mine = method(found, ours)
        beside = [f"{name} {times(method(found, each), mine)}" for name, each in others.items() if method(found, each)]
        return [label, unit(mine), ", ".join(beside)]
    broad, rays = "^abut, bounds and broad", {"Embree": "^Embree$", "Bullet": "^Bullet"}
    memory = report["memory"][0]
    return markdown(["", "abut", "the others take"], [
        row("whole frame with contact points: 10,000 tumbling boxes", "frames", "tumbling, 10000", OTHERS),
        row("... a pile of 8,000", "frames", "^pile", OTHERS),
        row("... 10,000 tumbling capsules", "round", "tumbling capsules, 10000", OTHERS),
        row("broad phase, 100,000 boxes, all move", "broad", "^a .*, 100000", BROAD, ours=broad),
        row("... 1 % move, the others rest", "broad", "^g .*, 100000", BROAD, ours=broad),
        row("hulls of 16 vertices, contact points, a pair", "hulls", "step, 16 vertices, 2000 hulls$",
            {"Bullet": "Bullet convex, kept", "ODE": "ODE"}, ns),
        row("a camera among 100,000 boxes, 5 % visible", "culling", "^game, 5 % visible, 100000 boxes$",
            {"Bullet's tree": "^Bullet", "six planes, plain loop": "^plain loop, six planes, matrices"}, ours="^abut_world_cull"),
        row("a ray through 100,000 boxes", "queries", "^100000 boxes", rays, ns, "rays across the world"),
        row("the 8 nearest of 100,000 boxes", "queries", "^100000 boxes", {"Embree's triangles": "^Embree"}, ns,
            "nearest 8 bodies to a point"),
        row("a box cast through 100,000 boxes", "casts", "^100000 boxes", {"Bullet": "^Bullet", "FCL": "^FCL"}, us,
            "box, 20 units"),
        row("a fast body of 1,000 that move and turn", "casts", "^100000 boxes", {"Bullet": "^Bullet", "FCL": "^FCL, adv"},
            us, "fast movers, turning"),
        row("5,000 boxes slide over 100,352 triangles", "mesh", "boxes slide over", {"ODE": "ODE trimesh", "Bullet": "Bullet bvh"},
            ours="abut, triangles"),
        ["a step in which nothing moves, 100,000 boxes",
         ms(method(contest(report, "rest", "100000 boxes, manifolds"), "no pose set")), ""],
        ["memory of a body", f"{memory['per_body']:.0f} bytes", ""],
    ])


# --- docs/benchmarks.md ---

def pairs(report):
    names = ["mixed", "separated", "overlapping", "near touching", "touching", "aligned"]
    return against(report, "pairs", [(name, f"^{name}$") for name in names],
                   {"one call a pair": "^abut_obb_overlap$", "plain loop, quaternions": "plain loop, q",
                    "plain loop, matrices": "plain loop, m", "libccd GJK": "libccd GJK", "libccd MPR": "libccd MPR"},
                   unit=ns, ours=f"^abut_obb_overlap_many, {report['isa']}")


def manifolds(report):
    rows = [(name, f"^{name}$") for name in ("mixed", "separated", "overlapping", "near touching", "aligned")]
    rows += [("a step of 1,000, a candidate", "step, 1000 boxes$"), ("a step of 10,000", "step, 10000 boxes$")]
    return against(report, "manifolds", rows,
                   {"Bullet, detector": "btBoxBox", "Bullet, kept manifold": "kept", "ODE, 4 points": "ODE .*4 points",
                    "libccd MPR, 1 point": "libccd"}, unit=ns)


def hulls(report):
    sizes = (8, 16, 32, 64)
    return against(report, "hulls", [(f"{what} of {n} vertices", f"^{kind}, {n} vertices, {rest}")
                                     for kind, what, rest in (("overlap", "overlap", "mixed$"), ("collide", "contact points", "mixed$"),
                                                              ("step", "in a step, a candidate", "2000 hulls$"))
                                     for n in sizes],
                   {"Bullet": "^Bullet (btGjkPair|convex, kept)", "Bullet, clipped faces": "clipped", "ODE": "ODE",
                    "libccd GJK": "libccd GJK", "libccd MPR": "libccd MPR"}, unit=ns)


def build(report):
    return against(report, "build", [(f"{n:,} points {where}", f"^{n} points {where}") for n in (8, 16, 32, 64, 256, 1000)
                                     for where in ("on a sphere", "in a cube")],
                   {"Bullet btConvexHullComputer": "HullComputer", "Bullet btShapeHull": "ShapeHull"}, unit=us)


def broad(report):
    letters = {"a": "uniform, all move a little", "b": "city, 10 % move, the rest is static", "c": "sizes differ by a factor of 50",
               "d": "clusters", "e": "everything teleports", "f": "1 % move among static bodies", "g": "1 % move, the others rest"}
    rows = [(f"{letter}: {what}, {n:,}", f"^{letter} .*, {n} boxes") for n in (10000, 100000) for letter, what in letters.items()
            if n == 100000 or letter not in "fg"]
    rows += [("h: rods as long as the world, 5,000", "^h .* 5000 boxes")] if any(
        each["input"].startswith("h ") and " 5000 " in each["input"] for each in report["contests"]) else []
    return against(report, "broad", rows, BROAD, ours="^abut, bounds and broad", count="pairs")


def frames(report):
    rows = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"] if each["group"] == "frames"]
    return against(report, "frames", rows, OTHERS, count="pairs")


def round_frames(report):
    rows = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"]
            if each["group"] == "round" and each["input"].startswith("tumbling")]
    return against(report, "round", rows, OTHERS, count="pairs")


def round_pairs(report):
    rows = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"]
            if each["group"] == "round" and each["input"].startswith(("collide", "step"))]
    return against(report, "round", rows, {"Bullet, fresh": "fresh", "Bullet, kept": "kept", "ODE": "ODE"}, unit=ns)


def distances(report):
    rows = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"]
            if each["group"] == "round" and each["input"].startswith("distance")]
    return against(report, "round", rows, {"Bullet's GJK": "btGjkPair", "Bullet's GJK and EPA": "EpaSolver", "FCL": "FCL"}, unit=ns)


def culling(report):
    rows = []
    for found in report["contests"]:
        if found["group"] == "culling" and method(found, "^wide loop"):
            mine, world = method(found, "^abut_frustum_cull_obbs"), method(found, "^abut_world_cull")
            kept = [f"{method(found, each)['kept']:,}" for each in ("world bounds", "planes, matrices", "^abut_world_cull")]
            rows.append([found["input"], " / ".join(kept), ms(mine), times(method(found, "^wide loop, six"), mine),
                         times(method(found, "planes, matrices"), mine), times(method(found, "26 axes"), mine), ms(world),
                         times(method(found, "^Bullet"), world)])
    return markdown(["scene", "kept by world bounds / six planes / exact", "`abut_frustum_cull_obbs`", "wide loop, planes",
                     "plain loop, planes", "plain loop, 26 axes", "`abut_world_cull`", "Bullet's tree"], rows)


def placements(report):
    rows = []
    for found in report["contests"]:
        if found["group"] == "placements":
            mine, plain = method(found, "^abut_world"), method(found, "^plain")
            count = int(re.search(r"(\d+) times", plain["method"])[1])
            rows.append([found["input"], f"{mine['free']:,}", ms(mine),
                         f"{count * mine['median_ns'] / plain['median_ns']:,.0f}"])
    return markdown(["", "free", "abut", "plain tests of two rectangles in that time"], rows)


def asked(report, group, peers):
    """The questions put to the largest worlds of a group."""
    tables = []
    for wanted in ("^100000 boxes", "^100000 bodies, half"):
        first = contest(report, group, wanted)
        rows = [(each["question"], wanted, each["question"]) for each in report["contests"]
                if each["group"] == group and each["input"] == first["input"]]
        tables.append(against(report, group, rows, peers, unit=us, ours="^abut$", head=first["input"]))
    return "\n\n".join(tables)


def queries(report):
    return asked(report, "queries", {"Embree": "^Embree$", "Embree, triangles": "^Embree triangles", "Bullet": "^Bullet",
                                     "FCL": "^FCL", "CGAL": "^CGAL", "nanoflann": "^nanoflann"})


def casts(report):
    return asked(report, "casts", {"one a call": "one a call", "Bullet": "^Bullet", "FCL, advancement": "advancement",
                                   "FCL, 10 samples": "10 samples"})


def mesh(report):
    rows = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"]
            if each["group"] == "mesh" and "slide over" in each["input"]]
    rays = [(each["input"], f"^{re.escape(each['input'])}$") for each in report["contests"]
            if each["group"] == "mesh" and each["input"].startswith("rays")]
    return against(report, "mesh", rows, {"ODE trimesh": "ODE trimesh", "ODE height field": "ODE height", "Bullet": "Bullet bvh"},
                   ours="abut, triangles") + "\n\n" + against(report, "mesh", rays, {"Embree": "Embree", "Bullet": "Bullet"},
                                                               unit=ns)


def alone(report, group):
    """Every method of a group beside itself, with its median and its spread."""
    rows = [[found["input"] if each is found["methods"][0] else "", each["method"], ms(each), f"{each['spread']:.0%}".replace("%", " %")]
            for found in report["contests"] if found["group"] == group for each in found["methods"]]
    return markdown(["", "", "median", "spread"], rows)


def memory(report):
    return markdown(["scene", "bodies", "contacts", "bytes a body", "bytes a contact"],
                    [[each["scene"], f"{each['bodies']:,}", f"{each['contacts']:,}", f"{each['per_body']:.0f}",
                      f"{each['per_contact']:.0f}" if each["contacts"] else ""] for each in report["memory"]])


def calls(report):
    return markdown(["call", "input", "median"], [[f"`{each['call']}`", each["input"], f"{digits(each['median_ns'])} ns"]
                                                  for each in report["calls"]])


TABLES = {"machine": machine, "summary": summary, "pairs": pairs, "manifolds": manifolds, "hulls": hulls, "build": build,
          "broad": broad, "frames": frames, "round-frames": round_frames, "round-pairs": round_pairs, "distances": distances,
          "culling": culling, "placements": placements, "queries": queries, "casts": casts, "mesh": mesh,
          "rest": lambda report: alone(report, "rest"), "growth": lambda report: alone(report, "growth"),
          "threads": lambda report: alone(report, "threads"), "snapshots": lambda report: alone(report, "snapshots"),
          "memory": memory, "calls": calls}
