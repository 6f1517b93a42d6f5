// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the abut authors

// The sides of a mesh's triangles that are edges of the solid: those where the normals of two triangles differ. The shader
// draws them from barycentric coordinates; a side inside a face gets a coordinate that is 1 at all three corners.

const FLOATS = 6; // position and normal
const SAME_FACE = 0.9999; // of the cosine between two normals

/** Three bytes per vertex, 0 or 255, for every mesh of `vertices`. */
export function edgeCoordinates({ meshes, vertices }) {
    const coordinates = new Uint8Array(vertices.length / 2);
    for (const { first, count } of meshes) {
        const inner = innerSides(vertices, first, count);
        for (let v = 0; v < count; ++v) {
            const triangle = v - (v % 3);
            for (let side = 0; side < 3; ++side) { // side k lies opposite to corner k
                coordinates[3 * (first + v) + side] = v % 3 === side || inner.has(triangle + side) ? 255 : 0;
            }
        }
    }
    return coordinates;
}

/** The sides (3 * triangle + side, counted from the mesh's first vertex) where two triangles have the same normals at both
 * ends: those within one face, and all of a round surface. */
function innerSides(vertices, first, count) {
    const corner = (v) => FLOATS * (first + v);
    const names = new Map();
    const places = Array.from({ length: count }, (_, v) => { // the same number for vertices at the same place
        const name = vertices.subarray(corner(v), corner(v) + 3).join();
        return names.get(name) ?? names.set(name, names.size).size - 1;
    });
    const side = (v, w) => places[v] * count + places[w];
    const cosine = (v, w) => {
        let sum = 0;
        for (let i = 3; i < FLOATS; ++i) {
            sum += vertices[corner(v) + i] * vertices[corner(w) + i];
        }
        return sum;
    };
    const end = (v, i) => v - (v % 3) + ((v + i) % 3); // of the side opposite to corner v
    const open = new Map();
    const inner = new Set();
    for (let v = 0; v < count; ++v) {
        const [from, to] = [end(v, 1), end(v, 2)];
        const twin = open.get(side(to, from));
        if (twin !== undefined && cosine(end(twin, 2), from) > SAME_FACE && cosine(end(twin, 1), to) > SAME_FACE) {
            inner.add(v).add(twin);
        }
        open.set(side(from, to), v);
    }
    return inner;
}
