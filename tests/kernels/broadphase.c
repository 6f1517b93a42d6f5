/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of the broad phase under each instruction set return the bits of the portable ones and the results of
 * brute force: for every number of boxes, at unaligned addresses, in memory of exactly the size that their contracts
 * name. Prints the speed. */

#include "broadphase/kernels.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 67, BLOCK = 64, CANARY = 0x5b };

/* The kernels of that instruction set; NULL if it does not run here. */
static const abut_bp_kernels *usable(int isa) {
    return abut_isa_select((abut_isa)isa) == ABUT_OK ? abut_bp_kernels_active() : NULL;
}

/* --- memory: of exact size, behind one element of canary bytes, filled with them --- */

typedef struct memory {
    void *block[32];
    int n;
} memory;

static void *room(memory *m, size_t count, size_t size) {
    unsigned char *block = malloc((count + 1) * size);
    assert_true(block && m->n < 32);
    memset(block, CANARY, (count + 1) * size);
    m->block[m->n++] = block;
    return block + size;
}

static void release(memory *m) {
    while (m->n > 0) {
        free(m->block[--m->n]);
    }
}

static bool untouched(const void *from, size_t bytes) {
    const unsigned char *at = from;
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] != CANARY) {
            return false;
        }
    }
    return true;
}

/* --- numbers --- */

typedef enum taste { ANY, EQUAL, NEAR, LIMIT, DECADES, TASTES } taste;

/* Kinds of coordinates: any; one of a few values; one of these or its neighbours; at the limits of a world or of
 * floats; of any magnitude. */
static float coordinate(rng *r, taste t) {
    static const float values[] = {-1, -0.0f, 0, 0.5f, 1, 2}, ends[] = {-FLT_MAX / 4, -1e9f, 1e9f, FLT_MAX / 4};
    float one = values[rng_below(r, 6)];
    switch (t) {
    case EQUAL:
        return one;
    case NEAR:
        return rng_chance(r, 0.5) ? nextafterf(one, rng_chance(r, 0.5) ? 3.0f : -3.0f) : one;
    case LIMIT:
        return rng_chance(r, 0.7) ? ends[rng_below(r, 4)] : (float)rng_range(r, -1e9, 1e9);
    case DECADES:
        return (float)rng_log_range(r, 1e-44, 1e9) * rng_sign(r);
    default:
        return (float)rng_range(r, -10, 10);
    }
}

static void make_box(rng *r, taste t, float min[3], float max[3]) {
    for (int axis = 0; axis < 3; axis++) {
        float a = coordinate(r, t), b = t == ANY ? a + (float)rng_range(r, 0, 8) : coordinate(r, t);
        min[axis] = a < b ? a : b;
        max[axis] = a < b ? b : a;
    }
}

/* --- cells, gather --- */

static uint8_t cell_alone(const abut_bp_grid *grid, int k, float v) {
    float at = (v - grid->origin[k]) * grid->inverse[k], last = (float)(grid->cells[k] - 1);
    return (uint8_t)(at < 0 ? 0 : at > last ? last : at);
}

static abut_bp_grid random_grid(rng *r, taste t) {
    abut_bp_grid grid = {.axis = (int)rng_below(r, 3)};
    for (int k = 0; k < 2; k++) {
        grid.cells[k] = 1 + rng_below(r, ABUT_BP_CELLS_MAX);
        grid.cells[k] = rng_chance(r, 0.2) ? ABUT_BP_CELLS_MAX : grid.cells[k];
        grid.origin[k] = coordinate(r, t);
        float range = t == LIMIT ? 1e9f : (float)rng_log_range(r, 1e-3, 1e2);
        grid.inverse[k] = rng_chance(r, 0.1) ? 0 : (float)grid.cells[k] / range;
    }
    return grid;
}

/* Boxes by key, and n of the keys, maybe some of them more than once. */
typedef struct listed {
    abut_bp_box *box;
    uint32_t *key, n;
} listed;

static listed make_listed(memory *m, rng *r, taste t, uint32_t n) {
    uint32_t keys = 1 + rng_below(r, 2 * MOST);
    listed l = {room(m, keys, sizeof *l.box), room(m, n, sizeof *l.key), n};
    for (uint32_t k = 0; k < keys; k++) {
        make_box(r, t, l.box[k].min, l.box[k].max);
    }
    for (uint32_t k = 0; k < n; k++) {
        l.key[k] = rng_chance(r, 0.1) ? keys - 1 : rng_below(r, keys);
    }
    return l;
}

static void check_cells(const abut_bp_kernels *kernels, rng *r, taste t, uint32_t n) {
    enum { MORE = ABUT_BP_SLACK / 4 };
    memory m = {.n = 0};
    listed l = make_listed(&m, r, t, n);
    abut_bp_grid grid = random_grid(r, t);
    uint8_t *cell[4];
    for (int k = 0; k < 4; k++) {
        cell[k] = room(&m, n + MORE, 1);
    }
    kernels->cells(l.box, l.key, n, &grid, cell);
    for (uint32_t k = 0; k < n; k++) {
        const abut_bp_box *box = &l.box[l.key[k]];
        int one = (grid.axis + 1) % 3, two = (grid.axis + 2) % 3;
        assert_int_equal(cell[0][k], cell_alone(&grid, 0, box->min[one]));
        assert_int_equal(cell[1][k], cell_alone(&grid, 0, box->max[one]));
        assert_int_equal(cell[2][k], cell_alone(&grid, 1, box->min[two]));
        assert_int_equal(cell[3][k], cell_alone(&grid, 1, box->max[two]));
    }
    for (int k = 0; k < 4; k++) {
        assert_true(untouched(cell[k] - 1, 1));
    }
    release(&m);
}

static abut_bp_copies make_copies(memory *m, uint32_t n) {
    abut_bp_copies c = {.key = room(m, n, sizeof *c.key)};
    for (int axis = 0; axis < 3; axis++) {
        c.min[axis] = room(m, n, sizeof(float));
        c.max[axis] = room(m, n, sizeof(float));
    }
    return c;
}

static void check_gather(const abut_bp_kernels *kernels, rng *r, taste t, uint32_t n) {
    memory m = {.n = 0};
    listed l = make_listed(&m, r, t, n);
    abut_radix_item *order = room(&m, n, sizeof *order);
    uint32_t first = rng_below(r, 20);
    int axis = (int)rng_below(r, 3);
    for (uint32_t k = 0; k < n; k++) {
        order[k] = (abut_radix_item){(uint32_t)rng_u64(r), l.key[k]};
    }
    abut_bp_copies c = make_copies(&m, first + n + ABUT_BP_SLACK);
    kernels->gather(l.box, order, n, axis, first, &c);
    assert_true(untouched(c.key - 1, (first + 1) * sizeof *c.key));
    for (int i = 0; i < 3; i++) {
        assert_true(untouched(c.min[i] - 1, (first + 1) * sizeof(float)));
        assert_true(untouched(c.max[i] - 1, (first + 1) * sizeof(float)));
    }
    for (uint32_t k = 0; k < n; k++) {
        const abut_bp_box *box = &l.box[l.key[k]];
        assert_int_equal(c.key[first + k], l.key[k]);
        for (int i = 0; i < 3; i++) {
            assert_memory_equal(&c.min[i][first + k], &box->min[(axis + i) % 3], sizeof(float));
            assert_memory_equal(&c.max[i][first + k], &box->max[(axis + i) % 3], sizeof(float));
        }
    }
    release(&m);
}

static void boxes_are_gathered_as_one_by_one(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const abut_bp_kernels *kernels = usable(isa);
        for (unsigned long round = 0; kernels && round < test_count(40); round++) {
            rng r = rng_make(test_seed(), round);
            for (uint32_t n = 0; n <= MOST; n++) {
                check_cells(kernels, &r, (taste)(round % TASTES), n);
                if (n > 0) {
                    check_gather(kernels, &r, (taste)(round % TASTES), n);
                }
            }
        }
    }
}

/* --- pairs --- */

/* Two spans, one after the other, each sorted; behind them just the memory that may be touched. */
typedef struct scene {
    memory m;
    abut_bp_copies copies;
    abut_bp_span a, b; /* b: those that may rest */
    abut_bp_column column;
    uint8_t *role; /* by key; exactly as many as there are */
    uint32_t apart[ABUT_BP_CLASSES];
} scene;

typedef struct sortable {
    float min[3], max[3];
} sortable;

static int by_begin(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right; /* min[0] is the first member */
    return (a > b) - (a < b);
}

static void fill_span(scene *s, rng *r, taste t, abut_bp_span span) {
    sortable *box = malloc((span.end - span.first + 1) * sizeof *box);
    assert_non_null(box);
    for (uint32_t i = span.first; i < span.end; i++) {
        make_box(r, t, box[i - span.first].min, box[i - span.first].max);
    }
    qsort(box, span.end - span.first, sizeof *box, by_begin);
    for (uint32_t i = span.first; i < span.end; i++) {
        for (int axis = 0; axis < 3; axis++) {
            s->copies.min[axis][i] = box[i - span.first].min[axis];
            s->copies.max[axis][i] = box[i - span.first].max[axis];
        }
    }
    free(box);
}

/* Span a has in_a boxes, span b in_b. Huge keys are just below 2^32 - 1; they have no state. */
static scene make_scene(rng *r, taste t, uint32_t in_a, uint32_t in_b, bool huge_keys) {
    scene s = {.m = {.n = 0}};
    uint32_t first = rng_below(r, 2 * BLOCK), gap = rng_below(r, 20), end = first + in_b + gap + in_a;
    s.b = (abut_bp_span){first, first + in_b};
    s.a = (abut_bp_span){first + in_b + gap, end};
    s.copies = make_copies(&s.m, end + ABUT_BP_SLACK);
    fill_span(&s, r, t, (abut_bp_span){0, first});
    fill_span(&s, r, t, s.b);
    fill_span(&s, r, t, (abut_bp_span){s.b.end, s.a.first});
    fill_span(&s, r, t, s.a);
    s.role = room(&s.m, end, 1);
    for (uint32_t i = 0; i < end; i++) { /* all different, in no order */
        uint32_t key = (i * 7919 + 13) % end;
        s.copies.key[i] = huge_keys ? UINT32_MAX - 1 - key : key;
        s.role[i] = rng_chance(r, 0.7)   ? ABUT_BP_RESTING | (rng_chance(r, 0.2) ? ABUT_BP_STATIC : 0)
                    : rng_chance(r, 0.5) ? ABUT_BP_ACTIVE
                                         : ABUT_BP_ABSENT;
    }
    for (uint32_t i = 0; i < end; i++) {
        s.role[i] = (uint8_t)(s.role[i] + rng_below(r, 4) * 10 * ABUT_BP_CLASS);
    }
    for (uint32_t i = 0; i < ABUT_BP_CLASSES * ABUT_BP_CLASSES; i++) {
        uint32_t k = i / ABUT_BP_CLASSES, l = i % ABUT_BP_CLASSES;
        bool apart = k <= l && rng_chance(r, 0.3);
        s.apart[k] |= (uint32_t)apart << l;
        s.apart[l] |= (uint32_t)apart << k;
    }
    s.column.ask = !huge_keys && rng_chance(r, 0.5);
    for (int k = 0; k < 2; k++) {
        s.column.low[k] = rng_chance(r, 0.4) ? -INFINITY : rng_chance(r, 0.05) ? INFINITY : coordinate(r, t);
    }
    return s;
}

static bool overlap(const scene *s, uint32_t i, uint32_t j) {
    const abut_bp_copies *c = &s->copies;
    bool yes = c->min[0][i] <= c->max[0][j] && c->min[0][j] <= c->max[0][i];
    for (int axis = 1; axis < 3; axis++) {
        float low = c->min[axis][i] > c->min[axis][j] ? c->min[axis][i] : c->min[axis][j];
        yes = yes && low <= c->max[axis][i] && low <= c->max[axis][j] && s->column.low[axis - 1] <= low;
    }
    return yes;
}

static abut_bp_pair pair_of(const scene *s, uint32_t i, uint32_t j) {
    uint32_t p = s->copies.key[i], q = s->copies.key[j];
    return p < q ? (abut_bp_pair){p, q} : (abut_bp_pair){q, p};
}

typedef enum what { SWEEP_PART, SWEEP, CROSS, CROSS_RESTING } what;

/* Not both are static, their classes are not apart; with CROSS_RESTING the other one rests. */
static bool may_pair(const scene *s, what kernel, uint32_t i, uint32_t j) {
    if (kernel != CROSS_RESTING && (kernel == SWEEP || !s->column.ask)) {
        return true;
    }
    uint8_t p = s->role[s->copies.key[i]], q = s->role[s->copies.key[j]];
    return (q & ABUT_BP_RESTING || kernel != CROSS_RESTING) && !(p & q & ABUT_BP_STATIC) &&
           !(s->apart[q / ABUT_BP_CLASS] >> p / ABUT_BP_CLASS & 1);
}

/* In the order in which they must come, except those of CROSS. */
static size_t brute_force(const scene *s, what kernel, abut_bp_pair *pair) {
    size_t n = 0;
    bool alone = kernel == SWEEP_PART || kernel == SWEEP;
    abut_bp_span other = alone ? s->a : s->b;
    for (uint32_t i = s->a.first; i < s->a.end; i++) {
        for (uint32_t j = alone ? i + 1 : other.first; j < other.end; j++) {
            if (overlap(s, i, j) && may_pair(s, kernel, i, j)) {
                pair[n++] = pair_of(s, i, j);
            }
        }
    }
    return n;
}

static abut_bp_superblocks make_superblocks(memory *m, uint32_t n) {
    abut_bp_superblocks s;
    for (int axis = 0; axis < 3; axis++) {
        s.min[axis] = room(m, n + ABUT_BP_SLACK / 4, sizeof(float));
        s.max[axis] = room(m, n + ABUT_BP_SLACK / 4, sizeof(float));
    }
    return s;
}

static void enclose(const abut_bp_copies *c, uint32_t n, const abut_bp_superblocks *out) {
    for (uint32_t i = 0; i < n; i++) {
        for (int axis = 0; axis < 3; axis++) {
            float *low = &out->min[axis][i / BLOCK], *high = &out->max[axis][i / BLOCK];
            *low = i % BLOCK == 0 || c->min[axis][i] < *low ? c->min[axis][i] : *low;
            *high = i % BLOCK == 0 || c->max[axis][i] > *high ? c->max[axis][i] : *high;
        }
    }
}

static abut_bp_superblocks enclosed(scene *s) {
    abut_bp_superblocks out = make_superblocks(&s->m, (s->b.end + BLOCK - 1) / BLOCK);
    enclose(&s->copies, s->b.end, &out);
    return out;
}

/* With infinity behind the span, as gathering leaves it. */
static void run_sweep(const abut_bp_kernels *kernels, scene *s, abut_bp_sink *sink) {
    enum { LANES_MOST = 16 };
    float *behind = s->copies.min[0] + s->a.end, kept[LANES_MOST];
    memcpy(kept, behind, sizeof kept);
    for (int i = 0; i < LANES_MOST; i++) {
        behind[i] = INFINITY;
    }
    kernels->sweep(&s->column, s->a, sink);
    memcpy(behind, kept, sizeof kept);
}

static void run(const abut_bp_kernels *kernels, scene *s, what kernel, abut_bp_sink *sink) {
    s->column.copies = &s->copies;
    s->column.who = (abut_bp_who){s->role, s->apart};
    if (kernel == SWEEP_PART) {
        kernels->sweep_part(&s->column, s->a, sink);
    } else if (kernel == SWEEP) {
        run_sweep(kernels, s, sink);
    } else if (kernel == CROSS) {
        kernels->cross(&s->column, s->a, s->b, sink);
    } else {
        abut_bp_superblocks blocks = enclosed(s);
        kernels->cross_resting(&s->column, s->a, s->b, &blocks, sink);
    }
}

static int by_keys(const void *left, const void *right) {
    const abut_bp_pair *p = left, *q = right;
    return p->low != q->low ? (p->low > q->low) - (p->low < q->low) : (p->high > q->high) - (p->high < q->high);
}

/* Into a sink that may be too small and already has `before` pairs. */
static void check_kernel(const abut_bp_kernels *kernels, scene *s, what kernel, size_t capacity, size_t before) {
    static abut_bp_pair expected[MOST * MOST + 1], sorted[MOST * MOST + 1];
    size_t count = brute_force(s, kernel, expected);
    size_t kept = before + count < capacity ? count : capacity > before ? capacity - before : 0;
    memory m = {.n = 0};
    abut_bp_pair *plain = room(&m, capacity + ABUT_BP_SLACK, sizeof *plain);
    abut_bp_pair *pair = room(&m, capacity + ABUT_BP_SLACK, sizeof *pair);
    abut_bp_sink reference = {.pair = plain, .count = before, .capacity = capacity, .tests = 7};
    abut_bp_sink sink = {.pair = pair, .count = before, .capacity = capacity, .tests = 7};
    run(&abut_bp_kernels_portable, s, kernel, &reference);
    run(kernels, s, kernel, &sink);
    assert_int_equal(reference.count, before + count);
    assert_int_equal(sink.count, before + count);
    assert_int_equal(sink.tests, reference.tests);
    assert_true(untouched(pair - 1, (1 + (before < capacity ? before : capacity)) * sizeof *pair));
    assert_memory_equal(pair + before, plain + before, kept * sizeof *pair);
    if (kept == count) {
        memcpy(sorted, pair + before, count * sizeof *sorted);
        if (kernel == CROSS) {
            qsort(sorted, count, sizeof *sorted, by_keys);
            qsort(expected, count, sizeof *expected, by_keys);
        }
        assert_memory_equal(sorted, expected, count * sizeof *sorted);
    }
    release(&m);
}

static void pairs_are_those_of_brute_force(void **state) {
    (void)state;
    static abut_bp_pair all[MOST * MOST + 1];
    size_t found[4] = {0};
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const abut_bp_kernels *kernels = usable(isa);
        for (unsigned long round = 0; kernels && round < test_count(20); round++) {
            rng r = rng_make(test_seed(), round);
            for (uint32_t n = 0; n <= MOST; n++) {
                what kernel = (what)rng_below(&r, 4);
                scene s = make_scene(&r, (taste)(round % TASTES), n, rng_below(&r, MOST + 1),
                                     kernel != CROSS_RESTING && rng_chance(&r, 0.5));
                size_t count = brute_force(&s, kernel, all), before = rng_below(&r, 3);
                found[kernel] += count;
                check_kernel(kernels, &s, kernel, count + before, before);
                check_kernel(kernels, &s, kernel, rng_below(&r, (uint32_t)count + 2), before);
                release(&s.m);
            }
        }
    }
    assert_true(found[SWEEP_PART] > 100 && found[SWEEP] > 100 && found[CROSS] > 100 && found[CROSS_RESTING] > 100);
}

/* --- enclose --- */

static void check_superblock(const float *value, float got, bool greatest) {
    float most = value[0];
    for (int i = 1; i < ABUT_BP_SUPERBLOCK; i++) {
        most = (greatest ? value[i] > most : value[i] < most) ? value[i] : most;
    }
    assert_true(got == most);
}

static void check_enclose(const abut_bp_kernels *kernels, rng *r, taste t, uint32_t n) {
    memory m = {.n = 0};
    abut_bp_copies in = make_copies(&m, n * ABUT_BP_SUPERBLOCK);
    abut_bp_superblocks out = make_superblocks(&m, n), plain = make_superblocks(&m, n);
    for (uint32_t i = 0; i < n * ABUT_BP_SUPERBLOCK; i++) {
        float min[3], max[3];
        make_box(r, t, min, max);
        for (int axis = 0; axis < 3; axis++) {
            in.min[axis][i] = min[axis];
            in.max[axis][i] = max[axis];
        }
    }
    kernels->enclose(&in, n, &out);
    abut_bp_kernels_portable.enclose(&in, n, &plain);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(untouched(out.min[axis] - 1, sizeof(float)));
        assert_true(untouched(out.max[axis] - 1, sizeof(float)));
        assert_memory_equal(out.min[axis], plain.min[axis], n * sizeof(float));
        assert_memory_equal(out.max[axis], plain.max[axis], n * sizeof(float));
        for (uint32_t k = 0; k < n; k++) {
            check_superblock(in.min[axis] + (size_t)k * ABUT_BP_SUPERBLOCK, out.min[axis][k], false);
            check_superblock(in.max[axis] + (size_t)k * ABUT_BP_SUPERBLOCK, out.max[axis][k], true);
        }
    }
    release(&m);
}

static void superblocks_are_just_around_their_copies(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const abut_bp_kernels *kernels = usable(isa);
        for (unsigned long round = 0; kernels && round < test_count(100); round++) {
            rng r = rng_make(test_seed(), round);
            check_enclose(kernels, &r, (taste)(round % TASTES), 1 + rng_below(&r, MOST));
        }
    }
}

/* --- speed --- */

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

enum { N = 4096, FEW = 64, PAIRS = 1 << 20, TIMED = 4 };

/* What a step does to N boxes in one column. */
typedef struct course {
    abut_bp_box box[N];
    abut_radix_item order[N];
    uint32_t key[N];
    uint8_t cell[4][N + ABUT_BP_SLACK];
    float low[3][N + ABUT_BP_SLACK], high[3][N + ABUT_BP_SLACK];
    float min[3][N / BLOCK + ABUT_BP_SLACK], max[3][N / BLOCK + ABUT_BP_SLACK];
    uint32_t keys[N + ABUT_BP_SLACK];
    uint8_t role[N];
    abut_bp_pair pair[PAIRS + ABUT_BP_SLACK];
} course;

static void set_course(course *c) {
    rng r = rng_make(test_seed(), 0);
    for (uint32_t k = 0; k < N; k++) {
        abut_bp_box *box = &c->box[k];
        make_box(&r, ANY, box->min, box->max);
        box->min[0] = (float)k * 0.01f;
        box->max[0] = box->min[0] + 1;
        c->key[k] = k;
        c->order[k] = (abut_radix_item){k, k};
        c->role[k] = ABUT_BP_RESTING;
    }
}

static void time_course(const abut_bp_kernels *kernels, course *c, double best[TIMED]) {
    abut_bp_copies copies = {{c->low[0], c->low[1], c->low[2]}, {c->high[0], c->high[1], c->high[2]}, c->keys};
    abut_bp_superblocks blocks = {{c->min[0], c->min[1], c->min[2]}, {c->max[0], c->max[1], c->max[2]}};
    abut_bp_grid grid = {.inverse = {10, 10}, .cells = {200, 200}};
    static const uint32_t apart[ABUT_BP_CLASSES];
    abut_bp_column column = {.copies = &copies, .low = {-INFINITY, -INFINITY}, .who = {c->role, apart}};
    for (int time = 0; time < 8; time++) {
        abut_bp_sink sink = {.pair = c->pair, .capacity = PAIRS};
        double at[TIMED + 1] = {seconds()};
        kernels->cells(c->box, c->key, N, &grid, (uint8_t *const[4]){c->cell[0], c->cell[1], c->cell[2], c->cell[3]});
        at[1] = seconds();
        kernels->gather(c->box, c->order, N, 0, 0, &copies);
        at[2] = seconds();
        kernels->sweep(&column, (abut_bp_span){0, N}, &sink);
        at[3] = seconds();
        if (time == 0) {
            enclose(&copies, N, &blocks);
            continue;
        }
        kernels->cross_resting(&column, (abut_bp_span){0, FEW}, (abut_bp_span){0, N}, &blocks, &sink);
        at[4] = seconds();
        for (int k = 0; k < TIMED; k++) {
            best[k] = fmin(best[k], at[k + 1] - at[k]);
        }
    }
}

static void print_speed(void **state) {
    (void)state;
    course *c = calloc(1, sizeof *c);
    assert_non_null(c);
    set_course(c);
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const abut_bp_kernels *kernels = usable(isa);
        double best[TIMED] = {1, 1, 1, 1};
        if (kernels) {
            time_course(kernels, c, best);
            printf("%-8s  a box of 4096: cells %5.2f ns, gather %5.2f, sweep %6.1f; against them at rest %6.1f\n",
                   abut_isa_name((abut_isa)isa), best[0] / N * 1e9, best[1] / N * 1e9, best[2] / N * 1e9,
                   best[3] / FEW * 1e9);
        }
    }
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_gathered_as_one_by_one),
        cmocka_unit_test(pairs_are_those_of_brute_force),
        cmocka_unit_test(superblocks_are_just_around_their_copies),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
