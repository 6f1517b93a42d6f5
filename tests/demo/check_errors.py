#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Bad recordings and bad command lines: check_errors.py DEMO

Every broken table must be refused with `file:line: reason` on stderr, nothing on stdout, and exit status 1; a wrong
command line with a usage and exit status 2."""

import json
import os
import subprocess
import sys
import tempfile

BODIES = ['body,name,half_x,half_y,half_z', '0,red_hand,0.5,0.5,0.5', '1,blue_hand,0.5,0.5,0.5']
POSES = ['frame,body,px,py,pz,qx,qy,qz,qw',
         '0,0,0,0,0,0,0,0,1', '0,1,2,0,0,0,0,0,1',
         '1,0,0,0,0,0,0,0,1', '1,1,0.5,0,0,0,0,0,1']
FILES = {'bodies.csv': BODIES, 'poses.csv': POSES}

# what, file, line to change (from 1), its new text (None: cut from here on), line of the complaint, part of the reason
CASES = [
    ('wrong header', 'bodies.csv', 1, 'id,name,half_x,half_y,half_z', 1, 'header must be body,name'),
    ('header too short', 'bodies.csv', 1, 'body,name,half_x,half_y', 1, 'header must be'),
    ('header too long', 'poses.csv', 1, POSES[0] + ',qv', 1, 'header must be frame,body'),
    ('header of many columns', 'poses.csv', 1, POSES[0] + ',x' * 40, 1, 'header must be'),
    ('empty bodies', 'bodies.csv', 1, None, 1, 'empty'),
    ('empty poses', 'poses.csv', 1, None, 1, 'empty'),
    ('only a header of bodies', 'bodies.csv', 2, None, 1, 'no bodies'),
    ('only a header of poses', 'poses.csv', 2, None, 1, 'no poses'),
    ('a radius and more', 'bodies.csv', 1, BODIES[0] + ',radius,mass', 1, 'header must be'),
    ('an empty column', 'bodies.csv', 1, BODIES[0] + ',', 1, 'header must be'),
    ('a radius without a column', 'bodies.csv', 3, '1,blue_hand,0.5,0.5,0.5,0.5', 3, '6 columns, expected 5'),
    ('missing column', 'bodies.csv', 3, '1,blue_hand,0.5,0.5', 3, '4 columns, expected 5'),
    ('extra column', 'poses.csv', 2, '0,0,0,0,0,0,0,0,1,7', 2, '10 columns, expected 9'),
    ('very many columns', 'poses.csv', 2, '0' + ',0' * 99, 2, '100 columns, expected 9'),
    ('empty field', 'poses.csv', 3, '0,1,2,,0,0,0,0,1', 3, 'py'),
    ('not a number', 'poses.csv', 4, '1,0,zero,0,0,0,0,0,1', 4, 'px'),
    ('half a number', 'poses.csv', 4, '1,0,1.5.2,0,0,0,0,0,1', 4, 'not a number'),
    ('number and more', 'bodies.csv', 2, '0,red_hand,0.5m,0.5,0.5', 2, 'half_x'),
    ('NaN', 'poses.csv', 5, '1,1,0.5,nan,0,0,0,0,1', 5, 'finite'),
    ('infinity', 'poses.csv', 5, '1,1,0.5,0,-inf,0,0,0,1', 5, 'finite'),
    ('hexadecimal', 'poses.csv', 5, '1,1,0x1p3,0,0,0,0,0,1', 5, 'decimal'),
    ('beyond float', 'poses.csv', 5, '1,1,1e39,0,0,0,0,0,1', 5, 'too large'),
    ('negative extent', 'bodies.csv', 3, '1,blue_hand,0.5,-0.5,0.5', 3, 'negative'),
    ('no extent at all', 'bodies.csv', 3, '1,blue_hand,0,0,0', 3, 'zero'),
    ('no name', 'bodies.csv', 3, '1,,0.5,0.5,0.5', 3, 'no name'),
    ('the same name twice', 'bodies.csv', 3, '1,red_hand,0.5,0.5,0.5', 3, "already called 'red_hand'"),
    ('bodies out of order', 'bodies.csv', 3, '2,blue_hand,0.5,0.5,0.5', 3, 'body 2 where body 1'),
    ('negative body', 'poses.csv', 2, '0,-1,0,0,0,0,0,0,1', 2, 'whole number'),
    ('huge body', 'poses.csv', 2, '0,99999999999999999999999,0,0,0,0,0,0,1', 2, 'too large'),
    ('fractional frame', 'poses.csv', 2, '0.5,0,0,0,0,0,0,0,1', 2, 'whole number'),
    ('unknown body', 'poses.csv', 3, '0,2,2,0,0,0,0,0,1', 3, 'unknown body 2'),
    ('body twice in a frame', 'poses.csv', 3, '0,0,2,0,0,0,0,0,1', 3, 'twice in frame 0'),
    ('body missing in a frame', 'poses.csv', 3, '1,1,2,0,0,0,0,0,1', 3, 'frame 0 ended without body 1 (blue_hand)'),
    ('body missing in the last frame', 'poses.csv', 5, None, 4, 'frame 1 ended without body 1'),
    ('first frame not 0', 'poses.csv', 2, '1,0,0,0,0,0,0,0,1', 2, 'frame 1 where frame 0'),
    ('a frame left out', 'poses.csv', 4, '2,0,0,0,0,0,0,0,1', 4, 'frame 2 where frame 1'),
    ('frames out of order', 'poses.csv', 5, '0,1,0,0,0,0,0,0,1', 5, 'frame 0 where'),
    ('all-zero quaternion', 'poses.csv', 3, '0,1,2,0,0,0,0,0,0', 3, 'all zero'),
    ('empty line', 'poses.csv', 3, '', 3, 'empty line'),
    ('stray quotes', 'bodies.csv', 2, '0,red"hand,0.5,0.5,0.5', 2, 'quotes'),
    ('quotes left open', 'bodies.csv', 2, '0,"red_hand,0.5,0.5,0.5', 2, 'quoted field'),
    ('carriage return inside', 'bodies.csv', 2, '0,red_hand,0.5,0.5,0.5\r0,red,1,1,1', 2, 'carriage return'),
    ('long field', 'bodies.csv', 2, '0,' + 'x' * 64 + ',0.5,0.5,0.5', 2, '64 bytes'),
    ('zero byte', 'bodies.csv', 2, '0,red\0hand,0.5,0.5,0.5', 2, 'zero byte'),
]

failures = []


def fail(what, message):
    failures.append(what)
    print(f'{what}: {message}')


def write(directory, name, lines, end='\n', last_end='\n'):
    with open(os.path.join(directory, name), 'w', encoding='utf-8', newline='') as file:
        file.write(end.join(lines) + (last_end if lines else ''))


def run(demo, *arguments):
    return subprocess.run([demo, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def check_refused(demo, directory, what, prefix, reason):
    for form in ([], ['--json']):
        result = run(demo, '--track', directory, '--boxes', '0', *form)
        lines = result.stderr.splitlines()
        if result.returncode != 1:
            fail(what, f'exit status {result.returncode}')
        if result.stdout:
            fail(what, f'printed {result.stdout!r}')
        if len(lines) != 1 or not lines[0].startswith(prefix) or reason not in lines[0][len(prefix):]:
            fail(what, f'said {result.stderr!r}, not {prefix!r} ... {reason!r}')


def check_case(demo, directory, case):
    what, name, line, text, complaint, reason = case
    for file, lines in FILES.items():
        if file == name:
            lines = lines[:line - 1] + ([] if text is None else [text] + lines[line:])
        write(directory, file, lines)
    check_refused(demo, directory, what, f'{os.path.join(directory, name)}:{complaint}: ', reason)


def check_unreadable(demo, directory):
    for name in FILES:
        for file, lines in FILES.items():
            write(directory, file, lines)
        path = os.path.join(directory, name)
        os.remove(path)
        check_refused(demo, directory, f'{name} missing', f'{path}: ', 'cannot be read: No such file')
        os.mkdir(path)
        check_refused(demo, directory, f'{name} a directory', f'{path}: ', 'cannot be read: Is a directory')
        os.rmdir(path)


def check_beyond_limit(demo, directory):
    """What the table could say but the library refuses is told with its line, too."""
    write(directory, 'bodies.csv', BODIES)
    for row, frame, text in ((2, 0, '3e9,0,0,0,0,0,1'), (4, 1, '0,-3e9,0,0,0,0,1'), (4, 1, '0,0,999999999.9,1,1,0,1')):
        write(directory, 'poses.csv', POSES[:row] + [f'{frame},1,{text}'] + POSES[row + 1:])
        check_refused(demo, directory, f'too far in frame {frame}', f"{os.path.join(directory, 'poses.csv')}:{row + 1}: ",
                      'body 1 (blue_hand) reaches beyond 1e+09')


def check_accepted(demo, directory):
    """The same tables unbroken, with every legal line end, and bodies in any order within a frame."""
    swapped = [POSES[0], POSES[2], POSES[1], POSES[4], POSES[3]]
    for what, end, last_end, poses in (('plain', '\n', '\n', POSES), ('no last line end', '\n', '', POSES),
                                       ('CR LF', '\r\n', '\r\n', POSES), ('any order', '\n', '\n', swapped),
                                       ('byte order mark', '\n', '\n', ['\ufeff' + POSES[0], *POSES[1:]])):
        write(directory, 'bodies.csv', BODIES, end, last_end)
        write(directory, 'poses.csv', poses, end, last_end)
        result = run(demo, '--track', directory, '--boxes', '0', '--json')
        if result.returncode != 0:
            fail(what, f'exit status {result.returncode}: {result.stderr}')
            continue
        document = json.loads(result.stdout)
        hits = document['track']['hits']
        if hits != [{'a': 'red_hand', 'b': 'blue_hand', 'begin': 1, 'end': 2, 'depth': 0.5}] or 'field' in document:
            fail(what, f'says {result.stdout}')


def check_characters(demo, directory):
    """Who is one character: coincident boxes hit each other unless they belong together."""
    for names, hits in ((('red_hand', 'red_foot'), 0), (('red_hand', 'blue_hand'), 1), (('ball', 'wall'), 1),
                        (('dance_a0_root', 'dance_a0_left_hip'), 0), (('dance_a0_root', 'dance_a1_root'), 1),
                        (('red', 'red_hand'), 0)):
        write(directory, 'bodies.csv', [BODIES[0]] + [f'{i},{name},1,1,1' for i, name in enumerate(names)])
        write(directory, 'poses.csv', [POSES[0], '0,0,0,0,0,0,0,0,1', '0,1,0,0,0,0,0,0,1'])
        result = run(demo, '--track', directory, '--boxes', '0', '--json')
        if result.returncode != 0 or len(json.loads(result.stdout)['track']['hits']) != hits:
            fail('characters', f'{names}: {result.stdout} {result.stderr}')


def check_radius(demo, directory):
    """A radius is a column that may be missing; it makes a body without extents legal."""
    header = BODIES[0] + ',radius'
    for what, row, complaint in (('negative radius', '1,blue_hand,1,1,1,-1', 'a negative radius'),
                                 ('no radius either', '1,blue_hand,0,0,0,0', 'no radius'),
                                 ('radius no number', '1,blue_hand,1,1,1,big', 'radius'),
                                 ('row without radius', '1,blue_hand,1,1,1', '5 columns, expected 6')):
        write(directory, 'bodies.csv', [header, BODIES[1] + ',0', row])
        write(directory, 'poses.csv', POSES)
        check_refused(demo, directory, what, f"{os.path.join(directory, 'bodies.csv')}:3: ", complaint)
    for radius, hits in (('1.25', []), ('1.5', [{'begin': 0, 'end': 1, 'depth': 0}])):
        write(directory, 'bodies.csv', [header, '0,red_hand,0.5,0.5,0.5,0', f'1,blue_hand,0,0,0,{radius}'])
        write(directory, 'poses.csv', [POSES[0], POSES[1], POSES[2]])
        result = run(demo, '--track', directory, '--boxes', '0', '--json')
        said = json.loads(result.stdout)['track']['hits'] if result.returncode == 0 else result.stderr
        if said != [{'a': 'red_hand', 'b': 'blue_hand', **hit} for hit in hits]:
            fail('a sphere', f'radius {radius}: {said}')


def check_command_line(demo):
    for arguments in (['--nonsense'], ['stray'], ['--boxes'], ['--boxes', 'x'], ['--boxes', '-1'], ['--boxes', ''],
                      ['--boxes', '99999999999999999999'], ['--frames', '0'], ['--track'], ['-x'], ['--field'],
                      ['--field', 'cones'], ['--field', ''], ['--sweep'], ['--threads'], ['--threads', '-1'], ['--threads', '257'], ['--every', '4'],
                      ['--track', '.', '--every', '0'], ['--track', '.', '--every', '-1'],
                      ['--track', '.', '--every', '1.5'], ['--track', '.', '--every', '']):
        result = run(demo, *arguments)
        if result.returncode != 2 or result.stdout or 'usage: abut-demo' not in result.stderr:
            fail(f'command line {arguments}', f'exit status {result.returncode}, {result.stdout!r} {result.stderr!r}')
    for option in (['--sweep'], ['--every', '4']):
        if f'{option[0]} needs a recording: --track DIR' not in run(demo, *option).stderr:
            fail(f'{option} without --track', run(demo, *option).stderr)
    result = run(demo, '--help')
    if result.returncode != 0 or result.stderr or '--track DIR' not in result.stdout:
        fail('--help', f'exit status {result.returncode}, {result.stdout!r} {result.stderr!r}')


def check_full_disk(demo):
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'w', encoding='ascii') as full:
            result = subprocess.run([demo, '--boxes', '0', '--json'], stdout=full, stderr=subprocess.PIPE, text=True,
                                    check=False)
        if result.returncode != 1 or 'stdout' not in result.stderr:
            fail('full disk', f'exit status {result.returncode}, {result.stderr!r}')


def main():
    demo = sys.argv[1]
    os.environ['LC_ALL'] = 'C'
    with tempfile.TemporaryDirectory() as directory:
        for case in CASES:
            check_case(demo, directory, case)
        check_unreadable(demo, directory)
        check_beyond_limit(demo, directory)
        check_accepted(demo, directory)
        check_characters(demo, directory)
        check_radius(demo, directory)
    check_command_line(demo)
    check_full_disk(demo)
    sys.exit(1 if failures else 0)


main()
