#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The demo's JSON against an independent computation: check_track.py DEMO TRACK_DIRECTORY

Every pair of boxes of different characters is tested in every frame, in double precision, with the corners of both
boxes projected on the 15 axes. Pairs that are within TOLERANCE of touching may be decided either way."""

import csv
import itertools
import json
import math
import os
import struct
import subprocess
import sys

TOLERANCE = 1e-6
FACE_PREFERENCE = 1 / 0.95  # a face's depth may be reported where an edge axis is less than 5 % shorter
BOXES, FRAMES = 200, 20


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


# --- the second opinion ---

def float32(text):
    return struct.unpack('f', struct.pack('f', float(text)))[0]


def axes_of(x, y, z, w):
    """The images of the unit vectors under a quaternion of any length."""
    s = 2 / (x * x + y * y + z * z + w * w)
    return ((1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
            (s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)),
            (s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


class Box:
    def __init__(self, centre, axes, half):
        self.centre, self.axes, self.radius = centre, axes, math.sqrt(dot(half, half))
        self.corners = [tuple(centre[k] + sum(sign * h * axis[k] for sign, h, axis in zip(signs, half, axes))
                              for k in range(3)) for signs in itertools.product((-1, 1), repeat=3)]

    def interval(self, axis):
        along = [dot(corner, axis) for corner in self.corners]
        return min(along), max(along)


def gap(a, b):
    """The largest gap over all axes; minus it is the depth of boxes that overlap."""
    apart = math.dist(a.centre, b.centre) - a.radius - b.radius
    if apart > 0.01:
        return apart
    widest = -math.inf
    for axis in (*a.axes, *b.axes, *(cross(p, q) for p in a.axes for q in b.axes)):
        length = math.sqrt(dot(axis, axis))
        if length > 1e-6:  # parallel edges: the faces say the same
            (a_low, a_high), (b_low, b_high) = a.interval(axis), b.interval(axis)
            widest = max(widest, max(b_low - a_high, a_low - b_high) / length)
    return widest


def read_frames(directory):
    with open(os.path.join(directory, 'bodies.csv'), encoding='ascii') as file:
        bodies = [(row['name'], [float32(row['half_' + k]) for k in 'xyz']) for row in csv.DictReader(file)]
    frames = []
    with open(os.path.join(directory, 'poses.csv'), encoding='ascii') as file:
        for row in csv.DictReader(file):
            if int(row['frame']) == len(frames):
                frames.append([])
            numbers = [float32(row[key]) for key in ('px', 'py', 'pz', 'qx', 'qy', 'qz', 'qw')]
            frames[-1].append(Box(numbers[:3], axes_of(*numbers[3:]), bodies[int(row['body'])][1]))
    return [name for name, _ in bodies], frames


# --- what the demo says ---

def run_demo(demo, track):
    command = [demo, '--track', track, '--json', '--boxes', str(BOXES), '--frames', str(FRAMES)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    expect(run.returncode == 0, f'{command} exited with {run.returncode}')
    return json.loads(run.stdout)


def check_hits(hits, names, frames):
    """The same pairs in each frame, and the depths of the deepest frames."""
    said = [{} for _ in frames]
    deepest = {}
    for index, hit in enumerate(hits):
        expect(0 <= hit['begin'] < hit['end'] <= len(frames), f'{hit} has no sensible frames')
        expect(names.index(hit['a']) < names.index(hit['b']), f'{hit} is the wrong way round')
        for frame in range(hit['begin'], hit['end']):
            said[frame][hit['a'], hit['b']] = index
    for frame, boxes in enumerate(frames):
        for (i, a), (j, b) in itertools.combinations(enumerate(boxes), 2):
            if names[i].split('_')[0] == names[j].split('_')[0]:
                expect((names[i], names[j]) not in said[frame], f'frame {frame}: {names[i]} hits its own {names[j]}')
                continue
            distance = gap(a, b)
            index = said[frame].get((names[i], names[j]))
            expect(abs(distance) <= TOLERANCE or (distance < 0) == (index is not None),
                   f'frame {frame}: {names[i]} and {names[j]} have a gap of {distance}; the demo says '
                   f'{"hit" if index is not None else "no hit"}')
            if index is not None:
                deepest[index] = max(deepest.get(index, 0), -distance)
    for index, hit in enumerate(hits):
        low, high = deepest[index] - TOLERANCE, deepest[index] * FACE_PREFERENCE + TOLERANCE
        expect(low <= hit['depth'] <= high, f'{hit}: the depth should be within {low} and {high}')


def check_that_mutants_fail(hits, names, frames):
    """Small changes to one hit must be found: otherwise this test would prove nothing."""
    middle = next(i for i, hit in enumerate(hits) if hit['begin'] > 0 and hit['end'] < len(frames))
    lies = ({'begin': hits[middle]['begin'] - 1}, {'begin': hits[middle]['begin'] + 1},
            {'end': hits[middle]['end'] + 1}, {'end': hits[middle]['end'] - 1}, {'depth': hits[middle]['depth'] * 0.99},
            {'depth': hits[middle]['depth'] * 1.06}, {'a': hits[middle]['b'], 'b': hits[middle]['a']},
            {'b': names[-1] if hits[middle]['b'] != names[-1] else names[-2]})
    for lie in lies:
        mutant = hits[:middle] + [hits[middle] | lie] + hits[middle + 1:]
        try:
            check_hits(mutant, names, frames)
        except Failure:
            continue
        raise Failure(f'nobody noticed {lie} instead of {hits[middle]}')


def check_totals(track, frame_count):
    hits, contacts, totals = track['hits'], track['per_frame_contacts'], track['totals']
    expect(len(contacts) == frame_count, 'per_frame_contacts has the wrong length')
    counted = [sum(hit['begin'] <= frame < hit['end'] for hit in hits) for frame in range(frame_count)]
    expect(contacts == counted, 'per_frame_contacts and hits differ')
    expect(totals == {
        'frames_with_hit': sum(count > 0 for count in counted),
        'pair_frames': sum(counted),
        'hit_starts': sum(hit['begin'] > 0 for hit in hits),
        'pairs': len({(hit['a'], hit['b']) for hit in hits}),
        'most_in_one_frame': max(counted),
    }, f'the totals are wrong: {totals}')


def check_timings(timings):
    expect(list(timings) == ['poses', 'bounds', 'broad', 'narrow', 'events', 'frame'], 'the phases differ')
    for phase, row in timings.items():
        expect(list(row) == ['mean_ms', 'median_ms', 'max_ms'], f'{phase}: other columns')
        expect(0 <= row['median_ms'] <= row['max_ms'] and 0 <= row['mean_ms'] <= row['max_ms'] * 1.000001,
               f'{phase}: the times contradict each other')
    expect(timings['frame']['mean_ms'] > 0, 'a frame took no time')


def check_field(field):
    expect((field['boxes'], field['frames']) == (BOXES, FRAMES), 'the field has another size')
    contacts = field['per_frame_contacts']
    expect(len(contacts) == FRAMES and min(contacts) > 0, 'the field has no contacts')
    summary = field['contacts']
    expect((summary['min'], summary['max']) == (min(contacts), max(contacts)), 'the least or most contacts are wrong')
    expect(abs(summary['mean'] - sum(contacts) / FRAMES) < 1e-6, 'the mean of the contacts is wrong')
    expect(field['begun'] - field['ended'] == contacts[-1], 'begun, ended and the last frame do not balance')
    expect(len(field['hash']) == 16 and int(field['hash'], 16) > 0, 'no hash')
    check_timings(field['timings'])


def without_timings(document):
    if isinstance(document, dict):
        return {key: without_timings(value) for key, value in document.items() if key != 'timings'}
    return document


def main():
    demo, directory = sys.argv[1:]
    names, frames = read_frames(directory)
    document = run_demo(demo, directory)
    track = document['track']
    expect(track['name'] == os.path.basename(directory.rstrip('/')), 'the track has another name')
    expect(track['every'] == 1, 'frames are left out')
    expect((track['frames'], track['bodies']) == (len(frames), len(names)), 'frames or bodies differ')
    expect(track['characters'] == len({name.split('_')[0] for name in names}), 'the characters differ')
    expect(len(track['hits']) > 10, 'hardly anybody hits anybody')
    check_hits(track['hits'], names, frames)
    check_that_mutants_fail(track['hits'], names, frames)
    check_totals(track, len(frames))
    check_timings(track['timings'])
    check_field(document['field'])
    expect(without_timings(document) == without_timings(run_demo(demo, directory)), 'a second run differs')


if __name__ == '__main__':
    try:
        main()
    except Failure as failure:
        sys.exit(f'check_track: {failure}')
