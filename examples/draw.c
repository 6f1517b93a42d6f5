/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Debug draw through your own line function: a small pile, its contacts and a camera's frustum, as an SVG.
 *
 *     draw > pile.svg */

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

/* By kind. */
static const char *const classes[] = {"shape", "bounds", "candidate", "contact", "frustum"};

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "draw: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

/* A view from above, along a diagonal: 60 pixels per unit. */
static double across(abut_vec3 p) {
    return 240 + 60 * 0.866 * ((double)p.x - (double)p.z);
}

static double down(abut_vec3 p) {
    return 250 + 60 * (0.5 * ((double)p.x + (double)p.z) - (double)p.y);
}

static void line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    const char *fixed = item->kind == ABUT_DRAW_SHAPE && item->motion == ABUT_STATIC ? " static" : "";
    fprintf(user, "<path class=\"%s%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", classes[item->kind], fixed, across(from),
            down(from), across(to), down(to));
}

static void point(abut_vec3 p, const abut_draw_item *item, void *user) {
    fprintf(user, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", classes[item->kind], across(p),
            down(p));
}

static void draw(const abut_world *world, const abut_frustum *camera) {
    const abut_draw how = {.line = line, /* `box` is NULL: boxes are drawn as lines */
                           .point = point,
                           .user = stdout,
                           .frusta = camera,
                           .frustum_count = 1,
                           .normal_length = 0.3f};
    puts("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 60 480 340\" width=\"720\">\n"
         "<style>path{fill:none;stroke:#36c;stroke-linecap:round}.static{stroke:#999}.frustum{stroke:#c80}"
         "path.contact{stroke:#c22;stroke-width:2}circle{fill:#c22}</style>\n"
         "<rect y=\"60\" width=\"480\" height=\"340\" fill=\"#fff\"/>");
    check(abut_world_draw(world, &how));
    puts("</svg>");
}

static void add(abut_world *world, abut_body_def def) {
    abut_body_id id;
    check(abut_body_create(world, &def, &id));
}

int main(void) {
    const abut_vec3 gem[] = {{0.5f, 0, 0}, {-0.5f, 0, 0}, {0, 0.6f, 0}, {0, -0.6f, 0}, {0, 0, 0.5f}, {0, 0, -0.5f}};
    const abut_pose eye = {{-0.5f, 0.9f, 3.5f}, {0, -0.1f, 0, 1}};
    abut_world *world;
    abut_hull *hull;
    abut_frustum camera;
    check(abut_world_create(NULL, &world));
    check(abut_hull_create(gem, 6, NULL, &hull));
    check(abut_frustum_camera(&eye, 0.2f, 0.15f, 0.4f, 3.6f, &camera));
    add(world, (abut_body_def){.pose = {.position = {0, -0.1f, 0}}, .half = {2, 0.1f, 2}, .motion = ABUT_STATIC});
    for (int row = 0; row < 3; row++) { /* bricks, three below */
        for (int i = 0; i < 3 - row; i++) {
            abut_pose pose = {.position = {1.1f * (float)i + 0.55f * (float)row - 1.1f, 0.25f + 0.5f * (float)row, 0}};
            add(world, (abut_body_def){.pose = pose, .half = {0.5f, 0.25f, 0.5f}});
        }
    }
    add(world, (abut_body_def){.pose = {.position = {0, 2.1f, 0}}, .hull = hull}); /* on its tip */
    add(world, (abut_body_def){.pose = {{0.9f, 0.35f, 1.2f}, {0.2f, 0.3f, 0.25f, 1}}, .half = {0.3f, 0.3f, 0.3f}});
    check(abut_world_step(world, NULL, NULL));
    draw(world, &camera);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}
