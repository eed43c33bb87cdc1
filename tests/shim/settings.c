#include "settings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1000 };

static const struct {
    const char *name;
    bool message;
} calls[SHIM_CALLS] = {
    [SHIM_ALLREDUCE] = { "MPI_Allreduce", true }, [SHIM_ALLTOALL] = { "MPI_Alltoall", true },
    [SHIM_BARRIER] = { "MPI_Barrier", false },    [SHIM_BCAST] = { "MPI_Bcast", true },
    [SHIM_COMM_DUP] = { "MPI_Comm_dup", false },  [SHIM_COMM_SPLIT] = { "MPI_Comm_split", false },
    [SHIM_REDUCE] = { "MPI_Reduce", true },       [SHIM_SEND] = { "MPI_Send", true },
};

static bool read_seconds(const char *text, double *to)
{
    char *end;
    if (text == NULL)
        return false;
    *to = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*to) && *to >= 0.0;
}

static bool read_whole(const char *text, long least, long *to)
{
    char *end;
    *to = strtol(text, &end, 10);
    return end != text && *end == '\0' && *to >= least;
}

/* Readers of a number, and of a word without a value. */
#define NUMBER(name, member, also)                                                                 \
    static bool name(char *value, struct shim_settings *s)                                         \
    {                                                                                              \
        return read_seconds(value, &s->member) && (also);                                          \
    }
#define FLAG(name, member)                                                                         \
    static bool name(char *value, struct shim_settings *s)                                         \
    {                                                                                              \
        s->member = true;                                                                          \
        return value == NULL;                                                                      \
    }

NUMBER(read_offset, offset_s, true)
NUMBER(read_drift, drift_ppm, s->drift_ppm < 1e6)
NUMBER(read_tick, tick_s, true)
NUMBER(read_lie, tick_s, s->lies = true)
NUMBER(read_jitter, jitter_s, true)
FLAG(read_monotonic, monotonic)
FLAG(read_hasty, hasty)

/* Cuts "VALUE@SECONDS" in two. The value may be negative. */
static bool read_pair(char *text, double *value, double *seconds)
{
    char *end, *at = text == NULL ? NULL : strchr(text, '@');
    if (at == NULL)
        return false;
    *at++ = '\0';
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && read_seconds(at, seconds);
}

static struct shim_change *next_change(struct shim_settings *s)
{
    return s->n_changes < MAX_SHIM_CHANGES ? &s->changes[s->n_changes++] : NULL;
}

static bool read_set(char *value, struct shim_settings *s)
{
    struct shim_change *c = next_change(s);
    return c != NULL && read_pair(value, &c->offset_s, &c->from_s);
}

static bool read_turn(char *value, struct shim_settings *s)
{
    struct shim_change *c = next_change(s);
    return c != NULL && read_pair(value, &c->drift_ppm, &c->from_s);
}

static bool read_sine(char *value, struct shim_settings *s)
{
    return read_pair(value, &s->sine_ppm, &s->sine_s) && s->sine_s > 0.0;
}

static bool read_call(const char *name, enum shim_call *to)
{
    for (int i = 0; i < SHIM_CALLS; i++)
        if (strcmp(name, calls[i].name) == 0) {
            *to = (enum shim_call)i;
            return true;
        }
    return false;
}

static bool read_rank(const char *text, long *to)
{
    *to = SHIM_EVERY_RANK;
    return strcmp(text, "*") == 0 || read_whole(text, 0, to);
}

/* Cuts "RANK:A:B" in three; no more may follow. */
static bool read_three(char *value, long *rank, const char **a, const char **b)
{
    char *rest;
    const char *first = value == NULL ? NULL : strtok_r(value, ":", &rest);
    if (first == NULL || !read_rank(first, rank))
        return false;
    *a = strtok_r(NULL, ":", &rest);
    *b = strtok_r(NULL, ":", &rest);
    return *b != NULL && strtok_r(NULL, ":", &rest) == NULL;
}

static bool read_within(char *value, struct shim_settings *s)
{
    const char *ahead, *least;
    char *end;
    if (!read_three(value, &s->within.rank, &ahead, &least))
        return false;
    s->within.ahead_s = strtod(ahead, &end);
    return *end == '\0' && isfinite(s->within.ahead_s) && read_seconds(least, &s->within.least_s);
}

static bool read_step(char *value, struct shim_settings *s)
{
    const char *back, *readings;
    return read_three(value, &s->step.rank, &back, &readings) &&
           read_seconds(back, &s->step.back_s) && read_whole(readings, 1, &s->step.readings);
}

static bool read_pause(char *value, struct shim_settings *s)
{
    const char *hold, *every;
    return read_three(value, &s->pause.rank, &hold, &every) &&
           read_seconds(hold, &s->pause.hold_s) && read_seconds(every, &s->pause.every_s);
}

static bool read_detour(char *value, struct shim_settings *s)
{
    s->pause.regular = true;
    return read_pause(value, s);
}

/* Cuts the value into its fields; a missing one is NULL. */
static bool read_delay(char *value, struct shim_settings *s)
{
    if (value == NULL || s->n_delays == MAX_SHIM_DELAYS)
        return false;
    struct shim_delay *d = &s->delays[s->n_delays++];
    *d = (struct shim_delay){ .bytes = SHIM_ANY_SIZE, .nth = SHIM_EVERY_CALL };
    char *rest, *nth = strchr(value, '@');
    if (nth != NULL)
        *nth++ = '\0';
    const char *rank = strtok_r(value, ":", &rest), *call = strtok_r(NULL, ":", &rest);
    const char *hold = strtok_r(NULL, ":", &rest), *bytes = strtok_r(NULL, ":", &rest);
    if (hold == NULL || strtok_r(NULL, ":", &rest) != NULL)
        return false;
    return read_rank(rank, &d->rank) && read_call(call, &d->call) &&
           read_seconds(hold, &d->hold_s) &&
           (bytes == NULL || (calls[d->call].message && read_whole(bytes, 0, &d->bytes))) &&
           (nth == NULL || read_whole(nth, 1, &d->nth));
}

static const struct {
    const char *name, *form;
    bool (*read)(char *value, struct shim_settings *s); /* value: after '=', or NULL */
} rows[] = {
    { "offset", "offset=S", read_offset },
    { "drift", "drift=PPM", read_drift },
    { "set", "set=S@T", read_set },
    { "turn", "turn=PPM@T", read_turn },
    { "sine", "sine=PPM@S", read_sine },
    { "tick", "tick=S", read_tick },
    { "jitter", "jitter=S", read_jitter },
    { "lie", "lie=S", read_lie },
    { "within", "within=RANK:SECONDS:LEAST", read_within },
    { "monotonic", "monotonic", read_monotonic },
    { "step", "step=RANK:SECONDS:READINGS", read_step },
    { "pause", "pause=RANK:SECONDS:EVERY", read_pause },
    { "detour", "detour=RANK:SECONDS:EVERY", read_detour },
    { "hasty", "hasty", read_hasty },
    { "delay", "delay=RANK:CALL:SECONDS[:BYTES][@NTH]", read_delay },
};
static const size_t n_rows = sizeof(rows) / sizeof(*rows);

static bool read_word(char *word, struct shim_settings *s)
{
    char *value = strchr(word, '=');
    if (value != NULL)
        *value++ = '\0';
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(word, rows[i].name) == 0)
            return rows[i].read(value, s);
    return false;
}

/* In a single write: every rank prints it at the same time. */
static int refuse(const char *word)
{
    char line[2 * MAX_TEXT];
    setvbuf(stderr, line, _IOFBF, sizeof(line));
    fprintf(stderr, "shim: cannot read '%s' in SKAMPI_SHIM; expected", word);
    for (size_t i = 0; i < n_rows; i++)
        fprintf(stderr, " %s", rows[i].form);
    fprintf(stderr, ", at most %d changes (set, turn) and %d delays; calls:", MAX_SHIM_CHANGES,
            MAX_SHIM_DELAYS);
    for (int i = 0; i < SHIM_CALLS; i++)
        fprintf(stderr, " %s%s", calls[i].name, calls[i].message ? "" : " (no BYTES)");
    fprintf(stderr, "\n");
    fflush(stderr);
    setvbuf(stderr, NULL, _IONBF, 0);
    return -1;
}

/* No malloc: in the simulator no process exists yet that could own the memory. */
int shim_settings_read(const char *text, struct shim_settings *s)
{
    char copy[MAX_TEXT], shown[MAX_TEXT], *rest;
    if (strlen(text) >= sizeof(copy))
        return refuse(text);
    strcpy(copy, text);
    for (char *w = strtok_r(copy, ",", &rest); w != NULL; w = strtok_r(NULL, ",", &rest)) {
        strcpy(shown, w);
        if (!read_word(w, s))
            return refuse(shown);
    }
    return 0;
}
