/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many boxes, spheres or capsules that tumble through each other. */
#ifndef ABUT_DEMO_FIELD_H
#define ABUT_DEMO_FIELD_H

#include "scenes.h"
#include "timing.h"

typedef struct field {
    scene_kind kind;
    size_t box_count, frame_count;
    size_t *contacts; /* per frame */
    size_t contacts_least, contacts_most, begun, ended;
    double contacts_mean;
    uint64_t hash; /* of the world after the last frame: the same on every machine */
    timing time;
} field;

/* With so many workers (1: the calling thread alone). Shows its progress on stderr. false: an error occurred and was
 * reported; the field is then all zero. */
bool field_run(field *f, scene_kind kind, size_t boxes, size_t frames, uint32_t workers);

/* The hash that every machine must come to; 0 where it is not written down: for other than 10,000 boxes and 300 frames.
 */
uint64_t field_known_hash(const field *f);
void field_destroy(field *f);

#endif
