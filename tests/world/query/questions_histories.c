/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_histories.h"
#include <abut/isa.h>

/* Mostly small worlds, sometimes thousands. */
static size_t random_size(rng *r) {
    return rng_chance(r, 0.1) ? 0 : (size_t)rng_log_range(r, 1, rng_chance(r, 0.2) ? 3000 : 400);
}

void history_of_all_kinds(judge ask, uint64_t stream, unsigned long rounds) {
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (unsigned long round = 0; round < rounds; round++) {
            subject s;
            subject_begin(&s, (world_kind)kind, stream + (uint64_t)kind * 1000000 + round);
            subject_add(&s, random_size(&s.r));
            ask(&s); /* before any step */
            for (s.step = 1; s.step <= 25; s.step++) {
                for (uint32_t i = rng_below(&s.r, 4); i > 0; i--) {
                    subject_stir(&s);
                }
                subject_pick_isa(&s);
                ask(&s);
            }
            subject_end(&s);
        }
    }
}

void history_of_single_changes(judge ask, uint64_t stream, unsigned long rounds) {
    for (unsigned long round = 0; round < rounds; round++) {
        subject s;
        subject_begin(&s, (world_kind)(round % WORLD_KINDS), stream + 20000000 + round);
        subject_add(&s, (size_t)rng_log_range(&s.r, 9, 500));
        for (s.step = 0; s.step < 250; s.step++) {
            if (rng_chance(&s.r, 0.85)) {
                (void)subject_move_one(&s);
            } else {
                subject_stir(&s);
            }
            ask(&s);
        }
        subject_end(&s);
    }
}

void history_of_growth(judge ask, uint64_t stream, unsigned long rounds) {
    for (unsigned long round = 0; round < rounds; round++) {
        subject s;
        world_kind kind = round % 3 == 0 ? KIND_MIXED : (world_kind)(round * 5 % WORLD_KINDS);
        subject_begin(&s, kind, stream + 30000000 + round);
        for (int wave = 0; wave < 3; wave++) {
            for (size_t n = 1; n < 3000; n = n * 2 + 3) {
                subject_add(&s, n);
                s.step++;
                if (rng_chance(&s.r, 0.3)) {
                    (void)abut_world_step(s.world, NULL, NULL);
                }
                ask(&s);
            }
            while (abut_world_body_count(s.world) > 30) {
                subject_thin(&s, 0.4);
                s.step++;
                ask(&s);
            }
            subject_thin(&s, 1);
            ask(&s);
        }
        subject_end(&s);
    }
}

void history_of_slow_growth(judge ask, uint64_t stream, unsigned long rounds) {
    for (unsigned long round = 0; round < rounds; round++) {
        for (uint32_t power = 3; power <= 12; power++) {
            subject s;
            subject_begin(&s, (world_kind)((round * 10 + power) % WORLD_KINDS),
                          stream + 40000000 + 100 * round + power);
            for (size_t least = (1u << power) - 4; abut_world_body_count(s.world) < least && s.step < 300; s.step++) {
                subject_add(&s, least - abut_world_body_count(s.world)); /* some calls fail */
            }
            for (int i = 0; i < 10; i++, s.step++) {
                ask(&s);
                subject_add(&s, 1);
            }
            ask(&s);
            subject_end(&s);
        }
    }
}

void history_of_far_places(judge ask, uint64_t stream, unsigned long rounds) {
    for (unsigned long round = 0; round < rounds; round++) {
        subject s;
        subject_begin(&s, (world_kind)(round * 2 % WORLD_KINDS), stream + 50000000 + round);
        subject_add(&s, (size_t)rng_log_range(&s.r, 20, 300));
        for (s.step = 0; s.step < 30; s.step++) {
            const abut_vec3 way = rng_vec3(&s.r, -1, 1);
            const float far = s.scale * (float)rng_log_range(&s.r, 10, 1e7);
            subject_read(&s);
            for (size_t i = 0; i < s.count; i++) {
                abut_pose pose;
                if (abut_body_id_equal(s.body[i].id, s.body[i].root) &&
                    abut_body_get_pose(s.world, s.body[i].id, &pose) == ABUT_OK) {
                    pose.position.x += way.x * far, pose.position.y += way.y * far, pose.position.z += way.z * far;
                    (void)abut_body_set_pose(s.world, s.body[i].id, &pose); /* or it stays behind: a limit */
                }
            }
            ask(&s);
        }
        subject_end(&s);
    }
}

int restore_isa(void **state) {
    static abut_isa best;
    static bool known;
    (void)state;
    best = known ? best : abut_isa_active();
    known = true;
    return abut_isa_select(best);
}
