/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_TESTS_CULLING_MADE_H
#define ABUT_TESTS_CULLING_MADE_H

#include "support/frustum_oracle.h"

/* What the constructor that a description names makes of it. */
abut_result made_of_spec(const frustum_spec *spec, abut_frustum *frustum);

#endif
