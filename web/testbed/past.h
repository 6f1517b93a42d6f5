/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The last ten seconds, kept as snapshots: of the world, of the stage, and of what the scene names. */
#ifndef ABUT_WEB_PAST_H
#define ABUT_WEB_PAST_H

#include "stage.h"

/* Goes over pieces of memory in a fixed order: adds up their sizes, copies them out, or copies them back. */
struct past_walk {
    enum { past_measure, past_write, past_read } way;
    unsigned char *at;
    size_t size;          /* so far */
    bool short_of_memory; /* a piece had no room to come back to */
};

void past_piece(past_walk *w, void *memory, size_t size);

/* Keeps this frame, and forgets what is older than ten seconds or comes later. */
abut_result past_keep(stage *s, const stage_scene *scene);
/* Goes back, or forth, to the last frame that is kept and not later than this one. */
abut_result past_return(stage *s, const stage_scene *scene, uint32_t frame);
testbed_past past_report(void);
void past_forget(void);

#endif
