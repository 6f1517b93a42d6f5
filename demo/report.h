/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the demo found, for people and for programs. */
#ifndef ABUT_DEMO_REPORT_H
#define ABUT_DEMO_REPORT_H

#include "field.h"
#include "fight.h"

/* Tables on stdout. */
void report_fight(const track *t, const fight *fought);
void report_field(const field *tumbled);

/* One JSON document on stdout; a field without boxes is left out. false: out of memory. */
bool report_json(const track *t, const fight *fought, const field *tumbled);

#endif
