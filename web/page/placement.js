// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The building that is dragged over the ground: held by the pointer, rotated, resized, built.

import { PLACEMENT } from './scenes.js';

const NUDGE = 0.5; // by a key
const GROW = 1.1;
const HALF_MIN = 0.5;
const HALF_MAX = 12;
const FINGER = 1; // a building can be grabbed at this distance from it
const HEIGHT = 1.2; // of the sum of its half extents

export class Placement {
    constructor(session, say) {
        this.session = session;
        this.say = say;
        this.panel = document.getElementById('placing');
        this.answer = document.getElementById('answer');
        const actions = {
            'turn-left': () => this.turn(1), 'turn-right': () => this.turn(-1),
            smaller: () => this.resize(1 / GROW), larger: () => this.resize(GROW), build: () => this.build(),
        };
        for (const [id, action] of Object.entries(actions)) {
            document.getElementById(id).addEventListener('click', action);
        }
        session.on('open', () => this.show());
        session.on('step', () => this.show());
        session.on('held', () => this.show());
    }

    active() {
        return this.session.scene === PLACEMENT && !this.session.trouble;
    }

    /** The height at which a line of sight, `at` of a height, meets the building; null: it does not. */
    grab(at) {
        const held = this.session.testbed.held();
        const high = HEIGHT * (held.halfX + held.halfZ);
        const heights = [1, 0.75, 0.5, 0.25, 0].map((part) => part * high);
        return heights.find((height) => at(height) && this.covers(held, at(height))) ?? null;
    }

    /** Whether a place lies on the building, or nearly. */
    covers(held, [x, , z]) {
        const angle = (held.turn * 7.5 * Math.PI) / 180;
        const [dx, dz] = [x - held.x, z - held.z];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)]; // turned about +y, which carries z towards x
        return Math.abs(cos * dx - sin * dz) <= held.halfX + FINGER && Math.abs(sin * dx + cos * dz) <= held.halfZ + FINGER;
    }

    change(changes) {
        if (this.active()) {
            this.session.testbed.hold({ ...this.session.testbed.held(), ...changes });
            this.session.emit('held');
        }
    }

    move([dx, , dz]) {
        const { x, z } = this.session.testbed.held();
        this.change({ x: x + dx, z: z + dz });
    }

    nudge(camera, right, forward) {
        this.move(camera.alongGround(right * NUDGE, forward * NUDGE));
    }

    turn(steps) {
        this.change({ turn: this.session.testbed.held().turn + steps });
    }

    resize(factor) {
        const { halfX, halfZ } = this.session.testbed.held();
        const fits = (half) => half * factor >= HALF_MIN && half * factor <= HALF_MAX;
        if (fits(halfX) && fits(halfZ)) {
            this.change({ halfX: halfX * factor, halfZ: halfZ * factor });
        }
    }

    build() {
        if (this.active()) {
            this.say(this.session.testbed.build() ? 'built' : 'not built: the place is not free');
            this.session.emit('held');
        }
    }

    show() {
        this.panel.hidden = !this.active();
        if (this.panel.hidden) {
            return;
        }
        const { free, blockers, pushX, pushZ } = this.session.testbed.report();
        const push = `push (${pushX.toFixed(2)}, ${pushZ.toFixed(2)})`;
        const text = free ? 'free' : `blocked by ${blockers}${pushX || pushZ ? `, ${push}` : ''}`;
        if (this.answer.textContent !== text) {
            this.answer.textContent = text;
        }
        if (this.answer.dataset.free !== String(free !== 0)) { // announced when it changes, not for every pixel
            this.answer.dataset.free = free !== 0;
            document.getElementById('build').disabled = !free;
            this.say(free ? 'free' : 'blocked');
        }
    }
}
