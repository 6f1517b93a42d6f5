#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Gives the culling example a scene whose answer is known, and files that are wrong: check_culling.py PROGRAM"""

import os
import subprocess
import sys
import tempfile

BOXES_HEADER = 'px,py,pz,qx,qy,qz,qw,half_x,half_y,half_z\n'
CAMERAS_HEADER = 'frame,' + ','.join(f'm{i}' for i in range(16)) + '\n'

AHEAD = '0,0,-10,0,0,0,1,1,1,1\n'
BEHIND = '0,0,10,0,0,0,1,1,1,1\n'
# Across the far right edge, turned by 45 degrees, 13 units behind it: no plane of the frustum separates it.
CORNER = '113.137085,0,-113.137085,0,0.382683432,0,0.923879533,5,1,50\n'
# At the origin, along -z, 90 degrees high and wide, from 1 to 100.
CAMERA = '0,1,0,0,0,0,1,0,0,0,0,-1.02020202,-1,0,0,-2.02020202,0\n'


def run(program, boxes, cameras):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (('boxes.csv', boxes), ('cameras.csv', cameras)):
            if text is not None:
                with open(os.path.join(folder, name), 'w', encoding='utf-8', newline='') as file:
                    file.write(text)
        return subprocess.run([program, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def check_counts(program):
    boxes, cameras = BOXES_HEADER + AHEAD + BEHIND + CORNER, CAMERAS_HEADER + CAMERA + CAMERA
    check_these(program, boxes, cameras)
    check_these(program, boxes.replace('\n', '\r\n'), cameras.replace('\n', '\r\n'))
    check_these(program, boxes[:-1], cameras[:-1])


def check_these(program, boxes, cameras):
    done = run(program, boxes, cameras)
    if done.returncode != 0:
        sys.exit(f'exited with {done.returncode}: {done.stderr}')
    rows = [line.split() for line in done.stdout.splitlines()]
    for wanted in (['camera', 'bounds', 'planes', 'exact'], ['0', '2', '2', '1'], ['all', '4', '4', '2']):
        if wanted not in rows:
            sys.exit(f'no row {wanted} in\n{done.stdout}')


def check_complaints(program):
    boxes, cameras = BOXES_HEADER + AHEAD, CAMERAS_HEADER + CAMERA
    for wrong_boxes, wrong_cameras, complaint in (
            (None, cameras, 'boxes.csv:1: '),
            (boxes, None, 'cameras.csv:1: '),
            ('', cameras, 'boxes.csv:1: '),
            (BOXES_HEADER, cameras, 'boxes.csv:2: '),
            (boxes + '0,0,0,0,0,0,1,1,1\n', cameras, 'boxes.csv:3: '),
            (boxes + AHEAD.replace('\n', ',7\n'), cameras, 'boxes.csv:3: '),
            (boxes + AHEAD + AHEAD.replace('10', 'ten'), cameras, 'boxes.csv:4: '),
            (boxes + AHEAD.replace('10', 'inf'), cameras, 'boxes.csv:3: '),
            (boxes + AHEAD.replace(',1,1,1', ',1,-1,1'), cameras, 'box:1: '),
            (boxes, cameras + '1,0\n', 'cameras.csv:3: '),
            (boxes, cameras + '1' + ',0' * 16 + '\n', 'camera:1: ')):
        done = run(program, wrong_boxes, wrong_cameras)
        if done.returncode != 1 or complaint not in done.stderr:
            sys.exit(f'exited with {done.returncode}, without "{complaint}": {done.stderr}')


def check_usage(program):
    for arguments, status in ((['--help'], 0), (['--nonsense'], 1), (['one', 'two'], 1)):
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != status or not (done.stderr if status else done.stdout).startswith('usage: culling'):
            sys.exit(f'{arguments}: exited with {done.returncode}: {done.stdout}{done.stderr}')


check_counts(sys.argv[1])
check_usage(sys.argv[1])
check_complaints(sys.argv[1])
