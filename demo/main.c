/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "options.h"
#include "report.h"
#include <stdio.h>
#include <stdlib.h>

enum { exit_usage = 2 };

typedef struct results {
    track track;
    fight fought;
    swept swept;
    field tumbled;
} results;

/* Sweeps are compared with the whole recording; then only the frames that are played stay. */
static bool play(const options *o, results *r) {
    track *t = &r->track;
    if (!track_load(t, o->track)) {
        return false;
    }
    if (o->sweep) {
        fight recorded;
        bool ok = fight_run(&recorded, t) && swept_run(&r->swept, t, &recorded, o->every);
        fight_destroy(&recorded);
        if (!ok) {
            return false;
        }
    }
    track_thin(t, o->every);
    return fight_run(&r->fought, t);
}

static bool report_text(const options *o, results *r) {
    report_fight(&r->track, &r->fought);
    if (o->sweep) {
        report_swept(&r->track, &r->swept);
    }
    fflush(stdout); /* something to read while the field runs */
    if (o->boxes == 0) {
        return true;
    }
    if (!field_run(&r->tumbled, o->field, o->boxes, o->frames)) {
        return false;
    }
    report_field(&r->tumbled);
    return true;
}

static bool run(const options *o) {
    results r = {0};
    bool ok = play(o, &r);
    if (ok && o->json) {
        ok = (o->boxes == 0 || field_run(&r.tumbled, o->field, o->boxes, o->frames)) &&
             report_json(&r.track, &r.fought, o->sweep ? &r.swept : NULL, &r.tumbled);
    } else if (ok) {
        ok = report_text(o, &r);
    }
    field_destroy(&r.tumbled);
    swept_destroy(&r.swept);
    fight_destroy(&r.fought);
    track_destroy(&r.track);
    return ok;
}

/* The report names a bad file or a fault, and the program fails. */
static bool run_hulls(const options *o) {
    collection c = {0};
    tumble tumbled = {0};
    bool ok = collection_load(&c, o->hulls);
    if (ok && !o->json) {
        report_hulls(o->hulls, &c);
        fflush(stdout);
    }
    ok = ok && tumble_run(&tumbled, &c, o->frames);
    if (ok && o->json) {
        ok = report_hulls_json(o->hulls, &c, &tumbled);
    } else if (ok) {
        report_tumble(&tumbled);
    }
    ok = ok && tumbled.fault_count == 0;
    for (size_t i = 0; i < c.count; ++i) {
        ok = ok && !c.items[i].unreadable;
    }
    tumble_destroy(&tumbled);
    collection_destroy(&c);
    return ok;
}

int main(int argc, char **argv) {
    options o;
    if (!options_read(&o, argc, argv)) {
        return exit_usage;
    }
    bool ok = true;
    if (o.help) {
        options_print_help();
    } else {
        ok = o.hulls != NULL ? run_hulls(&o) : run(&o);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("abut-demo: stdout");
        ok = false;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
