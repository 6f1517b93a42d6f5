/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's results, for people and for programs. */
#ifndef ABUT_DEMO_REPORT_H
#define ABUT_DEMO_REPORT_H

#include "field.h"
#include "fight.h"
#include "tumble.h"

/* Tables on stdout. */
void report_timing(const timing *t, const char *unit, double per_second);
void report_fight(const track *t, const fight *fought);
void report_field(const field *tumbled);

/* One JSON document on stdout; a field without boxes is left out. false: out of memory. */
bool report_json(const track *t, const fight *fought, const field *tumbled);

/* The same for hulls: their properties, and how they tumbled. */
void report_hulls(const char *directory, const collection *c);
void report_tumble(const tumble *t);
bool report_hulls_json(const char *directory, const collection *c, const tumble *t);

#endif
