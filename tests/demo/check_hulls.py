#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The demo's hulls against an independent computation: check_hulls.py DEMO DIRECTORY

Vertices, faces, edges and volumes are computed again in integers, by trying every plane through three points. Then bad
files: each must be reported with its line and make the demo fail; a flat cloud is reported, but is no failure."""

import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

FRAMES = 12
failures = []

CUBE = [f'{x} {y} {z}' for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FLAT = ['0 0 0', '1 0 0', '0 1 0', '1 1 0']

# what, lines, line of the complaint (0: of the whole file; None: no failure at all), part of the reason
BAD = [
    ('flat', FLAT, None, 'flat'),
    ('one point', ['1 2 3'], None, 'flat'),
    ('two numbers', CUBE + ['1 2'], 9, 'fewer than three'),
    ('four numbers', ['0 0 0 0'] + CUBE, 1, 'more than three'),
    ('a word', CUBE[:4] + ['0 zero 0'], 5, 'not a decimal number'),
    ('NaN', CUBE + ['0 nan 0'], 9, 'not a decimal number'),
    ('infinity', CUBE + ['0 inf 0'], 9, 'not a decimal number'),
    ('hexadecimal', CUBE + ['0 0x1p3 0'], 9, 'not a decimal number'),
    ('numbers without blanks', CUBE + ['1-1 2 3'], 9, 'not a decimal number'),
    ('beyond float', CUBE + ['', '0 1e39 0'], 10, 'beyond 1e9'),
    ('a long line', CUBE + [' ' * 300 + '0 0 0'], 9, 'too long'),
    ('beyond the limit', CUBE + ['2e9 0 0'], 9, 'beyond 1e9'),
]


def expect(condition, what, message):
    if not condition:
        failures.append(what)
        print(f'{what}: {message}')


def run(demo, *arguments):
    return subprocess.run([demo, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def write(path, lines, end='\n'):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii', newline='') as file:
        file.write(end.join(lines) + end)


def minus(p, q):
    return tuple(a - b for a, b in zip(p, q))


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def polyhedron(points):
    """Vertices, faces, edges and volume of the hull: (0, 0, 0, 0) of flat points."""
    scale = math.lcm(*(number.denominator for p in points for number in p))
    points = sorted({tuple(int(number * scale) for number in p) for p in points})
    faces = {}
    for a, b, c in itertools.combinations(points, 3):
        n = cross(minus(b, a), minus(c, a))
        if not any(n):
            continue
        sides = [dot(n, minus(p, a)) for p in points]
        if min(sides) < 0 < max(sides):
            continue
        if min(sides) == max(sides):
            return 0, 0, 0, 0
        faces[frozenset(p for p, side in zip(points, sides) if side == 0)] = n
    meeting = {}
    for face, n in faces.items():
        for p in face:
            meeting.setdefault(p, []).append(n)
    vertices = {p for p, normals in meeting.items()
                if any(dot(cross(a, b), c) != 0 for a, b, c in itertools.combinations(normals, 3))}
    inside = min(vertices)
    volume = 0
    for face, n in faces.items():
        corners = [p for p in face if p in vertices]
        first, rest = corners[0], corners[1:]
        # Tetrahedra from `inside` to the fan of the face's corners in order round the first.
        rest.sort(key=lambda p: Slope(n, minus(p, first)))
        for p, q in zip(rest, rest[1:]):
            volume += abs(dot(cross(minus(p, first), minus(q, first)), minus(first, inside)))
    return len(vertices), len(faces), len(vertices) + len(faces) - 2, Fraction(volume, 6 * scale ** 3)


class Slope:
    """Directions within less than half a turn of each other, in order round n."""
    def __init__(self, n, d):
        self.n, self.d = n, d

    def __lt__(self, other):
        return dot(self.n, cross(self.d, other.d)) > 0


def read_points(path):
    with open(path, encoding='ascii') as file:
        return [tuple(Fraction(number) for number in line.split()) for line in file if line.strip()]


def check_hulls(document, directory):
    files = sorted(os.path.relpath(os.path.join(folder, name), directory)
                   for folder, _, names in os.walk(directory) for name in names if name.endswith('.xyz'))
    expect(sorted(os.path.normpath(hull['file']) for hull in document['hulls']) == files, 'files', 'differ')
    for hull in document['hulls']:
        points = read_points(os.path.join(directory, hull['file']))
        vertices, faces, edges, volume = polyhedron(points)
        expect(hull['points'] == len(points), hull['file'], 'the number of points differs')
        if vertices == 0:
            expect('flat' in hull.get('reason', ''), hull['file'], f'is flat, not {hull}')
            continue
        said = [hull[key] for key in ('vertices', 'faces', 'edges')]
        expect(said == [vertices, faces, edges], hull['file'], f'{said}, not {[vertices, faces, edges]}')
        expect(abs(hull['volume'] - volume) <= 1e-5 * volume, hull['file'], f'{hull["volume"]}, not {float(volume)}')


def check_sets(document):
    for row in document['sets']:
        hulls = [h for h in document['hulls'] if os.path.dirname(h['file']) == row['set']]
        good = [h for h in hulls if 'reason' not in h]
        expect((row['files'], row['hulls']) == (len(hulls), len(good)), row['set'], f'counts {row}')
        expect(row['points'] == sum(h['points'] for h in hulls), row['set'], 'points')
        for key in ('vertices', 'faces', 'edges'):
            numbers = sorted(h[key] for h in good) or [0]
            middle = (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2
            expect(row[key] == {'min': numbers[0], 'median': middle, 'max': numbers[-1]}, row['set'], f'{key} {row[key]}')
    expect(sum(row['files'] for row in document['sets']) == len(document['hulls']), 'sets', 'do not add up')


def check_tumble(tumble):
    contacts, judged = tumble['per_frame_contacts'], tumble['judged']
    expect(len(contacts) == FRAMES and max(contacts) > 0, 'tumble', f'contacts {contacts}')
    expect(tumble['begun'] - tumble['ended'] == contacts[-1], 'tumble', 'begun and ended do not balance')
    expect(tumble['begun'] + tumble['persisted'] == sum(contacts), 'tumble', 'begun and persisted do not add up')
    bounds = tumble['bounds']
    expect(bounds['fast_candidates'] >= bounds['tight_candidates'] >= contacts[-1], 'bounds', f'{bounds}')
    expect(1 <= bounds['volume_ratio_mean'] <= bounds['volume_ratio_max'], 'bounds', f'{bounds}')
    expect(judged['fault_count'] == 0 and judged['faults'] == [], 'judged', f'{judged}')
    expect(judged['frames'] > 0 and judged['pairs'] > judged['touching'] > 0, 'judged', f'hardly anything: {judged}')


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in ('timings', 'build_us', 'fast_ns', 'tight_ns')}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def check_bad_files(demo, top):
    for what, lines, complaint, reason in BAD:
        directory = os.path.join(top, what)
        write(os.path.join(directory, 'good', 'cube.xyz'), CUBE, '\r\n')
        path = os.path.join('bad', 'cloud.xyz')
        write(os.path.join(directory, path), lines)
        write(os.path.join(directory, 'bad', 'no_cloud.txt'), ['nonsense'])
        result = run(demo, '--hulls', directory, '--frames', '2', '--json')
        expect(result.returncode == (0 if complaint is None else 1), what, f'exit status {result.returncode}')
        hulls = {hull['file']: hull for hull in json.loads(result.stdout)['hulls']}
        expect(len(hulls) == 2 and hulls['good/cube.xyz'].get('vertices') == 8, what, f'{hulls}')
        bad = hulls[path]
        expect(reason in bad.get('reason', '') and bad['line'] == (complaint or 0), what, f'{bad}')
        result = run(demo, '--hulls', directory, '--frames', '2')
        where = path if not complaint else f'{path}:{complaint}'
        expect(f'no hull: {where}: {bad["reason"]}' in result.stdout, what, result.stdout)


def check_refused(demo, top):
    os.mkdir(os.path.join(top, 'empty'))
    for what, directory in (('empty', os.path.join(top, 'empty')), ('missing', os.path.join(top, 'nowhere'))):
        result = run(demo, '--hulls', directory)
        expect(result.returncode == 1 and not result.stdout and directory in result.stderr, what, f'{result}')
    write(os.path.join(top, 'bad', 'words.xyz'), ['0 0 0', 'a b c'])
    write(os.path.join(top, 'bad', 'far.xyz'), ['0 0 0', '', '0 2e9 0'])
    bad = [os.path.join(top, 'bad', text) for text in ('far.xyz:3: beyond 1e9, the largest coordinate there may be',
                                                       'words.xyz:2: not a decimal number')]
    for form in ([], ['--json']):
        result = run(demo, '--hulls', os.path.join(top, 'bad'), *form)
        said = [line.replace('/./', '/') for line in result.stderr.splitlines()]
        expect(result.returncode == 1 and not result.stdout and said == bad, 'only bad files', f'{result}')
    result = run(demo, '--hulls')
    expect(result.returncode == 2 and 'usage' in result.stderr, 'no directory', f'{result}')


def check_deep_and_round(demo, top):
    """Folders in folders are read, links are not followed."""
    directory = os.path.join(top, 'deep')
    write(os.path.join(directory, 'a', 'b', 'cube.xyz'), CUBE)
    write(os.path.join(directory, 'cube.xyz'), CUBE)
    os.symlink('..', os.path.join(directory, 'a', 'up'))
    result = run(demo, '--hulls', directory, '--frames', '1', '--json')
    files = [hull['file'] for hull in json.loads(result.stdout)['hulls']]
    expect(files == ['./cube.xyz', 'a/b/cube.xyz'], 'deep', f'{files}')


def main():
    demo, directory = sys.argv[1:]
    arguments = ('--hulls', directory, '--frames', str(FRAMES), '--json')
    result = run(demo, *arguments)
    expect(result.returncode == 0, 'run', f'exit status {result.returncode}: {result.stderr}')
    document = json.loads(result.stdout)
    check_hulls(document, directory)
    check_sets(document)
    check_tumble(document['tumble'])
    again = json.loads(run(demo, *arguments).stdout)
    expect(without_times(document) == without_times(again), 'run', 'a second run differs')
    with tempfile.TemporaryDirectory() as top:
        check_bad_files(demo, top)
        check_refused(demo, top)
        check_deep_and_round(demo, top)
    sys.exit(1 if failures else 0)


main()
