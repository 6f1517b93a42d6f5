#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Writes sparring/bodies.csv and sparring/poses.csv: two figures of 15 boxes punch and kick through each other for two
seconds at 60 frames a second. Metres, y up, the ground at y = 0. Everything here is made up; nothing is captured.

    python3 make_sparring.py [DIRECTORY]
"""

import math
import os
import sys

FRAMES = 120

# link: half extents, parent link, joint in the parent's frame (from the parent's joint), box centre from the joint
LINKS = {
    'root': ((0.09, 0.09, 0.11), None, (0, 0, 0), (0, 0, 0)),
    'chest': ((0.10, 0.14, 0.14), 'root', (0, 0.10, 0), (0, 0.16, 0)),
    'neck': ((0.10, 0.12, 0.08), 'chest', (0, 0.31, 0), (0.02, 0.13, 0)),
}
for side, z in (('right', 1), ('left', -1)):
    LINKS |= {
        f'{side}_hip': ((0.07, 0.20, 0.07), 'root', (0, -0.06, 0.09 * z), (0, -0.20, 0)),
        f'{side}_knee': ((0.055, 0.19, 0.055), f'{side}_hip', (0, -0.41, 0), (0, -0.19, 0)),
        f'{side}_ankle': ((0.12, 0.035, 0.05), f'{side}_knee', (0, -0.39, 0), (0.06, -0.02, 0)),
        f'{side}_shoulder': ((0.05, 0.14, 0.05), 'chest', (0, 0.27, 0.19 * z), (0, -0.13, 0)),
        f'{side}_elbow': ((0.042, 0.12, 0.042), f'{side}_shoulder', (0, -0.27, 0), (0, -0.12, 0)),
        f'{side}_wrist': ((0.045, 0.045, 0.045), f'{side}_elbow', (0, -0.25, 0), (0, -0.04, 0)),
    }

# Degrees about the links' own z axis (a positive angle swings a hanging limb forward), in guard.
GUARD = {
    'chest': -6, 'neck': -4,
    'right_shoulder': 35, 'right_elbow': 95, 'left_shoulder': 50, 'left_elbow': 85,
    'right_hip': 14, 'right_knee': -24, 'left_hip': -12, 'left_knee': -14, 'right_ankle': 10, 'left_ankle': 26,
}

# What each figure does: (frame of the peak, frames of rise and fall, {link: degrees away from guard})
PUNCH_RIGHT = {'right_shoulder': 52, 'right_elbow': -92, 'chest': -10}
PUNCH_LEFT = {'left_shoulder': 40, 'left_elbow': -80, 'chest': -8}
KICK_RIGHT = {'right_hip': 76, 'right_knee': 20, 'chest': 14, 'left_hip': 6}
KICK_LEFT = {'left_hip': 98, 'left_knee': 8, 'chest': 18, 'right_hip': -6}
UPPERCUT = {'right_shoulder': 85, 'right_elbow': -35, 'chest': 4}
ACTIONS = {
    'red': [(14, 9, PUNCH_RIGHT), (30, 8, PUNCH_LEFT), (57, 13, KICK_RIGHT), (88, 9, UPPERCUT), (106, 10, KICK_LEFT)],
    'blue': [(22, 9, PUNCH_LEFT), (44, 12, KICK_LEFT), (70, 9, PUNCH_RIGHT), (80, 9, PUNCH_LEFT),
             (103, 12, UPPERCUT)],
}


def quat_multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def quat_about(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * c for c in axis) + (math.cos(half),)


def rotated(q, v):
    x, y, z, _ = quat_multiply(quat_multiply(q, (*v, 0)), (-q[0], -q[1], -q[2], q[3]))
    return x, y, z


def add(a, b):
    return tuple(p + q for p, q in zip(a, b))


def bump(frame, peak, width):
    """1 at the peak, 0 from `width` frames away, smooth."""
    x = max(0.0, 1 - abs(frame - peak) / width)
    return x * x * (3 - 2 * x)


def angles_at(name, frame):
    angles = dict(GUARD)
    for peak, width, change in ACTIONS[name]:
        for link, degrees in change.items():
            angles[link] = angles.get(link, 0) + degrees * bump(frame, peak, width)
    return angles


def root_at(name, frame):
    """They close in, stay within reach and part; the hips sway and turn a little all the time."""
    apart = 0.44 + 0.22 * bump(frame, -8, 30) + 0.30 * bump(frame, 128, 26) - 0.06 * bump(frame, 74, 14)
    sway = 0.02 * math.sin(2 * math.pi * frame / 34 + (0 if name == 'red' else 1.7))
    turn = 14 * math.sin(2 * math.pi * frame / 53 + (0.4 if name == 'red' else 2.9))
    if name == 'red':
        return (-apart, 0.93 + sway / 2, sway), quat_about((0, 1, 0), turn)
    return (apart, 0.93 - sway / 2, 0.04 - sway), quat_about((0, 1, 0), 180 + turn)


def figure_at(name, frame):
    """(position, rotation) of every link's box."""
    angles = angles_at(name, frame)
    joints, boxes = {}, {}
    for link, (_, parent, joint, centre) in LINKS.items():
        if parent is None:
            at, turn = root_at(name, frame)
        else:
            parent_at, parent_turn = joints[parent]
            at = add(parent_at, rotated(parent_turn, joint))
            turn = quat_multiply(parent_turn, quat_about((0, 0, 1), angles.get(link, 0)))
        joints[link] = at, turn
        boxes[link] = add(at, rotated(turn, centre)), turn
    return boxes


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'sparring')
    os.makedirs(directory, exist_ok=True)
    names = list(ACTIONS)
    with open(os.path.join(directory, 'bodies.csv'), 'w', encoding='ascii', newline='\n') as file:
        file.write('body,name,half_x,half_y,half_z\n')
        for body, (name, link) in enumerate((name, link) for name in names for link in LINKS):
            file.write(f'{body},{name}_{link},' + ','.join(f'{h:g}' for h in LINKS[link][0]) + '\n')
    with open(os.path.join(directory, 'poses.csv'), 'w', encoding='ascii', newline='\n') as file:
        file.write('frame,body,px,py,pz,qx,qy,qz,qw\n')
        for frame in range(FRAMES):
            boxes = [box for name in names for box in figure_at(name, frame).values()]
            for body, (position, rotation) in enumerate(boxes):
                # Adding zero makes -0 a plain 0.
                numbers = [round(value, 6) + 0.0 for value in (*position, *rotation)]
                file.write(f'{frame},{body},' + ','.join(f'{value:.6g}' for value in numbers) + '\n')


if __name__ == '__main__':
    main()
