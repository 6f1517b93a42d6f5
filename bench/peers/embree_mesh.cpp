/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Embree: rays at triangles, one at a time. Backs are met, too: rays here come from the front. */

#include "mesh_peer.h"
#include <cstring>
#include <embree3/rtcore.h>
#include <limits>

namespace {

struct Scene {
    RTCDevice device;
    RTCScene scene;
};

void *create(const mesh_terrain *t) {
    Scene *s = new Scene;
    s->device = rtcNewDevice("threads=1");
    s->scene = rtcNewScene(s->device);
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t vertices = static_cast<size_t>(t->side) * t->side;
    void *v = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(abut_vec3), vertices);
    std::memcpy(v, t->vertices, vertices * sizeof(abut_vec3));
    void *i =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), t->triangle_count);
    std::memcpy(i, t->indices, t->triangle_count * 3 * sizeof(uint32_t));
    rtcCommitGeometry(g);
    rtcAttachGeometry(s->scene, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(s->scene);
    return s;
}

void cast(void *state, const abut_ray *rays, size_t n, float *fractions) {
    const Scene &s = *static_cast<Scene *>(state);
    for (size_t i = 0; i < n; ++i) {
        RTCIntersectContext context;
        RTCRayHit r;
        rtcInitIntersectContext(&context);
        r.ray.org_x = rays[i].origin.x, r.ray.org_y = rays[i].origin.y, r.ray.org_z = rays[i].origin.z;
        r.ray.dir_x = rays[i].translation.x, r.ray.dir_y = rays[i].translation.y, r.ray.dir_z = rays[i].translation.z;
        r.ray.tnear = 0, r.ray.tfar = 1, r.ray.time = 0, r.ray.mask = std::numeric_limits<unsigned>::max();
        r.ray.id = 0, r.ray.flags = 0;
        r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(s.scene, &context, &r);
        fractions[i] = r.hit.geomID != RTC_INVALID_GEOMETRY_ID ? r.ray.tfar : 2;
    }
}

void destroy(void *state) {
    Scene *s = static_cast<Scene *>(state);
    rtcReleaseScene(s->scene);
    rtcReleaseDevice(s->device);
    delete s;
}

const mesh_ray_peer ray_peers[] = {{"Embree triangles", "Embree device and scene", create, cast, destroy}};

} // namespace

const mesh_library mesh_library_embree = {nullptr, 0, ray_peers, 1};
