// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Time per phase: a bar per frame, phases stacked; drawing time is on a strip of its own, because it says nothing about
// the library. Numbers are medians over the last second.

const FRAMES = 240;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]; // ends of the scale, in ms
const STRIP = 0.2; // of the height, for drawing

/** From bottom to top. The colours are distinguishable without red-green vision. */
export const PHASES = [
    { key: 'msPoses', name: 'poses', colour: '#8a94a6' },
    { key: 'msBounds', name: 'bounds', colour: '#5b9bd5' },
    { key: 'msBroad', name: 'broad', colour: '#2f6fb3' },
    { key: 'msNarrow', name: 'narrow', colour: '#f2a33a' },
    { key: 'msEvents', name: 'events', colour: '#d96f32' },
    { key: 'msQuery', name: 'query', colour: '#59b89c' },
];
export const DRAWING = { key: 'msDraw', name: 'drawing (CPU)', colour: '#a58bd0' };

export class Graph {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d');
        this.clear();
    }

    clear() {
        this.frames = [];
    }

    /** Whether no frame was measured since the scene began. */
    isEmpty() {
        return this.frames.length === 0;
    }

    /** `frame`: the milliseconds by key, and `at`, its time. */
    add(frame) {
        this.frames.push(frame);
        if (this.frames.length > FRAMES) {
            this.frames.shift();
        }
    }

    /** Milliseconds by key, and `total` of the library's phases. */
    medians() {
        const last = this.frames.at(-1);
        const recent = this.frames.filter(({ at }) => at > last.at - 1000);
        const result = { total: median(recent.map(total)) };
        for (const { key } of [...PHASES, DRAWING]) {
            result[key] = median(recent.map((frame) => frame[key]));
        }
        return result;
    }

    draw() {
        const ratio = window.devicePixelRatio || 1;
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (width === 0) {
            return; // folded away
        }
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.context.scale(ratio, ratio);
        const strip = Math.round(height * STRIP);
        this.bars(PHASES, 0, width, height - strip - 4);
        this.bars([DRAWING], height - strip, width, strip);
    }

    /** Stacked bars in a part of the canvas, with the end of their scale written above them. */
    bars(phases, top, width, height) {
        const { context } = this;
        const sums = this.frames.map((frame) => phases.reduce((sum, { key }) => sum + frame[key], 0));
        const end = STEPS.find((step) => step >= quantile(sums, 0.98) * 1.05) || STEPS.at(-1);
        const bar = width / FRAMES;
        const begin = width - this.frames.length * bar;
        const styles = window.getComputedStyle(this.canvas);
        context.fillStyle = styles.getPropertyValue('--well');
        context.fillRect(0, top, width, height);
        const floors = new Float64Array(this.frames.length);
        for (const { key, colour } of phases) {
            context.fillStyle = colour;
            this.frames.forEach((frame, i) => {
                const tall = Math.min((frame[key] / end) * height, height - floors[i]);
                context.fillRect(begin + i * bar, top + height - floors[i] - tall, bar + 0.3, tall);
                floors[i] += tall;
            });
        }
        context.fillStyle = styles.color;
        context.font = '10px system-ui, sans-serif';
        context.textBaseline = 'top';
        context.fillText(`${end} ms${phases.length > 1 ? '' : ' drawing'}`, 4, top + 3);
    }
}

const total = (frame) => PHASES.reduce((sum, { key }) => sum + frame[key], 0);

function quantile(values, part) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted.length > 0 ? sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] : 0;
}

const median = (values) => quantile(values, 0.5);
