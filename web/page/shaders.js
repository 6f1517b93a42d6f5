// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The programs of the renderer. Lighting is in linear space; distant things fade into the backdrop, which is a
// function of the position in the picture, and shared by both.

const HEAD = `#version 300 es
precision highp float;
`;

const BACKDROP = `
uniform vec2 u_size;
vec3 backdrop() {
    vec2 at = gl_FragCoord.xy / u_size;
    vec3 low = vec3(0.055, 0.066, 0.086), high = vec3(0.135, 0.165, 0.215);
    return mix(low, high, smoothstep(0.0, 1.0, at.y) * (1.0 - 0.35 * length(at - vec2(0.5, 0.8))));
}
`;

export const BACKDROP_PROGRAM = {
    vertex: `${HEAD}
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 1.0, 1.0);
}`,
    fragment: `${HEAD}${BACKDROP}
out vec4 colour;
void main() {
    colour = vec4(backdrop(), 1.0);
}`,
};

const PLACE_INSTANCE = `
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec3 a_edge;
layout(location = 3) in vec3 i_position;
layout(location = 4) in vec4 i_rotation;
layout(location = 5) in vec3 i_scale;
layout(location = 6) in vec4 i_colour;
uniform mat4 u_matrix;
vec3 rotate(vec3 v) { // a quaternion of any length stands for R(q)/|q|^2; zero for none
    float n = dot(i_rotation, i_rotation);
    vec3 q = i_rotation.xyz;
    return n > 0.0 ? v + 2.0 / n * cross(q, cross(q, v) + i_rotation.w * v) : v;
}
`;

export const SOLID_PROGRAM = {
    vertex: `${HEAD}${PLACE_INSTANCE}
out vec3 v_place, v_normal, v_edge;
out vec4 v_colour;
void main() {
    v_place = i_position + rotate(i_scale * a_position);
    v_normal = rotate(a_normal / max(i_scale, 1e-6));
    v_edge = a_edge;
    v_colour = vec4(pow(i_colour.rgb, vec3(2.2)), i_colour.a);
    gl_Position = u_matrix * vec4(v_place, 1.0);
}`,
    fragment: `${HEAD}${BACKDROP}
in vec3 v_place, v_normal, v_edge;
in vec4 v_colour;
uniform vec3 u_eye, u_sun;
uniform vec2 u_fog;
out vec4 colour;
void main() {
    vec3 n = normalize(v_normal);
    vec3 toEye = u_eye - v_place;
    float distance = length(toEye);
    vec3 sky = mix(vec3(0.20, 0.18, 0.17), vec3(0.58, 0.64, 0.72), 0.5 + 0.5 * n.y);
    vec3 light = sky + vec3(0.95, 0.88, 0.76) * max(dot(n, u_sun), 0.0);
    light += 0.10 * pow(1.0 - max(dot(n, toEye / distance), 0.0), 3.0);
    vec3 lit = v_colour.rgb * light;
    // Edges are one pixel wide; where a whole face is hardly wider, edges would cover it.
    vec3 width = fwidth(v_edge);
    vec3 near = v_edge / max(width, 1e-6);
    float edge = 1.0 - smoothstep(0.4, 1.5, min(min(near.x, near.y), near.z));
    edge *= 1.0 - smoothstep(0.06, 0.30, max(max(width.x, width.y), width.z));
    lit = mix(lit, lit * 0.28, 0.85 * edge);
    lit = pow(lit, vec3(1.0 / 2.2));
    colour = vec4(mix(lit, backdrop(), smoothstep(u_fog.x, u_fog.y, distance)), v_colour.a);
}`,
};

// Shadows on the plane y = u_height: everything is projected along the sun's direction.
export const SHADOW_PROGRAM = {
    vertex: `${HEAD}${PLACE_INSTANCE}
uniform vec3 u_sun;
uniform float u_height;
void main() {
    vec3 place = i_position + rotate(i_scale * a_position);
    place -= u_sun * max(place.y - u_height, 0.0) / u_sun.y;
    bool is_floor = i_position.y < u_height + 0.05; // the ground, and bodies that lie on it
    gl_Position = is_floor ? vec4(0.0, 0.0, 2.0, 1.0) : u_matrix * vec4(place.x, u_height, place.z, 1.0);
}`,
    fragment: `${HEAD}
out vec4 colour;
void main() {
    colour = vec4(0.0, 0.0, 0.0, 0.42);
}`,
};

export const GRID_PROGRAM = {
    vertex: `${HEAD}
uniform mat4 u_matrix;
uniform vec3 u_middle;
uniform float u_reach;
out vec2 v_place;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_place = u_middle.xz + corner * u_reach;
    gl_Position = u_matrix * vec4(v_place.x, u_middle.y, v_place.y, 1.0);
}`,
    fragment: `${HEAD}
in vec2 v_place;
uniform vec3 u_middle;
uniform float u_reach, u_cell;
out vec4 colour;
float lines(float cell) { // of one pixel; lines denser than pixels are not drawn
    vec2 at = v_place / cell, width = fwidth(at);
    vec2 line = 1.0 - smoothstep(0.4, 1.4, abs(fract(at - 0.5) - 0.5) / width);
    line *= 1.0 - smoothstep(0.15, 0.5, width);
    return max(line.x, line.y);
}
void main() {
    float strength = max(0.09 * lines(u_cell), 0.17 * lines(5.0 * u_cell));
    strength *= 1.0 - smoothstep(0.3, 1.0, length(v_place - u_middle.xz) / u_reach);
    colour = vec4(0.72, 0.80, 0.92, strength);
}`,
};

// A line is a quad of constant width in pixels. An end behind the camera is first moved in front of it.
export const LINE_PROGRAM = {
    vertex: `${HEAD}
layout(location = 0) in vec3 i_from;
layout(location = 1) in vec4 i_from_colour;
layout(location = 2) in vec3 i_to;
layout(location = 3) in vec4 i_to_colour;
uniform mat4 u_matrix;
uniform vec2 u_size;
uniform float u_width;
out vec4 v_colour;
out float v_side;
void main() {
    vec4 from = u_matrix * vec4(i_from, 1.0), to = u_matrix * vec4(i_to, 1.0);
    float from_near = from.w + from.z, to_near = to.w + to.z;
    if (from_near < 0.0 && to_near < 0.0) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
        return;
    }
    if (from_near < 0.0) from = mix(from, to, -from_near / (to_near - from_near) * 1.0001);
    if (to_near < 0.0) to = mix(to, from, -to_near / (from_near - to_near) * 1.0001);
    vec2 along = (to.xy / to.w - from.xy / from.w) * u_size;
    vec2 across = dot(along, along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(1.0, 0.0);
    v_side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 end = gl_VertexID < 2 ? from : to;
    v_colour = gl_VertexID < 2 ? i_from_colour : i_to_colour;
    end.xy += across * v_side * (u_width + 1.0) / u_size * end.w;
    gl_Position = end;
}`,
    fragment: `${HEAD}
in vec4 v_colour;
in float v_side;
uniform float u_width, u_strength;
out vec4 colour;
void main() {
    float inside = 0.5 * (u_width + 1.0) * (1.0 - abs(v_side));
    colour = vec4(v_colour.rgb, v_colour.a * u_strength * min(inside, 1.0));
}`,
};

export const POINT_PROGRAM = {
    vertex: `${HEAD}
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_colour;
uniform mat4 u_matrix;
uniform float u_width;
out vec4 v_colour;
void main() {
    v_colour = a_colour;
    gl_Position = u_matrix * vec4(a_position, 1.0);
    gl_PointSize = u_width + 2.0;
}`,
    fragment: `${HEAD}
in vec4 v_colour;
uniform float u_width, u_strength;
out vec4 colour;
void main() {
    float radius = 0.5 * u_width, from = length(gl_PointCoord - 0.5) * (u_width + 2.0);
    float inside = 1.0 - smoothstep(radius - 0.5, radius + 0.5, from);
    if (inside == 0.0) discard;
    float rim = smoothstep(radius - 2.0, radius - 1.0, from);
    colour = vec4(mix(v_colour.rgb, vec3(0.04), 0.8 * rim), v_colour.a * u_strength * inside);
}`,
};
