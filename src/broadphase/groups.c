/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/groups.h"
#include "broadphase/keys.h"
#include <string.h>

/* Kinds that make pairs with the same kinds belong together. Of such sets, those that save most comparisons become
 * groups of their own; all others are group 0. There are few groups, because many small ones cost more than they save.
 */

/* Kinds that make pairs with the same kinds. */
typedef struct kind_set {
    uint64_t members, meets; /* bits of kinds */
    uint64_t keys;
    uint64_t saved; /* pairs of keys that are not compared if it is a group */
} kind_set;

static uint64_t bit(uint32_t kind) {
    return (uint64_t)1 << kind;
}

/* The number of keys of each kind. Returns false if no classes are apart: then all count as class 0, and one key stands
 * for any number. */
static bool count_kinds(const abut_bp *bp, uint32_t count[ABUT_BP_KINDS]) {
    uint32_t any_apart = 0, of_role[256] = {0};
    memset(count, 0, ABUT_BP_KINDS * sizeof *count);
    for (uint32_t k = 0; k < ABUT_BP_CLASSES; k++) {
        any_apart |= bp->apart[k];
    }
    if (any_apart == 0) {
        count[0] = 1;
        count[1] = abut_bp_any_static(bp);
        return false;
    }
    for (uint32_t key = 0; key < bp->key_end; key++) {
        of_role[bp->role[key]]++;
    }
    for (uint32_t role = 0; role < 256; role++) {
        count[abut_bp_kind_of((uint8_t)role)] += role & (ABUT_BP_ACTIVE | ABUT_BP_RESTING) ? of_role[role] : 0;
    }
    return true;
}

static bool make_pairs(const abut_bp *bp, uint32_t kind, uint32_t other) {
    return !(kind & other & 1) && !abut_bp_are_apart(bp, kind / 2, other / 2);
}

/* Returns how many sets there are. Kinds that meet nothing belong to none. */
static uint32_t find_sets(const abut_bp *bp, const uint32_t count[ABUT_BP_KINDS], kind_set sets[ABUT_BP_KINDS]) {
    uint32_t n = 0;
    uint64_t all = 0;
    for (uint32_t kind = 0; kind < ABUT_BP_KINDS; kind++) {
        uint64_t meets = 0, met = 0;
        for (uint32_t other = 0; count[kind] > 0 && other < ABUT_BP_KINDS; other++) {
            bool yes = count[other] > 0 && make_pairs(bp, kind, other);
            meets |= yes ? bit(other) : 0;
            met += yes ? count[other] : 0;
        }
        all += meets != 0 ? count[kind] : 0;
        uint32_t k = 0;
        while (k < n && sets[k].meets != meets) {
            k++;
        }
        if (meets != 0) {
            uint64_t members = k < n ? sets[k].members : 0, keys = k < n ? sets[k].keys : 0;
            sets[k] = (kind_set){members | bit(kind), meets, keys + count[kind], met};
            n += k == n;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        sets[k].saved = sets[k].keys * (all - sets[k].saved);
    }
    return n;
}

/* Exchanges the set at `from` with the one from there on that saves most; false: none saves anything. There is one. */
static bool choose_next(kind_set *sets, uint32_t from, uint32_t n) {
    uint32_t best = from;
    for (uint32_t k = from + 1; k < n; k++) {
        best = sets[k].saved > sets[best].saved ? k : best;
    }
    if (sets[best].saved == 0) {
        return false;
    }
    kind_set chosen = sets[best];
    sets[best] = sets[from];
    sets[from] = chosen;
    return true;
}

static abut_bp_relation relation_of(uint64_t any, uint64_t each, uint64_t members) {
    return !(any & members) ? ABUT_BP_NO_PAIRS : (members & ~each) ? ABUT_BP_SOME_PAIRS : ABUT_BP_ALL_PAIRS;
}

void abut_bp_choose_groups(const abut_bp *bp, abut_bp_groups *groups) {
    uint32_t count[ABUT_BP_KINDS], own = 0;
    kind_set sets[ABUT_BP_KINDS + 1];
    bool any_apart = count_kinds(bp, count);
    uint32_t n = find_sets(bp, count, sets);
    while (own < ABUT_BP_GROUPS_MOST - 1 && own < n && choose_next(sets, own, n)) {
        own++;
    }
    *groups = (abut_bp_groups){.count = own + 1};
    memset(groups->of_kind, ABUT_BP_NO_GROUP, sizeof groups->of_kind);
    uint64_t members[ABUT_BP_GROUPS_MOST] = {0}, any[ABUT_BP_GROUPS_MOST] = {0}, each[ABUT_BP_GROUPS_MOST];
    memset(each, 0xff, sizeof each);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t group = k < own ? k + 1 : 0;
        members[group] |= sets[k].members;
        any[group] |= sets[k].meets;
        each[group] &= sets[k].meets;
    }
    for (uint32_t kind = 0; kind < ABUT_BP_KINDS; kind++) {
        for (uint32_t group = 0; group <= own; group++) {
            if (members[group] & bit(kind)) {
                groups->of_kind[kind] = (uint8_t)group;
            }
        }
        groups->any_idle = groups->any_idle || (count[kind] > 0 && groups->of_kind[kind] == ABUT_BP_NO_GROUP);
    }
    for (uint32_t kind = 2; kind < ABUT_BP_KINDS && !any_apart; kind++) {
        groups->of_kind[kind] = groups->of_kind[kind % 2];
    }
    for (uint32_t a = 0; a <= own; a++) {
        for (uint32_t b = 0; b <= own; b++) {
            groups->relation[a][b] = (uint8_t)relation_of(any[a], each[a], members[b]);
        }
    }
}
