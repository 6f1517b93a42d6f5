// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The cannons' sliders: how fast shots are, and how thick plates.

import { CANNON } from './scenes.js';

// By name: what the testbed allows, and in which unit it is shown. Sliders run from 0 to 1000, by powers.
const SLIDERS = {
    speed: { id: 'shot-speed', least: 1, most: 1000, unit: 1 },
    thickness: { id: 'thickness', least: 0.001, most: 0.5, unit: 0.001 },
};

export class Aim {
    constructor(session) {
        this.session = session;
        this.panel = document.getElementById('aiming');
        for (const [name, { id, least, most }] of Object.entries(SLIDERS)) {
            const slider = document.getElementById(id);
            slider.addEventListener('input', () => session.aim({ [name]: least * (most / least) ** (slider.value / 1000) }));
        }
        session.on('open', () => this.show());
        session.on('aimed', () => this.show());
        session.on('trouble', () => this.show());
    }

    show() {
        this.panel.hidden = this.session.scene !== CANNON || this.session.trouble !== '';
        if (this.panel.hidden) {
            return;
        }
        const aimed = this.session.testbed.aimed();
        for (const [name, { id, least, most, unit }] of Object.entries(SLIDERS)) {
            const slider = document.getElementById(id);
            const text = String(Number((aimed[name] / unit).toPrecision(3)));
            slider.value = Math.round((1000 * Math.log(aimed[name] / least)) / Math.log(most / least));
            slider.setAttribute('aria-valuetext', text);
            document.getElementById(`${id}-value`).textContent = text;
        }
    }
}
