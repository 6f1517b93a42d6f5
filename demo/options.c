/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "options.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: abut-demo [--track DIR [--every N] [--sweep]] [--boxes N] [--field KIND] "
                            "[--threads N] [--hulls DIR] [--mesh FILE] [--frames N] [--json] [--help]\n";

static const char details[] =
    "\n"
    "Plays recorded fighting moves and reports which limbs hit which, then lets a field of boxes tumble.\n"
    "\n"
    "  --track DIR   the recording: DIR/bodies.csv and DIR/poses.csv; one of its own otherwise\n"
    "  --every N     only every Nth frame of the recording: 4 makes 15 Hz of 60 Hz; 1 otherwise\n"
    "  --sweep       sweeps all bodies from each of these frames to the next, and reports the hits that steps at "
    "these\n"
    "                frames miss, beside those of the whole recording\n"
    "  --boxes N     boxes of the field, 0 for none; 10000 otherwise\n"
    "  --field KIND  what tumbles in the field: boxes, spheres, capsules, or round for a third of each; boxes "
    "otherwise\n"
    "  --threads N   threads that work on the field, 0 for as many as there are processors; 1 otherwise\n"
    "  --hulls DIR   instead of all that: a convex hull of the points in each DIR/**/*.xyz (lines x y z), then let "
    "them\n"
    "                tumble; hulls and contacts are checked by brute force\n"
    "  --mesh FILE   instead of all that: lets the hulls of --hulls DIR, or some of its own, fall onto the triangles "
    "of\n"
    "                a Wavefront OBJ file, y being up\n"
    "  --frames N    frames of the field or of the hulls; 300 otherwise\n"
    "  --json        one JSON document on stdout instead of tables\n"
    "  --help        this text\n";

enum { boxes_max = 10000000, frames_max = 1000000 };

static bool read_count(const char *option, const char *text, size_t least, size_t most, size_t *value) {
    errno = 0;
    char *end = NULL;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    if (!digits || errno != 0 || number < least || number > most) {
        fprintf(stderr, "abut-demo: --%s needs a whole number from %zu to %zu, not '%s'\n%s", option, least, most, text,
                usage);
        return false;
    }
    *value = (size_t)number;
    return true;
}

static bool read_threads(uint32_t *threads) {
    size_t value = 0;
    bool ok = read_count("threads", optarg, 0, ABUT_WORKERS_MAX, &value);
    *threads = (uint32_t)value;
    return ok;
}

static bool read_field(const char *text, scene_kind *kind) {
    static const struct {
        const char *name;
        scene_kind kind;
    } known[] = {
        {"boxes", SCENE_TUMBLING}, {"spheres", SCENE_SPHERES}, {"capsules", SCENE_CAPSULES}, {"round", SCENE_ROUND}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strcmp(text, known[i].name) == 0) {
            *kind = known[i].kind;
            return true;
        }
    }
    fprintf(stderr, "abut-demo: --field needs boxes, spheres, capsules or round, not '%s'\n%s", text, usage);
    return false;
}

static bool take(options *o, int option) {
    switch (option) {
    case 't':
        o->track = optarg;
        return true;
    case 'e':
        return read_count("every", optarg, 1, frames_max, &o->every);
    case 's':
        o->sweep = true;
        return true;
    case 'u':
        o->hulls = optarg;
        return true;
    case 'm':
        o->mesh = optarg;
        return true;
    case 'b':
        return read_count("boxes", optarg, 0, boxes_max, &o->boxes);
    case 'd':
        return read_field(optarg, &o->field);
    case 'w':
        return read_threads(&o->threads);
    case 'f':
        return read_count("frames", optarg, 1, frames_max, &o->frames);
    case 'j':
        o->json = true;
        return true;
    case 'h':
        o->help = true;
        return true;
    default: /* getopt_long has already printed the error */
        fputs(usage, stderr);
        return false;
    }
}

/* Hulls and meshes come instead of recordings and fields. `other` is an option about these; NULL: there is none. */
static bool goes_together(const options *o, const char *other) {
    const char *instead = o->mesh != NULL ? "mesh" : o->hulls != NULL ? "hulls" : NULL;
    if (other != NULL && instead != NULL) {
        fprintf(stderr, "abut-demo: --%s does not go with --%s\n%s", other, instead, usage);
        return false;
    }
    return true;
}

/* Options that say how a recording is played make no sense without one. */
static bool complete(options *o) {
    if (o->track == NULL && (o->every != 0 || o->sweep)) {
        fprintf(stderr, "abut-demo: --%s needs a recording: --track DIR\n%s", o->every != 0 ? "every" : "sweep", usage);
        return false;
    }
    o->hulls = o->hulls == NULL && o->mesh != NULL ? ABUT_DEMO_HULLS : o->hulls;
    o->track = o->track == NULL ? ABUT_DEMO_TRACK : o->track;
    o->every = o->every == 0 ? 1 : o->every;
    return true;
}

bool options_read(options *o, int argc, char **argv) {
    static const struct option known[] = {
        {"track", required_argument, NULL, 't'},  {"boxes", required_argument, NULL, 'b'},
        {"field", required_argument, NULL, 'd'},  {"hulls", required_argument, NULL, 'u'},
        {"frames", required_argument, NULL, 'f'}, {"threads", required_argument, NULL, 'w'},
        {"every", required_argument, NULL, 'e'},  {"mesh", required_argument, NULL, 'm'},
        {"sweep", no_argument, NULL, 's'},        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    *o = (options){.field = SCENE_TUMBLING, .boxes = 10000, .frames = 300, .threads = 1};
    const char *other = NULL;
    for (int index = 0;;) {
        int option = getopt_long(argc, argv, "h", known, &index);
        if (option == -1) {
            break;
        }
        if (!take(o, option)) {
            return false;
        }
        other = strchr("tesbdw", option) != NULL ? known[index].name : other;
    }
    if (optind < argc) {
        fprintf(stderr, "abut-demo: unexpected argument '%s'\n%s", argv[optind], usage);
        return false;
    }
    return goes_together(o, other) && complete(o);
}

void options_print_help(void) {
    fputs(usage, stdout);
    fputs(details, stdout);
}
