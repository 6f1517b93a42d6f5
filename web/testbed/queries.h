/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The page's hand in the scene of queries. */
#ifndef ABUT_WEB_QUERIES_H
#define ABUT_WEB_QUERIES_H

#include "stage.h"

/* Puts the probe there and finds its neighbours at once. */
void queries_probe(stage *s, float x, float z);

#endif
