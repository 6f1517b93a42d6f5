/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/body/body.h"

/* Classes of filters: the broad phase makes no pairs of two classes that never touch. Equal filters share a class. All
 * positive groups count as one, and negative groups as none once enough of them have classes, so that a world in which
 * each ragdoll has its group does not run out of classes. Filters beyond the last class share one that pairs with all.
 * What is left open is decided later, by abut_w_may_touch. */

enum {
    LATER = ABUT_BP_CLASSES - 1, /* the class that pairs with all */
    GROUPED_MOST = 16            /* so many classes may be of negative groups */
};

static bool is_equal(const abut_filter *a, const abut_filter *b) {
    return a->category == b->category && a->mask == b->mask && a->group == b->group;
}

/* Whether no body of class filter `a` touches one of class filter `b`. */
static bool are_apart(const abut_filter *a, const abut_filter *b) {
    if (a->group > 0 && b->group > 0) {
        return false; /* they may be of the same group */
    }
    return !abut_w_filters_pass(a, b);
}

/* 0: there is none. */
static uint32_t find_class(const abut_world *world, const abut_filter *filter) {
    for (uint32_t k = 1; k < LATER; k++) {
        if (world->filter_class[k].bodies > 0 && is_equal(&world->filter_class[k].filter, filter)) {
            return k;
        }
    }
    return 0;
}

/* The filter that stands for all that share its class. */
static abut_filter shared_filter(const abut_filter *filter) {
    abut_filter shared = *filter;
    shared.group = filter->group > 0 ? 1 : filter->group;
    return shared;
}

/* The same where no other negative group gets a class. */
static abut_filter without_negative_group(const abut_filter *filter) {
    abut_filter shared = shared_filter(filter);
    shared.group = shared.group < 0 ? 0 : shared.group;
    return shared;
}

static bool may_group(const abut_world *world) {
    uint32_t grouped = 0;
    for (uint32_t k = 1; k < LATER; k++) {
        grouped += world->filter_class[k].bodies > 0 && world->filter_class[k].filter.group < 0;
    }
    return grouped < GROUPED_MOST;
}

/* A class that no body has gets this filter. LATER: all are taken. */
static uint32_t make_class(abut_world *world, const abut_filter *filter) {
    uint32_t made = 1;
    while (made < LATER && world->filter_class[made].bodies > 0) {
        made++;
    }
    if (made == LATER) {
        return LATER;
    }
    world->filter_class[made].filter = *filter;
    abut_bp_set_apart(&world->bp, made, 0, are_apart(filter, &abut_w_default_filter));
    for (uint32_t k = 1; k < LATER; k++) {
        const abut_w_filter_class *other = &world->filter_class[k];
        bool used = other->bodies > 0 || k == made;
        abut_bp_set_apart(&world->bp, made, k, used && are_apart(filter, &other->filter));
    }
    return made;
}

static uint32_t class_for(abut_world *world, const abut_filter *filled) {
    abut_filter filter = shared_filter(filled);
    uint32_t found = find_class(world, &filter);
    if (!found && filter.group < 0 && !may_group(world)) {
        filter = without_negative_group(filled);
        found = find_class(world, &filter);
    }
    if (abut_w_filter_is_default(&filter)) {
        return 0;
    }
    return found ? found : make_class(world, &filter);
}

/* A class without bodies is apart from none, so that a world without filters pays nothing for them. */
static void forget_class(abut_world *world, uint32_t unused) {
    for (uint32_t k = 0; k < ABUT_BP_CLASSES; k++) {
        abut_bp_set_apart(&world->bp, unused, k, false);
    }
}

void abut_w_put_filter_class(abut_world *world, uint32_t slot, const abut_filter *filled) {
    uint32_t old = abut_bp_class_of(&world->bp, slot), now = class_for(world, filled);
    if (now == old) {
        return;
    }
    world->filter_class[now].bodies += now != 0;
    /* At once, and not when bounds are refreshed: a restore may come first, and find the body as it shall be. */
    abut_bp_activate(&world->bp, slot, abut_bp_is_static(&world->bp, slot));
    abut_bp_set_class(&world->bp, slot, now);
    abut_w_touch(world, slot); /* the tree knows classes, too */
    if (old != 0 && --world->filter_class[old].bodies == 0) {
        forget_class(world, old);
    }
}

void abut_w_forget_filter_classes(abut_world *world) {
    abut_bp_activate_all(&world->bp);
    for (uint32_t key = 0; key < abut_w_key_end(world); key++) {
        if (abut_bp_class_of(&world->bp, key) != 0) {
            abut_bp_set_class(&world->bp, key, 0);
            abut_w_touch(world, key);
        }
    }
    for (uint32_t k = 0; k < ABUT_BP_CLASSES; k++) {
        world->filter_class[k] = (abut_w_filter_class){.bodies = 0};
        forget_class(world, k);
    }
}

uint32_t abut_w_classes_passing(const abut_world *world, const abut_filter *filled) {
    const abut_filter filter = shared_filter(filled);
    uint32_t classes = (uint32_t)1 << LATER | (uint32_t)!are_apart(&filter, &abut_w_default_filter);
    for (uint32_t k = 1; k < LATER; k++) {
        const abut_w_filter_class *c = &world->filter_class[k];
        classes |= (uint32_t)(c->bodies > 0 && !are_apart(&filter, &c->filter)) << k;
    }
    return classes;
}

/* Whether a body with this filter may be of class k. */
static bool may_have_class(const abut_world *world, const abut_filter *filter, uint32_t k) {
    const abut_filter shared = shared_filter(filter), groupless = without_negative_group(filter);
    if (k == 0 || abut_w_filter_is_default(&shared)) {
        return k == 0 && abut_w_filter_is_default(&groupless);
    }
    const abut_filter *of_class = &world->filter_class[k].filter;
    return k == LATER || is_equal(of_class, &shared) || is_equal(of_class, &groupless);
}

static bool is_apart_valid(const abut_world *world, uint32_t a, uint32_t b) {
    bool used = (a == 0 || world->filter_class[a].bodies > 0) && (b == 0 || world->filter_class[b].bodies > 0);
    const abut_filter *p = a > 0 ? &world->filter_class[a].filter : &abut_w_default_filter;
    const abut_filter *q = b > 0 ? &world->filter_class[b].filter : &abut_w_default_filter;
    return abut_bp_are_apart(&world->bp, a, b) == (used && a != LATER && b != LATER && are_apart(p, q));
}

bool abut_w_filter_classes_valid(const abut_world *world) {
    uint32_t bodies[ABUT_BP_CLASSES] = {0};
    bool valid = true;
    for (uint32_t slot = 0; valid && slot < world->ids.used; slot++) {
        uint32_t k = abut_bp_class_of(&world->bp, slot);
        bool live = abut_idpool_is_live(&world->ids, slot);
        bodies[k] += live;
        valid = live ? may_have_class(world, abut_w_filter_of(world, slot), k) : k == 0;
    }
    for (uint32_t a = 0; valid && a < ABUT_BP_CLASSES; a++) {
        valid = a == 0 || bodies[a] == world->filter_class[a].bodies;
        for (uint32_t b = 0; valid && b < ABUT_BP_CLASSES; b++) {
            valid = is_apart_valid(world, a, b);
        }
    }
    return valid;
}
