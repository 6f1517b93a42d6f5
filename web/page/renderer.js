// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Draws the testbed. Instances, lines and points go from the module's memory to the graphics card unchanged.

import { edgeCoordinates } from './edges.js';
import { Program, Stream } from './gl.js';
import { normalize } from './matrix.js';
import { BACKDROP_PROGRAM, GRID_PROGRAM, LINE_PROGRAM, POINT_PROGRAM, SHADOW_PROGRAM, SOLID_PROGRAM } from './shaders.js';

const SUN = normalize([0.42, 0.82, 0.38]);
const INSTANCE_BYTES = 48;
const INSTANCE_FIELDS = [[3, 3, 0], [4, 4, 12], [5, 3, 28]]; // attribute, floats, offset
const INSTANCE_COLOUR = [6, 40];
const MOST_PIXELS = 2; // more than two device pixels per CSS pixel cost time and show nothing

export class Renderer {
    /** Throws where there is no WebGL2. `onRestored` is called when a lost graphics context is back. */
    constructor(canvas, onLost, onRestored) {
        this.canvas = canvas;
        this.gl = canvas.getContext('webgl2', { antialias: true, alpha: false, stencil: true, powerPreference: 'high-performance' });
        if (!this.gl) {
            throw new Error('no WebGL2');
        }
        canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault(); // or the context would never come back
            onLost();
        });
        canvas.addEventListener('webglcontextrestored', () => {
            this.prepare();
            onRestored();
        });
        this.prepare();
    }

    prepare() {
        const gl = this.gl;
        this.programs = Object.fromEntries(Object.entries({
            backdrop: BACKDROP_PROGRAM, grid: GRID_PROGRAM, line: LINE_PROGRAM,
            point: POINT_PROGRAM, shadow: SHADOW_PROGRAM, solid: SOLID_PROGRAM,
        }).map(([name, sources]) => [name, new Program(gl, sources)]));
        this.meshVertices = gl.createBuffer();
        this.meshEdges = gl.createBuffer();
        this.meshes = [];
        this.instances = new Stream(gl);
        this.lines = new Stream(gl);
        this.points = new Stream(gl);
        this.solidArrays = gl.createVertexArray();
        this.lineArrays = this.arrays(this.lines, 1, 32, [[0, 3, 0, 1, 12], [2, 3, 16, 3, 28]]);
        this.pointArrays = this.arrays(this.points, 0, 16, [[0, 3, 0, 1, 12]]);
        this.emptyArrays = gl.createVertexArray();
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    }

    /** A vertex array over a stream of positions and colours. */
    arrays(stream, divisor, stride, ends) {
        const gl = this.gl;
        const arrays = gl.createVertexArray();
        gl.bindVertexArray(arrays);
        gl.bindBuffer(gl.ARRAY_BUFFER, stream.buffer);
        for (const [position, floats, offset, colour, colourOffset] of ends) {
            gl.vertexAttribPointer(position, floats, gl.FLOAT, false, stride, offset);
            gl.vertexAttribPointer(colour, 4, gl.UNSIGNED_BYTE, true, stride, colourOffset);
            for (const attribute of [position, colour]) {
                gl.enableVertexAttribArray(attribute);
                gl.vertexAttribDivisor(attribute, divisor);
            }
        }
        gl.bindVertexArray(null);
        return arrays;
    }

    /** Loads the meshes of an opened scene. */
    takeMeshes(solids) {
        const gl = this.gl;
        this.meshes = solids.meshes;
        gl.bindVertexArray(this.solidArrays);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.meshVertices);
        gl.bufferData(gl.ARRAY_BUFFER, solids.vertices, gl.STATIC_DRAW);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
        gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.meshEdges);
        gl.bufferData(gl.ARRAY_BUFFER, edgeCoordinates(solids), gl.STATIC_DRAW);
        gl.vertexAttribPointer(2, 3, gl.UNSIGNED_BYTE, true, 3, 0);
        for (let attribute = 0; attribute < 7; ++attribute) {
            gl.enableVertexAttribArray(attribute);
            gl.vertexAttribDivisor(attribute, attribute < 3 ? 0 : 1);
        }
        gl.bindVertexArray(null);
    }

    /** Fits the picture to its size on the page. Returns whether its size changed. */
    resize() {
        this.ratio = Math.min(window.devicePixelRatio || 1, MOST_PIXELS);
        const width = Math.max(Math.round(this.canvas.clientWidth * this.ratio), 1);
        const height = Math.max(Math.round(this.canvas.clientHeight * this.ratio), 1);
        if (this.canvas.width === width && this.canvas.height === height) {
            return false;
        }
        this.canvas.width = width;
        this.canvas.height = height;
        return true;
    }

    /** `scene`: {ground: height of the plane of shadows and grid or null, cell: of the grid}. */
    draw(testbed, camera, scene) {
        const gl = this.gl;
        if (gl.isContextLost()) {
            return;
        }
        const shared = {
            u_matrix: camera.matrix(), u_eye: camera.eye(), u_sun: SUN, u_height: scene.ground,
            u_size: [this.canvas.width, this.canvas.height],
            u_fog: [camera.distance + 0.8 * camera.usual, camera.distance + 4.5 * camera.usual],
        };
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
        gl.disable(gl.BLEND);
        gl.disable(gl.DEPTH_TEST);
        this.triangles('backdrop', shared, 3);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.CULL_FACE);
        gl.enable(gl.BLEND);
        this.instances.fill(testbed.instances().bytes);
        this.solids('solid', shared, testbed.batches());
        gl.disable(gl.CULL_FACE);
        gl.depthMask(false);
        if (scene.ground !== null) {
            this.onGround(testbed, camera, scene, shared);
        }
        this.overlays(testbed, shared);
        gl.depthMask(true);
        gl.depthFunc(gl.LESS);
    }

    triangles(program, uniforms, count) {
        const gl = this.gl;
        this.programs[program].use(uniforms);
        gl.bindVertexArray(this.emptyArrays);
        gl.drawArrays(count === 4 ? gl.TRIANGLE_STRIP : gl.TRIANGLES, 0, count);
    }

    /** WebGL2 has no first instance, so each batch points its attributes at its own part of the stream. */
    solids(program, uniforms, batches) {
        const gl = this.gl;
        this.programs[program].use(uniforms);
        gl.bindVertexArray(this.solidArrays);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.instances.buffer);
        for (const { mesh, first, count } of batches) {
            const start = first * INSTANCE_BYTES;
            for (const [attribute, floats, offset] of INSTANCE_FIELDS) {
                gl.vertexAttribPointer(attribute, floats, gl.FLOAT, false, INSTANCE_BYTES, start + offset);
            }
            gl.vertexAttribPointer(INSTANCE_COLOUR[0], 4, gl.UNSIGNED_BYTE, true, INSTANCE_BYTES,
                start + INSTANCE_COLOUR[1]);
            const { first: vertex, count: vertices } = this.meshes[mesh];
            gl.drawArraysInstanced(gl.TRIANGLES, vertex, vertices, count);
        }
    }

    /** Shadows, drawn once per place however many bodies are above it, and the grid, both slightly above the ground. */
    onGround(testbed, camera, scene, shared) {
        const gl = this.gl;
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(-1, -4);
        gl.depthFunc(gl.LEQUAL);
        if (camera.eye()[1] > scene.ground) {
            gl.enable(gl.STENCIL_TEST);
            gl.stencilFunc(gl.EQUAL, 0, 255);
            gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
            this.solids('shadow', shared, testbed.batches());
            gl.disable(gl.STENCIL_TEST);
        }
        const middle = [camera.target[0], scene.ground, camera.target[2]];
        const reach = 2.5 * Math.max(camera.distance, camera.usual);
        this.triangles('grid', { ...shared, u_middle: middle, u_reach: reach, u_cell: scene.cell }, 4);
        gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    /** Lines and points; hidden ones are drawn fainter, because contacts lie inside bodies. */
    overlays(testbed, shared) {
        const gl = this.gl;
        const lines = testbed.lines();
        const points = testbed.points();
        this.lines.fill(lines.bytes);
        this.points.fill(points.bytes);
        for (const [test, lineStrength, pointStrength] of [[gl.GREATER, 0.22, 0.5], [gl.LEQUAL, 1, 1]]) {
            gl.depthFunc(test);
            this.programs.line.use({ ...shared, u_width: 1.4 * this.ratio, u_strength: lineStrength });
            gl.bindVertexArray(this.lineArrays);
            gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, lines.count);
            this.programs.point.use({ ...shared, u_width: 6 * this.ratio, u_strength: pointStrength });
            gl.bindVertexArray(this.pointArrays);
            gl.drawArrays(gl.POINTS, 0, points.count);
        }
        gl.bindVertexArray(null);
    }
}
