/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "groups.h"

void bench_add_peers(contest *c, peer_task task, const pair_set *set, peer_entries *added) {
    for (const peer_library *const *library = peer_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->peer_count; ++i) {
            const peer *p = &(*library)->peers[i];
            void *state = p->task == task ? p->create(set) : NULL;
            if (state == NULL) {
                continue;
            }
            contest_add(c, p->name, state, p->run)->destroy = p->destroy;
            if (added != NULL) {
                added->entries[added->count++] = (peer_entry){p, state};
            }
        }
    }
}
