/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* CGAL's AABB tree of the bodies' triangles. Long rays ask for the first intersection of an endless ray, which is the
 * tree's own search front to back; short ones for all intersections of a segment, which is cheaper for them. */

#include "query_peer.h"
#include "triangles.h"
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

typedef CGAL::Simple_cartesian<double> Kernel;
typedef Kernel::Point_3 Point;
typedef Kernel::Vector_3 Vector;
typedef std::vector<Kernel::Triangle_3> Triangles;
typedef CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>>>
    Tree;

const double short_length = 4.0;

struct World {
    Triangles triangles;
    Tree tree;
};

Point point_of(const abut_vec3 &v) {
    return Point(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

Vector vector_of(const abut_vec3 &v) {
    return Vector(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

void *create(const query_world *from) {
    World *w = new World();
    const WorldTriangles all(from);
    for (size_t i = 0; i < all.corners.size(); i += 3) {
        const uint32_t *corner = &all.corners[i];
        w->triangles.emplace_back(point_of(all.vertices[corner[0]]), point_of(all.vertices[corner[1]]),
                                  point_of(all.vertices[corner[2]]));
    }
    w->tree.insert(w->triangles.begin(), w->triangles.end());
    w->tree.accelerate_distance_queries();
    w->tree.build();
    return w;
}

/* The fraction at which an intersection begins. */
struct Fraction {
    typedef double result_type;
    const Point &origin;
    const Vector &way;
    double operator()(const Point &p) const {
        return ((p - origin) * way) / way.squared_length();
    }
    double operator()(const Kernel::Segment_3 &s) const {
        return std::min((*this)(s.source()), (*this)(s.target()));
    }
    template <class Other> double operator()(const Other &) const {
        return 1.0;
    }
};

void first(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    typedef Tree::Intersection_and_primitive_id<Kernel::Segment_3>::Type Hit;
    std::vector<Hit> hits;
    for (size_t i = 0; i < questions->count; ++i) {
        const Point origin = point_of(questions->rays[i].origin);
        const Vector way = vector_of(questions->rays[i].translation);
        const Fraction fraction = {origin, way};
        double least = HUGE_VAL;
        if (way.squared_length() > short_length * short_length) {
            const auto hit = w.tree.first_intersection(Kernel::Ray_3(origin, way));
            least = hit ? boost::apply_visitor(fraction, hit->first) : least;
        } else {
            hits.clear();
            w.tree.all_intersections(Kernel::Segment_3(origin, origin + way), std::back_inserter(hits));
            for (const Hit &hit : hits) {
                least = std::min(least, boost::apply_visitor(fraction, hit.first));
            }
        }
        answers[i] = {least <= 1.0, 0, static_cast<float>(std::min(least, 1.0))};
    }
}

void sight(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const Point origin = point_of(questions->rays[i].origin);
        const Kernel::Segment_3 way(origin, origin + vector_of(questions->rays[i].translation));
        answers[i] = {w.tree.do_intersect(way), 0, 0.0f};
    }
}

void nearest(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        double square = w.tree.squared_distance(point_of(questions->points[i]));
        answers[i] = {1, 0, static_cast<float>(std::sqrt(square))};
    }
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const query_peer query_peer_cgal = {
    "CGAL",  0.002f, 100000, false, 1, create, nullptr, nullptr, {first, sight, nullptr, nullptr, nearest},
    destroy, false};
