// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The panel of picked bodies: a button per body, data of the chosen one, and its contacts.

const PATIENCE = 100; // ms between two refreshes while time runs: numbers that change faster cannot be read

export class Picking {
    constructor(session, say) {
        this.session = session;
        this.say = say;
        this.chosen = 0;
        this.shownAt = 0;
        this.section = document.getElementById('picked');
        this.title = document.getElementById('picked-title');
        this.list = document.getElementById('picked-list');
        this.facts = document.getElementById('picked-facts');
        this.contactsTitle = document.getElementById('picked-contacts-title');
        this.contacts = document.getElementById('picked-contacts');
        document.getElementById('unpick').addEventListener('click', () => session.unpick());
        session.on('open', () => this.showAll());
        session.on('picked', () => this.showAll(true));
        session.on('step', () => {
            if (session.paused || performance.now() - this.shownAt > PATIENCE) {
                this.showOne();
            }
        });
        session.on('settings', () => this.showOne());
    }

    showAll(spoken = false) {
        const count = this.session.pickedCount;
        this.chosen = 0;
        this.section.hidden = count === 0;
        this.title.textContent = count > 1 ? `Picked: ${count} bodies` : 'Picked';
        this.list.hidden = count < 2;
        const bodies = Array.from({ length: count }, (_, i) => this.session.testbed.picked(i));
        fillButtons(this.list, bodies.map((body) => (body ? `${body.index1}` : 'gone')), (i) => {
            this.chosen = i;
            this.showOne();
        });
        this.showOne();
        if (spoken) {
            const one = bodies[0] ? `body ${bodies[0].index1} picked, ${bodies[0].contacts} contacts` : '';
            this.say(count === 1 ? one : count ? `${count} bodies picked` : 'nothing picked');
        }
    }

    showOne() {
        if (this.session.pickedCount === 0) {
            return;
        }
        this.shownAt = performance.now();
        [...this.list.children].forEach((button, i) => {
            button.setAttribute('aria-pressed', String(i === this.chosen));
        });
        const body = this.session.testbed.picked(this.chosen);
        const facts = body ? factsOf(body) : [['body', 'gone']];
        this.facts.replaceChildren(...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
        const others = body ? body.others : [];
        const rest = body ? body.contacts - others.length : 0;
        this.contactsTitle.textContent = `Contacts: ${body ? body.contacts : 0}${rest ? ` (${others.length} shown)` : ''}`;
        this.others = others.map(({ index1 }) => index1);
        const labels = others.map(({ index1, depth }) => `body ${index1}: ${depth.toFixed(3)} deep`);
        fillButtons(this.contacts, labels, (i) => {
            this.session.pickBody(this.others[i]);
        });
    }
}

function factsOf(body) {
    const numbers = (values, digits) => values.map((value) => value.toFixed(digits)).join(', ');
    return [
        ['body', `${body.index1}, generation ${body.generation}`],
        ['position', numbers(body.position, 3)],
        ['rotation', numbers(body.rotation, 3)],
        ['half extents', numbers(body.half, 3)],
        ...(body.radius > 0 ? [['radius', numbers([body.radius], 3)]] : []),
        ['shape', shapeOf(body)],
        ['motion', body.moving ? 'moving' : 'static'],
    ];
}

function shapeOf({ vertices, triangles, half, radius }) {
    if (triangles) {
        return `mesh of ${triangles} triangles`;
    }
    const core = vertices ? `hull of ${vertices} vertices` : 'box';
    const extents = vertices ? 3 : half.filter((extent) => extent > 0).length;
    return radius > 0 ? ['sphere', 'capsule'][extents] || `rounded ${core}` : core;
}

function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
}

/** Buttons with these labels. Existing ones are kept, so that a pressed or focused button is not lost. */
function fillButtons(parent, labels, press) {
    while (parent.children.length > labels.length) {
        parent.lastChild.remove();
    }
    while (parent.children.length < labels.length) {
        const i = parent.children.length;
        const button = element('button', '');
        button.addEventListener('click', () => press(i));
        parent.append(button);
    }
    labels.forEach((label, i) => {
        parent.children[i].textContent = label;
    });
}
