// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Connects the parts and runs the clock.

import { keepAddress, openAddress } from './address.js';
import { Aim } from './aim.js';
import { Camera } from './camera.js';
import { Controls } from './controls.js';
import { Graph, PHASES } from './graph.js';
import { offerHook } from './hook.js';
import { Keyboard } from './keyboard.js';
import { load } from './module.js';
import { Picking } from './picking.js';
import { Placement } from './placement.js';
import { Pointer } from './pointer.js';
import { Renderer } from './renderer.js';
import { SCENES } from './scenes.js';
import { FRAMES_PER_SECOND, Session } from './session.js';
import { Testbed } from './testbed.js';

const LONGEST = 0.1; // seconds: a page that was hidden for longer does not catch up
const BUDGET = 50; // ms per picture that steps may take; on a slow machine, time runs slower instead
const NUMBERS = 250; // ms between two looks at numbers

const canvas = document.getElementById('view');
const help = document.getElementById('help');

function showMessage(message) {
    const place = document.getElementById('message');
    place.textContent = message;
    place.hidden = !message;
}

function say(text) {
    document.getElementById('status').textContent = text;
}

class Page {
    constructor(testbed, renderer) {
        this.testbed = testbed;
        this.renderer = renderer;
        this.session = new Session(testbed);
        this.camera = new Camera();
        this.graph = new Graph(document.getElementById('graph'));
        this.redraw = () => {
            this.stale = true;
        };
        this.goHome = () => {
            this.camera.goHome();
            this.redraw();
        };
        this.controls = new Controls(this.session, this.graph, this.goHome);
        this.placement = new Placement(this.session, say);
        this.aim = new Aim(this.session);
        this.picking = new Picking(this.session, say);
        this.pointer = new Pointer(canvas, this.camera, this.session, this.placement, this.redraw);
        this.keyboard = new Keyboard({
            session: this.session, camera: this.camera, placement: this.placement, redraw: this.redraw, toggleHelp,
        });
        for (const kind of ['settings', 'step', 'returned', 'picked', 'held', 'probed', 'aimed']) {
            this.session.on(kind, this.redraw);
        }
        this.session.on('open', () => this.opened());
        this.session.on('step', () => this.noteStep());
        this.stepped = [];
        this.owed = 0;
        this.before = performance.now();
        this.numbersAt = 0;
    }

    opened() {
        this.renderer.takeMeshes(this.testbed.meshes());
        if (this.scene === this.session.scene) { // another count of it
            this.camera.follow(this.testbed.camera());
        } else {
            this.scene = this.session.scene;
            this.camera.place(this.testbed.camera());
        }
        this.graph.clear();
        this.numbersAt = 0;
        this.owed = 0;
        this.redraw();
    }

    noteStep() {
        const report = this.testbed.report();
        this.stepped.push(Object.fromEntries(PHASES.map(({ key }) => [key, report[key]])));
    }

    frame(now) {
        const seconds = Math.min((now - this.before) / 1000, LONGEST);
        this.before = now;
        if (this.keyboard.tick(seconds)) {
            this.redraw();
        }
        this.advance(seconds);
        if (this.renderer.resize()) {
            this.camera.aspect = canvas.width / canvas.height;
            this.redraw();
        }
        if (this.stale) {
            this.picture(now);
        }
        if (now - this.numbersAt > NUMBERS) {
            this.numbersAt = now;
            this.controls.showNumbers();
        }
    }

    /** Runs the steps that are due. */
    advance(seconds, budget = BUDGET) {
        if (this.session.paused) {
            this.owed = 0;
            return;
        }
        this.owed += seconds * FRAMES_PER_SECOND * this.session.speed;
        const until = performance.now() + budget;
        while (this.owed >= 1 && performance.now() < until && this.session.step()) {
            this.owed -= 1;
        }
        this.owed = Math.min(this.owed, 1);
    }

    picture(now) {
        const begin = performance.now();
        this.stale = false;
        if (!this.session.trouble) {
            this.session.check('drawing failed', this.testbed.draw(this.session.overlayBits()));
        }
        this.renderer.draw(this.testbed, this.camera, SCENES[this.session.scene]);
        if (this.stepped.length > 0) {
            const mean = (key) => this.stepped.reduce((sum, step) => sum + step[key], 0) / this.stepped.length;
            const bar = Object.fromEntries(PHASES.map(({ key }) => [key, mean(key)]));
            this.graph.add({ ...bar, msDraw: performance.now() - begin, at: now });
            this.stepped = [];
        }
    }

    run() {
        const next = (now) => {
            try {
                this.frame(now);
            } catch (error) { // such as an aborted module, whose data can no longer be trusted
                showMessage(`The testbed has stopped.\n${error.message}`);
                throw error;
            }
            window.requestAnimationFrame(next);
        };
        window.requestAnimationFrame(next);
    }
}

function toggleHelp() {
    if (help.open) {
        help.close();
    } else {
        help.showModal();
    }
}

async function begin() {
    let page = null;
    let renderer;
    const lost = () => showMessage('The graphics were lost. They come back by themselves, as a rule.');
    const restored = () => {
        showMessage('');
        page.renderer.takeMeshes(page.testbed.meshes());
        page.redraw();
    };
    try {
        renderer = new Renderer(canvas, lost, restored);
    } catch (error) {
        showMessage(`The testbed draws with WebGL2, and this browser does not offer it.\n${error.message}`);
        return;
    }
    document.getElementById('help-open').addEventListener('click', toggleHelp);
    showMessage('Loading …');
    try {
        page = new Page(new Testbed(await load('abut-testbed.wasm')), renderer);
    } catch (error) {
        showMessage(`The testbed's module cannot be loaded.\n${error.message}`);
        throw error;
    }
    showMessage('');
    renderer.resize();
    page.camera.aspect = canvas.width / canvas.height;
    openAddress(page.session);
    keepAddress(page.session);
    page.run();
    offerHook(page);
}

begin();
