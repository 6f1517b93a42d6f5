/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "obj.h"
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

/* A hash that is not the one that all machines see is a fault. */
static bool hash_is_right(const field *f) {
    return field_known_hash(f) == 0 || f->hash == field_known_hash(f);
}

static bool report_text(const options *o, results *r) {
    if (!report_fight(&r->track, &r->fought)) {
        fputs("abut-demo: out of memory\n", stderr);
        return false;
    }
    if (o->sweep) {
        report_swept(&r->track, &r->swept);
    }
    fflush(stdout); /* something to read while the field runs */
    if (o->boxes > 0) {
        if (!field_run(&r->tumbled, o->field, o->boxes, o->frames, o->threads)) {
            return false;
        }
        report_field(&r->tumbled);
    }
    report_summary(&r->track, &r->fought, &r->tumbled);
    return hash_is_right(&r->tumbled);
}

static bool run(const options *o) {
    results r = {0};
    bool ok = play(o, &r);
    if (ok && o->json) {
        ok = (o->boxes == 0 || field_run(&r.tumbled, o->field, o->boxes, o->frames, o->threads)) &&
             report_json(&r.track, &r.fought, o->sweep ? &r.swept : NULL, &r.tumbled) && hash_is_right(&r.tumbled);
    } else if (ok) {
        ok = report_text(o, &r);
    }
    field_destroy(&r.tumbled);
    swept_destroy(&r.swept);
    fight_destroy(&r.fought);
    track_destroy(&r.track);
    return ok;
}

static void complain(const char *directory, const specimen *s) {
    if (s->line > 0) {
        fprintf(stderr, "%s/%s:%zu: %s\n", directory, s->path, s->line, s->reason);
    } else {
        fprintf(stderr, "%s/%s: %s\n", directory, s->path, s->reason);
    }
}

/* Without a single hull there is nothing to report but why. */
static bool load_some_hulls(collection *c, const char *directory) {
    if (!collection_load(c, directory)) {
        return false;
    }
    for (size_t i = 0; c->hull_count == 0 && i < c->count; ++i) {
        complain(directory, &c->items[i]);
    }
    return c->hull_count > 0;
}

/* The report names a bad file or a fault, and the program fails. */
static bool run_hulls(const options *o) {
    collection c = {0};
    tumble tumbled = {0};
    bool ok = load_some_hulls(&c, o->hulls);
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

static bool load_model(obj *model, const char *path) {
    if (obj_load(model, path)) {
        return true;
    }
    if (model->line > 0) {
        fprintf(stderr, "%s:%zu: %s\n", path, model->line, model->reason);
    } else {
        fprintf(stderr, "%s: %s\n", path, model->reason);
    }
    return false;
}

static bool load_hulls(collection *c, const char *directory) {
    bool ok = load_some_hulls(c, directory);
    for (size_t i = 0; ok && i < c->count; ++i) {
        if (c->items[i].unreadable) {
            complain(directory, &c->items[i]);
            ok = false;
        }
    }
    return ok;
}

static bool run_mesh(const options *o) {
    obj model = {0};
    collection c = {0};
    dropped d = {0};
    bool ok = load_model(&model, o->mesh) && load_hulls(&c, o->hulls) && drop_run(&d, o->mesh, &model, &c, o->frames);
    if (ok && o->json) {
        ok = report_drop_json(o->mesh, &d);
    } else if (ok) {
        report_drop(o->mesh, &d);
    }
    ok = ok && d.fault_count == 0;
    drop_destroy(&d);
    collection_destroy(&c);
    obj_destroy(&model);
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
        ok = o.mesh != NULL ? run_mesh(&o) : o.hulls != NULL ? run_hulls(&o) : run(&o);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("abut-demo: stdout");
        ok = false;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
