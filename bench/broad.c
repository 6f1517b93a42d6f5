/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Broad phases at scale: each method gets the new boxes of the bodies that moved and must find all current pairs.
 * abut's rows are the parts of a step that do this, and whole frames at ABUT_DETAIL_BOUNDS, where every pair is a
 * contact: poses and a step, whose list nobody reads; the same, and its pairs are read, or its contacts. */

#include "broad_scenes.h"
#include "groups.h"
#include "stepper.h"
#include <stdio.h>

enum { RODS_COMPARED = 10000 }; /* more rods have millions of pairs, which take some peers minutes */

typedef struct peer_space {
    const broad_peer *peer;
    void *state;
    size_t found;
} peer_space;

typedef struct broad_case {
    broad_scene scene;
    stepper unread, pairs, contacts;
    bool lists; /* pairs and contacts are read: not where they are millions */
    size_t space_count;
    peer_space spaces[METHODS_MAX];
} broad_case;

static void advance(contest *c, void *user) {
    (void)c;
    broad_scene_advance(user);
}

static void run_space(void *state, uint8_t *answers) {
    (void)answers;
    peer_space *s = state;
    s->found = s->peer->run(s->state);
}

static void destroy_space(void *state) {
    peer_space *s = state;
    s->peer->destroy(s->state);
}

static void add_ours(contest *c, broad_case *b) {
    scene_set_detail(&b->scene.scene, ABUT_DETAIL_BOUNDS, true);
    stepper_create(&b->unread, &b->scene.scene, NULL);
    contest_method *m = contest_add(c, "abut, bounds and broad phase", NULL, NULL);
    m->seconds = &b->unread.broad;
    m->found = &b->unread.candidates;
    contest_refer(c);
    contest_add(c, "abut, poses and step", &b->unread, stepper_run)->found = &b->unread.contacts;
    contest_refer(c);
    if (!b->lists) {
        return;
    }
    stepper_create(&b->pairs, &b->scene.scene, NULL);
    stepper_create(&b->contacts, &b->scene.scene, NULL);
    b->pairs.reads_pairs = b->contacts.reads = true;
    contest_add(c, "abut, the same, and pairs read", &b->pairs, stepper_run)->found = &b->pairs.contacts;
    contest_add(c, "abut, the same, and contacts read", &b->contacts, stepper_run)->found = &b->contacts.contacts;
}

static void add_spaces(contest *c, broad_case *b) {
    for (const broad_peer *const *p = broad_peers; *p != NULL; ++p) {
        if (b->scene.frame.count > (*p)->count_max || (b->scene.frame.debris > 0 && !(*p)->filters)) {
            continue;
        }
        peer_space *space = &b->spaces[b->space_count++];
        *space = (peer_space){.peer = *p, .state = (*p)->create(&b->scene.frame)};
        contest_method *m = contest_add(c, (*p)->name, space, run_space);
        m->destroy = destroy_space;
        m->found = &space->found;
    }
}

static void hold(broad_kind kind, size_t boxes, size_t rounds, contest_list *list) {
    broad_case b = {.lists = kind != BROAD_RODS};
    broad_scene_create(&b.scene, kind, boxes);
    contest c = contest_of_frames("broad", advance, &b.scene);
    snprintf(c.input, sizeof c.input, "%s, %zu boxes", broad_scene_name(kind), boxes);
    add_ours(&c, &b);
    if (b.lists || boxes <= RODS_COMPARED) {
        add_spaces(&c, &b);
    }
    contest_hold(&c, rounds, list);
    stepper_destroy(&b.unread);
    if (b.lists) {
        stepper_destroy(&b.pairs);
        stepper_destroy(&b.contacts);
    }
    broad_scene_destroy(&b.scene);
}

void bench_broad(bool quick, contest_list *list) {
    size_t small = quick ? 1000 : 10000, large = quick ? 2000 : 100000;
    for (broad_kind kind = BROAD_UNIFORM; kind <= BROAD_TELEPORT; ++kind) {
        hold(kind, small, quick ? 3 : 15, list);
    }
    for (broad_kind kind = BROAD_UNIFORM; kind <= BROAD_MOST_RESTING; ++kind) {
        hold(kind, large, quick ? 3 : 15, list);
    }
    hold(BROAD_RODS, quick ? 1000 : RODS_COMPARED, quick ? 3 : 5, list);
    hold(BROAD_RODS, quick ? 2000 : 50000, quick ? 3 : 5, list);
    hold(BROAD_DEBRIS, large / 2, quick ? 3 : 15, list);
    hold(BROAD_ONLY_DEBRIS, large / 2, quick ? 3 : 15, list);
}
