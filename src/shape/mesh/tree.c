/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/tree.h"

/* A strict order of all items. */
static bool is_less(const abut_tree_item *a, const abut_tree_item *b, int axis) {
    return (a->middle[axis] < b->middle[axis]) | ((a->middle[axis] == b->middle[axis]) & (a->number < b->number));
}

static void swap(abut_tree_item *a, abut_tree_item *b) {
    abut_tree_item t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(abut_tree_item *item, size_t root, size_t n, int axis) {
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        child += child + 1 < n && is_less(&item[child], &item[child + 1], axis);
        if (!is_less(&item[root], &item[child], axis)) {
            return;
        }
        swap(&item[root], &item[child]);
    }
}

static void heap_sort(abut_tree_item *item, size_t n, int axis) {
    for (size_t root = n / 2; root-- > 0;) {
        sift_down(item, root, n, axis);
    }
    while (n-- > 1) {
        swap(&item[0], &item[n]);
        sift_down(item, 0, n, axis);
    }
}

/* Moves the median of three to the end. */
static void choose_pivot(abut_tree_item *item, size_t n, int axis) {
    size_t a = n / 4, b = n / 2, c = n - 1 - n / 4, median;
    bool ab = is_less(&item[a], &item[b], axis), bc = is_less(&item[b], &item[c], axis);
    bool ac = is_less(&item[a], &item[c], axis);
    median = ab == bc ? b : ab == ac ? c : a;
    swap(&item[median], &item[n - 1]);
}

enum { SAMPLES = 32, FEW = 512 };

/* Moves an item to the end that has about k items below it: of a sample that is sorted, the one of that rank, or its
 * neighbour towards the middle, so that the k-th most often is among the fewer (Floyd and Rivest, "Expected time bounds
 * for selection", 1975). */
static void choose_pivot_of_many(abut_tree_item *item, size_t n, size_t k, int axis) {
    size_t at[SAMPLES], rank = (size_t)((uint64_t)k * (SAMPLES - 1) / n);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t j = i, place = n / SAMPLES * i;
        for (; j > 0 && is_less(&item[place], &item[at[j - 1]], axis); j--) {
            at[j] = at[j - 1];
        }
        at[j] = place;
    }
    rank = rank < SAMPLES / 2 ? rank + 1 : rank - 1;
    swap(&item[at[rank]], &item[n - 1]);
}

/* Moves the items below the last one to the front and the last one behind them; returns their number. Without a branch
 * that depends on the items. */
static size_t partition(abut_tree_item *item, size_t n, int axis) {
    const abut_tree_item pivot = item[n - 1];
    size_t below = 0;
    for (size_t i = 0; i < n - 1; i++) {
        abut_tree_item x = item[i];
        item[i] = item[below];
        item[below] = x;
        below += is_less(&x, &pivot, axis);
    }
    swap(&item[below], &item[n - 1]);
    return below;
}

/* Moves the k lowest of n items to the front: quickselect (Hoare 1961), and a heap sort where that takes too long. The
 * result as a set does not depend on the pivots. */
static void split(abut_tree_item *item, size_t n, size_t k, int axis) {
    for (int rounds = 64; n > 1 && k > 0 && k < n; rounds--) {
        if (rounds == 0) {
            heap_sort(item, n, axis);
            return;
        }
        if (n < FEW) {
            choose_pivot(item, n, axis);
        } else {
            choose_pivot_of_many(item, n, k, axis);
        }
        size_t below = partition(item, n, axis);
        if (k <= below) {
            n = below;
        } else {
            item += below + 1;
            n -= below + 1;
            k -= below + 1;
        }
    }
}

static int widest_axis(const abut_tree_item *item, size_t n) {
    float low[3], high[3];
    memcpy(low, item->middle, sizeof low);
    memcpy(high, item->middle, sizeof high);
    for (size_t i = 1; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            float x = item[i].middle[k];
            low[k] = abut_min_f(x, low[k]);
            high[k] = abut_max_f(x, high[k]);
        }
    }
    return abut_d3_greatest_axis((abut_d3){{high[0] - low[0], high[1] - low[1], high[2] - low[2]}});
}

static void sort_leaf(abut_tree_item *item, size_t n) {
    for (size_t i = 1; i < n; i++) {
        for (size_t j = i; j > 0 && item[j].number < item[j - 1].number; j--) {
            swap(&item[j], &item[j - 1]);
        }
    }
}

/* `unit` is the number of triangles in a full child. Depth: at most three for each level of the tree. */
static void sort_range(abut_tree_item *item, size_t n, size_t unit) {
    while (n <= unit && unit > ABUT_MESH_LEAF) {
        unit /= ABUT_MESH_WIDE;
    }
    if (n <= ABUT_MESH_LEAF) {
        sort_leaf(item, n);
        return;
    }
    size_t children = (n + unit - 1) / unit, lower = children / 2 * unit;
    split(item, n, lower, widest_axis(item, n));
    sort_range(item, lower, unit);
    sort_range(item + lower, n - lower, unit);
}

void abut_tree_sort(abut_tree_item *item, size_t n) {
    size_t unit = ABUT_MESH_LEAF;
    while (unit < n) {
        unit *= ABUT_MESH_WIDE;
    }
    sort_range(item, n, unit);
}

static void fill_leaf(const abut_mesh *mesh, const abut_tree_item *item, size_t n, abut_mesh_leaf *leaf) {
    for (size_t lane = 0; lane < ABUT_MESH_LEAF; lane++) {
        uint32_t triangle = item[lane < n ? lane : 0].number;
        const uint32_t *v = abut_mesh_indices(mesh) + 3 * (size_t)triangle;
        for (int k = 0; k < 3; k++) {
            const float *x = &abut_mesh_vertices(mesh)[v[k]].x;
            for (int i = 0; i < 3; i++) {
                leaf->corner[k][i][lane] = x[i];
            }
        }
        leaf->number[lane] = lane < n ? triangle : ABUT_MESH_NONE;
    }
}

static void leaf_box(const abut_mesh_leaf *leaf, float min[3], float max[3]) {
    for (int i = 0; i < 3; i++) {
        min[i] = max[i] = leaf->corner[0][i][0];
        for (int j = 1; j < 3 * ABUT_MESH_LEAF; j++) {
            float x = leaf->corner[j / ABUT_MESH_LEAF][i][j % ABUT_MESH_LEAF];
            min[i] = abut_min_f(x, min[i]);
            max[i] = abut_max_f(x, max[i]);
        }
    }
}

static void node_box(const abut_mesh_node *node, float min[3], float max[3]) {
    for (int i = 0; i < 3; i++) {
        min[i] = node->min[i][0];
        max[i] = node->max[i][0];
        for (int k = 1; k < ABUT_MESH_WIDE; k++) {
            min[i] = abut_min_f(node->min[i][k], min[i]);
            max[i] = abut_max_f(node->max[i][k], max[i]);
        }
    }
}

void abut_tree_fill(const abut_mesh *mesh, const abut_tree_item *item, abut_mesh_leaf *leaf, abut_mesh_node *node) {
    uint32_t children = mesh->leaf_count;
    for (uint32_t i = 0; i < children; i++) {
        size_t left = mesh->solid_count - (size_t)i * ABUT_MESH_LEAF;
        fill_leaf(mesh, item + (size_t)i * ABUT_MESH_LEAF, left < ABUT_MESH_LEAF ? left : ABUT_MESH_LEAF, &leaf[i]);
    }
    for (uint32_t level = 0; level < mesh->levels; level++) {
        abut_mesh_node *own = node + mesh->level_first[level];
        uint32_t nodes = (children + ABUT_MESH_WIDE - 1) / ABUT_MESH_WIDE;
        for (uint32_t c = 0; c < nodes * ABUT_MESH_WIDE; c++) {
            float min[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, max[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
            if (c < children && level == 0) {
                leaf_box(&leaf[c], min, max);
            } else if (c < children) {
                node_box(node + mesh->level_first[level - 1] + c, min, max);
            }
            for (int i = 0; i < 3; i++) {
                own[c / ABUT_MESH_WIDE].min[i][c % ABUT_MESH_WIDE] = min[i];
                own[c / ABUT_MESH_WIDE].max[i][c % ABUT_MESH_WIDE] = max[i];
            }
        }
        children = nodes;
    }
}
