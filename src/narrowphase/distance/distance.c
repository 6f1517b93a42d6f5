/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/distance/distance.h"
#include "narrowphase/kernels.h"

/* Inserts a corner into an ascending list without duplicates. */
static void list_corner(uint16_t list[4], uint8_t *count, uint32_t corner) {
    uint8_t at = *count;
    for (uint8_t i = 0; i < *count; i++) {
        if (list[i] == corner) {
            return;
        }
        at = (uint8_t)(at - (list[i] > corner));
    }
    for (uint8_t i = *count; i > at; i--) {
        list[i] = list[i - 1];
    }
    list[at] = (uint16_t)corner;
    ++*count;
}

static abut_d3 corner_of_a(const abut_np_cores *cores, uint32_t corner) {
    const abut_np_core *core = &cores->core[0];
    abut_d3 p;
    for (int k = 0; k < 3; k++) {
        double h = cores->half_a[k];
        p.x[k] = core->vertex_count ? (double)core->vertex[k][corner] : corner >> k & 1 ? h : -h;
    }
    return p;
}

void abut_np_nearest_report(const abut_np_cores *cores, const abut_np_nearest *s, abut_np_closest *out) {
    double(*axes)[3] = (double(*)[3])cores->axes_a;
    abut_d3 first = corner_of_a(cores, s->corner[0].of_a), on_a = first;
    *out = (abut_np_closest){.lower = s->lower, .count = s->count, .overlap = s->overlap, .size = cores->size};
    for (uint32_t i = 0; i < s->count; i++) {
        list_corner(out->corner_a, &out->count_a, s->corner[i].of_a);
        list_corner(out->corner_b, &out->count_b, s->corner[i].of_b);
        if (i > 0 && s->corner[i].of_a != s->corner[0].of_a) {
            on_a = abut_d3_along(on_a, s->weight[i], abut_d3_sub(corner_of_a(cores, s->corner[i].of_a), first));
        }
    }
    out->on_a = out->on_b = abut_d3_rotate(axes, on_a);
    if (!s->overlap) {
        out->distance = sqrt(abut_d3_dot(s->point, s->point));
        out->on_b = abut_d3_along(out->on_a, 1, abut_d3_rotate(axes, s->point));
        out->normal = s->along;
        abut_d3_normalise(&out->normal);
        out->normal = abut_d3_rotate(axes, out->normal);
    }
}

void abut_np_closest_points(const abut_collider *a, const abut_collider *b, abut_np_closest *out) {
    abut_np_farther_than(a, b, INFINITY, out);
}

bool abut_np_cores_farther_than(const abut_np_cores *cores, double limit, abut_np_closest *out) {
    abut_np_nearest nearest;
    if (abut_np_distance_kernels_active()->nearest(cores, limit, &nearest)) {
        out->lower = nearest.lower;
        out->size = cores->size;
        return true;
    }
    abut_np_nearest_report(cores, &nearest, out);
    return false;
}

bool abut_np_farther_than(const abut_collider *a, const abut_collider *b, double limit, abut_np_closest *out) {
    abut_np_cores cores;
    abut_np_cores_place(a, b, &cores);
    return abut_np_cores_farther_than(&cores, limit, out);
}
