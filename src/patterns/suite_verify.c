/* The data of a suite's arguments, outside of all measurements. */
#include "patterns/op.h"
#include "patterns/suite_work.h"

/* The bytes that every message has besides its own, for estimates: an argument takes at most as
 * long for each byte as those before it. */
enum { BYTES_BESIDES = 4096 };

/* Rank 0: the next argument for which there is time. The first one is verified in any case. */
static bool next_argument(struct verification *v, const struct clock *c, long *argument)
{
    double now_s = c->now();
    if (v->done > 0)
        v->byte_s = fmax(v->byte_s, (now_s - v->began_s) /
                                        (double)(v->arguments[v->done - 1] + BYTES_BESIDES));
    for (v->began_s = now_s; v->tried < v->count; v->tried++) {
        *argument = v->arguments[v->tried];
        double needed_s = v->byte_s * (double)(*argument + BYTES_BESIDES);
        if (v->done > 0 && now_s + needed_s > v->until_s)
            continue;
        v->arguments[v->tried++] = v->arguments[v->done];
        v->arguments[v->done++] = *argument;
        return true;
    }
    return false;
}

static struct order next_order(struct suite_work *w, struct verification *v, bool failed)
{
    struct resources *res = w->job.resources;
    struct order order = { .what = ORDER_END, .visit = 1 }; /* not at the first place */
    if (res->rank == 0) {
        if (!failed && next_argument(v, &res->clock, &order.argument))
            order.what = ORDER_VERIFY;
        order.partner = suite_partner(w, order.argument);
    }
    idle_bcast(&res->clock, &order, sizeof(order), res->control);
    return order;
}

int suite_verify(const struct suite_job *job, struct verification *v, struct err *e)
{
    struct suite_work *w = suite_begin(job, e);
    int rc = 0;
    if (w == NULL)
        return -1;
    measurement_init(&w->run, job->resources, job->params, job->suite);
    w->run.calls = suite_calls(job->suite);
    for (struct order order; (order = next_order(w, v, rc != 0)).what == ORDER_VERIFY;)
        rc = suite_obey(w, &order, e);
    measurement_release(&w->run);
    suite_end(w);
    return rc;
}
