/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Flies a camera through a scene and counts what would be drawn, by three tests that renderers use:
 *
 *     culling            a warehouse made up here
 *     culling FOLDER     boxes.csv   px,py,pz,qx,qy,qz,qw,half_x,half_y,half_z   (world = R(q) local + p)
 *                        cameras.csv frame,m0,...,m15   (view-projection, column-major, depth -w..w)
 *
 * Each file has a header line, then only numbers. Lines may end as on Windows, and the last one anyhow. */

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    size_t box_count, camera_count;
    abut_obb *boxes;
    float (*cameras)[16];
} scene;

typedef struct counts {
    size_t bounds, planes, exact;
} counts;

static _Noreturn void fail(const char *where, size_t number, const char *why) {
    fprintf(stderr, "culling: %s:%zu: %s\n", where, number, why);
    exit(EXIT_FAILURE);
}

static void check(abut_result result, const char *where, size_t number) {
    if (result != ABUT_OK) {
        fail(where, number, abut_result_name(result));
    }
}

static void *allocate(size_t n, size_t size) {
    void *p = calloc(n, size);
    if (p == NULL) {
        fail("allocate", n, "out of memory");
    }
    return p;
}

/* --- a scene from a folder --- */

/* Parses exactly `columns` numbers separated by commas. */
static bool parse(const char *line, size_t columns, float *row) {
    for (size_t i = 0; i < columns; ++i) {
        char *end;
        row[i] = strtof(line, &end);
        if (end == line || !isfinite(row[i]) || (i + 1 < columns && *end != ',')) {
            return false;
        }
        line = i + 1 < columns ? end + 1 : end;
    }
    return line[strspn(line, "\r\n")] == '\0';
}

/* Reads all lines below the header, one after the other, each without its first `skip` numbers. */
static void *read_table(const char *folder, const char *name, size_t skip, size_t columns, size_t *rows) {
    char path[1024], line[1024];
    float row[32], *table = NULL;
    size_t n = 0, capacity = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        fail(path, 1, "cannot be read");
    }
    for (; fgets(line, sizeof line, file) != NULL; ++n) {
        if (!parse(line, skip + columns, row)) {
            fail(path, n + 2, "not as many numbers as there should be, with commas between them");
        }
        if (n == capacity) {
            capacity = 2 * capacity + 64;
            table = realloc(table, capacity * columns * sizeof *table);
        }
        if (table == NULL) {
            fail(path, n + 2, "out of memory");
        }
        memcpy(table + n * columns, row + skip, columns * sizeof *table);
    }
    if (n == 0) {
        fail(path, 2, "no rows");
    }
    fclose(file);
    *rows = n;
    return table;
}

static scene read_scene(const char *folder) {
    scene s;
    s.boxes = read_table(folder, "boxes.csv", 0, 10, &s.box_count);
    s.cameras = read_table(folder, "cameras.csv", 1, 16, &s.camera_count);
    return s;
}

/* --- a scene of our own --- */

enum { aisles = 8, bays = 24, levels = 4, frames = 48 };

/* The whole warehouse is rotated by 37 degrees: a sine of 0.6. */
static abut_obb place(float x, float y, float z, float turn, abut_vec3 half) {
    return (abut_obb){{0.8f * x + 0.6f * z, y, 0.8f * z - 0.6f * x}, {0, 1, 0, 3 + turn}, half};
}

/* Rows of shelves: long boards with slightly rotated crates on them. */
static void stack_shelves(scene *s) {
    uint32_t random = 1;
    s->boxes = allocate(aisles * levels * (bays + 1), sizeof *s->boxes);
    for (int row = 0; row < aisles * levels; ++row) {
        float y = 2.0f * (float)(row % levels), z = 6.0f * (float)(row / levels) - 21.0f;
        s->boxes[s->box_count++] = place(0, y, z, 0, (abut_vec3){30, 0.05f, 0.75f});
        for (int bay = 0; bay < bays; ++bay) {
            random = 1664525 * random + 1013904223;
            float turn = (float)(random >> 24) / 256.0f - 0.5f;
            s->boxes[s->box_count++] =
                place(2.5f * (float)bay - 28.75f, y + 0.75f, z, turn, (abut_vec3){0.75f, 0.625f, 0.5f});
        }
    }
}

/* The view of an eye that looks along the unit vector (x, 0, z): 60 degrees high, 16 : 9, from 0.125 to 24. */
static void look(abut_vec3 eye, float x, float z, float m[16]) {
    const float high = 1.7320508f, wide = high * 9 / 16, near = 0.125f, far = 24;
    const float depth = (far + near) / (far - near), offset = 2 * far * near / (far - near);
    const float along = x * eye.x + z * eye.z, across = x * eye.z - z * eye.x;
    const float rows[4][4] = {{-z * wide, 0, x * wide, -across * wide},
                              {0, high, 0, -high * eye.y},
                              {depth * x, 0, depth * z, -depth * along - offset},
                              {x, 0, z, -along}};
    for (int i = 0; i < 16; ++i) {
        m[i] = rows[i % 4][i / 4];
    }
}

static scene make_scene(void) {
    scene s = {.camera_count = frames};
    stack_shelves(&s);
    s.cameras = allocate(frames, sizeof *s.cameras);
    float x = 1.0f, z = 0.0f;
    for (int i = 0; i < frames; ++i) {
        look((abut_vec3){(float)i - 24.0f, 1.75f, 0.0f}, x, z, s.cameras[i]);
        float next = (255.0f * x - 32.0f * z) / 257.0f; /* 7 degrees further, without calling sin */
        z = (32.0f * x + 255.0f * z) / 257.0f;
        x = next;
    }
    return s;
}

/* --- the usual tests --- */

typedef struct plane_set {
    float n[6][4]; /* inside is where n[0..2] . p + n[3] >= 0 for each of them */
} plane_set;

/* Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix" (2001). */
static plane_set planes_of(const float m[16]) {
    plane_set planes;
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 4; ++i) {
            planes.n[k][i] = m[4 * i + 3] + (k % 2 == 0 ? m[4 * i + k / 2] : -m[4 * i + k / 2]);
        }
    }
    return planes;
}

static bool planes_keep(const plane_set *planes, const abut_obb *box) {
    abut_quat q = box->rotation;
    const float s = 2.0f / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); /* any length will do */
    const float axes[3][3] = {
        {1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y + q.w * q.z), s * (q.x * q.z - q.w * q.y)},
        {s * (q.x * q.y - q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z + q.w * q.x)},
        {s * (q.x * q.z + q.w * q.y), s * (q.y * q.z - q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y)}};
    const float half[3] = {box->half.x, box->half.y, box->half.z};
    for (int k = 0; k < 6; ++k) {
        const float *n = planes->n[k];
        float reach = n[0] * box->center.x + n[1] * box->center.y + n[2] * box->center.z + n[3];
        for (int i = 0; i < 3; ++i) {
            reach += half[i] * fabsf(n[0] * axes[i][0] + n[1] * axes[i][1] + n[2] * axes[i][2]);
        }
        if (reach < 0.0f) {
            return false;
        }
    }
    return true;
}

/* The axis-aligned box that most programs have at hand. */
static abut_obb bounds_of(const abut_obb *box) {
    abut_aabb b = abut_obb_bounds(box);
    return (abut_obb){.center = {0.5f * (b.min.x + b.max.x), 0.5f * (b.min.y + b.max.y), 0.5f * (b.min.z + b.max.z)},
                      .rotation = {0, 0, 0, 1},
                      .half = {0.5f * (b.max.x - b.min.x), 0.5f * (b.max.y - b.min.y), 0.5f * (b.max.z - b.min.z)}};
}

/* --- abut's --- */

/* Fills a world. It normalises rotations, which may change their last bits; the boxes are then read back from it. */
static abut_world *fill_world(scene *s) {
    abut_world *world;
    check(abut_world_create(NULL, &world), "world", 0);
    for (size_t i = 0; i < s->box_count; ++i) {
        abut_obb *box = &s->boxes[i];
        abut_pose pose = {box->center, box->rotation};
        const abut_filter still = {.mask = ABUT_MASK_NONE}; /* it collides with nothing */
        const abut_body_def def = {.pose = pose, .half = box->half, .motion = ABUT_STATIC, .filter = still, .user = i};
        abut_body_id id;
        check(abut_body_create(world, &def, &id), "box", i);
        check(abut_body_get_world_pose(world, id, &pose), "box", i);
        box->rotation = pose.rotation;
    }
    check(abut_world_step(world, NULL, NULL), "step", 0);
    return world;
}

static counts count(const scene *s, const abut_world *world, size_t camera, uint32_t *indices, abut_visible *bodies) {
    counts kept = {0};
    const plane_set planes = planes_of(s->cameras[camera]);
    abut_frustum frustum;
    for (size_t i = 0; i < s->box_count; ++i) {
        abut_obb bounds = bounds_of(&s->boxes[i]);
        kept.bounds += planes_keep(&planes, &bounds);
        kept.planes += planes_keep(&planes, &s->boxes[i]);
    }
    check(abut_frustum_from_matrix(s->cameras[camera], ABUT_CLIP_NEG_ONE_TO_ONE, &frustum), "camera", camera);
    kept.exact = abut_frustum_cull_obbs(&frustum, s->boxes, s->box_count, indices);
    bool same = abut_world_cull(world, &frustum, 1, NULL, bodies, s->box_count) == kept.exact;
    for (size_t i = 0; same && i < kept.exact; ++i) {
        same = bodies[i].user == indices[i];
    }
    if (!same) {
        fail("camera", camera, "the world sees other boxes than are visible in the array");
    }
    return kept;
}

static void print_saved(const char *than, size_t theirs, size_t exact) {
    printf("of the draw calls that %s lead to, the exact test saves %.1f %%\n", than,
           theirs == 0 ? 0.0 : 100.0 * ((double)theirs - (double)exact) / (double)theirs);
}

int main(int argc, char **argv) {
    if (argc > 2 || (argc > 1 && argv[1][0] == '-')) {
        bool asked = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
        fprintf(asked ? stdout : stderr, "usage: culling [FOLDER]\n"
                                         "FOLDER has boxes.csv and cameras.csv; without it, a warehouse is made up\n");
        return asked ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    scene s = argc > 1 ? read_scene(argv[1]) : make_scene();
    abut_world *world = fill_world(&s);
    uint32_t *indices = allocate(s.box_count, sizeof *indices);
    abut_visible *bodies = allocate(s.box_count, sizeof *bodies);
    counts all = {0};
    printf("%zu boxes\n%8s%10s%10s%10s\n", s.box_count, "camera", "bounds", "planes", "exact");
    for (size_t i = 0; i < s.camera_count; ++i) {
        counts kept = count(&s, world, i, indices, bodies);
        all = (counts){all.bounds + kept.bounds, all.planes + kept.planes, all.exact + kept.exact};
        if (i % (s.camera_count / 8 + 1) == 0) {
            printf("%8zu%10zu%10zu%10zu\n", i, kept.bounds, kept.planes, kept.exact);
        }
    }
    printf("%8s%10zu%10zu%10zu\n", "all", all.bounds, all.planes, all.exact);
    print_saved("world-aligned bounds", all.bounds, all.exact);
    print_saved("six planes", all.planes, all.exact);
    abut_world_destroy(&world);
    free(s.boxes);
    free(s.cameras);
    free(indices);
    free(bodies);
}
