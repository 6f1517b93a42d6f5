/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A test: scenes have the same bits with every compiler, and the properties that scenes.h states. `--print` prints the
 * sums of the table below. */

#include "scenes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { boxes = 300, frames = 16, seed = 42 };

/* Of half extents, radii, vertices of hulls, and the poses of frames 0 and 16. */
static const uint64_t sums[SCENE_KIND_COUNT] = {
    [SCENE_TUMBLING] = UINT64_C(0x640B10D104FB0B40),   [SCENE_TELEPORT] = UINT64_C(0x40D36180EB39AF67),
    [SCENE_CITY] = UINT64_C(0x13BF2D9FE5ABEB0D),       [SCENE_MIXED] = UINT64_C(0xA3F0C983E7F93DBF),
    [SCENE_CLUSTERS] = UINT64_C(0xDBE5E7709F142E50),   [SCENE_FLAT] = UINT64_C(0x8EA447CB105F5BCE),
    [SCENE_TOWER] = UINT64_C(0xE7E26F1ADAB22A15),      [SCENE_LINE] = UINT64_C(0x771721A935848ED7),
    [SCENE_COINCIDENT] = UINT64_C(0xC9D38E1147E4BC31), [SCENE_LATTICE] = UINT64_C(0x8BBF366825DAAA15),
    [SCENE_HUGE] = UINT64_C(0x9813C3B4BAAB1BC6),       [SCENE_SIX_DECADES] = UINT64_C(0x474EDF169AB377A5),
    [SCENE_HULLS] = UINT64_C(0x3C15F406F22A1187),      [SCENE_SPHERES] = UINT64_C(0x06E0E046953EFFE9),
    [SCENE_CAPSULES] = UINT64_C(0xF604A15BE251618D),   [SCENE_ROUND] = UINT64_C(0x28F42C831491EDD9),
};

static uint64_t add_bytes(uint64_t sum, const float *values, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x100000001B3); /* FNV-1a, on words */
    }
    return sum;
}

static uint64_t add_pose(uint64_t sum, const abut_pose *pose) {
    const float values[] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.x,
                            pose->rotation.y, pose->rotation.z, pose->rotation.w};
    return add_bytes(sum, values, sizeof values / sizeof values[0]);
}

static uint64_t sum_of(const scene *s) {
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < s->count; ++i) {
        const float half[] = {s->defs[i].half.x, s->defs[i].half.y, s->defs[i].half.z};
        sum = add_bytes(sum, half, 3);
        sum = s->kind >= SCENE_SHARP_KIND_COUNT ? add_bytes(sum, &s->defs[i].radius, 1) : sum;
        const abut_hull *hull = s->defs[i].hull;
        const abut_vec3 *vertices = abut_hull_vertices(hull);
        for (size_t v = 0; v < abut_hull_vertex_count(hull); ++v) {
            sum = add_bytes(sum, &vertices[v].x, 3);
        }
        sum = add_pose(sum, &s->defs[i].pose);
        sum = add_pose(sum, &s->poses[i]);
    }
    return sum;
}

static bool is_within(float x, float low, float high) {
    float slack = 0.1f; /* a mover may be just outside before it is reflected */
    return x >= low - slack && x <= high + slack;
}

static const char *what_is_wrong(const scene *s, const scene *start) {
    for (size_t i = 0; i < s->count; ++i) {
        const abut_pose *pose = &s->poses[i];
        abut_quat q = pose->rotation;
        if (!(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 1e-6f)) {
            return "a rotation is not normalised";
        }
        if (s->defs[i].user != i) {
            return "user is not the index";
        }
        if ((memcmp(pose, &start->poses[i], sizeof *pose) != 0) != (i < s->mover_count)) {
            return "mover_count does not say who moves";
        }
        if (i < s->mover_count &&
            !(is_within(pose->position.x, s->low.x, s->high.x) && is_within(pose->position.y, s->low.y, s->high.y) &&
              is_within(pose->position.z, s->low.z, s->high.z))) {
            return "a mover is outside the walls";
        }
    }
    return NULL;
}

static bool check_kind(scene_kind kind, bool print) {
    scene s, start;
    if (!scene_create(&s, kind, boxes, seed) || !scene_create(&start, kind, boxes, seed)) {
        printf("%s: cannot be created\n", scene_name(kind));
        return false;
    }
    for (int frame = 0; frame < frames; ++frame) {
        scene_advance(&s);
    }
    const char *wrong = what_is_wrong(&s, &start);
    uint64_t sum = sum_of(&s);
    if (print) {
        printf("%s: UINT64_C(0x%016llX)\n", scene_name(kind), (unsigned long long)sum);
    } else if (wrong == NULL && sum != sums[kind]) {
        wrong = "other bits than those in scenes_check.c";
    }
    if (wrong != NULL) {
        printf("%s: %s\n", scene_name(kind), wrong);
    }
    scene_destroy(&s);
    scene_destroy(&start);
    return wrong == NULL;
}

int main(int argc, char **argv) {
    bool print = argc > 1 && strcmp(argv[1], "--print") == 0, ok = true;
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        ok = check_kind((scene_kind)kind, print) && ok;
    }
    scene s;
    if (scene_create(&s, SCENE_KIND_COUNT, 1, 1) || scene_create(&s, SCENE_TOWER, 0, 1) || s.defs != NULL) {
        puts("nonsense makes a scene");
        ok = false;
    }
    return ok ? 0 : 1;
}
