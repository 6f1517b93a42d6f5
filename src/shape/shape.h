/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The shape room: what a body's shape is made of, and all that can be said about one shape by itself. */
#ifndef ABUT_SHAPE_SHAPE_H
#define ABUT_SHAPE_SHAPE_H

#include "shape/collider.h"
#include "shape/hull/hull.h"
#include "shape/mesh/mesh.h"
#include "shape/slant.h"
#include "shape/table.h"
#include "shape/turn.h"

#endif
