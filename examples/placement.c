/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where in a city block may a new house stand? Tests a grid of positions and draws a map of the answers:
 *
 *     placement                        a small text map, and the effect of each rule
 *     placement FILE.ppm               a picture: buildings grey, free green, too close amber, blocked red
 *     placement FILE.ppm WIDTH DEPTH   for a house of another size
 */

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static const abut_vec2 low = {-40, -24}, high = {40, 24}; /* the block, in ground coordinates */
static const float strip = 2;                             /* to keep free around a house */

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "placement: %s\n", what);
    exit(EXIT_FAILURE);
}

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fail(abut_result_name(result));
    }
}

/* --- the block: y is up, so ground coordinates are (x, z) --- */

static abut_body_id add(abut_world *world, abut_body_def def) {
    abut_body_id id;
    check(abut_body_create(world, &def, &id));
    return id;
}

static abut_body_id add_box(abut_world *world, abut_vec3 at, abut_quat turn, abut_vec3 half) {
    return add(world, (abut_body_def){.pose = {at, turn}, .half = half, .motion = ABUT_STATIC});
}

/* A tower with eight sides. Its hull must live as long as it does. */
static void add_tower(abut_world *world, float x, float z, abut_hull **hull) {
    static const abut_vec2 corners[8] = {{7, 3}, {3, 7}, {-3, 7}, {-7, 3}, {-7, -3}, {-3, -7}, {3, -7}, {7, -3}};
    abut_vec3 points[16];
    for (int i = 0; i < 16; ++i) {
        points[i] = (abut_vec3){corners[i % 8].x, i < 8 ? 0.0f : 30.0f, corners[i % 8].y};
    }
    check(abut_hull_create(points, 16, NULL, hull));
    add(world, (abut_body_def){.pose.position = {x, 0, z}, .hull = *hull, .motion = ABUT_STATIC});
}

static abut_body_id build(abut_world *world, abut_hull **hull) {
    add_box(world, (abut_vec3){-28, 6, -14}, (abut_quat){0, 0, 0, 1}, (abut_vec3){8, 6, 6});
    add_box(world, (abut_vec3){-26, 4, 12}, (abut_quat){0, 1, 0, 4}, (abut_vec3){9, 4, 5});     /* turned */
    add_box(world, (abut_vec3){24, 8, -12}, (abut_quat){1, 1, 2, 6}, (abut_vec3){4, 10, 4});    /* leaning */
    add_box(world, (abut_vec3){22, 3, 14}, (abut_quat){2, -1, 0, 4}, (abut_vec3){10, 0.5f, 6}); /* a solar roof */
    add_tower(world, 0, 12, hull);
    return add_box(world, (abut_vec3){-4, 3, -14}, (abut_quat){0, 0, 0, 1}, (abut_vec3){6, 3, 4});
}

/* --- one call for all positions --- */

typedef struct raster {
    size_t columns, rows;
    abut_obb2 *candidates; /* rows * columns of them, the row furthest back first */
    abut_placement *answers;
} raster;

static raster make_raster(size_t columns, size_t rows, abut_vec2 half) {
    raster r = {columns, rows, calloc(rows * columns, sizeof *r.candidates), calloc(rows * columns, sizeof *r.answers)};
    if (r.candidates == NULL || r.answers == NULL) {
        fail("out of memory");
    }
    for (size_t i = 0; i < rows * columns; ++i) {
        float x = ((float)(i % columns) + 0.5f) / (float)columns;
        float y = ((float)(i / columns) + 0.5f) / (float)rows;
        abut_vec2 center = {low.x + x * (high.x - low.x), low.y + y * (high.y - low.y)};
        r.candidates[i] = (abut_obb2){.center = center, .half = half};
    }
    return r;
}

static void destroy_raster(raster *r) {
    free(r->candidates);
    free(r->answers);
}

/* Writes `mark` wherever a candidate is not free. Returns how many are free. */
static size_t mark_blocked(const abut_world *world, const raster *r, abut_placement_rules rules, char mark, char *map) {
    size_t n = r->rows * r->columns, free_count = 0;
    check(abut_world_test_placements(world, r->candidates, n, &rules, r->answers));
    for (size_t i = 0; i < n; ++i) {
        free_count += r->answers[i].free;
        map[i] = r->answers[i].free ? map[i] : mark;
    }
    return free_count;
}

typedef struct tally {
    size_t places, kept_clear, free;
} tally;

/* A letter per position: '#' a building is there, 'x' a house does not fit, '-' it would be too close, '.' free.
 */
static char *draw_map(const abut_world *world, size_t columns, size_t rows, abut_vec2 half, tally *found) {
    char *map = malloc(rows * columns);
    if (map == NULL) {
        fail("out of memory");
    }
    for (size_t i = 0; i < rows * columns; ++i) {
        map[i] = '.';
    }
    raster houses = make_raster(columns, rows, half), points = make_raster(columns, rows, (abut_vec2){0, 0});
    found->places = rows * columns;
    found->kept_clear = mark_blocked(world, &houses, (abut_placement_rules){.clearance = strip}, '-', map);
    found->free = mark_blocked(world, &houses, (abut_placement_rules){0}, 'x', map);
    mark_blocked(world, &points, (abut_placement_rules){0}, '#', map);
    destroy_raster(&houses);
    destroy_raster(&points);
    return map;
}

static void print_tally(const tally *found) {
    printf("%zu places: %zu free, %zu of them with %g to spare\n", found->places, found->free, found->kept_clear,
           (double)strip);
}

static void print_map(const abut_world *world, abut_vec2 half) {
    enum { columns = 80, rows = 24 };
    tally found;
    char *map = draw_map(world, columns, rows, half, &found);
    for (int row = 0; row < rows; ++row) {
        printf("%.*s\n", columns, map + row * columns);
    }
    free(map);
    print_tally(&found);
}

static void write_picture(const char *path, const abut_world *world, abut_vec2 half) {
    enum { columns = 480, rows = 288 };
    static const struct {
        char letter;
        unsigned char colour[3];
    } colours[] = {{'#', {96, 96, 96}}, {'x', {214, 96, 77}}, {'-', {244, 200, 96}}, {'.', {127, 191, 123}}};
    tally found;
    char *map = draw_map(world, columns, rows, half, &found);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fail("the picture cannot be written");
    }
    fprintf(file, "P6\n%d %d\n255\n", columns, rows);
    for (size_t i = 0; i < rows * columns; ++i) {
        size_t k = 0;
        while (colours[k].letter != map[i]) {
            ++k;
        }
        fwrite(colours[k].colour, 1, 3, file);
    }
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good) {
        fail("the picture cannot be written");
    }
    free(map);
    print_tally(&found);
}

/* --- the rules, one by one --- */

static abut_placement test(const abut_world *world, abut_obb2 candidate, abut_placement_rules rules) {
    abut_placement answer;
    check(abut_world_test_placements(world, &candidate, 1, &rules, &answer));
    return answer;
}

static const char *word(bool is_free) {
    return is_free ? "free" : "blocked";
}

static void show_rules(const abut_world *world, abut_body_id house) {
    abut_obb2 plot = {.center = {8, -14}, .half = {6, 4}}; /* shares a border with the house */
    printf("wall to wall:   %s; where touching is free: %s\n", word(test(world, plot, (abut_placement_rules){0}).free),
           word(test(world, plot, (abut_placement_rules){.touch = ABUT_TOUCH_IS_FREE}).free));

    abut_obb2 moved = {.center = {-3, -13}, .axis = {4, 1}, .half = {6, 4}}; /* the house itself, about to be moved */
    printf("moving a house: %s; without itself: %s\n", word(test(world, moved, (abut_placement_rules){0}).free),
           word(test(world, moved, (abut_placement_rules){.ignore = &house, .ignore_count = 1}).free));

    abut_placement way = test(world, moved, (abut_placement_rules){0});
    printf("out of the way: by (%.3f, %.3f), ", (double)way.push.x, (double)way.push.y);
    moved.center.x += way.push.x;
    moved.center.y += way.push.y;
    printf("there it is %s\n", word(test(world, moved, (abut_placement_rules){0}).free));
}

int main(int argc, char **argv) {
    abut_vec2 half = {3, 2}; /* of the house */
    if (argc == 4) {
        half = (abut_vec2){0.5f * strtof(argv[2], NULL), 0.5f * strtof(argv[3], NULL)};
    }
    if ((argc != 1 && argc != 2 && argc != 4) || !(half.x > 0.0f && half.y > 0.0f)) {
        fail("usage: placement [FILE.ppm [WIDTH DEPTH]]");
    }
    abut_world *world;
    abut_hull *hull;
    check(abut_world_create(NULL, &world));
    abut_body_id house = build(world, &hull);
    check(abut_world_step(world, NULL, NULL)); /* optional: makes every answer faster */
    if (argc > 1) {
        write_picture(argv[1], world, half);
    } else {
        print_map(world, half);
        show_rules(world, house);
    }
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}
