// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// Small WebGL2 helpers that every part of the renderer uses.

export class Program {
    constructor(gl, { vertex, fragment }) {
        this.gl = gl;
        this.program = gl.createProgram();
        for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(this.program, shader);
            gl.deleteShader(shader);
        }
        gl.linkProgram(this.program);
        if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost()) {
            const logs = gl.getAttachedShaders(this.program).map((shader) => gl.getShaderInfoLog(shader));
            throw new Error(`a shader does not link: ${gl.getProgramInfoLog(this.program)} ${logs.join(' ')}`);
        }
        this.places = {};
        const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) || 0;
        for (let i = 0; i < count; ++i) {
            const { name, type } = gl.getActiveUniform(this.program, i);
            this.places[name] = { type, at: gl.getUniformLocation(this.program, name) };
        }
    }

    /** Uses the program with these uniforms; skips those that it does not have. */
    use(uniforms) {
        const gl = this.gl;
        const set = {
            [gl.FLOAT]: (at, value) => gl.uniform1f(at, value),
            [gl.FLOAT_VEC2]: (at, value) => gl.uniform2fv(at, value),
            [gl.FLOAT_VEC3]: (at, value) => gl.uniform3fv(at, value),
            [gl.FLOAT_MAT4]: (at, value) => gl.uniformMatrix4fv(at, false, value),
        };
        gl.useProgram(this.program);
        for (const [name, { type, at }] of Object.entries(this.places)) {
            set[type](at, uniforms[name]);
        }
    }
}

/** A buffer that is refilled for every picture; its storage grows and is reused. */
export class Stream {
    constructor(gl) {
        this.gl = gl;
        this.buffer = gl.createBuffer();
        this.size = 0;
    }

    fill(bytes) {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        if (bytes.length > this.size) {
            this.size = Math.max(bytes.length, 1.5 * this.size);
            gl.bufferData(gl.ARRAY_BUFFER, this.size, gl.STREAM_DRAW);
        }
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, bytes);
    }
}
