// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Keys, and the table of them in the help. Camera keys act once immediately, and then as long as they are held.

import { SCENES } from './scenes.js';

const TURN = 1.2; // radians a second
const WALK = 0.6; // pictures a second
const ZOOM = 1.8; // times a second
const TAP = 0.04; // a tap counts as this many seconds

const CAMERA = {
    ArrowLeft: (camera, t) => camera.orbit(-TURN * t, 0),
    ArrowRight: (camera, t) => camera.orbit(TURN * t, 0),
    ArrowUp: (camera, t) => camera.orbit(0, TURN * t),
    ArrowDown: (camera, t) => camera.orbit(0, -TURN * t),
    a: (camera, t) => camera.walk(-WALK * t, 0),
    d: (camera, t) => camera.walk(WALK * t, 0),
    w: (camera, t) => camera.walk(0, WALK * t),
    s: (camera, t) => camera.walk(0, -WALK * t),
    q: (camera, t) => camera.zoom(ZOOM ** -t),
    e: (camera, t) => camera.zoom(ZOOM ** t),
};

const HELP = [
    ['space', 'pause, go on'], ['.', 'single step'], ['R', 'restart'], ['1 … 9', 'scene'],
    ['− +', 'slower, faster'], ['B', 'bounds'], ['C', 'contacts'], ['P', 'candidate pairs'],
    ['← → ↑ ↓', 'turn the camera'], ['W A S D', 'move it'], ['Q E', 'nearer, further'], ['Home', 'where it began'],
    ['V', 'pick what is in the middle'], ['shift V', 'pick round the middle'], ['Esc', 'pick nothing'],
    ['I J K L', 'move the building'], ['U O', 'turn it'], ['N M', 'smaller, larger'], ['Enter', 'build it'],
    ['?', 'this table'],
];

export class Keyboard {
    constructor({ session, camera, placement, redraw, toggleHelp }) {
        Object.assign(this, { session, camera, redraw });
        this.held = new Set();
        const middle = (size) => session.pick(camera.matrix(), -size, -size, size, size);
        this.actions = {
            ' ': () => session.setPaused(!session.paused),
            '.': () => session.singleStep(),
            r: () => session.restart(),
            '+': () => session.changeSpeed(1),
            '=': () => session.changeSpeed(1), // plus without shift
            '-': () => session.changeSpeed(-1),
            b: () => session.toggleOverlay('bounds'),
            c: () => session.toggleOverlay('contacts'),
            p: () => session.toggleOverlay('candidates'),
            v: () => middle(0),
            V: () => middle(0.25),
            Escape: () => session.unpick(),
            Home: () => camera.goHome(),
            i: () => placement.nudge(camera, 0, 1),
            k: () => placement.nudge(camera, 0, -1),
            j: () => placement.nudge(camera, -1, 0),
            l: () => placement.nudge(camera, 1, 0),
            u: () => placement.turn(1),
            o: () => placement.turn(-1),
            n: () => placement.resize(1 / 1.1),
            m: () => placement.resize(1.1),
            Enter: () => placement.build(),
            '?': toggleHelp,
        };
        SCENES.forEach((_, i) => {
            this.actions[i + 1] = () => session.open(i);
        });
        document.addEventListener('keydown', (event) => this.press(event));
        document.addEventListener('keyup', (event) => this.held.delete(keyOf(event)));
        window.addEventListener('blur', () => this.held.clear());
        fillHelp();
    }

    press(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) {
            return;
        }
        const key = keyOf(event);
        if (key in CAMERA) {
            if (!this.held.has(key)) {
                this.held.add(key);
                CAMERA[key](this.camera, TAP);
            }
        } else if (key in this.actions) {
            this.actions[key]();
        } else {
            return;
        }
        event.preventDefault();
        this.redraw();
    }

    /** Moves the camera by the keys that are held. Returns whether there are any. */
    tick(seconds) {
        this.held.forEach((key) => CAMERA[key](this.camera, seconds));
        return this.held.size > 0;
    }
}

/** Letters without caps lock, except V, which means something else with shift. */
function keyOf({ key, shiftKey }) {
    return key.length === 1 && !(shiftKey && key.toLowerCase() === 'v') ? key.toLowerCase() : key.length === 1 ? 'V' : key;
}

/** Whether the focused element uses the key itself. */
function isTaken({ key, target }) {
    if (document.querySelector('dialog[open]')) {
        return key !== '?';
    }
    if (target.closest('input[type="range"]')) {
        return /^(Arrow|Page|Home|End)/.test(key);
    }
    const field = target.closest('input, select');
    return field ? key !== 'Escape' : (key === ' ' || key === 'Enter') && target.closest('button') !== null;
}

function fillHelp() {
    const rows = HELP.map(([key, meaning]) => {
        const row = document.createElement('div');
        const name = document.createElement('kbd');
        name.textContent = key;
        row.append(meaning, name);
        return row;
    });
    document.getElementById('keys').replaceChildren(...rows);
}
