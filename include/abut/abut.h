/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The whole of abut: a collision world for C. */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include <abut/body.h>
#include <abut/cast.h>
#include <abut/contact.h>
#include <abut/cull.h>
#include <abut/draw.h>
#include <abut/footprint.h>
#include <abut/frustum.h>
#include <abut/hull.h>
#include <abut/isa.h>
#include <abut/mesh.h>
#include <abut/obb.h>
#include <abut/parallel.h>
#include <abut/placement.h>
#include <abut/pose.h>
#include <abut/query.h>
#include <abut/shape.h>
#include <abut/snapshot.h>
#include <abut/types.h>
#include <abut/version.h>
#include <abut/world.h>

#endif
