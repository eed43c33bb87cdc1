/* The data of a suite's arguments, outside of all measurements. */
#include "patterns/op.h"
#include "patterns/suite_work.h"

static struct order next_order(struct suite_work *w, struct verification *v, bool failed)
{
    struct resources *res = w->job.resources;
    struct order order = { .what = ORDER_END, .visit = 1 }; /* not at the first place */
    if (res->rank == 0) {
        if (!failed && verification_next(v, res->clock.now(), &order.at.argument))
            order.what = ORDER_VERIFY;
        order.at.partner = suite_partner(w, order.at.argument);
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
