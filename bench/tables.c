/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "machine.h"
#include "report.h"
#include <stdio.h>
#include <string.h>

/* A spread above this makes a median worthless. */
static const double SPREAD_MOST = 0.3;

static void print_frames(const bench_report *r) {
    printf("\nwhole frame, median milliseconds; ns: nanoseconds a candidate\n\n");
    printf("%-10s %7s %7s %10s %8s", "scene", "boxes", "movers", "candidates", "contacts");
    for (int phase = 0; phase < PHASE_COUNT; ++phase) {
        printf(" %8s", frame_phase_names[phase]);
    }
    printf(" %6s\n", "ns");
    for (size_t i = 0; i < r->frame_count; ++i) {
        const frame_result *f = &r->frames[i];
        printf("%-10s %7zu %7zu %10zu %8zu", scene_name(r->cases[i].kind), r->cases[i].boxes, f->movers, f->candidates,
               f->contacts);
        for (int phase = 0; phase < PHASE_COUNT; ++phase) {
            printf(" %8.3f", 1e3 * f->seconds[phase]);
        }
        printf(" %6.0f\n", f->candidates == 0 ? 0.0 : 1e9 * f->seconds[PHASE_FRAME] / (double)f->candidates);
    }
}

static void print_calls(const bench_report *r) {
    printf("\nsingle calls, median nanoseconds a pair, box or body\n\n");
    for (size_t i = 0; i < r->call_count; ++i) {
        const call_result *c = &r->calls[i];
        printf("%-22s %-14s %9.1f", c->call, c->input, c->nanoseconds);
        if (c->ratio_to != NULL) {
            printf("   %5.2f x %s", c->ratio, c->ratio_to);
        }
        printf("\n");
    }
}

/* Marks a figure whose runs differ so much that the next run may well give another one. */
static char doubt(const contest_row *row) {
    return row->spread > SPREAD_MOST ? '?' : ' ';
}

static void print_row(const contest_result *c, const contest_row *row) {
    printf("  %-36s %10.1f%c", row->name, row->nanoseconds, doubt(row));
    if (row->silent) {
        printf(" %7s %7s", "", "");
    } else {
        printf(" %7zu %7zu", row->yes, row->differ);
    }
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf(" %8.2f", row->ratio[k]);
    }
    printf("\n");
}

static void print_contest(const contest_result *c) {
    printf("\n%s: %s (%zu); ns a %s, median", c->group, c->input, c->units, c->unit);
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf("; x%zu: times %s", k + 1, c->rows[c->references[k]].name);
    }
    printf("\n  %-36s %10s  %7s %7s", "", "ns", "yes", "differ");
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf(" %7s%zu", "x", k + 1);
    }
    printf("\n");
    for (size_t i = 0; i < c->row_count; ++i) {
        print_row(c, &c->rows[i]);
    }
}

static void print_frame_row(const contest_result *c, const contest_row *row) {
    printf("  %-40s %10.4f%c %9.4f %5.0f %%", row->name, 1e-6 * row->nanoseconds, doubt(row), 1e-6 * row->best,
           100.0 * row->spread);
    if (row->counts) {
        printf(" %9zu", row->found);
    } else {
        printf(" %9s", "");
    }
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf(" %8.2f", row->ratio[k]);
    }
    printf("\n");
}

static void print_frame_contest(const contest_result *c) {
    printf("\n%s: %s; ms a frame", c->group, c->input);
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf("; x%zu: times %s", k + 1, c->rows[c->references[k]].name);
    }
    printf("\n  %-40s %10s %10s %7s %9s", "", "median", "best", "spread", c->counted);
    for (size_t k = 0; k < c->reference_count; ++k) {
        printf(" %7s%zu", "x", k + 1);
    }
    printf("\n");
    for (size_t i = 0; i < c->row_count; ++i) {
        print_frame_row(c, &c->rows[i]);
    }
}

/* --- contests that are rows of one table --- */

enum { COLUMNS_MAX = 12 };

/* The names of all methods of some contests, in the order in which they come. */
static size_t columns_of(const contest_result *c, size_t count, const char *names[COLUMNS_MAX]) {
    size_t columns = 0;
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < c[i].row_count; ++k) {
            size_t at = 0;
            while (at < columns && strcmp(names[at], c[i].rows[k].name) != 0) {
                ++at;
            }
            if (at == columns && columns < COLUMNS_MAX) {
                names[columns++] = c[i].rows[k].name;
            }
        }
    }
    return columns;
}

static const contest_row *row_named(const contest_result *c, const char *name) {
    for (size_t k = 0; k < c->row_count; ++k) {
        if (strcmp(c->rows[k].name, name) == 0) {
            return &c->rows[k];
        }
    }
    return NULL;
}

static void print_cells(const contest_result *c, const char *const *names, size_t columns) {
    bool frame = strcmp(c->unit, "frame") == 0; /* in milliseconds */
    printf("  %-34s", c->row);
    for (size_t k = 0; k < columns; ++k) {
        const contest_row *row = row_named(c, names[k]);
        if (row == NULL) {
            printf(" %18s", "-");
        } else {
            printf(" %10.*f%c %5.1fx", frame ? 2 : 0, (frame ? 1e-6 : 1.0) * row->nanoseconds, doubt(row),
                   row->ratio[0]);
        }
    }
    printf("\n");
}

/* For how many questions something was found, whose answers differ, and how the times grow. */
static void print_notes(const contest_result *c) {
    printf("  %s: %zu find something", c->row, c->rows[0].yes);
    for (size_t k = 1; k < c->row_count; ++k) {
        if (c->rows[k].differ > 0) {
            printf("; %s: %zu differ", c->rows[k].name, c->rows[k].differ);
        }
    }
    for (size_t k = 0; k < c->row_count; ++k) {
        if (c->rows[k].exponent > 0.0) {
            printf("%s %s %.2f", k == 0 ? "; exponents of growth:" : ",", c->rows[k].name, c->rows[k].exponent);
        }
    }
    printf("\n");
}

static void print_joint_table(const contest_result *c, size_t count) {
    const char *names[COLUMNS_MAX];
    size_t columns = columns_of(c, count, names);
    printf("\n%s: %s; median ns a question; x: times the first\n  %-34s", c->group, c->input, "");
    for (size_t k = 0; k < columns; ++k) {
        printf(" %18s", names[k]);
    }
    printf("\n");
    for (size_t i = 0; i < count; ++i) {
        print_cells(&c[i], names, columns);
    }
    for (size_t i = 0; i < count; ++i) {
        print_notes(&c[i]);
    }
}

/* How many contests, from this one on, are one table. */
static size_t joint_count(const contest_result *c, size_t count) {
    size_t n = 1;
    while (n < count && c[0].row != NULL && c[n].row != NULL && strcmp(c[n].input, c[0].input) == 0) {
        ++n;
    }
    return n;
}

static void print_memory(const bench_report *r) {
    printf("\nmemory that a world reserves, bytes\n\n");
    printf("%-26s %7s %10s %8s %11s %11s %8s %13s\n", "scene", "bodies", "candidates", "contacts", "reserved", "peak",
           "a body", "a contact");
    for (size_t i = 0; i < r->memory_count; ++i) {
        const memory_result *m = &r->memory[i];
        printf("%-26s %7zu %10zu %8zu %11zu %11zu %8.0f", m->what, m->bodies, m->candidates, m->contacts, m->reserved,
               m->peak, m->per_body);
        if (m->contacts > 0) {
            printf(" %13.0f", m->per_contact);
        }
        printf("\n");
    }
}

static size_t count_doubts(const contest_list *contests, size_t *rows) {
    size_t doubts = 0;
    for (size_t i = 0; i < contests->count; ++i) {
        *rows += contests->results[i].row_count;
        for (size_t k = 0; k < contests->results[i].row_count; ++k) {
            doubts += contests->results[i].rows[k].spread > SPREAD_MOST;
        }
    }
    return doubts;
}

static void print_doubts(const bench_report *r) {
    size_t rows = 0, doubts = count_doubts(&r->contests, &rows);
    if (doubts > 0) {
        printf("\n%zu of %zu medians have a spread above %.0f %% and are marked with ?: do not rely on them. %s\n",
               doubts, rows, 100.0 * SPREAD_MOST,
               r->quick ? "Leave out --quick for longer runs." : "Measure again while the machine does nothing else.");
    }
}

void report_print_tables(const bench_report *r) {
    printf("abut %s, %s kernels, commit %s\n%s, %s\n", abut_version(), abut_isa_name(abut_isa_active()), r->commit,
           machine_processor(), machine_compiler());
    printf("x1, x2: how many times as long as the method that the heading names; spread: between the quartiles\n");
    if (r->quick) {
        printf("--quick: small inputs, few runs. It shows that all works; the figures are not worth quoting.\n");
    }
    for (size_t i = 0, n; i < r->contests.count; i += n) {
        const contest_result *c = &r->contests.results[i];
        n = joint_count(c, r->contests.count - i);
        if (c->row != NULL) {
            print_joint_table(c, n);
        } else {
            (c->frames ? print_frame_contest : print_contest)(c);
        }
    }
    if (r->frame_count > 0) {
        print_frames(r);
    }
    if (r->memory_count > 0) {
        print_memory(r);
    }
    if (r->call_count > 0) {
        print_calls(r);
    }
    print_doubts(r);
}
