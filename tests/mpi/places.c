/* The buffers are at another place in each visit, the same one on all processes, also when a suite
 * is resumed; with placing=one, always at the first. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "model/buffer_size.h"

enum { MEMORY = 64 * 1024, PLACES = 8, MOST = 64, VISITS = 5, BEFORE = 2 };

static const char file[] =
    "@VERSION 4.1\n@MEMORY 64\n@MINREPDEFAULT 20\n@MAXREPDEFAULT 40\n@MEASUREMENTS\n"
    "short { Type = 1; Start_Argument = 4096; End_Argument = 4096; }\n"
    "longest { Type = 55; Start_Argument = 16384; End_Argument = 16384; }\n"
    "fresh { Type = 1; Start_Argument = 4096; End_Argument = 4096; Parameters = \"data=fresh\"; }\n"
    "one { Type = 1; Start_Argument = 4096; End_Argument = 4096; Parameters = \"placing=one\"; }\n"
    "once { Type = 1; Start_Argument = 4096; End_Argument = 4096; Parameters = \"passes=1\"; }\n";

/* Where the buffers of a suite were, in turn, and how often they were used. */
struct places {
    long list[MOST], uses[MOST];
    int n;
};

static const struct op *real;
static struct places found;

static void note(const struct measurement *m)
{
    long place = (long)(m->attached - m->resources->buffers.block);
    if (found.n == 0 || found.list[found.n - 1] != place)
        found.list[found.n++ % MOST] = place;
    found.uses[found.n - 1]++;
}

static void server_op(struct measurement *m)
{
    note(m);
    real->hooks.server_op(m);
}

static void client_op(struct measurement *m)
{
    note(m);
    real->hooks.client_op(m);
}

/* Measures a number of turns, after those of past (NULL: none). Returns what the log would have of
 * them. */
static char *measure(struct suite_job *job, int turns, char *past, struct places *places)
{
    struct text log = { 0 };
    enum suite_goes next = SUITE_GOES_ON;
    job->past = past;
    found = (struct places){ .n = 0 };
    struct suite_work *w = suite_begin(job);
    for (int i = 0; i < turns && next == SUITE_GOES_ON; i++) {
        size_t before = suite_block(w)->count;
        if (suite_turn(w, &next, NO_ERR) != 0 || job->resources->rank != 0)
            continue;
        pass_add_text(&log, &suite_block(w)->rows[before], 1, -1.0);
        text_add(&log, "\n");
    }
    suite_end(w);
    *places = found;
    free(past);
    return text_take(&log);
}

/* Whole pages of the block, each another one. */
static bool are_apart(const struct places *p)
{
    long most = MEMORY + (PLACES - 1) * BUFFER_ALIGNMENT;
    bool apart = true;
    for (int i = 0; i < p->n; i++) {
        apart = apart && p->list[i] % BUFFER_ALIGNMENT == 0 && p->list[i] < most && p->uses[i] > 1;
        for (int j = 0; j < i; j++)
            apart = apart && p->list[i] != p->list[j];
    }
    return apart;
}

static bool are_alike(const struct places *p, const struct resources *res)
{
    struct places root = *p;
    MPI_Bcast(&root, sizeof(root), MPI_BYTE, 0, res->control);
    return root.n == p->n && memcmp(root.list, p->list, (size_t)p->n * sizeof(long)) == 0;
}

static bool moves(struct suite_job *job)
{
    struct places whole, resumed;
    free(measure(job, VISITS, NULL, &whole));
    char *past = measure(job, BEFORE, NULL, &resumed);
    free(measure(job, VISITS - BEFORE, past, &resumed));
    bool same = resumed.n == whole.n - BEFORE &&
                memcmp(resumed.list, &whole.list[BEFORE], (size_t)resumed.n * sizeof(long)) == 0;
    return whole.n == VISITS && are_apart(&whole) && same && are_alike(&whole, job->resources);
}

static bool stays(struct suite_job *job)
{
    struct places places;
    free(measure(job, VISITS, NULL, &places));
    return places.n == 1 && places.list[0] == 0;
}

static void test_all(struct resources *res, const struct params *p, const struct registry *types)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        struct suite_job job = { .resources = res, .params = p, .suite = s };
        real = registry_op(types, s->type);
        struct op op = *real;
        op.hooks.server_op = server_op;
        op.hooks.client_op = real->hooks.client_op == NULL ? NULL : client_op;
        job.op = &op;
        tap(res, s->name[0] == 'o' ? stays(&job) : moves(&job), "%s", s->name);
    }
}

TEST_PARAMETER_FILE(file, test_all)
