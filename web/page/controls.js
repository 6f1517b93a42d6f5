// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Buttons, fields and numbers round the scene. They show the session's state, whatever changed it.

import { DRAWING, PHASES } from './graph.js';
import { CANNON, CULLING, QUERIES, SCENES } from './scenes.js';
import { FRAMES_PER_SECOND, SPEEDS } from './session.js';
import { OVERLAYS } from './testbed.js';

const FRACTIONS = { 0.125: '1/8', 0.25: '1/4', 0.5: '1/2' };
const COUNTS = [
    ['bodies', 'bodies'], ['moved', 'moved'], ['sweepTests', 'bounds compared'], ['candidates', 'candidates'],
    ['secondStage', 'decided in double'], ['contacts', 'contacts'], ['begun', 'begun'], ['ended', 'ended'],
    ['bytes', 'memory'],
];
const SEEN = [['seenInside', 'seen: inside'], ['seenIntersecting', 'seen: across the border'],
    ['keptByPlanes', 'falsely kept by planes']];
const ASKED = [['rays', 'rays'], ['raysMet', 'rays that meet a body'], ['nearest', 'distance of the nearest']];

const FIRED = [['passedSteps', 'through a plate, left'], ['passedSwept', 'through a plate, right'],
    ['bouncedSteps', 'bounced, left'], ['bouncedSwept', 'bounced, right']];

const get = (id) => document.getElementById(id);
const grouped = (number) => number.toLocaleString('en');

export class Controls {
    constructor(session, graph, goHome) {
        this.session = session;
        this.graph = graph;
        this.makeScenes();
        this.makeTime(goHome);
        this.makePast();
        this.makeCount();
        this.makeOverlays();
        this.makeTables();
        this.makeSheet();
        session.on('open', () => this.showScene());
        session.on('settings', () => this.showSettings());
        session.on('trouble', () => this.showTrouble());
    }

    makeScenes() {
        this.scenes = SCENES.map(({ title, sentence }, i) => {
            const button = document.createElement('button');
            button.textContent = title;
            button.title = `${sentence} (${i + 1})`;
            button.addEventListener('click', () => this.session.open(i));
            return button;
        });
        get('scenes').append(...this.scenes);
    }

    makeTime(goHome) {
        const { session } = this;
        get('pause').addEventListener('click', () => session.setPaused(!session.paused));
        get('step').addEventListener('click', () => session.singleStep());
        get('restart').addEventListener('click', () => session.restart());
        get('home').addEventListener('click', goHome);
        get('speed').append(...SPEEDS.map((speed) => new Option(`${FRACTIONS[speed] || speed} ×`, speed)));
        get('speed').addEventListener('change', () => session.setSpeed(Number(get('speed').value)));
    }

    makePast() {
        get('past').addEventListener('input', () => this.session.goTo(Number(get('past').value)));
        for (const kind of ['open', 'step', 'returned']) {
            this.session.on(kind, () => this.showPast());
        }
    }

    makeCount() {
        const { session } = this;
        get('count-slider').addEventListener('input', () => {
            session.open(session.scene, countOf(get('count-slider').value, session.testbed.countMax(session.scene)));
        });
        get('count').addEventListener('change', () => {
            const count = Number(get('count').value);
            const most = session.testbed.countMax(session.scene);
            const fits = Number.isInteger(count) && count >= 1 && count <= most;
            if (fits) {
                session.open(session.scene, count);
            }
            get('count').value = session.count;
            get('count-word').textContent = fits ? '' : `A whole number from 1 to ${grouped(most)}, please.`;
        });
    }

    makeOverlays() {
        for (const name of Object.keys(OVERLAYS)) {
            get(`overlay-${name}`).addEventListener('click', () => this.session.toggleOverlay(name));
        }
    }

    makeTables() {
        this.phases = [...PHASES, { key: 'total', name: 'together' }, DRAWING].map(({ key, name, colour }) => ({
            key, cell: addRow(get('phases'), key, name, colour),
        }));
        this.counts = [...SEEN, ...ASKED, ...FIRED, ...COUNTS].map(([key, name]) => ({ key, cell: addRow(get('counts'), key, name) }));
    }

    makeSheet() {
        get('panel-toggle').addEventListener('click', () => this.openSheet(!get('panel').classList.contains('open')));
        this.session.on('picked', () => {
            if (this.session.pickedCount > 0) {
                this.openSheet(true);
                get('panel').scrollTop = 0;
            }
        });
    }

    /** Where there is room the panel is beside the scene, open or not. */
    openSheet(open) {
        get('panel').classList.toggle('open', open);
        get('panel-toggle').setAttribute('aria-expanded', String(open));
        this.graph.draw();
    }

    showScene() {
        const { session } = this;
        const scene = SCENES[session.scene];
        this.scenes.forEach((button, i) => {
            if (i === session.scene) {
                button.setAttribute('aria-current', 'page');
            } else {
                button.removeAttribute('aria-current');
            }
        });
        document.title = `${scene.title} · abut testbed`;
        get('sentence').textContent = scene.sentence;
        get('legend').replaceChildren(...scene.legend.map(([colour, meaning]) => legendItem(colour, meaning)));
        if (scene.resting) {
            get('legend').append(legendItem(null, 'darker: at rest'));
        }
        const most = session.testbed.countMax(session.scene);
        get('count-label').textContent = scene.counts;
        get('count').max = most;
        get('count-word').textContent = '';
        get('count').value = session.count;
        get('count-slider').value = sliderOf(session.count, most);
        get('count-slider').setAttribute('aria-valuetext', grouped(session.count));
        for (const [rows, where] of [[SEEN, CULLING], [ASKED, QUERIES], [FIRED, CANNON]]) {
            rows.forEach(([key]) => {
                this.counts.find((row) => row.key === key).cell.parentNode.hidden = session.scene !== where;
            });
        }
        this.showSettings();
    }

    showSettings() {
        const { session } = this;
        get('pause').setAttribute('aria-label', session.paused ? 'Go on' : 'Pause');
        get('pause').querySelector('use').setAttribute('href', session.paused ? '#i-play' : '#i-pause');
        get('speed').value = session.speed;
        for (const name of Object.keys(OVERLAYS)) {
            get(`overlay-${name}`).setAttribute('aria-pressed', String(session.overlays.has(name)));
        }
    }

    showPast() {
        const { first, last, stride } = this.session.testbed.past();
        const { frame } = this.session.testbed.report();
        const slider = get('past');
        slider.disabled = last === 0;
        Object.assign(slider, { max: last, min: first, step: stride, value: frame });
        slider.setAttribute('aria-valuetext', `frame ${frame}`);
        get('past-value').textContent = `${((frame - Math.max(last, frame)) / FRAMES_PER_SECOND).toFixed(1)} s`;
    }

    showTrouble() {
        get('message').hidden = !this.session.trouble;
        get('message').textContent = this.session.trouble;
    }

    /** Called a few times a second. */
    showNumbers() {
        const report = this.session.testbed.report();
        for (const { key, cell } of this.counts) {
            cell.textContent = key === 'nearest' ? report.nearest.toFixed(2) : key === 'bytes' ? `${(report.bytes / 2 ** 20).toFixed(1)} MiB` : grouped(report[key]);
        }
        const medians = this.graph.medians();
        for (const { key, cell } of this.phases) {
            cell.textContent = this.graph.isEmpty() ? '-' : medians[key].toFixed(2);
        }
        get('figures').textContent = [`${grouped(report.bodies)} bodies`, SCENES[this.session.scene].figure(report, grouped),
            this.graph.isEmpty() ? '- ms a frame' : `${medians.total.toFixed(2)} ms a frame`].join(' · ');
        this.graph.draw();
    }
}

/** Without a colour: all of them, dimmed. */
function legendItem(colour, meaning) {
    const item = document.createElement('li');
    if (colour) {
        item.style.setProperty('--colour', colour);
    }
    item.textContent = meaning;
    return item;
}

/** Half of the slider is for the lowest eighth of the counts. */
function countOf(value, most) {
    return Math.max(Math.round(most * (value / 1000) ** 3), 1);
}

function sliderOf(count, most) {
    return Math.round(1000 * Math.cbrt(count / most));
}

/** A row of a name and a number; returns the number's cell. */
function addRow(table, key, name, colour) {
    const row = table.tBodies[0].insertRow();
    const head = document.createElement('th');
    row.dataset.key = key;
    head.scope = 'row';
    head.textContent = name;
    if (colour) {
        head.className = 'swatch';
        head.style.setProperty('--colour', colour);
    }
    row.append(head);
    return row.insertCell();
}
