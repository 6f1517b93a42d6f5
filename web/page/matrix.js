// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Vectors are arrays of three numbers, matrices column-major arrays of sixteen, as WebGL and testbed.h use them.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const normalize = (a) => scale(a, 1 / (length(a) || 1));
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function multiply(a, b) {
    const m = new Array(16);
    for (let column = 0; column < 4; ++column) {
        for (let row = 0; row < 4; ++row) {
            let sum = 0;
            for (let k = 0; k < 4; ++k) {
                sum += a[4 * k + row] * b[4 * column + k];
            }
            m[4 * column + row] = sum;
        }
    }
    return m;
}

/** OpenGL's clip space; `tangent`: of half the vertical field of view. */
export function perspective(tangent, aspect, near, far) {
    const y = 1 / tangent;
    const depth = 1 / (near - far);
    return [y / aspect, 0, 0, 0, 0, y, 0, 0, 0, 0, (near + far) * depth, -1, 0, 0, 2 * near * far * depth, 0];
}

/** World to view, for a camera at `eye` whose axes in the world are right, up and back. */
export function viewOf(eye, right, up, back) {
    return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
        -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}

/** Clip coordinates of a point. */
export function project(m, p) {
    return [0, 1, 2, 3].map((row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row]);
}
