// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// window.abutTestbed: queries and commands for tests and curious people, without waiting for real time.

import { PHASES } from './graph.js';
import { SCENES } from './scenes.js';

export function offerHook(page) {
    const { session, testbed, camera } = page;
    window.abutTestbed = {
        scenes: SCENES.map(({ name }) => name),

        /** Opens a scene with its default count, runs this many frames, and pauses. Returns the hash in hexadecimal. */
        run(name, frames) {
            session.setPaused(true);
            session.open(SCENES.findIndex((scene) => scene.name === name));
            for (let frame = testbed.report().frame; frame < frames; ++frame) {
                if (!session.step()) {
                    throw new Error(session.trouble);
                }
            }
            return testbed.hash();
        },

        /** Simulates the passing of time; returns the number of frames that ran. */
        pass(seconds) {
            const before = testbed.report().frame;
            page.advance(seconds, Infinity);
            return testbed.report().frame - before;
        },

        /** Runs this many more frames. */
        advance(frames) {
            for (let frame = 0; frame < frames; ++frame) {
                session.step();
            }
        },

        /** Returns to a frame of the last ten seconds. */
        goTo: (frame) => session.goTo(frame),

        /** Changes the held building: any of {x, z, turn, halfX, halfZ}. */
        hold: (changes) => page.placement.change(changes),

        /** Changes the cannons: any of {speed, thickness}. */
        aim: (changes) => session.aim(changes),

        report: () => testbed.report(),
        hash: () => testbed.hash(),
        held: () => testbed.held(),
        aimed: () => testbed.aimed(),
        medians: () => page.graph.medians(),
        phases: PHASES.map(({ key }) => key),
        picked: () => Array.from({ length: session.pickedCount }, (_, i) => testbed.picked(i)),
        state: () => ({
            scene: SCENES[session.scene].name, count: session.count, paused: session.paused, speed: session.speed,
            overlays: [...session.overlays], trouble: session.trouble, stale: page.stale,
        }),
        camera: () => ({
            target: camera.target, distance: camera.distance, yaw: camera.yaw, pitch: camera.pitch, eye: camera.eye(),
        }),

        /** The bodies of the last picture: their ids' index1, and their positions. */
        bodies() {
            const { bytes } = testbed.instances();
            const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
            const bodies = [];
            for (let at = 0; at < bytes.length; at += 48) {
                const index1 = words.getUint32(at + 44, true);
                if (index1 !== 0) {
                    bodies.push({ index1, position: [0, 4, 8].map((offset) => words.getFloat32(at + offset, true)) });
                }
            }
            return bodies;
        },

        /** The contents of the last picture: bodies of each colour as #rrggbb, lines and points. */
        drawn() {
            const { bytes } = testbed.instances();
            const colours = {};
            for (let at = 40; at < bytes.length; at += 48) {
                const colour = `#${[...bytes.subarray(at, at + 3)].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
                colours[colour] = (colours[colour] || 0) + 1;
            }
            return { colours, lines: testbed.lines().count, points: testbed.points().count };
        },

        /** The same for the current frame. */
        redrawn() {
            testbed.draw(session.overlayBits());
            return this.drawn();
        },

        /** Makes the next picture fail, as after an abort of the module. */
        breakDown() {
            testbed.draw = () => {
                throw new Error('broken on request');
            };
            page.redraw();
        },

        /** The position of a point of the world on the page, in CSS pixels, or null. */
        place(point) {
            const at = camera.project(point);
            const frame = document.getElementById('view').getBoundingClientRect();
            return at && [frame.left + ((at[0] + 1) * frame.width) / 2, frame.top + ((1 - at[1]) * frame.height) / 2];
        },
    };
}
