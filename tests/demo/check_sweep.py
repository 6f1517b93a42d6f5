#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The demo's sweeps against an independent computation: check_sweep.py DEMO TRACK_DIRECTORY

Every pair of boxes of different characters is tested at many moments of every interval, in double precision, by the axes
of check_track.py. Boxes move in straight lines and turn at constant speed. The counts are computed from the contacts that
the demo finds in the whole recording."""

import copy
import itertools
import json
import math
import os
import re
import subprocess
import sys

from check_track import Box, Failure, axes_of, expect, float32, gap, without_timings

SAMPLES = 24
EVERY = (1, 4, 7, 12)
TOLERANCE = 1e-4  # metres: what a sweep may be early by, and what a light touch between two samples may hide


def run_demo(demo, *arguments):
    run = subprocess.run([demo, *arguments, '--boxes', '0'], stdout=subprocess.PIPE, text=True, check=False)
    expect(run.returncode == 0, f'{arguments}: exited with {run.returncode}')
    return run.stdout


def read_track(directory):
    """Names, half extents, and per frame the poses of all bodies."""
    with open(os.path.join(directory, 'bodies.csv'), encoding='ascii') as file:
        rows = [line.split(',') for line in file.read().splitlines()[1:]]
    names, halves, frames = [row[1] for row in rows], [[float32(h) for h in row[2:5]] for row in rows], []
    with open(os.path.join(directory, 'poses.csv'), encoding='ascii') as file:
        for line in file.read().splitlines()[1:]:
            frame, _, *numbers = line.split(',')
            if int(frame) == len(frames):
                frames.append([])
            frames[-1].append([float32(number) for number in numbers])
    return names, halves, frames


def between(start, end, fraction):
    """A pose on the way: a straight line, and the shorter arc at constant speed."""
    position = [(1 - fraction) * p + fraction * q for p, q in zip(start[:3], end[:3])]
    a, b = ([x / math.hypot(*q) for x in q] for q in (start[3:], end[3:]))
    cosine = sum(x * y for x, y in zip(a, b))
    b = b if cosine >= 0 else [-x for x in b]
    angle = 2 * math.atan2(math.dist(a, b), math.hypot(*(x + y for x, y in zip(a, b))))
    u, v = ((1 - fraction, fraction) if angle < 1e-9 else
            (math.sin((1 - fraction) * angle) / math.sin(angle), math.sin(fraction * angle) / math.sin(angle)))
    return position, [u * x + v * y for x, y in zip(a, b)]


class Intervals:
    """The boxes on their ways from each Nth frame to the next."""

    def __init__(self, track, every):
        self.names, self.halves, self.frames = track
        self.every, self.count = every, (len(self.frames) - 1) // every

    def boxes(self, interval, fraction):
        ends = self.frames[interval * self.every], self.frames[(interval + 1) * self.every]
        made = [between(start, end, fraction) for start, end in zip(*ends)]
        return [Box(position, axes_of(*rotation), half) for (position, rotation), half in zip(made, self.halves)]

    def pairs(self):
        owners = [name.split('_')[0] for name in self.names]
        return [(i, j) for i, j in itertools.combinations(range(len(owners)), 2) if owners[i] != owners[j]]

    def sampled(self):
        """Per (interval, i, j): the gaps at all samples."""
        found = {}
        for interval in range(self.count):
            samples = [self.boxes(interval, k / SAMPLES) for k in range(SAMPLES + 1)]
            for i, j in self.pairs():
                if math.dist(samples[0][i].centre, samples[0][j].centre) < 2:  # no limb is faster than 2 m in 12 frames
                    found[interval, i, j] = [gap(boxes[i], boxes[j]) for boxes in samples]
        return found


def touching(hits, names, frame_count):
    """Per frame, the pairs that touch."""
    found = [set() for _ in range(frame_count)]
    for hit in hits:
        for frame in range(hit['begin'], hit['end']):
            found[frame].add((names.index(hit['a']), names.index(hit['b'])))
    return found


def check_missed(said, intervals, sampled, touch):
    names, every = intervals.names, intervals.every
    missed = {(hit['interval'], names.index(hit['a']), names.index(hit['b'])): hit for hit in said['missed']}
    expect(len(missed) == len(said['missed']), 'a hit twice')
    expect(list(missed) == sorted(missed), 'the hits are not sorted')
    expect(set(missed) <= set(sampled), 'a hit of bodies that are far apart, or of one character')
    for key, gaps in sampled.items():
        interval, i, j = key
        ends = any((i, j) in touch[interval * every + end] for end in (0, every))
        if key not in missed:
            expect(ends or min(gaps) > -TOLERANCE, f'{key}: nobody noticed a gap of {min(gaps)}')
            continue
        hit = missed[key]
        fraction = hit['frame'] / every - interval
        expect(not ends, f'{hit} is no news: steps see it')
        expect(0 <= fraction <= 1, f'{hit}: its frame is not in its interval')
        boxes = intervals.boxes(interval, fraction)
        expect(abs(gap(boxes[i], boxes[j])) <= TOLERANCE, f'{hit}: there the gap is {gap(boxes[i], boxes[j])}')
        before = [g for k, g in enumerate(gaps) if k / SAMPLES < fraction]
        expect(min(before) > -TOLERANCE, f'{hit} is late')
        recorded = any((i, j) in touch[interval * every + k] for k in range(every + 1))
        expect(hit['recorded'] == recorded, f'{hit}: is it recorded?')


def counted(recorded, steps, sweeps):
    return {'recorded': len(recorded), 'steps': len(steps), 'sweeps': len(sweeps),
            'steps_recorded': len(steps & recorded), 'sweeps_recorded': len(sweeps & recorded)}


def check_counts(said, intervals, touch):
    every, names = intervals.every, intervals.names
    expect((said['every'], said['intervals']) == (every, intervals.count), 'other intervals')
    recorded, steps = set(), set()
    for interval in range(intervals.count):
        first = interval * every
        recorded |= {(interval, *pair) for k in range(every + 1) for pair in touch[first + k]}
        steps |= {(interval, *pair) for k in (0, every) for pair in touch[first + k]}
    sweeps = steps | {(hit['interval'], names.index(hit['a']), names.index(hit['b'])) for hit in said['missed']}
    kinds = recorded, steps, sweeps
    expect(said['intervals_with_hit'] == counted(*kinds), f"the counts are wrong: {said['intervals_with_hit']}")
    pairs = ({hit[1:] for hit in kind} for kind in kinds)
    expect(said['pairs'] == counted(*pairs), f"the counts of pairs are wrong: {said['pairs']}")


def check_that_mutants_fail(said, intervals, sampled, touch):
    def dropped(lie):
        deepest = min(range(len(lie['missed'])), key=lambda k: min(sampled[
            lie['missed'][k]['interval'], intervals.names.index(lie['missed'][k]['a']),
            intervals.names.index(lie['missed'][k]['b'])]))
        del lie['missed'][deepest]

    def changed(**values):
        return lambda lie: lie['missed'][0].update(values)
    hit = said['missed'][0]
    for change in (dropped, changed(frame=hit['frame'] + 0.25), changed(frame=hit['frame'] - 0.25),
                   changed(interval=hit['interval'] + 1), changed(a=hit['b'], b=hit['a']),
                   changed(recorded=not hit['recorded'])):
        lie = copy.deepcopy(said)
        change(lie)
        try:
            check_missed(lie, intervals, sampled, touch)
        except Failure:
            continue
        raise Failure(f'nobody noticed {lie["missed"]}')


def main():
    demo, directory = sys.argv[1:]
    track = read_track(directory)
    names, frame_count = track[0], len(track[2])
    touch = touching(json.loads(run_demo(demo, '--track', directory, '--json'))['track']['hits'], names, frame_count)
    missed = {}
    for every in EVERY:
        arguments = '--track', directory, '--every', str(every)
        document = json.loads(run_demo(demo, *arguments, '--sweep', '--json'))
        thin, said = document['track'], document['sweep']
        expect((thin['every'], thin['frames']) == (every, len(touch[::every])), 'other frames')
        expect(touching(thin['hits'], names, thin['frames']) == touch[::every], f'every {every}: other contacts')
        intervals = Intervals(track, every)
        sampled = intervals.sampled()
        check_missed(said, intervals, sampled, touch)
        check_counts(said, intervals, touch)
        missed[every] = said['missed']
        if every == 4:
            check_that_mutants_fail(said, intervals, sampled, touch)
            again, without = (json.loads(run_demo(demo, *arguments, *more, '--json')) for more in (['--sweep'], []))
            expect(without_timings(again) == without_timings(document), 'a second run differs')
            expect('sweep' not in without and without_timings(without['track']) == without_timings(thin),
                   'a run without --sweep differs')
            lines = re.findall(r'^ +[\d.]+ s  (?:yes|no) ', run_demo(demo, *arguments, '--sweep'), flags=re.M)
            expect(len(lines) == len(said['missed']), f'{len(lines)} hits in the text')
    expect(min(map(len, missed.values())) >= 5, f'hardly anything is missed: {missed}')


try:
    main()
except Failure as failure:
    sys.exit(f'check_sweep: {failure}')
