/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* CGAL's box intersection. It keeps nothing between frames: its boxes are made again for each. A cutoff of 1000 is
 * about the best for these numbers of boxes; its default is 10. */

#include "broad_peer.h"
#include <CGAL/box_intersection_d.h>
#include <vector>

namespace {

typedef CGAL::Box_intersection_d::Box_d<float, 3> Box;
typedef CGAL::Box_intersection_d::Box_traits_d<Box> Traits;
const std::ptrdiff_t cutoff = 1000;

struct Space {
    const box_frame *frame;
    std::vector<Box> movers, others;
};

void refill(std::vector<Box> &boxes, const abut_aabb *from, size_t count) {
    boxes.clear();
    for (size_t i = 0; i < count; ++i) {
        float low[3] = {from[i].min.x, from[i].min.y, from[i].min.z};
        float high[3] = {from[i].max.x, from[i].max.y, from[i].max.z};
        boxes.push_back(Box(low, high));
    }
}

void *create(const box_frame *frame) {
    Space *s = new Space();
    s->frame = frame;
    s->movers.reserve(frame->count);
    s->others.reserve(frame->count - frame->mover_count);
    return s;
}

size_t run(void *state) {
    Space &s = *static_cast<Space *>(state);
    const box_frame &frame = *s.frame;
    size_t pairs = 0;
    auto count = [&pairs](const Box &, const Box &) { ++pairs; };
    bool apart = frame.mover_count < frame.count && !frame.rest_pairs;
    refill(s.movers, frame.boxes, apart ? frame.mover_count : frame.count);
    CGAL::box_self_intersection_d(s.movers.begin(), s.movers.end(), count, Traits(), cutoff,
                                  CGAL::Box_intersection_d::CLOSED);
    if (apart) {
        refill(s.others, frame.boxes + frame.mover_count, frame.count - frame.mover_count);
        CGAL::box_intersection_d(s.movers.begin(), s.movers.end(), s.others.begin(), s.others.end(), count, Traits(),
                                 cutoff, CGAL::Box_intersection_d::CLOSED);
    }
    return pairs;
}

void destroy(void *state) {
    delete static_cast<Space *>(state);
}

} // namespace

const broad_peer broad_peer_cgal = {"CGAL box_intersection_d", SIZE_MAX, false, create, run, destroy};
