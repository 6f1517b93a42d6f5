// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Mouse and fingers on the scene. One pointer turns the camera, drags a picked body or the building, or draws a rectangle; two
// fingers, or the right button, move the camera, and pinching zooms. A press that does not move picks.

import { QUERIES } from './scenes.js';

const STILL = 6; // CSS pixels within which a press counts as a click
const TURN = 0.006; // radians per pixel
const WHEEL = 0.0015;
const PROBE_HEIGHT = 0.6; // of the scene of queries

export class Pointer {
    constructor(canvas, camera, session, placement, redraw) {
        Object.assign(this, { canvas, camera, session, placement, redraw });
        this.rectangle = document.getElementById('rectangle');
        this.button = document.getElementById('select');
        this.selecting = false; // the next drag draws a rectangle
        this.down = new Map(); // positions of pointers by id, in CSS pixels of the canvas
        this.drag = null;
        const on = (name, handle) => canvas.addEventListener(name, handle, { passive: false });
        on('pointerdown', (event) => this.press(event));
        on('pointermove', (event) => this.move(event));
        on('pointerup', (event) => this.release(event));
        on('pointercancel', (event) => this.release(event, true));
        on('contextmenu', (event) => event.preventDefault());
        on('wheel', (event) => this.wheel(event));
        this.button.addEventListener('click', () => this.select(!this.selecting));
    }

    select(selecting) {
        this.selecting = selecting;
        this.button.setAttribute('aria-pressed', String(selecting));
        this.canvas.classList.toggle('selecting', selecting);
    }

    place(event) {
        const frame = this.canvas.getBoundingClientRect();
        return [event.clientX - frame.left, event.clientY - frame.top];
    }

    /** Normalised device coordinates of a place in CSS pixels. */
    normal([x, y]) {
        return [(2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight];
    }

    /** The point at which the line of sight through a place meets a height. */
    at(place, height) {
        return this.camera.groundPoint(...this.normal(place), height);
    }

    press(event) {
        const place = this.place(event);
        this.canvas.setPointerCapture(event.pointerId);
        this.down.set(event.pointerId, place);
        if (this.down.size > 1) {
            this.endRectangle();
            this.session.testbed.release();
            this.drag = { kind: 'two' };
        } else {
            const kind = this.kindOf(event);
            const height = kind === 'turn' && this.placement.active() ? this.placement.grab((h) => this.at(place, h)) : null;
            const held = kind === 'turn' && height === null ? this.grab(place) : null;
            this.drag = { kind: held ? 'body' : height === null ? kind : 'building', height, held, from: place, moved: false };
        }
        this.canvas.classList.add('busy');
    }

    /** Takes hold of a picked body: how deep in the picture it is, and how far its origin from what the pointer shows there. */
    grab(place) {
        const at = this.session.grab(this.camera.matrix(), ...this.normal(place));
        if (!at) {
            return null;
        }
        const depth = this.camera.depth(at);
        const shown = this.camera.pointAt(...this.normal(place), depth);
        return { depth, offset: at.map((x, i) => x - shown[i]) };
    }

    kindOf(event) {
        if (event.button !== 0 || event.ctrlKey) {
            return 'pan';
        }
        if (event.shiftKey || this.selecting) {
            return 'rectangle';
        }
        return 'turn';
    }

    move(event) {
        const before = this.down.get(event.pointerId);
        if (!before) {
            this.hover(this.place(event));
            return;
        }
        const place = this.place(event);
        const [dx, dy] = [place[0] - before[0], place[1] - before[1]];
        if (this.drag.kind === 'two') {
            this.pinch(event.pointerId, before, place);
        } else if (this.drag.moved || distance(this.drag.from, place) > STILL) {
            this.drag.moved = true;
            this.continue(before, place, dx, dy);
        } else {
            return; // the first pixels count as soon as it is a drag
        }
        this.down.set(event.pointerId, place);
        this.redraw();
    }

    /** The probe follows a pointer that presses nothing. */
    hover(place) {
        const at = this.session.scene === QUERIES ? this.at(place, PROBE_HEIGHT) : null;
        if (at) {
            this.session.probe(at[0], at[2]);
        }
    }

    continue(before, place, dx, dy) {
        const height = this.canvas.clientHeight;
        if (this.drag.kind === 'turn') {
            this.camera.orbit(-dx * TURN, dy * TURN);
        } else if (this.drag.kind === 'pan') {
            this.camera.pan(-dx / height, dy / height);
        } else if (this.drag.kind === 'rectangle') {
            this.showRectangle(place);
        } else if (this.drag.kind === 'body') {
            const { depth, offset } = this.drag.held;
            this.session.testbed.drag(this.camera.pointAt(...this.normal(place), depth).map((x, i) => x + offset[i]));
        } else {
            const [from, to] = [before, place].map((where) => this.at(where, this.drag.height));
            if (from && to) {
                this.placement.move([to[0] - from[0], 0, to[2] - from[2]]);
            }
        }
    }

    /** Two fingers: the point between them stays between them. */
    pinch(id, before, place) {
        const other = [...this.down].find(([otherId]) => otherId !== id)?.[1];
        if (!other) {
            return;
        }
        const height = this.canvas.clientHeight;
        this.camera.zoom(Math.max(distance(before, other), 1) / Math.max(distance(place, other), 1));
        this.camera.pan(-(place[0] - before[0]) / 2 / height, (place[1] - before[1]) / 2 / height);
    }

    release(event, cancelled = false) {
        if (!this.down.delete(event.pointerId)) {
            return;
        }
        const { kind, from, moved } = this.drag;
        if (kind === 'body') {
            this.session.testbed.release();
        }
        const place = this.place(event);
        if (!cancelled && kind === 'rectangle' && moved) {
            this.pick(from, place);
        } else if (!cancelled && kind !== 'two' && kind !== 'pan' && !moved) {
            this.pick(from, from);
        }
        if (kind === 'rectangle') {
            this.endRectangle();
        }
        if (this.down.size === 0) {
            this.drag = null;
            this.canvas.classList.remove('busy');
        }
    }

    pick(a, b) {
        const [[x0, y0], [x1, y1]] = [this.normal(a), this.normal(b)];
        this.session.pick(this.camera.matrix(), Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1));
    }

    showRectangle(place) {
        const { from } = this.drag;
        const style = this.rectangle.style;
        this.rectangle.hidden = false;
        style.left = `${Math.min(from[0], place[0])}px`;
        style.top = `${Math.min(from[1], place[1])}px`;
        style.width = `${Math.abs(place[0] - from[0])}px`;
        style.height = `${Math.abs(place[1] - from[1])}px`;
    }

    endRectangle() {
        this.rectangle.hidden = true;
        this.select(false);
    }

    wheel(event) {
        event.preventDefault(); // or the page would zoom where a touchpad is pinched
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.camera.zoom(Math.exp(Math.min(Math.max(event.deltaY * lines, -300), 300) * WHEEL * (event.ctrlKey ? 6 : 1)));
        this.redraw();
    }
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
