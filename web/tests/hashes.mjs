// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Runs every scene of a WebAssembly module of the testbed and prints its hash, as web/testbed/hashes.c does:
//
//     node web/tests/hashes.mjs MODULE.wasm [FRAMES] [COUNT]

import { load } from '../page/module.js';
import { Testbed, resultName } from '../page/testbed.js';

const NAMES = ['fight', 'tumbling', 'pile', 'culling', 'placement', 'round', 'queries', 'cannon', 'terrain'];

const [path, frames = '600', count = '0'] = process.argv.slice(2);
const module = await load(path);
const testbed = new Testbed(module);
const hex = (word) => (word >>> 0).toString(16).padStart(8, '0');

function check(result, where) {
    if (result !== 0) {
        throw new Error(`${where}: ${resultName(result)}`);
    }
}

NAMES.forEach((name, scene) => {
    check(module.exports.testbed_open(scene, Number(count)), name);
    for (let i = 0; i < Number(frames); ++i) {
        check(module.exports.testbed_step(), name);
    }
    const { hashLow, hashHigh } = testbed.report();
    console.log(`${name} ${Number(frames)} ${hex(hashHigh)}${hex(hashLow)}`);
});
