#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Hulls that fall onto the triangles of an OBJ file: check_mesh.py DEMO MESH

MESH comes with the demo. The same floor, written in all ways that OBJ has, must give the same fall. Bad files must be
refused with `file:line: reason` on stderr, nothing on stdout and exit status 1."""

import json
import os
import subprocess
import sys
import tempfile

FRAMES = 150
failures = []

# A square and a pyramid on it.
VERTICES = ['v -8 0 -8', 'v -8 0 8', 'v 8 0 8', 'v 8 0 -8', 'v 0 4 0']
FACES = [(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5), (1, 2, 3), (1, 3, 4)]


def faces(form):
    return ['f ' + ' '.join(form(corner) for corner in face) for face in FACES]


PLAIN = VERTICES + faces(str)
MORE = ['vt 0 0', 'vn 0 1 0']

# what, lines, end of a line: all of them are the mesh of PLAIN
FORMS = [
    ('CR LF', PLAIN, '\r\n'),
    ('texture', VERTICES + MORE + faces(lambda c: f'{c}/1'), '\n'),
    ('normal', VERTICES + MORE + faces(lambda c: f'{c}//1'), '\n'),
    ('texture and normal', VERTICES + MORE + faces(lambda c: f'{c}/-1/1'), '\n'),
    ('empty texture and normal', VERTICES + faces(lambda c: f'{c}//'), '\n'),
    ('backwards', VERTICES + faces(lambda c: f'{c - 6}'), '\n'),
    ('backwards between', VERTICES + ['f -5 -4 -1', 'f -4 -3 -1', 'f -3 -2 -1', 'f -2 -5 -1', 'f 1 2 -3', 'f 1 -3 4'], '\n'),
    ('a square', VERTICES + faces(str)[:4] + ['f 1 2 3 4'], '\n'),
    ('comments', ['# a pyramid', *(line + ' # so' for line in PLAIN), '#'], '\n'),
    ('blanks', ['', *('\t' + line.replace(' ', ' \t ') + '  ' for line in PLAIN), ' '], '\n'),
    ('joints', [line.replace(' ', ' \\\n', 2) for line in PLAIN], '\n'),
    ('joints and CR LF', [line.replace(' ', '\\\r\n', 1) for line in PLAIN], '\r\n'),
    ('colours and weights', [line + tail for line, tail in zip(VERTICES, [' 1', ' 1 0 0', ' 1 1 0 0', '', ' 1.5'])] + faces(str), '\n'),
    ('other lines', ['mtllib a.mtl', 'o pyramid', 'g all', 's off', 'usemtl stone', *PLAIN, 'l 1 2', 'p 1'], '\n'),
    ('byte order mark', ['\ufeff' + PLAIN[0], *PLAIN[1:]], '\n'),
    ('numbers', ['v -.8e1 -0 -8.', 'v -80E-1 +0 8', *PLAIN[2:]], '\n'),
]

# what, lines, line of the complaint (0: of the whole file), part of the reason
BAD = [
    ('empty', [], 0, 'no faces'),
    ('only vertices', VERTICES, 0, 'no faces'),
    ('two numbers', ['v 1 2', *PLAIN], 1, 'fewer than three numbers'),
    ('no numbers', ['v', *PLAIN], 1, 'fewer than three numbers'),
    ('eight numbers', ['v 1 2 3 4 5 6 7 8'], 1, 'more than seven'),
    ('a word', VERTICES + ['v 1 two 3'], 6, 'not a decimal number'),
    ('NaN', VERTICES + ['v nan 0 0'], 6, 'not a decimal number'),
    ('infinity', VERTICES + ['v inf 0 0'], 6, 'not a decimal number'),
    ('hexadecimal', ['v 0x1p3 0 0'], 1, 'not a decimal number'),
    ('two signs', ['v 0 --1 0'], 1, 'not a decimal number'),
    ('beyond float', ['v 0 1e39 0'], 1, 'too large'),
    ('a bad colour', ['v 0 0 0 red'], 1, 'not a decimal number'),
    ('two corners', PLAIN + ['', 'f 1 2'], 13, 'fewer than three corners'),
    ('no corners', PLAIN + ['f'], 12, 'fewer than three corners'),
    ('corner 0', VERTICES + ['f 1 0 2'], 6, 'numbered 0'),
    ('a vertex too far', VERTICES + ['f 1 2 6'], 6, 'without a vertex'),
    ('a vertex below', ['f 1 2 3', *PLAIN], 1, 'without a vertex'),
    ('too far backwards', VERTICES + ['f -1 -2 -6'], 6, 'without a vertex'),
    ('a huge corner', VERTICES + ['f 1 2 99999999999999999999'], 6, 'not a corner'),
    ('half a corner', VERTICES + ['f 1 2 3.5'], 6, 'not a corner'),
    ('a word as corner', VERTICES + ['f 1 2 three'], 6, 'not a corner'),
    ('four indices', VERTICES + ['f 1 2 3/1/1/1'], 6, 'not a corner'),
    ('a word as texture', VERTICES + ['f 1 2 3/x'], 6, 'not a corner'),
    ('only a texture', VERTICES + ['f 1 2 /3'], 6, 'not a corner'),
    ('a zero byte', VERTICES + ['f 1 2 \0 3'], 6, 'zero byte'),
    ('after a joint', ['v 0 \\', '0 0', 'v 0 0 x'], 3, 'not a decimal number'),
    ('without area', VERTICES + ['f 1 3 3', 'f 1 1 1'], 0, 'no triangle has an area'),
]


def expect(condition, what, message):
    if not condition:
        failures.append(what)
        print(f'{what}: {message}')


def run(demo, *arguments):
    return subprocess.run([demo, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def write(path, lines, end='\n', last_end='\n'):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(end.join(lines) + (last_end if lines else ''))


def fall(demo, path, frames=FRAMES, *more):
    result = run(demo, '--mesh', path, '--frames', str(frames), '--json', *more)
    expect(result.returncode == 0, path, f'exit status {result.returncode}: {result.stderr}')
    return json.loads(result.stdout) if result.returncode == 0 else None


def without_times(document):
    mesh = {key: value for key, value in document['mesh'].items() if key not in ('file', 'build_us')}
    return mesh, {key: value for key, value in document['drop'].items() if key != 'timings'}


def check_fall(path, document, vertices, triangles):
    mesh, drop = document['mesh'], document['drop']
    expect((mesh['vertices'], mesh['triangles']) == (vertices, triangles), path, f'{mesh}')
    expect(mesh['bytes'] > 12 * triangles and mesh['file'] == path, path, f'{mesh}')
    contacts, parts = drop['per_frame_contacts'], drop['per_frame_parts']
    expect(len(contacts) == len(parts) == drop['frames'], path, 'counts per frame')
    expect(drop['begun'] - drop['ended'] == contacts[-1], path, 'begun and ended do not balance')
    expect(drop['begun'] + drop['persisted'] == sum(contacts), path, 'begun and persisted do not add up')
    expect(contacts[0] == 0 and drop['begun'] > drop['bodies'] / 2, path, f'hardly anything falls onto it: {drop}')
    expect(0 < drop['on_mesh'] <= sum(parts), path, f'contacts without triangles: {drop}')
    expect(max(parts) >= drop['most_parts'] > 1, path, f'{drop["most_parts"]} triangles at most in a contact')
    expect(drop['fault_count'] == 0, path, f'{drop["fault_count"]} faults')


def check_own(demo, path):
    document = fall(demo, path, 400)
    with open(path, encoding='ascii') as file:
        words = [line.split() for line in file if line.strip()]
    triangles = sum(len(line) - 3 for line in words if line[0] == 'f')
    check_fall(path, document, sum(line[0] == 'v' for line in words), triangles)
    expect(document['drop']['restarted'] == 0, path, 'something falls through')
    expect(document['drop']['per_frame_contacts'][-1] >= document['drop']['bodies'], path, 'not everything lies on it')
    expect(without_times(fall(demo, path, 400)) == without_times(document), path, 'a second run differs')
    text = run(demo, '--mesh', path, '--frames', '400')
    expect(text.returncode == 0 and document['drop']['hash'] in text.stdout, path, text.stdout)


def check_forms(demo, directory):
    path = os.path.join(directory, 'plain.obj')
    write(path, PLAIN, last_end='')
    plain = fall(demo, path)
    check_fall(path, plain, len(VERTICES), len(FACES))
    for what, lines, end in FORMS:
        path = os.path.join(directory, 'form.obj')
        write(path, lines, end, end)
        expect(without_times(fall(demo, path)) == without_times(plain), what, 'is another mesh')
    write(path, [line.replace('v 8', 'v 9') for line in PLAIN])
    expect(without_times(fall(demo, path)) != without_times(plain), 'another mesh', 'is the same')


def check_hulls(demo, directory):
    """--hulls says what falls."""
    path = os.path.join(directory, 'floor.obj')
    write(path, PLAIN)
    clouds = os.path.join(directory, 'clouds')
    os.mkdir(clouds)
    write(os.path.join(clouds, 'cube.xyz'), [f'{x} {y} {z}' for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    cubes = fall(demo, path, FRAMES, '--hulls', clouds)
    check_fall(path, cubes, len(VERTICES), len(FACES))
    expect(without_times(cubes) != without_times(fall(demo, path)), 'cubes', 'fall as the demo\'s own hulls')
    write(os.path.join(clouds, 'bad.xyz'), ['0 0 0', '1 x 0'])
    result = run(demo, '--mesh', path, '--hulls', clouds)
    expect(result.returncode == 1 and not result.stdout and 'bad.xyz:2: not a decimal' in result.stderr, 'a bad cloud', f'{result}')
    result = run(demo, '--mesh', path, '--hulls', os.path.join(directory, 'nowhere'))
    expect(result.returncode == 1 and not result.stdout and 'nowhere' in result.stderr, 'no clouds', f'{result}')


def check_refused(demo, directory):
    path = os.path.join(directory, 'bad.obj')
    for what, lines, line, reason in BAD:
        write(path, lines)
        for form in ([], ['--json']):
            result = run(demo, '--mesh', path, *form)
            prefix = f'{path}:{line}: ' if line else f'{path}: '
            said = result.stderr.splitlines()
            expect(result.returncode == 1 and not result.stdout, what, f'{result}')
            expect(len(said) == 1 and said[0].startswith(prefix) and reason in said[0], what, f'{said}, not {prefix} {reason}')
    for name, reason in (('nowhere.obj', 'No such file'), ('.', 'Is a directory')):
        result = run(demo, '--mesh', os.path.join(directory, name))
        expect(result.returncode == 1 and not result.stdout and reason in result.stderr, name, f'{result}')
    for option in (('--track', directory), ('--boxes', '5'), ('--field', 'boxes'), ('--threads', '2')):
        result = run(demo, '--mesh', path, *option)
        expect(result.returncode == 2 and f'{option[0]} does not go with --mesh' in result.stderr, option, f'{result}')
    result = run(demo, '--mesh')
    expect(result.returncode == 2 and 'usage' in result.stderr, 'no file', f'{result}')


def main():
    demo, path = sys.argv[1:]
    os.environ['LC_ALL'] = 'C'
    with tempfile.TemporaryDirectory() as directory:
        check_refused(demo, directory)
        check_forms(demo, directory)
        check_hulls(demo, directory)
    check_own(demo, path)
    sys.exit(1 if failures else 0)


main()
