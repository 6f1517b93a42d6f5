/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "options.h"
#include "report.h"
#include <stdio.h>
#include <stdlib.h>

enum { exit_usage = 2 };

static bool report_text(const options *o, const track *t, const fight *fought, field *tumbled) {
    report_fight(t, fought); /* before the field, so that there is something to read while the field runs */
    fflush(stdout);
    if (o->boxes == 0) {
        return true;
    }
    if (!field_run(tumbled, o->field, o->boxes, o->frames)) {
        return false;
    }
    report_field(tumbled);
    return true;
}

static bool run(const options *o) {
    track t = {0};
    fight fought = {0};
    field tumbled = {0};
    bool ok = track_load(&t, o->track) && fight_run(&fought, &t);
    if (ok && o->json) {
        ok =
            (o->boxes == 0 || field_run(&tumbled, o->field, o->boxes, o->frames)) && report_json(&t, &fought, &tumbled);
    } else if (ok) {
        ok = report_text(o, &t, &fought, &tumbled);
    }
    field_destroy(&tumbled);
    fight_destroy(&fought);
    track_destroy(&t);
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
