/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What both ways to use Embree have in common: a scene with one geometry, and rays into it. */
#ifndef ABUT_BENCH_EMBREE_COMMON_H
#define ABUT_BENCH_EMBREE_COMMON_H

#include "query_peer.h"
#include <cmath>
#include <embree3/rtcore.h>
#include <vector>

/* One thread, as all others. Without flags a scene is the fastest to trace that Embree can build. */
struct EmbreeScene {
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry;
    explicit EmbreeScene(RTCGeometryType type) : geometry(rtcNewGeometry(device, type)) {
    }
    EmbreeScene(const EmbreeScene &) = delete;
    EmbreeScene &operator=(const EmbreeScene &) = delete;
    ~EmbreeScene() {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }
    void build() {
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, 0);
        rtcCommitScene(scene);
    }
    /* RTC_BUILD_QUALITY_MEDIUM is the default; LOW gives a coarser tree, made much faster, for scenes that change. */
    void rebuild(RTCBuildQuality quality) {
        rtcSetSceneFlags(scene, quality == RTC_BUILD_QUALITY_LOW ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE);
        rtcSetSceneBuildQuality(scene, quality);
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }
};

void embree_first(RTCScene scene, const query_set *questions, query_answer *answers);
void embree_sight(RTCScene scene, const query_set *questions, query_answer *answers);

/* The k nearest bodies so far, of which some may be offered more than once. */
struct EmbreeNearest {
    size_t k;
    const void *from; /* of the geometry */
    std::vector<float> distances;
    std::vector<uint32_t> bodies;
    EmbreeNearest(size_t count, const void *of) : k(count), from(of) {
    }
    /* Whether the radius of the search becomes smaller. */
    bool offer(RTCPointQuery &query, uint32_t body, float distance);
};

/* `function` offers what is near. */
void embree_nearest(RTCScene scene, const void *of, RTCPointQueryFunction function, const query_set *questions,
                    query_answer *answers);

#endif
