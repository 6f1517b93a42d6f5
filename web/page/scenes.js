// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The page's texts for the scenes of testbed.h, in its order. `ground`: the height of the plane of shadows and grid,
// null where bodies float; `cell`: of the grid; `legend`: colours that the scene gives to bodies, and what they mean;
// `resting`: whether bodies at rest are dimmed;
// `figure`: the number that matters, of a report.

const contacts = ({ contacts: count }, grouped) => `${grouped(count)} ${count === 1 ? 'contact' : 'contacts'}`;

export const SCENES = [
    {
        name: 'fight', title: 'Fight', counts: 'Characters', ground: 0, cell: 1, figure: contacts,
        sentence: 'Characters of hit boxes strike at each other, and the world reports who hits whom.',
        legend: [['#c8520a', 'one side'], ['#1e68b0', 'the other'], ['#f0e442', 'just hit']],
    },
    {
        name: 'tumbling', title: 'Tumbling', counts: 'Bodies', ground: null, cell: 1, figure: contacts,
        sentence: 'Boxes tumble and drift through a cube; the world finds every pair that touches.',
        legend: [['#56b4e9', 'free'], ['#d55e00', 'touches'], ['#f0e442', 'has just begun to']],
    },
    {
        name: 'pile', title: 'Pile', counts: 'Bodies', ground: 0, cell: 1, figure: contacts,
        sentence: 'Convex hulls sink into a heap and come to rest; now and then the tray is shaken.',
        legend: [['#56b4e9', 'rounded boxes'], ['#009e73', 'prisms'], ['#e69f00', 'points on ellipsoids']], resting: true,
    },
    {
        name: 'culling', title: 'Culling', counts: 'Bodies', ground: -0.05, cell: 10,
        figure: ({ seenInside, seenIntersecting }, grouped) => `${grouped(seenInside + seenIntersecting)} seen`,
        sentence: 'A second camera flies through a town; colours show what it sees, and what plane tests alone would keep.',
        legend: [['#56b4e9', 'inside'], ['#e69f00', 'intersecting'], ['#ff70c4', 'falsely kept by planes'],
            ['#3e4858', 'not visible']],
    },
    {
        name: 'placement', title: 'Placement', counts: 'Buildings', ground: 0, cell: 10,
        figure: ({ blockers }, grouped) => `${grouped(blockers)} in the way`,
        sentence: 'Drag the building over the plots: is the place free, and if not, which way is the shortest out?',
        legend: [['#009e73', 'free'], ['#d55e00', 'blocked'], ['#e69f00', 'in the way'], ['#16544e', 'free places around'],
            ['#5c341e', 'blocked ones']],
    },
    {
        name: 'round', title: 'Round', counts: 'Bodies', ground: 0, cell: 1, figure: contacts,
        sentence: 'Spheres, capsules, rounded boxes and rounded hulls roll over each other and come to rest.',
        legend: [['#56b4e9', 'spheres'], ['#009e73', 'capsules'], ['#e69f00', 'rounded boxes'], ['#ff70c4', 'rounded hulls']], resting: true,
    },
    {
        name: 'queries', title: 'Queries', counts: 'Bodies', ground: -0.1, cell: 10,
        figure: ({ rays, raysMet }, grouped) => `${grouped(raysMet)} of ${grouped(rays)} rays meet a body`,
        sentence: 'A laser and its reflections, what a walker sees, and the eight bodies nearest to your pointer.',
        legend: [['#56b4e9', 'in sight'], ['#3e4858', 'hidden'], ['#d55e00', 'hit by the laser'], ['#f0e442', 'nearest']],
    },
    {
        name: 'cannon', title: 'Cannon', counts: 'Shots', ground: 0.01, cell: 1,
        figure: ({ passedSteps, passedSwept }, grouped) => `${grouped(passedSteps)} : ${grouped(passedSwept)} through`,
        sentence: 'The same shots at the same thin plates: left each step sets poses, right it asks first what they meet.',
        legend: [['#e69f00', 'set'], ['#56b4e9', 'swept'], ['#f0e442', 'just bounced'], ['#d55e00', 'went through a plate']],
    },
    {
        name: 'terrain', title: 'Terrain', counts: 'Bodies', ground: null, cell: 1,
        figure: ({ contacts: count, parts }, grouped) => `${grouped(count)} contacts, ${grouped(parts)} with triangles`,
        sentence: 'Bodies roll over a mesh of 20,000 triangles without a bump at their edges; those that are touched are outlined.',
        legend: [['#56b4e9', 'boxes'], ['#009e73', 'spheres'], ['#e69f00', 'capsules'], ['#ff70c4', 'hulls']], resting: true,
    },
];

export const PLACEMENT = SCENES.findIndex(({ name }) => name === 'placement');
export const CULLING = SCENES.findIndex(({ name }) => name === 'culling');
export const QUERIES = SCENES.findIndex(({ name }) => name === 'queries');
export const CANNON = SCENES.findIndex(({ name }) => name === 'cannon');
