// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// A camera that turns round a target. Angles in radians; yaw 0 looks along -z, pitch > 0 looks down.

import { add, cross, dot, length, multiply, normalize, perspective, project, scale, subtract, viewOf } from './matrix.js';

const TANGENT = Math.tan(Math.PI / 8); // of half the field of view, along the picture's shorter side
const STEEPEST = 1.55; // just below a right angle: straight down has no up
const WIDE = 1.4; // the aspect that scenes' cameras are made for

export class Camera {
    constructor() {
        this.aspect = 1;
        this.place({ eye: [0, 5, 10], target: [0, 0, 0] });
    }

    /** Moves to the scene's position. A narrow picture is seen from further away, so that the scene fits. */
    place({ eye, target }) {
        const back = subtract(eye, target);
        this.home = { eye, target };
        this.target = target;
        this.usual = length(back) || 1;
        this.distance = this.usual * Math.min(Math.max(WIDE / this.aspect, 1) ** 0.7, 2);
        this.yaw = Math.atan2(back[0], back[2]);
        this.pitch = clampPitch(Math.asin(Math.min(Math.max(back[1] / this.usual, -1), 1)));
    }

    /** The same view of the same scene, which has become larger or smaller. */
    follow({ eye, target }) {
        const size = length(subtract(eye, target)) || 1;
        const ratio = size / this.usual;
        this.target = add(target, scale(subtract(this.target, this.home.target), ratio));
        this.home = { eye, target };
        this.usual = size;
        this.distance *= ratio;
    }

    goHome() {
        this.place(this.home);
    }

    orbit(yaw, pitch) {
        this.yaw += yaw;
        this.pitch = clampPitch(this.pitch + pitch);
    }

    zoom(factor) {
        this.distance = Math.min(Math.max(this.distance * factor, this.usual / 100), this.usual * 8);
    }

    /** Moves in the picture's plane, by fractions of its height. */
    pan(right, up) {
        const axes = this.axes();
        const size = 2 * this.tangent() * this.distance;
        this.target = add(this.target, add(scale(axes.right, right * size), scale(axes.up, up * size)));
    }

    /** Moves over the ground. */
    walk(right, forward) {
        const size = 2 * this.tangent() * this.distance;
        this.target = add(this.target, this.alongGround(right * size, forward * size));
    }

    /** The ground vector of a movement `right` and `forward` in the picture. */
    alongGround(right, forward) {
        const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
        return [right * cos - forward * sin, 0, -right * sin - forward * cos];
    }

    tangent() {
        return this.aspect < 1 ? TANGENT / this.aspect ** 0.5 : TANGENT;
    }

    axes() {
        const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
        const back = [sin * Math.cos(this.pitch), Math.sin(this.pitch), cos * Math.cos(this.pitch)];
        const right = [cos, 0, -sin];
        return { right, up: cross(back, right), back };
    }

    eye() {
        return add(this.target, scale(this.axes().back, this.distance));
    }

    matrix() {
        const { right, up, back } = this.axes();
        const far = 12 * Math.max(this.distance, this.usual);
        const near = Math.min(this.distance / 20, this.usual / 50);
        return multiply(perspective(this.tangent(), this.aspect, near, far), viewOf(this.eye(), right, up, back));
    }

    /** The world direction of a point of the picture (normalised device coordinates). */
    ray(x, y) {
        const { right, up, back } = this.axes();
        const t = this.tangent();
        return normalize(add(add(scale(right, x * t * this.aspect), scale(up, y * t)), scale(back, -1)));
    }

    /** The point seen at (x, y) that is this far in front of the camera. */
    pointAt(x, y, depth) {
        const direction = this.ray(x, y);
        return add(this.eye(), scale(direction, -depth / dot(direction, this.axes().back)));
    }

    /** Where the ray through (x, y) meets the plane y = height, or null. */
    groundPoint(x, y, height) {
        const eye = this.eye();
        const direction = this.ray(x, y);
        const t = (height - eye[1]) / direction[1];
        return t > 0 && t < 1e4 * this.usual ? add(eye, scale(direction, t)) : null;
    }

    /** Normalised device coordinates of a point, or null if it is behind the camera. */
    project(point) {
        const [x, y, , w] = project(this.matrix(), point);
        return w > 0 ? [x / w, y / w] : null;
    }

    /** The distance in front of the camera. */
    depth(point) {
        return -dot(subtract(point, this.eye()), this.axes().back);
    }
}

const clampPitch = (pitch) => Math.min(Math.max(pitch, -STEEPEST), STEEPEST);
