/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh_ray/flight.h"
#include "narrowphase/kernels.h"

/* The fraction of what a flight has found, INFINITY where it is beyond the limit or not met. */
static double fraction_of(const abut_np_mesh_flight *f, uint32_t k, uint32_t part) {
    double fraction = f->fraction[k];
    fraction = fraction == ABUT_NP_NOT_CERTAIN ? abut_np_mesh_ray_exact(f->of, f->collider, &f->ray, part) : fraction;
    return fraction <= f->limit ? fraction : INFINITY;
}

void abut_np_mesh_ray(const abut_np_ray *ray, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                      void *context) {
    const abut_np_mesh_ray_kernels *kernels = abut_np_mesh_ray_kernels_active();
    abut_np_mesh_flight f;
    bool more = abut_np_mesh_flight_begin(ray, mesh, limit, &f);
    while (more && (kernels->fly(&f), f.found > 0)) {
        for (uint32_t k = 0; k < f.found && more; k++) {
            uint32_t part = abut_mesh_number(mesh->mesh, f.place[k]);
            double fraction = fraction_of(&f, k, part);
            if (fraction <= 1) {
                abut_np_mesh_flight_limit(&f, abut_min_d(visit(part, fraction, context), 1));
            }
            more = f.limit >= 0;
        }
    }
}

/* --- the first --- */

static bool begin_first(const abut_np_ray *ray, const abut_collider *mesh, double limit, bool pauses,
                        abut_np_mesh_flight *f) {
    bool begun = abut_np_mesh_flight_begin(ray, mesh, limit, f);
    f->pauses = pauses;
    return begun;
}

bool abut_np_mesh_first_begin(const abut_np_ray *ray, const abut_collider *mesh, double limit,
                              abut_np_mesh_flight *flight) {
    return begin_first(ray, mesh, limit, true, flight);
}

bool abut_np_mesh_first_go_on(abut_np_mesh_flight *f) {
    abut_np_mesh_ray_kernels_active()->fly_first(f);
    for (uint32_t k = 0; k < f->found; k++) {
        uint32_t number = abut_mesh_number(f->mesh, f->place[k]);
        double fraction = fraction_of(f, k, number);
        if (fraction < f->limit || (fraction == f->limit && number < f->first)) {
            abut_np_mesh_flight_limit(f, fraction);
            f->first = number;
            f->first_place = f->place[k];
        }
    }
    return f->count > 0;
}

double abut_np_mesh_first_end(const abut_np_mesh_flight *f, uint32_t *part, abut_vec3 *normal) {
    if (f->first == ABUT_MESH_NONE) {
        return INFINITY;
    }
    *part = f->first;
    *normal = abut_np_mesh_ray_normal_at(f->of, f->collider, f->first_place);
    return f->limit;
}

double abut_np_mesh_ray_first(const abut_np_ray *ray, const abut_collider *mesh, double limit, uint32_t *part,
                              abut_vec3 *normal) {
    abut_np_mesh_flight f;
    if (!begin_first(ray, mesh, limit, false, &f)) {
        return INFINITY;
    }
    while (abut_np_mesh_first_go_on(&f)) {
    }
    return abut_np_mesh_first_end(&f, part, normal);
}
