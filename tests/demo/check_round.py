#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The demo's spheres and capsules against an independent computation: check_round.py DEMO

Writes a track of spheres, capsules, rounded plates and boxes that drift through each other. The distance of two cores is
found by minimising the distance of points and boxes, which is convex, over one core after the other, in double. Pairs
within TOLERANCE of touching may be decided either way."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

TOLERANCE = 2e-5
FRAMES = 12
SHAPES = {'ball': ((0, 0, 0), 0.6), 'pea': ((0, 0, 0), 0.1), 'rod': ((0, 0.8, 0), 0.3), 'stick': ((1.2, 0, 0), 0.15),
          'pole': ((0, 0, 0.5), 0.5), 'wall_low': ((0.7, 0.4, 0.9), 0), 'wall_high': ((0.2, 1.0, 0.5), 0),
          'wall_soft': ((0.4, 0.3, 0.5), 0.2)}  # walls are one character: boxes do not meet boxes


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def axes_of(x, y, z, w):
    s = 2 / (x * x + y * y + z * z + w * w)
    return ((1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
            (s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)),
            (s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)))


def point_to_box(point, box):
    """The distance of a point from a core: (centre, axes, half)."""
    centre, axes, half = box
    away = [p - c for p, c in zip(point, centre)]
    return math.hypot(*(max(abs(sum(a * d for a, d in zip(axis, away))) - h, 0) for axis, h in zip(axes, half)))


def core_distance(rod, box):
    """Of a core with at most one extent from any core, by golden sections."""
    centre, axes, half = rod
    k = max(range(3), key=lambda i: half[i])
    low, high, ratio = -half[k], half[k], (math.sqrt(5) - 1) / 2

    def at(t):
        return point_to_box([c + t * a for c, a in zip(centre, axes[k])], box)
    p, q = high - ratio * (high - low), low + ratio * (high - low)
    f, g = at(p), at(q)
    while high - low > 1e-9:
        if f < g:
            high, q, g = q, p, f
            p = high - ratio * (high - low)
            f = at(p)
        else:
            low, p, f = p, q, g
            q = low + ratio * (high - low)
            g = at(q)
    return min(f, g, at(low), at(high))


def make_track(directory, rng):
    """{name: (half, radius)}, and per frame {name: core}"""
    bodies = {f'{name}' if name.startswith('wall') else f'{name}{i}_x': shape
              for i in range(4) for name, shape in SHAPES.items() if i == 0 or not name.startswith('wall')}
    at = {name: [rng.uniform(-1.5, 1.5) for _ in range(3)] for name in bodies}
    turn = {name: [rng.gauss(0, 1) for _ in range(4)] for name in bodies}
    frames = []
    with open(os.path.join(directory, 'bodies.csv'), 'w', encoding='ascii') as file:
        file.write('body,name,half_x,half_y,half_z,radius\n')
        for i, (name, (half, radius)) in enumerate(bodies.items()):
            file.write(f'{i},{name},{half[0]},{half[1]},{half[2]},{radius}\n')
    with open(os.path.join(directory, 'poses.csv'), 'w', encoding='ascii') as file:
        file.write('frame,body,px,py,pz,qx,qy,qz,qw\n')
        for frame in range(FRAMES):
            frames.append({})
            for i, (name, (half, _)) in enumerate(bodies.items()):
                at[name] = [round(p + rng.uniform(-0.3, 0.3), 6) for p in at[name]]
                turn[name] = [round(q + rng.uniform(-0.2, 0.2), 6) for q in turn[name]]
                file.write(f"{frame},{i},{','.join(map(str, at[name] + turn[name]))}\n")
                frames[-1][name] = at[name], axes_of(*turn[name]), half
    return bodies, frames


def check_hits(hits, bodies, frames):
    names, deepest, touching = list(bodies), {}, 0
    said = {}
    for index, hit in enumerate(hits):
        for frame in range(hit['begin'], hit['end']):
            said[frame, hit['a'], hit['b']] = index
    for frame, cores in enumerate(frames):
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                if a.startswith('wall') and b.startswith('wall'):
                    expect((frame, a, b) not in said, f'{a} hits its own {b}')
                    continue
                first, second = (b, a) if a.startswith('wall') else (a, b)
                distance = core_distance(cores[first], cores[second])
                gap = distance - bodies[a][1] - bodies[b][1]
                index = said.pop((frame, a, b), None)
                expect(abs(gap) <= TOLERANCE or (gap < 0) == (index is not None),
                       f'frame {frame}: {a} and {b} have a gap of {gap}, the demo says {index is not None}')
                touching += index is not None
                if index is not None:  # cores that overlap are deeper than both radii: how much is not told here
                    deepest.setdefault(index, []).append((distance > TOLERANCE, -gap))
    expect(not said, f'{said} of no pair')
    exact = 0
    for index, found in deepest.items():
        depth = max(depth for _, depth in found)
        if all(apart for apart, _ in found):
            exact += 1
            expect(abs(hits[index]['depth'] - depth) < TOLERANCE, f'{hits[index]}: the depth should be {depth}')
        else:
            expect(hits[index]['depth'] > depth - TOLERANCE, f'{hits[index]}: the depth should be more than {depth}')
    return touching, exact


def check_that_mutants_fail(hits, bodies, frames):
    exact = next(i for i, hit in enumerate(hits) if hit['a'].startswith(('ball', 'pea')) and
                 hit['b'].startswith(('ball', 'pea')))
    hit = hits[exact]
    lies = ({'depth': hit['depth'] + 0.01}, {'end': hit['end'] + 1}, {'begin': -1}, {'b': 'nobody'})
    for lie in lies:
        mutant = hits[:exact] + [hits[exact] | lie] + hits[exact + 1:]
        try:
            check_hits(mutant, bodies, frames)
        except Failure:
            continue
        raise Failure(f'nobody noticed {lie} instead of {hits[exact]}')


def check_fields(demo):
    """Every field has contacts and a hash of its own, the same in each run."""
    hashes = set()
    for kind in ('boxes', 'spheres', 'capsules', 'round'):
        command = [demo, '--field', kind, '--boxes', '300', '--frames', '5', '--json']
        fields = [json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                            check=True).stdout)['field'] for _ in range(2)]
        wanted = {'boxes': 'tumbling'}.get(kind, kind)
        expect(fields[0]['scene'] == wanted and fields[0]['contacts']['min'] > 10, f'{kind}: {fields[0]["contacts"]}')
        expect(fields[0]['hash'] == fields[1]['hash'], f'{kind}: a second run differs')
        hashes.add(fields[0]['hash'])
        text = subprocess.run(command[:-1], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        expect({'round': 'spheres and capsules'}.get(kind, kind) in text.stdout, f'{kind}: not in the report')
    expect(len(hashes) == 4, 'two fields are the same')


def main():
    demo = sys.argv[1]
    rng = random.Random(14)
    touching = exact = 0
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(5):
            bodies, frames = make_track(directory, rng)
            run = subprocess.run([demo, '--track', directory, '--boxes', '0', '--json'], stdout=subprocess.PIPE,
                                 text=True, check=True)
            hits = json.loads(run.stdout)['track']['hits']
            counts = check_hits(hits, bodies, frames)
            touching, exact = touching + counts[0], exact + counts[1]
            check_that_mutants_fail(hits, bodies, frames)
    expect(touching > 300 and exact > 100, f'only {touching} hits, {exact} of them with exact depths')
    check_fields(demo)


try:
    main()
except Failure as failure:
    sys.exit(f'check_round: {failure}')
