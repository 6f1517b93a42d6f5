/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's results, for people and for programs. */
#ifndef ABUT_DEMO_REPORT_H
#define ABUT_DEMO_REPORT_H

#include "drop.h"
#include "field.h"
#include "fight.h"
#include "swept.h"
#include "tumble.h"

/* Tables on stdout. report_fight returns false if it is out of memory. */
void report_timing(const timing *t, const char *unit, double per_second);
bool report_fight(const track *t, const fight *fought);
void report_swept(const track *t, const swept *s);
void report_field(const field *tumbled);

/* What all that comes to, in a sentence, and the hash. */
void report_summary(const track *t, const fight *fought, const field *tumbled);

/* One JSON document on stdout; without sweeps (NULL), and without a field that has no boxes. false: out of memory. */
bool report_json(const track *t, const fight *fought, const swept *s, const field *tumbled);

/* The part of that document about sweeps. */
struct cJSON;
void report_swept_json(struct cJSON *document, const track *t, const swept *s, bool *ok);

/* The same for hulls: their properties, and how they tumbled. */
void report_hulls(const char *directory, const collection *c);
void report_tumble(const tumble *t);
bool report_hulls_json(const char *directory, const collection *c, const tumble *t);

/* The same for hulls that fell onto a mesh. */
void report_drop(const char *path, const dropped *d);
bool report_drop_json(const char *path, const dropped *d);

#endif
