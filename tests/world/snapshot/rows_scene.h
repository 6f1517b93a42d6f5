/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A world with a row of every kind, and its snapshot, of which one number is made another. */
#ifndef ABUT_TESTS_SNAPSHOT_ROWS_SCENE_H
#define ABUT_TESTS_SNAPSHOT_ROWS_SCENE_H

#include "world/snapshot/format.h"
#include "world/snapshot/lives.h"

/* Slots. ROOT has the children FIRST and SECOND; FAR is the last one. */
enum { GONE, LEFT, RIGHT, ROOT, FIRST, SECOND, GROUND, ON_GROUND, HULL, FILTERED, BOXED, ALONE, FAR, SLOTS };

typedef struct scene {
    abut_world *world, *other;
    abut_hull *hull;
    abut_mesh *mesh;
    saved good, before; /* of the one; of the other, which restores */
    abut_w_snap_header header;
    abut_w_snap_layout layout;
} scene;

const abut_hull *find_hull(uint64_t digest, void *user);
const abut_mesh *find_mesh(uint64_t digest, void *user);
abut_body_id add_at(abut_world *world, float x, abut_body_def def);
void open_scene(scene *s);
void close_scene(scene *s);
/* Of s->good, in the other world. */
abut_result restore(scene *s);
/* Puts other bytes there, and expects that the snapshot is refused. */
void refuse_bytes(scene *s, size_t at, const void *bytes, size_t size, const char *what);
size_t row_at(const scene *s, abut_w_snap_section section, uint32_t row, size_t size);
const char *bytes_at(const scene *s, size_t at);
void refuse_header(scene *s, abut_w_snap_header header, const char *what);
/* Two rows change places. */
void refuse_exchanged(scene *s, abut_w_snap_section section, uint32_t row, size_t size);

/* A member of a row of a section becomes `value`. */
#define REFUSE(s, section, type, row, member, value)                                                                   \
  do {                                                                                                                 \
    type changed_row;                                                                                                  \
    size_t row_begin = row_at(s, section, row, sizeof changed_row);                                                    \
    memcpy(&changed_row, bytes_at(s, row_begin), sizeof changed_row);                                                  \
    changed_row.member = value;                                                                                        \
    refuse_bytes(s, row_begin, &changed_row, sizeof changed_row, #section ": " #member " = " #value);                  \
  } while (0)

#endif
