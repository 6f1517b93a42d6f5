// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Loads a module that web/wasm32-emscripten.ini has built, in a browser or in node, without emscripten's own script.

// A function without arguments that returns a vector.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const SUCCESS = 0; // of WASI

/** The module has called exit. */
export class Exit extends Error {
    constructor(status) {
        super(`it has left with status ${status}`);
        this.status = status;
    }
}

const say = (fd, bytes) => (fd === 2 ? console.error : console.log)(new TextDecoder().decode(bytes).trimEnd());

/** The imports of a module: a clock, output, exit. `view()` is a DataView of its memory, made
 * anew at each use, because one is detached when memory grows. `write` gets the output to file 1 or 2. */
export function imports(view, write = say) {
    const milliseconds = () => performance.timeOrigin + performance.now(); // since 1970
    return {
        env: {
            timespec_get(at, base) {
                const now = milliseconds();
                view().setInt32(at, now / 1000, true);
                view().setInt32(at + 4, (now % 1000) * 1e6, true);
                return base;
            },
            emscripten_notify_memory_growth() {},
        },
        wasi_snapshot_preview1: {
            clock_time_get(clock, precision, at) {
                view().setBigUint64(at, BigInt(Math.round(milliseconds() * 1e6)), true);
                return SUCCESS;
            },
            fd_write(fd, pieces, count, written) {
                let size = 0;
                for (let at = pieces; at < pieces + 8 * count; at += 8) {
                    const bytes = new Uint8Array(view().buffer, view().getUint32(at, true), view().getUint32(at + 4, true));
                    write(fd, bytes);
                    size += bytes.length;
                }
                view().setUint32(written, size, true);
                return SUCCESS;
            },
            fd_close: () => SUCCESS,
            fd_seek: () => SUCCESS,
            proc_exit(status) {
                throw new Exit(status);
            },
        },
    };
}

async function read(url) { // a Response
    if (globalThis.process?.versions?.node && !/^https?:/.test(url)) {
        const fs = await import('node:fs/promises');
        return new Response(await fs.readFile(url));
    }
    const response = await fetch(url, {cache: 'no-cache'});
    if (!response.ok) {
        throw new Error(`${response.status} ${response.statusText}`);
    }
    return response;
}

async function instantiate(url, wants) {
    if (!WebAssembly.validate(new Uint8Array(SIMD))) {
        throw new Error('WebAssembly with SIMD is needed: Chrome 91, Firefox 89, Safari 16.4 or newer');
    }
    const response = await read(url);
    const type = response.headers.get('Content-Type') ?? '';
    return type.startsWith('application/wasm')
        ? WebAssembly.instantiateStreaming(response, wants)
        : WebAssembly.instantiate(await response.arrayBuffer(), wants); // a server that does not know the type
}

function reason(error) {
    return error instanceof WebAssembly.RuntimeError && error.message === 'unreachable' ? 'it has aborted' : error.message;
}

/** Loads a module without main, named by a URL or, in node, a file's path or URL as well. Returns {exports, memory}:
 * its functions, and its WebAssembly.Memory, whose `buffer` is another one when memory has grown. A function that aborts
 * throws an Error that reports it, and so does every function after that, because the module's data can no longer be
 * trusted. */
export async function load(url) {
    let memory, broken;
    let instance;
    try {
        ({instance} = await instantiate(url, imports(() => new DataView(memory.buffer))));
    } catch (error) {
        const why = error instanceof RangeError ? `there is not enough memory for it (${error.message})` : error.message;
        throw new Error(`${url}: ${why}`, {cause: error});
    }
    const guarded = (name, call) => (...values) => {
        if (broken) {
            throw broken;
        }
        try {
            return call(...values);
        } catch (error) {
            broken = new Error(`${name}: ${reason(error)}; load the module anew`, {cause: error});
            throw broken;
        }
    };
    memory = instance.exports.memory;
    const functions = Object.entries(instance.exports).filter(([, value]) => typeof value === 'function');
    const exports = Object.fromEntries(functions.map(([name, call]) => [name, guarded(name, call)]));
    exports._initialize?.();
    return {exports, memory};
}
