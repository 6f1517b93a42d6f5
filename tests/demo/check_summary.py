#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""What people read of the demo: check_summary.py DEMO [--hashes]

A short table of hits, a sentence at the end that agrees with the JSON, and the same hash for any number of threads. With
--hashes the usual fields run whole, and must come to the hashes that the demo expects on every machine."""

import json
import re
import subprocess
import sys


def run(demo, *arguments):
    done = subprocess.run([demo, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return done.stdout


def check_short_field(demo):
    arguments = ('--boxes', '1200', '--frames', '5')
    text = run(demo, *arguments)
    document = json.loads(run(demo, *arguments, '--json'))
    totals, hits = document['track']['totals'], document['track']['hits']
    table = re.findall(r'^ +(\d+) +[\d.]+ s +[\d.]+ s[ +] +(\d\.\d{4})  \w+ \w+ - \w+ \w+$', text, re.M)
    deepest = sorted((hit['depth'] for hit in hits), reverse=True)[:8]
    assert sorted((float(depth) for _, depth in table), reverse=True) == [round(depth, 4) for depth in deepest], table
    assert [int(frame) for frame, _ in table] == sorted(int(frame) for frame, _ in table), table
    assert f'the 8 deepest of {len(hits)}; --json lists all.' in text
    *_, sentence, hash_line = text.splitlines()
    frames = f"{totals['frames_with_hit']} of {document['track']['frames']} frames with hits"
    assert re.fullmatch(frames + r'; 1,200 tumbling boxes take [\d.]+ ms, [\d.]+ % of a 60 Hz frame\.', sentence), sentence
    assert hash_line == f"Hash of the last frame: {document['field']['hash']}, the same on every machine.", hash_line
    for threads in ('0', '2', '5'):
        assert run(demo, *arguments, '--threads', threads).splitlines()[-1] == hash_line, threads
    assert run(demo, '--boxes', '0').splitlines()[-1] == f'{frames}.'


def check_usual_fields(demo):
    for kind in ('boxes', 'spheres', 'capsules', 'round'):
        last = run(demo, '--field', kind).splitlines()[-1]
        assert re.fullmatch('Hash of the last frame: [0-9a-f]{16}, as it should be on every machine.', last), last


if __name__ == '__main__':
    check_short_field(sys.argv[1])
    if '--hashes' in sys.argv:
        check_usual_fields(sys.argv[1])
