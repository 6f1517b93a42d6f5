/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is noted of the patches of a contact that has more of them than can be kept: which triangles are touched, and
 * enough of each patch to tell of most neighbours whether they are rivals, without making their patches again. */
#ifndef ABUT_NARROWPHASE_PATCH_NOTES_H
#define ABUT_NARROWPHASE_PATCH_NOTES_H

#include "narrowphase/patch/patch.h"

/* A table of so many places. The others stay free, so that it does not take long to see that something is missing. */
enum { ABUT_NP_NOTES = 1024, ABUT_NP_NOTES_MOST = 768 };

typedef struct abut_np_note {
    uint32_t key; /* 2 (part + 1) + 1 if it leans; 0: nothing */
    union {
        int16_t across[2]; /* two components of the normal, in units of 2^-14, */
        float distance;    /* or, if it leans, how far the cores are apart */
    };
} abut_np_note;

typedef struct abut_np_notes {
    uint32_t count;
    bool full; /* what is not noted may be touched nevertheless */
    abut_np_note note[ABUT_NP_NOTES];
} abut_np_notes;

typedef enum abut_np_noted {
    ABUT_NP_NO_RIVAL, /* it is not touched, or certainly no rival */
    ABUT_NP_BETTER,   /* the other leans, and this one does not or is nearer */
    ABUT_NP_MAY_BE_RIVAL
} abut_np_noted;

void abut_np_notes_begin(abut_np_notes *notes);
abut_np_note abut_np_note_of(const abut_np_patch *patch);
void abut_np_notes_add(abut_np_notes *notes, abut_np_note note);

/* False: the triangle is not touched. */
bool abut_np_notes_may_have(const abut_np_notes *notes, uint32_t part);

/* Whether the patch of a triangle is a rival of this one, as collide.c says. */
abut_np_noted abut_np_notes_ask(const abut_np_notes *notes, uint32_t part, const abut_np_patch *of);

#endif
