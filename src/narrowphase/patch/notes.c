/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/notes.h"
#include <stdlib.h>
#include <string.h>

void abut_np_notes_begin(abut_np_notes *notes) {
    memset(notes, 0, sizeof *notes);
}

/* Normals that are the same differ by less than a unit: these by one at most. */
static const double UNITS = 0x1p14;

abut_np_note abut_np_note_of(const abut_np_patch *patch) {
    abut_np_note note;
    note.key = 2 * (patch->part + 1) + patch->leans;
    if (patch->leans) {
        note.distance = (float)patch->distance;
    } else {
        note.across[0] = (int16_t)(patch->normal.x[0] * UNITS);
        note.across[1] = (int16_t)(patch->normal.x[1] * UNITS);
    }
    return note;
}

/* Where a triangle is noted, or, if it is not, where it would be. */
static uint32_t place_of(const abut_np_notes *notes, uint32_t part) {
    uint32_t at = part * UINT32_C(0x9e3779b1) >> 22;
    while (notes->note[at].key && notes->note[at].key >> 1 != part + 1) {
        at = (at + 1) % ABUT_NP_NOTES;
    }
    return at;
}
_Static_assert(ABUT_NP_NOTES == 1 << (32 - 22), "a place is the upper bits of a product");

void abut_np_notes_add(abut_np_notes *notes, abut_np_note note) {
    notes->full = notes->count == ABUT_NP_NOTES_MOST;
    if (!notes->full) {
        notes->note[place_of(notes, (note.key >> 1) - 1)] = note;
        notes->count++;
    }
}

bool abut_np_notes_may_have(const abut_np_notes *notes, uint32_t part) {
    return notes->full || notes->note[place_of(notes, part)].key;
}

static bool may_be_same(const abut_np_note *a, const abut_np_note *b) {
    return abs(a->across[0] - b->across[0]) <= 1 && abs(a->across[1] - b->across[1]) <= 1;
}

abut_np_noted abut_np_notes_ask(const abut_np_notes *notes, uint32_t part, const abut_np_patch *of) {
    const abut_np_note own = abut_np_note_of(of), *note = &notes->note[place_of(notes, part)];
    if (!note->key) {
        return notes->full ? ABUT_NP_MAY_BE_RIVAL : ABUT_NP_NO_RIVAL;
    }
    const bool leans = note->key & 1;
    if (of->leans && (!leans || note->distance < own.distance)) {
        return ABUT_NP_BETTER;
    }
    if (leans != of->leans) {
        return ABUT_NP_NO_RIVAL;
    }
    if (leans) { /* a float may hide which is nearer */
        return note->distance == own.distance ? ABUT_NP_MAY_BE_RIVAL : ABUT_NP_NO_RIVAL;
    }
    return part < of->part && may_be_same(note, &own) ? ABUT_NP_MAY_BE_RIVAL : ABUT_NP_NO_RIVAL;
}
