// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The page's address holds the state of the page, so that it can be shared:
// ?scene=culling&count=4000&paused=1&speed=0.5&overlays=bounds,contacts

import { SCENES } from './scenes.js';
import { SPEEDS } from './session.js';
import { OVERLAYS } from './testbed.js';

const PATIENCE = 200; // ms: browsers refuse pages that change their address at every move of a slider

/** Opens the state in the address. Missing or wrong values get their defaults. */
export function openAddress(session) {
    const wanted = new URLSearchParams(window.location.search);
    const scene = Math.max(SCENES.findIndex(({ name }) => name === wanted.get('scene')), 0);
    const overlays = (wanted.get('overlays') || '').split(',').filter((name) => name in OVERLAYS);
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    session.paused = wanted.has('paused') ? wanted.get('paused') !== '0' : still;
    session.speed = SPEEDS.includes(Number(wanted.get('speed'))) ? Number(wanted.get('speed')) : 1;
    session.overlays = new Set(overlays);
    session.open(scene, Math.max(Math.trunc(Number(wanted.get('count'))) || 0, 0));
}

/** Keeps the address up to date with the session. */
export function keepAddress(session) {
    let waiting = 0;
    const write = () => {
        const usual = session.testbed.countUsual(session.scene);
        const parts = [['scene', SCENES[session.scene].name]];
        if (session.count !== usual) {
            parts.push(['count', session.count]);
        }
        if (session.paused) {
            parts.push(['paused', 1]);
        }
        if (session.speed !== 1) {
            parts.push(['speed', session.speed]);
        }
        if (session.overlays.size > 0) {
            parts.push(['overlays', [...session.overlays].join(',')]);
        }
        window.history.replaceState(null, '', `?${parts.map((part) => part.join('=')).join('&')}`);
    };
    const later = () => {
        window.clearTimeout(waiting);
        waiting = window.setTimeout(write, PATIENCE);
    };
    session.on('open', later);
    session.on('settings', later);
}
