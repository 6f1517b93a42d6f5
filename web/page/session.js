// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The state of the page: the only module that changes the testbed. Others call it, and listen to its events:
//   open      another scene or another count
//   settings  paused, speed or overlays
//   step      a frame was computed
//   returned  an earlier frame came back, or a later one
//   picked    other bodies are picked
//   held      the building to be placed was moved, turned, resized or built
//   probed    the probe was moved
//   aimed     the cannons' speed or their plates were changed
//   trouble   the testbed refused something; `trouble` has the message

import { OVERLAYS, resultName } from './testbed.js';

export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4];
export const FRAMES_PER_SECOND = 60; // of a scene at speed 1, at any screen rate

export class Session {
    constructor(testbed) {
        this.testbed = testbed;
        this.listeners = {};
        this.scene = 0;
        this.count = 0;
        this.paused = false;
        this.speed = 1;
        this.overlays = new Set();
        this.trouble = '';
        this.pickedCount = 0;
    }

    on(kind, listener) {
        (this.listeners[kind] ||= []).push(listener);
    }

    emit(kind) {
        (this.listeners[kind] || []).forEach((listener) => listener());
    }

    /** count 0: the scene's usual one. The first frame is computed at once, so that there is something to see. */
    open(scene, count = 0) {
        const most = this.testbed.countMax(scene);
        this.scene = scene;
        this.count = Math.min(count || this.testbed.countUsual(scene), most);
        this.pickedCount = 0;
        if (this.check('the scene cannot be made', this.testbed.open(scene, this.count))) {
            this.check('the first frame failed', this.testbed.step());
        }
        this.emit('open');
    }

    restart() {
        this.open(this.scene, this.count);
    }

    /** Returns whether it succeeded. */
    step() {
        const fine = !this.trouble && this.check('the step failed', this.testbed.step());
        if (fine) {
            this.emit('step');
        }
        return fine;
    }

    /** Shows a frame of the last ten seconds, and pauses; the next step goes on from there. */
    goTo(frame) {
        this.setPaused(true);
        if (this.check('this frame does not come back', this.testbed.goTo(frame))) {
            ['returned', 'held', 'probed', 'aimed', 'picked'].forEach((kind) => this.emit(kind));
        }
    }

    check(what, result) {
        const trouble = result === 0 ? '' : `${what}: ${resultName(result)}`;
        if (trouble !== this.trouble) {
            this.trouble = trouble;
            this.paused ||= trouble !== '';
            this.emit('trouble');
            this.emit('settings');
        }
        return result === 0;
    }

    setPaused(paused) {
        this.paused = paused;
        this.emit('settings');
    }

    /** One frame, then pauses. */
    singleStep() {
        this.setPaused(true);
        this.step();
    }

    setSpeed(speed) {
        this.speed = SPEEDS.includes(speed) ? speed : 1;
        this.emit('settings');
    }

    changeSpeed(by) {
        const i = SPEEDS.indexOf(this.speed) + by;
        this.setSpeed(SPEEDS[Math.min(Math.max(i, 0), SPEEDS.length - 1)]);
    }

    setOverlay(name, shown) {
        if (shown) {
            this.overlays.add(name);
        } else {
            this.overlays.delete(name);
        }
        this.emit('settings');
    }

    toggleOverlay(name) {
        this.setOverlay(name, !this.overlays.has(name));
    }

    overlayBits() {
        return [...this.overlays].reduce((bits, name) => bits | OVERLAYS[name], 0);
    }

    /** Takes hold of the picked body if it is seen at a place; its position, or null. Where several are picked, of none. */
    grab(matrix, x, y) {
        const body = this.pickedCount === 1 && !this.trouble ? this.testbed.picked(0) : null;
        const there = body && this.testbed.at(matrix, x, y) === body.index1;
        return there && this.testbed.grab(body.index1) ? body.position : null;
    }

    probe(x, z) {
        this.testbed.probe(x, z);
        this.emit('probed');
    }

    /** Any of {speed, thickness}. */
    aim(changes) {
        this.testbed.aim({ ...this.testbed.aimed(), ...changes });
        this.emit('aimed');
    }

    /** Corners in normalised device coordinates; the same corner twice is a ray. */
    pick(matrix, x0, y0, x1, y1) {
        this.pickedCount = this.testbed.pick(matrix, x0, y0, x1, y1);
        this.emit('picked');
    }

    pickBody(index1) {
        this.pickedCount = this.testbed.pickBody(index1);
        this.emit('picked');
    }

    unpick() {
        this.pickBody(0);
    }
}
