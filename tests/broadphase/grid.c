/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Grids for every distribution of boxes: cells begin where the kernels put them, there are no more columns than
 * allowed, and pairs are those of brute force, however few copies there is room for. */

#include "broadphase/grid.h"
#include "broadphase/columns.h"
#include "broadphase/fixture.h"
#include "broadphase/kernels.h"
#include "support/rng.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1500 };

/* How boxes are distributed along one axis. */
typedef enum distribution {
    SAME,
    SPREAD,
    TWO_CLUSTERS,
    AT_THE_LIMIT,
    DENORMAL,
    DECADES,
    OUTLIER,
    STEPS,
    DISTRIBUTIONS
} distribution;

static float place_along(rng *r, distribution how, uint32_t i) {
    switch (how) {
    case SAME:
        return 7.25f;
    case TWO_CLUSTERS:
        return (float)((i % 2 ? 9e8 : -9e8) + rng_range(r, -300, 300));
    case AT_THE_LIMIT: /* where floats are 64 apart */
        return (i % 2 ? 1.0f : -1.0f) * (1e9f - 64.0f * (float)rng_below(r, 40));
    case DENORMAL:
        return (float)rng_below(r, 50) * 0x1p-149f;
    case DECADES:
        return (float)rng_log_range(r, 1e-40, 1e9) * rng_sign(r);
    case OUTLIER:
        return i == 5 ? 1e9f : (float)rng_range(r, -5, 5);
    case STEPS:
        return (float)rng_below(r, 60);
    default:
        return (float)rng_range(r, -1000, 1000);
    }
}

typedef struct cloud {
    distribution how[3];
    double size[3]; /* at most; 0: points */
    bool equal;     /* all of that size */
} cloud;

/* Sizes are of any magnitude, or such that columns pay. */
static cloud random_cloud(rng *r) {
    static const double sizes[] = {0, 1e-42, 1e-3, 1, 1000, 1e6, 1e8};
    static const double ranges[DISTRIBUTIONS] = {1, 2000, 1.8e9, 2e9, 50 * 0x1p-149, 2e9, 10, 60};
    const bool pays = rng_chance(r, 0.6);
    cloud c = {.equal = rng_chance(r, 0.5)};
    for (int axis = 0; axis < 3; axis++) {
        c.how[axis] = (distribution)rng_below(r, DISTRIBUTIONS);
        c.size[axis] = pays ? ranges[c.how[axis]] * rng_range(r, 0.05, 0.4) : sizes[rng_below(r, 7)];
    }
    return c;
}

static void fill(fixture *f, rng *r, const cloud *c, uint32_t n) {
    for (uint32_t key = 0; key < n; key++) {
        activate(f, key, rng_chance(r, 0.1));
        for (int axis = 0; axis < 3; axis++) {
            float low = place_along(r, c->how[axis], key);
            double size = c->equal ? c->size[axis] : rng_range(r, 0, c->size[axis]);
            f->bp.box[key].min[axis] = low;
            f->bp.box[key].max[axis] = fmaxf((float)((double)low + size), low);
        }
    }
}

/* --- cells --- */

static uint32_t cell_of(const abut_bp_grid *grid, int k, float v) {
    const abut_bp_box box = {{v, v, v}, {v, v, v}};
    const uint32_t key = 0;
    uint8_t cell[4][ABUT_BP_SLACK];
    abut_bp_kernels_active()->cells(&box, &key, 1, grid, (uint8_t *const[4]){cell[0], cell[1], cell[2], cell[3]});
    assert_int_equal(cell[2 * k][0], cell[2 * k + 1][0]);
    return cell[2 * k][0];
}

static void check_grid(const abut_bp_grid *grid, uint32_t cells_max) {
    assert_true(grid->axis >= 0 && grid->axis <= 2);
    for (int k = 0; k < 2; k++) {
        assert_true(grid->cells[k] >= 1 && grid->cells[k] <= ABUT_BP_CELLS_MAX);
        assert_true(grid->low[k][0] == -INFINITY);
        assert_int_equal(cell_of(grid, k, -FLT_MAX / 4), 0);
        assert_int_equal(cell_of(grid, k, FLT_MAX / 4), grid->cells[k] - 1);
        for (uint32_t cell = 1; cell < grid->cells[k]; cell++) {
            float low = grid->low[k][cell];
            assert_true(low >= grid->low[k][cell - 1]);
            assert_true(cell_of(grid, k, low) >= cell);
            assert_true(cell_of(grid, k, nextafterf(low, -FLT_MAX)) < cell);
        }
    }
    assert_true(abut_bp_grid_columns(grid) >= 1 && abut_bp_grid_columns(grid) <= cells_max);
}

/* There are half as many cells, which begin where every second one began, but for rounding. */
static void check_coarsened(const abut_bp_grid *fine, const abut_bp_grid *coarse) {
    for (int k = 0; k < 2; k++) {
        assert_int_equal(coarse->cells[k], (fine->cells[k] + 1) / 2);
        for (uint32_t c = 1; c < coarse->cells[k] && fine->cells[k] % 2 == 0; c++) {
            float is = coarse->low[k][c], was = fine->low[k][2 * c];
            float wide = 1 / fine->inverse[k] + fabsf(was) + fabsf(fine->origin[k]);
            assert_true(fabsf(is - was) <= wide * 1e-5f + 0x1p-140f);
        }
    }
}

static void cells_begin_where_kernels_put_them(void **state) {
    (void)state;
    fixture f;
    uint32_t columns = 0, keys[MOST];
    set_up(&f, MOST, 1000);
    for (uint32_t k = 0; k < MOST; k++) {
        keys[k] = k;
    }
    for (unsigned long round = 0; round < test_count(300); round++) {
        rng r = rng_make(test_seed(), round);
        cloud c = random_cloud(&r);
        uint32_t n = 1 + rng_below(&r, round % 3 ? 40 : MOST), cells_max = 1 + rng_below(&r, round % 2 ? 2000 : 20);
        fill(&f, &r, &c, n);
        abut_bp_choose_grid(f.bp.box, keys, n, cells_max, &f.bp.grid);
        check_grid(&f.bp.grid, cells_max);
        columns += abut_bp_grid_columns(&f.bp.grid) > 1;
        while (abut_bp_grid_columns(&f.bp.grid) > 1) {
            const abut_bp_grid fine = f.bp.grid;
            abut_bp_coarsen_grid(&f.bp.grid);
            check_grid(&f.bp.grid, cells_max);
            check_coarsened(&fine, &f.bp.grid);
        }
    }
    assert_true(columns > test_count(300) / 8);
    tear_down(&f);
}

/* Nearly all boxes are in one cluster, for which cells should be a three hundredth of the extent of the others. */
static void no_more_cells_than_a_byte_can_name(void **state) {
    (void)state;
    enum { ALL = 2000000 };
    static const uint32_t most[] = {1, 2, 3, 100, 1000, 65535, 65536, UINT32_MAX};
    abut_bp_box *box = calloc(ALL, sizeof *box);
    uint32_t *keys = calloc(ALL, sizeof *keys);
    assert_true(box && keys);
    rng r = rng_make(test_seed(), 0);
    for (uint32_t k = 0; k < ALL; k++) {
        double range = rng_chance(&r, 0.08) ? 1500 : 15;
        keys[k] = k;
        for (int axis = 0; axis < 3; axis++) {
            box[k].min[axis] = (float)rng_range(&r, -range, range);
            box[k].max[axis] = box[k].min[axis] + (axis ? 0.6f : 0.5f);
        }
    }
    for (uint32_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        abut_bp_grid grid;
        abut_bp_choose_grid(box, keys, 0, most[i], &grid);
        check_grid(&grid, 1);
        abut_bp_choose_grid(box, keys, ALL, most[i], &grid);
        check_grid(&grid, most[i]);
        uint32_t least = most[i] / 4 < 10000 ? most[i] / 4 : 10000;
        assert_true(abut_bp_grid_columns(&grid) > least);
    }
    free(box);
    free(keys);
}

/* Boxes lie on a plane, so there is one cell across it, whichever axis that is. Then cells along the plane are so wide
 * that a box has 12 others beside it in its column. */
static void cells_along_a_plane_are_as_wide_as_the_density_asks(void **state) {
    (void)state;
    enum { N = 20000 };
    static const double along = 500, across = 400, size = 2;
    static abut_bp_box box[N];
    static uint32_t keys[N];
    for (uint32_t round = 0; round < 6; round++) {
        rng r = rng_make(test_seed(), 4000 + round);
        const int longest = (int)round % 3, k = round < 3 ? 0 : 1, other = (longest + 1 + k) % 3;
        for (uint32_t key = 0; key < N; key++) {
            keys[key] = key;
            for (int axis = 0; axis < 3; axis++) {
                double side = axis == longest ? along : axis == other ? across : 0;
                box[key].min[axis] = (float)rng_range(&r, 0, side);
                box[key].max[axis] = box[key].min[axis] + (float)size;
            }
        }
        abut_bp_grid grid;
        abut_bp_choose_grid(box, keys, N, 10000, &grid);
        check_grid(&grid, 10000);
        assert_int_equal(grid.axis, longest);
        assert_int_equal(grid.cells[1 - k], 1);
        const double density = N / (along * across), width = 12 / (density * size) - size; /* as boxes reach into it */
        assert_true(grid.cells[k] >= 0.8 * across / width && grid.cells[k] <= 1.25 * across / width);
    }
}

/* --- columns --- */

/* How many copies of a key a column must have: one if the box lies in it. */
static uint32_t copies_wanted(const abut_bp_grid *grid, const abut_bp_box *box, uint32_t column) {
    uint32_t at[2] = {column / grid->cells[1], column % grid->cells[1]}, wanted = 1;
    for (int k = 0; k < 2; k++) {
        int axis = (grid->axis + 1 + k) % 3;
        wanted &= cell_of(grid, k, box->min[axis]) <= at[k] && at[k] <= cell_of(grid, k, box->max[axis]);
    }
    return wanted;
}

static void check_distribution(const fixture *f, uint32_t n, uint32_t first, uint64_t copies) {
    const abut_bp_grid *grid = &f->bp.grid;
    const uint32_t *start = f->bp.active_start, columns = abut_bp_grid_columns(grid);
    uint64_t sum = 0;
    for (uint32_t column = 0; column < columns; column++) {
        assert_int_equal(start[column], sum);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t key = f->bp.active[k], wanted = copies_wanted(grid, &f->bp.box[key], column), found = 0;
            for (uint32_t i = start[column]; i < start[column + 1]; i++) {
                found += f->bp.order[first + i].value == key;
            }
            assert_int_equal(found, wanted);
            sum += wanted;
        }
    }
    assert_int_equal(start[columns], sum);
    assert_int_equal(copies, sum);
}

/* Boxes in one cell, in a line or a rectangle of cells, and in all; with room for just their copies, and for one fewer.
 */
static void keys_are_distributed_to_the_columns_that_they_lie_in(void **state) {
    (void)state;
    enum { ALL = 40 };
    for (unsigned long round = 0; round < test_count(100); round++) {
        fixture f;
        rng r = rng_make(test_seed(), 3000 + round);
        const abut_bp_grid grid = {
            .axis = (int)(round % 3), .inverse = {1, 1}, .cells = {1 + rng_below(&r, 6), 1 + rng_below(&r, 6)}};
        uint32_t n = rng_below(&r, ALL + 1), first = 64 * rng_below(&r, 3), many = 36 * ALL;
        set_up_narrow(&f, ALL, first + many, 1000);
        f.bp.grid = grid;
        for (uint32_t k = 0; k < n; k++) {
            f.bp.active[k] = ALL - 1 - k;
            abut_bp_box *box = &f.bp.box[ALL - 1 - k];
            for (int axis = 0; axis < 3; axis++) {
                box->min[axis] = (float)rng_range(&r, -1, 6);
                box->max[axis] = box->min[axis] + (float)rng_below(&r, rng_chance(&r, 0.5) ? 2 : 5);
            }
        }
        uint64_t copies = abut_bp_distribute(&f.bp, f.bp.active, n, first, many, f.bp.active_start);
        check_distribution(&f, n, first, copies);
        assert_int_equal(abut_bp_distribute(&f.bp, f.bp.active, n, first, (uint32_t)copies, f.bp.active_start), copies);
        check_distribution(&f, n, first, copies);
        memset(f.bp.order, 0x5b, (first + many) * sizeof *f.bp.order);
        if (copies > 0) {
            assert_int_equal(abut_bp_distribute(&f.bp, f.bp.active, n, first, (uint32_t)copies - 1, f.bp.active_start),
                             copies);
            assert_int_equal(f.bp.order[first].value, 0x5b5b5b5b);
        }
        tear_down(&f);
    }
}

/* --- pairs --- */

/* With little room for copies, or room for hardly any second copy. */
static void boxes_of_every_distribution_have_the_pairs_of_brute_force(void **state) {
    (void)state;
    enum { ALL = 600 };
    fixture f;
    size_t pairs = 0, columns = 0;
    for (unsigned long round = 0; round < test_count(200); round++) {
        rng r = rng_make(test_seed(), 1000 + round);
        cloud c = random_cloud(&r);
        uint32_t n = round % 5 == 0 ? 1 + rng_below(&r, 3) : 4 + rng_below(&r, ALL - 4);
        uint32_t copies = round % 2 ? n + n / 2 + 8 : n < 8 ? 8 : n + rng_below(&r, 10);
        set_up_narrow(&f, n, copies, (size_t)n * n + ABUT_BP_SLACK);
        fill(&f, &r, &c, n);
        pairs += find(&f);
        columns += abut_bp_grid_columns(&f.bp.grid) > 1;
        for (int step = 0; step < 4; step++) { /* most are put to rest if there is room; some move */
            end_of_step(&f);
            fill(&f, &r, &c, rng_below(&r, n / 4 + 1));
            pairs += find(&f);
        }
        tear_down(&f);
    }
    assert_true(pairs > 50 * test_count(200) && columns > test_count(200) / 20);
}

/* Boxes that begin on the border of a cell or one float before, in the grid of resting ones: one column owns each pair.
 */
static void boxes_at_borders_of_cells_are_found_once(void **state) {
    (void)state;
    enum { ALL = 1000, RESTING = 800 };
    fixture f;
    size_t pairs = 0, borders = 0;
    for (unsigned long round = 0; round < test_count(20); round++) {
        rng r = rng_make(test_seed(), 2000 + round);
        cloud c = {{SPREAD, SPREAD, SPREAD}, {250, 300, 300}, false};
        set_up(&f, ALL, ALL * ALL);
        fill(&f, &r, &c, RESTING);
        for (int step = 0; step < 4; step++) {
            (void)find(&f);
            end_of_step(&f);
        }
        assert_int_equal(f.bp.resting_count, RESTING);
        const abut_bp_grid *grid = &f.bp.grid;
        for (uint32_t key = RESTING; key < ALL; key++) {
            abut_bp_box *box = &f.bp.box[key];
            activate(&f, key, false);
            *box = f.bp.box[rng_below(&r, RESTING)];
            for (int k = 0; k < 2; k++) {
                uint32_t cell = rng_below(&r, grid->cells[k]);
                int axis = (grid->axis + 1 + k) % 3;
                if (cell > 0) {
                    float low = grid->low[k][cell];
                    box->min[axis] = rng_chance(&r, 0.5) ? low : nextafterf(low, -FLT_MAX);
                    box->max[axis] = rng_chance(&r, 0.5) ? box->min[axis] : low + 100;
                    borders++;
                }
            }
        }
        pairs += find(&f);
        assert_int_equal(f.bp.resting_count, RESTING);
        tear_down(&f);
    }
    assert_true(pairs > 50 * test_count(20) && borders > 50 * test_count(20));
}

/* A map of which a part lies far above or below: along that axis boxes are farthest apart, and next to all lie beside
 * each other. */
static void maps_at_several_heights_are_cut_as_one(void **state) {
    enum { N = 8000, SIDE = 90 };
    (void)state;
    for (uint32_t heights = 1; heights <= 8; heights *= 2) {
        for (uint32_t up = 0; up < 3; up++) {
            fixture f;
            rng r = rng_make(test_seed(), heights);
            set_up(&f, N, 8 * N);
            for (uint32_t key = 0; key < N; key++) {
                activate(&f, key, false);
                for (uint32_t axis = 0; axis < 3; axis++) {
                    const double far = rng_chance(&r, 0.1) ? 1e5 * rng_below(&r, heights) : 0;
                    const double low = axis == up ? far + rng_range(&r, 0, 0.5) : rng_range(&r, 0, SIDE);
                    f.bp.box[key].min[axis] = (float)low;
                    f.bp.box[key].max[axis] = (float)(low + 0.6);
                }
            }
            assert_true(find(&f) > N / 2);
            assert_true(abut_bp_tests(&f.bp) < 12 * N);
            tear_down(&f);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_begin_where_kernels_put_them),
        cmocka_unit_test(no_more_cells_than_a_byte_can_name),
        cmocka_unit_test(cells_along_a_plane_are_as_wide_as_the_density_asks),
        cmocka_unit_test(keys_are_distributed_to_the_columns_that_they_lie_in),
        cmocka_unit_test(boxes_of_every_distribution_have_the_pairs_of_brute_force),
        cmocka_unit_test(boxes_at_borders_of_cells_are_found_once),
        cmocka_unit_test(maps_at_several_heights_are_cut_as_one),
    };
    return test_run(tests);
}
