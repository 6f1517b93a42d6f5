/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "track.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loader {
    track *track;
    size_t body_capacity, pose_capacity;
    size_t seen;         /* bodies of the frame that is being read */
    size_t *last_frame1; /* per body: 1 + the frame it was last seen in */
} loader;

/* Room for one more element; NULL: no memory, and the old array stays. */
static void *grow(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    size_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = realloc(array, wanted * size);
    if (grown != NULL) {
        *capacity = wanted;
    }
    return grown;
}

/* --- bodies --- */

static size_t character_length(const char *name) {
    const char *first = strchr(name, '_');
    for (const char *at = first; at != NULL; at = strchr(at + 1, '_')) {
        if (at > name && isdigit((unsigned char)at[-1])) {
            return (size_t)(at - name);
        }
    }
    return first == NULL ? strlen(name) : (size_t)(first - name);
}

static void name_body(track *t, track_body *body, const char *name) {
    size_t length = character_length(name);
    strcpy(body->name, name); /* a field of the table has the size of this array */
    memcpy(body->character, name, length);
    body->character[length] = '\0';
    body->limb = name[length] == '_' ? body->name + length + 1 : body->name + length;
    body->character_index = t->character_count;
    for (const track_body *other = t->bodies; other < body; ++other) {
        if (strcmp(other->character, body->character) == 0) {
            body->character_index = other->character_index;
            return;
        }
    }
    ++t->character_count;
}

static bool take_shape(const table_row *row, track_body *body) {
    if (!table_float(row, 2, "half_x", &body->half.x) || !table_float(row, 3, "half_y", &body->half.y) ||
        !table_float(row, 4, "half_z", &body->half.z) ||
        (row->count > 5 && !table_float(row, 5, "radius", &body->radius))) {
        return false;
    }
    if (body->half.x < 0.0f || body->half.y < 0.0f || body->half.z < 0.0f) {
        return table_complain(row, "a negative half extent");
    }
    if (body->radius < 0.0f) {
        return table_complain(row, "a negative radius");
    }
    if (body->half.x == 0.0f && body->half.y == 0.0f && body->half.z == 0.0f && body->radius == 0.0f) {
        return table_complain(row, "all half extents are zero, and there is no radius");
    }
    return true;
}

static bool take_body(const table_row *row, void *user) {
    loader *l = user;
    track *t = l->track;
    size_t index;
    if (!table_index(row, 0, "body", &index)) {
        return false;
    }
    if (index != t->body_count) {
        return table_complain(row, "body %zu where body %zu should be", index, t->body_count);
    }
    if (row->fields[1][0] == '\0') {
        return table_complain(row, "body %zu has no name", index);
    }
    for (size_t i = 0; i < t->body_count; ++i) {
        if (strcmp(t->bodies[i].name, row->fields[1]) == 0) {
            return table_complain(row, "body %zu is already called '%s'", i, row->fields[1]);
        }
    }
    track_body *bodies = grow(t->bodies, t->body_count, &l->body_capacity, sizeof *bodies);
    if (bodies == NULL) {
        return table_complain(row, "out of memory");
    }
    t->bodies = bodies;
    bodies[index] = (track_body){0};
    name_body(t, &bodies[index], row->fields[1]);
    if (!take_shape(row, &bodies[index])) {
        return false;
    }
    ++t->body_count;
    return true;
}

/* --- poses --- */

static bool frame_is_complete(const table_row *row, const loader *l) {
    const track *t = l->track;
    if (t->frame_count == 0 || l->seen == t->body_count) {
        return true;
    }
    size_t missing = 0;
    while (l->last_frame1[missing] == t->frame_count) {
        ++missing;
    }
    return table_complain(row, "frame %zu ended without body %zu (%s)", t->frame_count - 1, missing,
                          t->bodies[missing].name);
}

static bool enter_frame(const table_row *row, loader *l, size_t frame) {
    track *t = l->track;
    if (frame + 1 == t->frame_count) {
        return true;
    }
    if (frame != t->frame_count) {
        return table_complain(row, "frame %zu where frame %zu should be", frame, t->frame_count);
    }
    if (!frame_is_complete(row, l)) {
        return false;
    }
    size_t size = t->body_count * sizeof *t->poses;
    abut_pose *poses = grow(t->poses, t->frame_count, &l->pose_capacity, size);
    if (poses == NULL) {
        return table_complain(row, "out of memory");
    }
    t->poses = poses;
    ++t->frame_count;
    l->seen = 0;
    return true;
}

static bool within_limit(const track_body *body, const abut_pose *pose) {
    const abut_shape shape = {.half = body->half, .radius = body->radius};
    const abut_aabb bounds = abut_shape_bounds(&shape, pose);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    for (int i = 0; i < 3; ++i) {
        if (!(low[i] >= -ABUT_MAX_COORDINATE && high[i] <= ABUT_MAX_COORDINATE)) {
            return false;
        }
    }
    return true;
}

static bool take_pose(const table_row *row, void *user) {
    loader *l = user;
    track *t = l->track;
    size_t frame, body;
    abut_pose pose;
    if (!table_index(row, 0, "frame", &frame) || !table_index(row, 1, "body", &body) ||
        !table_float(row, 2, "px", &pose.position.x) || !table_float(row, 3, "py", &pose.position.y) ||
        !table_float(row, 4, "pz", &pose.position.z) || !table_float(row, 5, "qx", &pose.rotation.x) ||
        !table_float(row, 6, "qy", &pose.rotation.y) || !table_float(row, 7, "qz", &pose.rotation.z) ||
        !table_float(row, 8, "qw", &pose.rotation.w)) {
        return false;
    }
    if (body >= t->body_count) {
        return table_complain(row, "unknown body %zu; the last one is %zu", body, t->body_count - 1);
    }
    /* abut takes an all-zero rotation as the identity; in a recording it can only be damage. */
    if (pose.rotation.x == 0.0f && pose.rotation.y == 0.0f && pose.rotation.z == 0.0f && pose.rotation.w == 0.0f) {
        return table_complain(row, "the rotation of body %zu (%s) is all zero", body, t->bodies[body].name);
    }
    if (!within_limit(&t->bodies[body], &pose)) {
        return table_complain(row, "body %zu (%s) reaches beyond %g, the largest coordinate there may be", body,
                              t->bodies[body].name, (double)ABUT_MAX_COORDINATE);
    }
    if (!enter_frame(row, l, frame)) {
        return false;
    }
    if (l->last_frame1[body] == t->frame_count) {
        return table_complain(row, "body %zu (%s) twice in frame %zu", body, t->bodies[body].name, frame);
    }
    l->last_frame1[body] = t->frame_count;
    t->poses[frame * t->body_count + body] = pose;
    ++l->seen;
    return true;
}

/* --- the directory --- */

static char *path_in(const char *directory, const char *file) {
    size_t size = strlen(directory) + strlen(file) + 2;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s/%s", directory, file);
    }
    return path;
}

/* The last part of a path. */
static char *name_of(const char *directory) {
    size_t end = strlen(directory);
    while (end > 1 && directory[end - 1] == '/') {
        --end;
    }
    size_t begin = end;
    while (begin > 0 && directory[begin - 1] != '/') {
        --begin;
    }
    char *name = calloc(end - begin + 1, 1);
    if (name != NULL) {
        memcpy(name, directory + begin, end - begin);
    }
    return name;
}

static bool load_bodies(loader *l, const char *path, table_row *row) {
    if (!table_read(path, "body,name,half_x,half_y,half_z[,radius]", row, take_body, l)) {
        return false;
    }
    if (l->track->body_count == 0) {
        return table_complain(row, "no bodies");
    }
    l->last_frame1 = calloc(l->track->body_count, sizeof *l->last_frame1);
    return l->last_frame1 != NULL || table_complain(row, "out of memory");
}

static bool load_poses(loader *l, const char *path, table_row *row) {
    if (!table_read(path, "frame,body,px,py,pz,qx,qy,qz,qw", row, take_pose, l)) {
        return false;
    }
    if (l->track->frame_count == 0) {
        return table_complain(row, "no poses");
    }
    return frame_is_complete(row, l);
}

bool track_load(track *t, const char *directory) {
    *t = (track){.name = name_of(directory), .every = 1};
    loader l = {.track = t};
    table_row *row = malloc(sizeof *row);
    char *bodies = path_in(directory, "bodies.csv"), *poses = path_in(directory, "poses.csv");
    bool ok = t->name != NULL && row != NULL && bodies != NULL && poses != NULL;
    if (!ok) {
        fprintf(stderr, "%s: out of memory\n", directory);
    }
    ok = ok && load_bodies(&l, bodies, row) && load_poses(&l, poses, row);
    free(row);
    free(bodies);
    free(poses);
    free(l.last_frame1);
    if (!ok) {
        track_destroy(t);
    }
    return ok;
}

void track_thin(track *t, size_t every) {
    size_t kept = 0;
    for (size_t frame = 0; frame < t->frame_count; frame += every) {
        memmove(t->poses + kept * t->body_count, t->poses + frame * t->body_count, t->body_count * sizeof *t->poses);
        ++kept;
    }
    t->frame_count = kept;
    t->every *= every;
}

void track_destroy(track *t) {
    free(t->name);
    free(t->bodies);
    free(t->poses);
    *t = (track){0};
}
