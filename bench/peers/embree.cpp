/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Embree, with the bodies as user geometry: boxes by slabs in their own frame, hulls by clipping. */

#include "embree_common.h"
#include "triangles.h"
#include <map>

namespace {

/* Four floats at a time, which both compilers know. */
typedef float Four __attribute__((vector_size(16)));

Four four(float x) {
    return Four{x, x, x, x};
}

Four least(Four a, Four b) {
    return a < b ? a : b;
}

Four greatest(Four a, Four b) {
    return a > b ? a : b;
}

/* A body, and the rows of the matrix that takes a point into its frame, one axis a lane. In that frame a box is the
 * cube from -1 to 1. */
struct Body {
    Four x, y, z, origin; /* the frame's point is x * p.x + y * p.y + z * p.z - origin */
};

struct Hull {
    std::vector<Four> planes; /* n . p <= w */
};

struct World : EmbreeScene {
    const query_world *from;
    std::vector<Body> bodies;
    std::vector<const Hull *> hulls; /* per body; NULL: a box */
    std::map<const abut_hull *, Hull> shared;
    explicit World(const query_world *of);
    void place();
};

Hull hull_of(const abut_hull *hull) {
    Hull h;
    for (size_t i = 0; i < abut_hull_face_count(hull); ++i) {
        Four plane;
        float values[4];
        abut_hull_face(hull, i, nullptr, 0, values);
        for (int k = 0; k < 4; ++k) {
            plane[k] = values[k];
        }
        h.planes.push_back(plane);
    }
    return h;
}

void World::place() {
    for (size_t i = 0; i < from->count; ++i) {
        const BodyFrame frame(from->poses[i]);
        const abut_vec3 &half = from->shapes[i].half, &p = frame.origin;
        const float scale[3] = {1.0f / half.x, 1.0f / half.y, 1.0f / half.z};
        Body &b = bodies[i];
        for (int k = 0; k < 3; ++k) {
            const float by = hulls[i] != nullptr ? 1.0f : scale[k];
            b.x[k] = frame.axis[k][0] * by;
            b.y[k] = frame.axis[k][1] * by;
            b.z[k] = frame.axis[k][2] * by;
        }
        b.x[3] = b.y[3] = b.z[3] = 0.0f;
        b.origin = b.x * p.x + b.y * p.y + b.z * p.z;
    }
}

/* --- rays --- */

struct Span {
    float near, far;
    Four normal; /* in the body's frame */
};

/* Of the part of a line within a box; near > far: there is none. */
Span clip_box(Four origin, Four way) {
    const Four inverse = four(1.0f) / way;
    const Four low = (four(-1.0f) - origin) * inverse, high = (four(1.0f) - origin) * inverse;
    const Four near = least(low, high), far = greatest(low, high);
    const int axis = near[0] > near[1] ? (near[0] > near[2] ? 0 : 2) : (near[1] > near[2] ? 1 : 2);
    Span span = {near[axis],
                 far[0] < far[1] ? (far[0] < far[2] ? far[0] : far[2]) : (far[1] < far[2] ? far[1] : far[2]),
                 four(0.0f)};
    span.normal[axis] = way[axis] > 0 ? -1.0f : 1.0f;
    return span;
}

Span clip_hull(const Hull &hull, Four origin, Four way) {
    Span span = {-HUGE_VALF, HUGE_VALF, four(0.0f)};
    for (const Four &plane : hull.planes) {
        const Four along = plane * way, at = plane * origin;
        const float slope = along[0] + along[1] + along[2], gap = plane[3] - (at[0] + at[1] + at[2]);
        if (slope < 0 && gap < span.near * slope) { /* slope < 0: enters at gap / slope */
            span.near = gap / slope;
            span.normal = plane;
        } else if (slope > 0 && gap < span.far * slope) {
            span.far = gap / slope;
        } else if (slope == 0 && gap < 0) {
            span.far = -HUGE_VALF;
        }
        if (span.near > span.far) {
            break;
        }
    }
    return span;
}

Span clip(const World &w, uint32_t body, const RTCRay &ray) {
    const Body &b = w.bodies[body];
    const Four origin = b.x * ray.org_x + b.y * ray.org_y + b.z * ray.org_z - b.origin;
    const Four way = b.x * ray.dir_x + b.y * ray.dir_y + b.z * ray.dir_z;
    return w.hulls[body] == nullptr ? clip_box(origin, way) : clip_hull(*w.hulls[body], origin, way);
}

bool meets(const Span &span, const RTCRay &ray) {
    return span.near <= span.far && span.near <= ray.tfar && span.far >= ray.tnear;
}

void intersect(const RTCIntersectFunctionNArguments *args) {
    const World &w = *static_cast<const World *>(args->geometryUserPtr);
    RTCRayHit &hit = *reinterpret_cast<RTCRayHit *>(args->rayhit); /* one: only such are cast */
    const Span span = clip(w, args->primID, hit.ray);
    if (args->valid[0] == 0 || !meets(span, hit.ray)) {
        return;
    }
    const Body &b = w.bodies[args->primID];
    const Four x = b.x * span.normal, y = b.y * span.normal, z = b.z * span.normal;
    hit.ray.tfar = span.near > hit.ray.tnear ? span.near : hit.ray.tnear;
    hit.hit.Ng_x = x[0] + x[1] + x[2];
    hit.hit.Ng_y = y[0] + y[1] + y[2];
    hit.hit.Ng_z = z[0] + z[1] + z[2];
    hit.hit.primID = args->primID;
    hit.hit.geomID = args->geomID;
}

void occluded(const RTCOccludedFunctionNArguments *args) {
    RTCRay &ray = *reinterpret_cast<RTCRay *>(args->ray);
    if (args->valid[0] != 0 &&
        meets(clip(*static_cast<const World *>(args->geometryUserPtr), args->primID, ray), ray)) {
        ray.tfar = -HUGE_VALF;
    }
}

void first(void *state, const query_set *questions, query_answer *answers) {
    embree_first(static_cast<World *>(state)->scene, questions, answers);
}

void sight(void *state, const query_set *questions, query_answer *answers) {
    embree_sight(static_cast<World *>(state)->scene, questions, answers);
}

/* --- nearest, of boxes --- */

bool offer(RTCPointQueryFunctionArguments *args) {
    EmbreeNearest &nearest = *static_cast<EmbreeNearest *>(args->userPtr);
    const World &w = *static_cast<const World *>(nearest.from);
    const Body &b = w.bodies[args->primID];
    const abut_vec3 &half = w.from->shapes[args->primID].half;
    const Four at = b.x * args->query->x + b.y * args->query->y + b.z * args->query->z - b.origin;
    const Four outside = greatest(greatest(at - four(1.0f), four(-1.0f) - at), four(0.0f));
    const Four away = outside * Four{half.x, half.y, half.z, 0.0f}, square = away * away;
    return nearest.offer(*args->query, args->primID, std::sqrt(square[0] + square[1] + square[2]));
}

void nearest(void *state, const query_set *questions, query_answer *answers) {
    embree_nearest(static_cast<World *>(state)->scene, state, offer, questions, answers);
}

/* --- the world --- */

void bounds(const RTCBoundsFunctionArguments *args) {
    const abut_aabb &box = static_cast<const World *>(args->geometryUserPtr)->from->bounds[args->primID];
    RTCBounds &to = *args->bounds_o;
    to.lower_x = box.min.x;
    to.lower_y = box.min.y;
    to.lower_z = box.min.z;
    to.upper_x = box.max.x;
    to.upper_y = box.max.y;
    to.upper_z = box.max.z;
}

World::World(const query_world *of) : EmbreeScene(RTC_GEOMETRY_TYPE_USER), from(of), bodies(of->count) {
    for (size_t i = 0; i < of->hull_count; ++i) {
        shared[of->hulls[i]] = hull_of(of->hulls[i]);
    }
    for (size_t i = 0; i < of->count; ++i) {
        hulls.push_back(of->shapes[i].hull != nullptr ? &shared[of->shapes[i].hull] : nullptr);
    }
    place();
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(of->count));
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
    rtcSetGeometryIntersectFunction(geometry, intersect);
    rtcSetGeometryOccludedFunction(geometry, occluded);
    build();
}

void *create(const query_world *from) {
    return new World(from);
}

/* The bounds were computed with the poses, by the caller: Embree is not charged with them. */
void update(void *state) {
    World &w = *static_cast<World *>(state);
    w.place();
    w.rebuild(RTC_BUILD_QUALITY_MEDIUM);
}

void update_quickly(void *state) {
    World &w = *static_cast<World *>(state);
    w.place();
    w.rebuild(RTC_BUILD_QUALITY_LOW);
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const query_peer query_peer_embree = {"Embree", 0.002f,         SIZE_MAX,
                                      true,     SIZE_MAX,       create,
                                      update,   update_quickly, {first, sight, nullptr, nullptr, nearest},
                                      destroy,  false};
