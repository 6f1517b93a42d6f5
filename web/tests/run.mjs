// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// node run.mjs PROGRAM.wasm [ARGUMENT...]: runs a program that was compiled to WebAssembly, with its arguments and the
// environment, and exits with its status.
import { readFileSync, writeSync } from 'node:fs';
import { Exit, imports } from '../page/module.js';

let memory;
const view = () => new DataView(memory.buffer);

function sizes(texts, count, size) {
    view().setUint32(count, texts.length, true);
    view().setUint32(size, texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0), true);
    return 0;
}

function put(texts, pointers, at) {
    texts.forEach((text, i) => {
        view().setUint32(pointers + 4 * i, at, true);
        at += Buffer.from(memory.buffer).write(`${text}\0`, at);
    });
    return 0;
}

const args = process.argv.slice(2);
const variables = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
const outside = imports(view, (fd, bytes) => writeSync(fd, bytes));
Object.assign(outside.wasi_snapshot_preview1, {
    args_sizes_get: (count, size) => sizes(args, count, size),
    args_get: (pointers, at) => put(args, pointers, at),
    environ_sizes_get: (count, size) => sizes(variables, count, size),
    environ_get: (pointers, at) => put(variables, pointers, at),
});

const { instance } = await WebAssembly.instantiate(readFileSync(args[0]), outside);
memory = instance.exports.memory;
try {
    instance.exports._start();
} catch (error) {
    if (!(error instanceof Exit)) {
        throw error;
    }
    process.exitCode = error.status;
}
