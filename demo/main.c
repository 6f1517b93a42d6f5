/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "options.h"
#include "report.h"
#include <stdio.h>
#include <stdlib.h>

enum { exit_usage = 2 };

static bool report_text(const options *o, const track *t, const fight *fought, field *tumbled) {
    report_fight(t, fought); /* before the field, so that there is something to read while it runs */
    fflush(stdout);
    if (o->boxes == 0) {
        return true;
    }
    if (!field_run(tumbled, o->boxes, o->frames)) {
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
        ok = (o->boxes == 0 || field_run(&tumbled, o->boxes, o->frames)) && report_json(&t, &fought, &tumbled);
    } else if (ok) {
        ok = report_text(o, &t, &fought, &tumbled);
    }
    field_destroy(&tumbled);
    fight_destroy(&fought);
    track_destroy(&t);
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
        ok = run(&o);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("abut-demo: stdout");
        ok = false;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
