/* A baseline, "@BASELINE 2" (report/schema.txt): rows with a value of each of some runs, and what
 * is usual by them; its limits are rows of limits.def. SKaMPI::Verdict::Baseline reads and writes
 * the file, too, and SKaMPI::Verdict::Usual says the same of the values. No MPI. */
#pragma once

#include "base/text.h"

/* Parts of the text. */
struct baseline_row {
    const char *suite, *argument, *kind, *values;
};

/* The text of a fact that all runs have, or of how a suite was asked for; the other one is NULL. */
struct baseline_line {
    const char *suite, *fact, *text;
};

struct baseline_run {
    double start_s;    /* since 1970; 0: unknown */
    const char *hosts; /* with commas between them; "-": unknown */
    int group;         /* the first run on the same hosts */
};

struct baseline {
    char *text; /* owned; like the lists, of which each has count and capacity */
    const char *value;
    struct baseline_row *rows;
    struct baseline_line *lines;
    struct baseline_run *runs;
    size_t row_count, row_room, line_count, line_room, run_count, run_room;
};

/* Reads the file, or takes text, which becomes part of b. path is for messages. Release in any
 * case. */
int baseline_read(struct baseline *b, const char *path, struct err *e);
int baseline_take(struct baseline *b, const char *path, char *text, struct err *e);
void baseline_release(struct baseline *b);

/* Adds "14 runs, 9 hosts, 60 days", the age of the oldest at now_s, if that is known. */
void baseline_add_size(const struct baseline *b, double now_s, struct text *out);

/* The usual range: the middle part of the values, and their median. */
struct usual {
    int runs;
    double low, middle, high;
    /* For the logarithm of another run's value, on any host, by Student's t; deviation is NaN with
     * too few runs or hosts. Runs on the same hosts are not independent: their means are. */
    double mean, deviation;
    int freedom;
};

/* False without such values. */
bool baseline_usual(const struct baseline *b, const char *suite, const char *argument,
                    const char *kind, struct usual *u);

/* The probability for one of that many values, so that any has it as the limit says. */
double usual_level(size_t values);

/* How many times the usual a value is, if less than that part of other runs have one as far away,
 * and the difference matters; else 0. */
double usual_times(const struct usual *u, double value, double level);
