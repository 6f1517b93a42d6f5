/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Spheres and capsules against closed forms in long double: the distance of two segments after Eberly, "Robust
 * computation of distance between line segments" (2015), by looking at the inside and the four sides of the square of
 * parameters. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/shape.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

typedef long double real;

typedef struct capsule {
    abut_shape shape;
    abut_pose pose;
} capsule;

typedef struct pair {
    capsule a, b;
} pair;

static real dot(const real u[3], const real v[3]) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* Half of the segment: the second column of R(q)/|q|^2, times the half length. */
static void half_of(const capsule *c, real out[3]) {
    real x = c->pose.rotation.x, y = c->pose.rotation.y, z = c->pose.rotation.z, w = c->pose.rotation.w;
    real scale = 2 / (x * x + y * y + z * z + w * w), h = c->shape.half.y;
    out[0] = h * scale * (x * y - w * z);
    out[1] = h * (1 - scale * (x * x + z * z));
    out[2] = h * scale * (y * z + w * x);
}

static real clamp(real x) {
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

static real length_at(const real d[3], const real u[3], const real v[3], real s, real t) {
    real e[3];
    for (int k = 0; k < 3; k++) {
        e[k] = d[k] + t * v[k] - s * u[k];
    }
    return sqrtl(dot(e, e));
}

/* The least of |d + t v - s u| over s and t in [-1, 1]. */
static real segments(const real d[3], const real u[3], const real v[3]) {
    real a = dot(u, u), b = dot(u, v), c = dot(v, v), p = dot(u, d), q = dot(v, d), best = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        real s = (real)side, t = c > 0 ? clamp((b * s - q) / c) : 0;
        best = fminl(best, length_at(d, u, v, s, t));
        t = (real)side;
        s = a > 0 ? clamp((b * t + p) / a) : 0;
        best = fminl(best, length_at(d, u, v, s, t));
    }
    real n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]}, det = dot(n, n);
    if (det > 0) {
        real s = 0, t = 0;
        for (int times = 0; times < 3; times++) { /* nearly parallel: each time what the last one rounded away */
            real e[3];
            for (int k = 0; k < 3; k++) {
                e[k] = d[k] + t * v[k] - s * u[k];
            }
            p = dot(u, e), q = dot(v, e);
            s += (c * p - b * q) / det;
            t += (b * p - a * q) / det;
        }
        if (s > -1 && s < 1 && t > -1 && t < 1) {
            best = fminl(best, length_at(d, u, v, s, t));
        }
    }
    return best;
}

static void between(const pair *p, real d[3]) {
    const float *from = &p->a.pose.position.x, *to = &p->b.pose.position.x;
    for (int k = 0; k < 3; k++) {
        d[k] = (real)to[k] - from[k];
    }
}

static real cores_of(const pair *p) {
    real d[3], u[3], v[3];
    between(p, d);
    half_of(&p->a, u);
    half_of(&p->b, v);
    return segments(d, u, v);
}

static double size_of(const pair *p) {
    real d[3];
    between(p, d);
    double size = (double)sqrtl(dot(d, d));
    for (int side = 0; side < 2; side++) {
        const abut_shape *s = side ? &p->b.shape : &p->a.shape;
        double r = s->radius, h = (double)s->half.y + r;
        size += 2 * sqrt(h * h + 2 * r * r);
    }
    return size;
}

static void make_capsule(rng *r, double size, capsule *out) {
    double half = rng_chance(r, 0.25) ? 0 : size * rng_log_range(r, 1e-3, 10);
    out->shape = abut_capsule((float)half, (float)(size * rng_log_range(r, 1e-3, 1)));
    out->pose.rotation = rng_rotation(r);
}

/* The ends, or something between them, at a chosen distance: square to both, to one, or anyhow. */
static void make_pair(uint64_t seed, uint64_t index, pair *out) {
    rng r = rng_make(seed, index);
    double size = rng_log_range(&r, 1e-4, 1e5), way = rng_unit(&r);
    real u[3], v[3], n[3], length = 0;
    make_capsule(&r, size, &out->a);
    make_capsule(&r, size * rng_log_range(&r, 0.1, 10), &out->b);
    if (way < 0.2) {
        out->b.pose.rotation = out->a.pose.rotation;
    } else if (way < 0.4) {
        float angle = (float)rng_log_range(&r, 1e-8, 1e-2), *q = &out->b.pose.rotation.x;
        out->b.pose.rotation = out->a.pose.rotation;
        q[rng_below(&r, 4)] += angle;
    }
    half_of(&out->a, u);
    half_of(&out->b, v);
    abut_vec3 any = rng_direction(&r);
    real w[3] = {any.x, any.y, any.z};
    bool square = rng_chance(&r, 0.6);
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        const real *other = way < 0.3 || dot(v, v) == 0 ? w : v;
        n[k] = square ? u[l] * other[m] - u[m] * other[l] : w[k];
        length += n[k] * n[k];
    }
    for (int k = 0; k < 3 && !(length > 0); k++) {
        n[k] = w[k];
    }
    length = sqrtl(dot(n, n));
    real s = (real)rng_range(&r, -1.2, 1.2), t = (real)rng_range(&r, -1.2, 1.2);
    real gap = rng_chance(&r, 0.2) ? (real)(rng_range(&r, 0, 5) * size)
                                   : (real)(rng_log_range(&r, 1e-16, 1e-1) * size) * (real)rng_sign(&r);
    real apart = (real)out->a.shape.radius + out->b.shape.radius + gap;
    out->a.pose.position = rng_chance(&r, 0.6) ? (abut_vec3){0, 0, 0} : rng_vec3(&r, -size, size);
    const float *from = &out->a.pose.position.x;
    float *to = &out->b.pose.position.x;
    for (int k = 0; k < 3; k++) {
        to[k] = (float)(from[k] + clamp(s) * u[k] - clamp(t) * v[k] + apart * n[k] / length);
    }
    float radius = (float)(cores_of(out) - out->a.shape.radius - gap);
    out->b.shape.radius = radius > 0 && rng_chance(&r, 0.7) ? radius : out->b.shape.radius;
}

static const char *fault_of(const pair *p, real cores, double size) {
    const capsule *a = &p->a, *b = &p->b;
    real gap = cores - a->shape.radius - b->shape.radius;
    abut_manifold m;
    bool touch = abut_shape_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    float d = abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, NULL, NULL);
    if (touch ? gap > 1e-12L * (real)size : gap < -1e-17L * (real)size) {
        return "overlap";
    }
    double truth = gap > 0 ? (double)gap : 0;
    if (fabs((double)d - truth) > 1e-6 * truth + 1e-12 * size || touch != (d == 0)) {
        return "distance";
    }
    if (abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, 0, &m) != touch) {
        return "collide";
    }
    if (touch && cores > 1e-5L * (real)size) {
        double least = fmin((double)m.points[0].separation, m.count > 1 ? (double)m.points[1].separation : 0);
        if (m.count > 2 || fabs(least - (double)gap) > 2e-7 * fabs((double)gap) + 1e-12 * size) {
            return "manifold";
        }
    }
    return NULL;
}

static void closed_forms_agree(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) {
        skip();
    }
    unsigned long count = test_count(400000), touching = 0, close = 0, two = 0, wrong = 0;
    for (unsigned long i = 0; i < count && wrong < 10; i++) {
        pair p;
        make_pair(test_seed(), i, &p);
        real cores = cores_of(&p), gap = cores - p.a.shape.radius - p.b.shape.radius;
        double size = size_of(&p);
        const char *fault = fault_of(&p, cores, size);
        touching += gap <= 0;
        close += fabsl(gap) < 1e-7L * (real)size;
        two += p.a.shape.half.y > 0 && p.b.shape.half.y > 0;
        if (fault) {
            wrong++;
            fprintf(stderr, "seed 0x%llx pair %lu: wrong %s; cores %.17Lg, gap %.17Lg, S %g\n",
                    (unsigned long long)test_seed(), i, fault, cores, gap, size);
            for (int side = 0; side < 2; side++) {
                const capsule *c = side ? &p.b : &p.a;
                const abut_pose *pose = &c->pose;
                fprintf(stderr, "half %a radius %a at {%a, %a, %a} {%a, %a, %a, %a}\n", (double)c->shape.half.y,
                        (double)c->shape.radius, (double)pose->position.x, (double)pose->position.y,
                        (double)pose->position.z, (double)pose->rotation.x, (double)pose->rotation.y,
                        (double)pose->rotation.z, (double)pose->rotation.w);
            }
        }
    }
    printf("%lu pairs, %lu of two capsules, %lu touching, %lu closer than 1e-7\n", count, two, touching, close);
    assert_int_equal(wrong, 0);
    assert_true(touching > count / 4 && touching < count / 4 * 3 && close > count / 5 && two > count / 3);
}

/* Two spheres: the square of the distance of their centres is a sum of whole numbers. */
static void spheres_on_a_lattice_touch_exactly(void **state) {
    (void)state;
    unsigned long count = test_count(400000), touching = 0, exactly = 0;
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        float unit = ldexpf(1, (int)rng_below(&r, 60) - 30);
        int64_t square = 0, sum = 0;
        abut_pose pose[2];
        abut_shape shape[2];
        int32_t at[2][3];
        for (int s = 0; s < 2; s++) {
            int32_t radius = 1 + (int32_t)rng_below(&r, 20);
            sum += radius;
            shape[s] = abut_sphere((float)radius * unit);
            for (int k = 0; k < 3; k++) {
                at[s][k] = (int32_t)rng_below(&r, 50);
                square += s ? (int64_t)(at[1][k] - at[0][k]) * (at[1][k] - at[0][k]) : 0;
            }
            pose[s] =
                (abut_pose){{(float)at[s][0] * unit, (float)at[s][1] * unit, (float)at[s][2] * unit}, rng_rotation(&r)};
        }
        touching += square <= sum * sum;
        exactly += square == sum * sum;
        assert_int_equal(abut_shape_overlap(&shape[0], &pose[0], &shape[1], &pose[1]), square <= sum * sum);
    }
    printf("%lu pairs, %lu touching, %lu exactly\n", count, touching, exactly);
    assert_true(touching > count / 5 && touching < count / 5 * 4 && exactly > count / 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_agree),
        cmocka_unit_test(spheres_on_a_lattice_touch_exactly),
    };
    return test_run(tests);
}
