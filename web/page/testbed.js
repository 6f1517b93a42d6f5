// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// What web/testbed/testbed.h declares, for JavaScript. Structs consist of 32-bit fields without padding, so a struct is
// a list of names, in the order of the header.

const VEC3 = ['x', 'y', 'z'];

const REPORT = [
    ['u', ['frame', 'bodies', 'moved', 'candidates', 'contacts', 'begun', 'ended', 'sweepTests', 'secondStage', 'bytes']],
    ['f', ['msPoses', 'msBounds', 'msBroad', 'msNarrow', 'msEvents', 'msQuery']],
    ['u', ['seenInside', 'seenIntersecting', 'keptByPlanes', 'free', 'blockers', 'firstBlocker']],
    ['f', ['pushX', 'pushZ']],
    ['u', ['rays', 'raysMet']],
    ['f', ['nearest']],
    ['u', ['bouncedSteps', 'bouncedSwept', 'passedSteps', 'passedSwept', 'parts']],
    ['u', ['hashLow', 'hashHigh']],
];

const INSTANCE_BYTES = 48; // position, rotation, scale, colour, index1
const VERTEX_BYTES = 16; // position, colour
const MESH_VERTEX_BYTES = 24; // position, normal
const OTHERS = 8; // contacts that a picked body lists

export const OVERLAYS = { bounds: 1, contacts: 2, candidates: 4 };

const RESULTS = {
    '-1': 'a bad argument', '-2': 'no such body', '-3': 'out of memory', '-4': 'no room left', '-5': 'busy',
    '-6': 'no volume', '-7': 'a contradiction', '-8': 'too far from the origin',
};

export const resultName = (result) => RESULTS[result] || `error ${result}`;

export class Testbed {
    /** What module.js loads. */
    constructor({ exports, memory }) {
        this.c = exports;
        this.memory = memory;
        this.data = null;
    }

    /** Memory that grows is a new buffer, and views of the old one are empty. */
    view() {
        if (!this.data || this.data.buffer !== this.memory.buffer) {
            this.data = new DataView(this.memory.buffer);
        }
        return this.data;
    }

    bytes(pointer, size) {
        return new Uint8Array(this.memory.buffer, pointer >>> 0, size);
    }

    u32(pointer) {
        return this.view().getUint32(pointer, true);
    }

    floats(pointer, count) {
        const view = this.view();
        return Array.from({ length: count }, (_, i) => view.getFloat32(pointer + 4 * i, true));
    }

    words(pointer, count) {
        const view = this.view();
        return Array.from({ length: count }, (_, i) => view.getUint32(pointer + 4 * i, true));
    }

    open(scene, count) {
        return this.c.testbed_open(scene, count);
    }

    countUsual(scene) {
        return this.c.testbed_count_usual(scene);
    }

    countMax(scene) {
        return this.c.testbed_count_max(scene);
    }

    step() {
        return this.c.testbed_step();
    }

    /** Returns to a frame; 0: fine. */
    goTo(frame) {
        return this.c.testbed_return(frame);
    }

    /** The frames that can be returned to: every stride-th from first to last; last 0: none. */
    past() {
        const [first, last, stride] = this.words(this.c.testbed_get_past(), 3);
        return { first, last, stride };
    }

    report() {
        const view = this.view();
        const report = {};
        let at = this.c.testbed_get_report();
        for (const [kind, names] of REPORT) {
            for (const name of names) {
                report[name] = kind === 'u' ? view.getUint32(at, true) : view.getFloat32(at, true);
                at += 4;
            }
        }
        return report;
    }

    /** Sixteen hexadecimal digits. */
    hash() {
        const { hashLow, hashHigh } = this.report();
        return [hashHigh, hashLow].map((word) => word.toString(16).padStart(8, '0')).join('');
    }

    camera() {
        const f = this.floats(this.c.testbed_get_camera(), 6);
        return { eye: f.slice(0, 3), target: f.slice(3) };
    }

    /** Fills what the following functions return. */
    draw(overlays) {
        return this.c.testbed_draw(overlays);
    }

    instances() {
        const count = this.c.testbed_instance_count();
        return { count, bytes: this.bytes(this.c.testbed_instances(), count * INSTANCE_BYTES) };
    }

    batches() {
        const words = this.words(this.c.testbed_batches(), 3 * this.c.testbed_batch_count());
        return rows(words, 3).map(([mesh, first, count]) => ({ mesh, first, count }));
    }

    lines() {
        const count = this.c.testbed_line_vertex_count() / 2;
        return { count, bytes: this.bytes(this.c.testbed_line_vertices(), 2 * count * VERTEX_BYTES) };
    }

    points() {
        const count = this.c.testbed_point_count();
        return { count, bytes: this.bytes(this.c.testbed_points(), count * VERTEX_BYTES) };
    }

    /** Meshes as {first, count}, and the floats of all their vertices, six each. */
    meshes() {
        const words = this.words(this.c.testbed_meshes(), 2 * this.c.testbed_mesh_count());
        const size = this.c.testbed_mesh_vertex_count() * MESH_VERTEX_BYTES;
        return {
            meshes: rows(words, 2).map(([first, count]) => ({ first, count })),
            vertices: new Float32Array(this.memory.buffer, this.c.testbed_mesh_vertices(), size / 4),
        };
    }

    /** Corners in normalised device coordinates. Returns how many were picked. */
    pick(matrix, x0, y0, x1, y1) {
        this.setMatrix(matrix);
        return this.c.testbed_pick(x0, y0, x1, y1);
    }

    setMatrix(matrix) {
        const at = this.c.testbed_matrix();
        const view = this.view();
        matrix.forEach((value, i) => view.setFloat32(at + 4 * i, value, true));
    }

    /** The index1 of the nearest body at a place; 0: none. */
    at(matrix, x, y) {
        this.setMatrix(matrix);
        return this.c.testbed_at(x, y);
    }

    /** Takes hold of a body; whether it can be moved. */
    grab(index1) {
        return this.c.testbed_grab(index1) !== 0;
    }

    drag([x, y, z]) {
        this.c.testbed_drag(x, y, z);
    }

    release() {
        this.c.testbed_release();
    }

    pickBody(index1) {
        return this.c.testbed_pick_body(index1);
    }

    /** null: there is no such body, or no longer. */
    picked(i) {
        const at = this.c.testbed_picked(i);
        if (!at) {
            return null;
        }
        const [index1, generation, moving, vertices, triangles] = this.words(at, 5);
        const pose = this.floats(at + 20, 7);
        const contacts = this.u32(at + 64);
        const listed = Math.min(contacts, OTHERS);
        const others = this.words(at + 68, listed);
        const depths = this.floats(at + 68 + 4 * OTHERS, listed);
        return {
            index1, generation, moving: moving !== 0, vertices, triangles, contacts,
            position: pose.slice(0, 3), rotation: pose.slice(3), half: this.floats(at + 48, 3), radius: this.floats(at + 60, 1)[0],
            others: others.map((other, k) => ({ index1: other, depth: depths[k] })),
        };
    }

    hold({ x, z, turn, halfX, halfZ }) {
        this.c.testbed_hold(x, z, turn, halfX, halfZ);
    }

    /** The building that is held; its turn in steps of 7.5 degrees. */
    held() {
        const at = this.c.testbed_held();
        const [x, z] = this.floats(at, 2);
        const [halfX, halfZ] = this.floats(at + 12, 2);
        return { x, z, turn: this.view().getInt32(at + 8, true), halfX, halfZ };
    }

    probe(x, z) {
        this.c.testbed_probe(x, z);
    }

    /** Metres per second, and metres. */
    aim({ speed, thickness }) {
        this.c.testbed_aim(speed, thickness);
    }

    aimed() {
        const [speed, thickness] = this.floats(this.c.testbed_aimed(), 2);
        return { speed, thickness };
    }

    build() {
        return this.c.testbed_build() !== 0;
    }
}

/** `words` in rows of `width`. */
function rows(words, width) {
    return Array.from({ length: words.length / width }, (_, i) => words.slice(width * i, width * (i + 1)));
}
