/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* clash-fcl FILE: FCL's dynamic tree asked what abut.clash is asked. FILE has 10 floats a box: center, rotation x y z
 * w, half. Numbers are doubles, for which FCL is compiled. Prints the seconds from the floats to the pairs, and how
 * many pairs there are. */

#include <chrono>
#include <cstdio>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>
#include <memory>
#include <vector>

namespace {

struct Box {
    float center[3], rotation[4], half[3];
};

struct Found {
    size_t pairs;
    fcl::CollisionRequestd request;
};

bool ask(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
    Found &found = *static_cast<Found *>(data);
    fcl::CollisionResultd result;
    found.pairs += fcl::collide(a, b, found.request, result) > 0;
    return false;
}

std::vector<Box> read(const char *path) {
    std::vector<Box> boxes;
    Box box;
    FILE *file = std::fopen(path, "rb");
    while (file && std::fread(&box, sizeof box, 1, file) == 1) {
        boxes.push_back(box);
    }
    if (file) {
        std::fclose(file);
    }
    return boxes;
}

std::unique_ptr<fcl::CollisionObjectd> place(const Box &box) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    const float *q = box.rotation;
    pose.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
    pose.translation() << box.center[0], box.center[1], box.center[2];
    auto shape = std::make_shared<fcl::Boxd>(2 * box.half[0], 2 * box.half[1], 2 * box.half[2]);
    return std::unique_ptr<fcl::CollisionObjectd>(new fcl::CollisionObjectd(shape, pose));
}

} // namespace

int main(int argc, char **argv) {
    std::vector<Box> boxes = read(argc == 2 ? argv[1] : "");
    if (boxes.empty()) {
        std::fprintf(stderr, "usage: clash-fcl FILE, with 10 floats a box\n");
        return 2;
    }
    auto began = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::CollisionObjectd *> all;
    for (const Box &box : boxes) {
        objects.push_back(place(box));
        all.push_back(objects.back().get());
    }
    fcl::DynamicAABBTreeCollisionManagerd manager;
    Found found = {0, {}};
    manager.registerObjects(all);
    manager.setup();
    manager.collide(&found, ask);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    std::printf("%.6f %zu\n", seconds.count(), found.pairs);
    return 0;
}
