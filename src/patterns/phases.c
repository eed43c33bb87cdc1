#include "patterns/phases.h"

#include <string.h>

enum { TAG = 3 };

/* Clock readings in a repetition, besides the first and the last one. */
enum { BY_SERVER = 4, BY_CLIENT = 3, BY_TWO_STEPS = 8 };

#define EXTRA_CASE [PHASE_CASE] = { "case", NULL, "number of the row in the test's table of sizes" }
#define EXTRA_OWN                                                                                  \
    [PHASE_PACK] = { "pack", "microsec.", "packing on rank 0" }, [PHASE_UNPACK] = {                \
        "unpack", "microsec.", "unpacking on rank 0"                                               \
    }

const struct extra_info phases_extra[] = {
    EXTRA_CASE,
    EXTRA_OWN,
    [PHASE_COMMUNICATION] = { "communication", "microsec.",
                              "from sending to having received on rank 0, with the partner's "
                              "packing" },
    [PHASE_PARTNER_PACK] = { "partner_pack", "microsec.", "packing on the partner" },
    [PHASE_PARTNER_UNPACK] = { "partner_unpack", "microsec.", "unpacking on the partner" },
    [PHASE_NET] = { "net", "microsec.",
                    "communication without what the partner packs and unpacks" },
    [PHASE_COUNT] = { NULL, NULL, NULL },
};

const struct extra_info phases_extra_of_all[] = {
    EXTRA_CASE,
    EXTRA_OWN,
    [PHASE_COMMUNICATION] = { "communication", "microsec.",
                              "the time without packing and unpacking on rank 0" },
    [PHASE_PARTNER_PACK] = { NULL, NULL, NULL },
};

static void note(struct run *r, double pack_s, double communication_s, double unpack_s)
{
    if (r->phases != NULL)
        r->phases->latest = (struct phase_times){ pack_s, communication_s, unpack_s };
}

void phases_server(struct run *r)
{
    const struct phase_hooks *h = r->phase_hooks;
    double (*now)(void) = r->machine->clock.now;
    if (h->pack == NULL) {
        h->send(r);
        h->receive(r);
        return;
    }
    double start = now();
    h->pack(r);
    double packed = now();
    h->send(r);
    h->receive(r);
    double received = now();
    h->unpack(r);
    double unpacked = now(), cost_s = r->machine->clock.cost_s;
    note(r, packed - start - cost_s, received - packed - BY_CLIENT * cost_s,
         unpacked - received - cost_s);
}

void phases_client(struct run *r)
{
    const struct phase_hooks *h = r->phase_hooks;
    double (*now)(void) = r->machine->clock.now;
    h->receive(r);
    if (h->pack != NULL) {
        double received = now();
        h->unpack(r);
        double unpacked = now();
        h->pack(r);
        double packed = now(), cost_s = r->machine->clock.cost_s;
        note(r, packed - unpacked - cost_s, 0.0, unpacked - received - cost_s);
    }
    h->send(r);
}

void phases_two_steps(struct run *r)
{
    const struct phase_hooks *h = r->phase_hooks;
    double (*now)(void) = r->machine->clock.now;
    double cost_s = r->machine->clock.cost_s, pack_s = 0.0, unpack_s = 0.0;
    for (int step = 0; step < 2; step++) {
        if (h->pack == NULL) {
            h->send(r);
            continue;
        }
        double start = now();
        h->pack(r);
        double packed = now();
        h->send(r);
        double received = now();
        h->unpack(r);
        unpack_s += now() - received - cost_s;
        pack_s += packed - start - cost_s;
    }
    note(r, pack_s, 0.0, unpack_s);
}

static bool has_partner(const struct run *r)
{
    return r->phase_hooks->receive != NULL;
}

double phases_readings_s(const struct run *r)
{
    bool reads = r->phases != NULL && r->phase_hooks->pack != NULL;
    int readings = reads && has_partner(r) ? BY_SERVER + BY_CLIENT : reads ? BY_TWO_STEPS : 0;
    return readings * r->machine->clock.cost_s;
}

int phases_init(struct phases *p, struct run *r, const struct op *op, struct err *e)
{
    memset(p, 0, sizeof(*p));
    r->phases = NULL;
    if ((op->info.traits & TYPE_PHASES) == 0)
        return 0;
    r->phases = p;
    for (int i = PHASE_PACK; i < PHASE_COUNT; i++)
        if (own_times_init(&p->times[i], r->suite->max_repetition, e) != 0)
            return -1;
    return 0;
}

void phases_release(struct phases *p, struct run *r)
{
    for (int i = PHASE_PACK; i < PHASE_COUNT; i++)
        own_times_release(&p->times[i]);
    r->phases = NULL;
}

static void keep(struct phases *p, const struct phase_times *t)
{
    own_times_add(&p->times[PHASE_PACK], t->pack_s);
    own_times_add(&p->times[PHASE_COMMUNICATION], t->communication_s);
    own_times_add(&p->times[PHASE_UNPACK], t->unpack_s);
}

void phases_keep(struct run *r, double total_s)
{
    struct phases *p = r->phases;
    if (p == NULL)
        return;
    if (r->phase_hooks->pack == NULL)
        note(r, 0.0, total_s, 0.0);
    else if (!has_partner(r))
        p->latest.communication_s = total_s - p->latest.pack_s - p->latest.unpack_s;
    keep(p, &p->latest);
}

void phases_hold(struct run *r, int i)
{
    if (r->phases != NULL)
        r->phases->held[i] = r->phases->latest;
}

void phases_take(struct run *r, const double *us, const double *late, int n)
{
    for (int i = 0; i < n && r->phases != NULL; i++) {
        r->phases->latest = r->phases->held[i];
        if (late[i] <= 0.0)
            phases_keep(r, us[i] * 1e-6);
    }
}

void phases_cut(struct run *r, int kept)
{
    for (int i = PHASE_PACK; i < PHASE_COUNT && r->phases != NULL; i++)
        own_times_cut(&r->phases->times[i], kept);
}

void phases_clear(struct run *r)
{
    phases_cut(r, 0);
}

static void receive_times(const struct run *r, struct own_times *times)
{
    MPI_Status status;
    MPI_Recv(times->us, times->most, MPI_DOUBLE, r->partner, TAG, r->control, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &times->n);
}

static void send_times(const struct run *r, const struct own_times *times)
{
    MPI_Send(times->us, times->n, MPI_DOUBLE, 0, TAG, r->control);
}

/* The partner made the same repetitions. */
static void take_net(struct own_times *times)
{
    struct own_times *net = &times[PHASE_NET];
    for (net->n = 0; net->n < times[PHASE_COMMUNICATION].n; net->n++)
        net->us[net->n] = times[PHASE_COMMUNICATION].us[net->n] -
                          times[PHASE_PARTNER_PACK].us[net->n] -
                          times[PHASE_PARTNER_UNPACK].us[net->n];
}

static struct extra_value value_of(const struct run *r, struct own_times *times, double minus_us)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error, 0.0 };
    struct stats s = stats_of(times->us, times->n, how);
    return (struct extra_value){ s.cleaned.mean_us - minus_us, s.cleaned.error_us };
}

void phases_conclude(struct run *r, double overhead_us)
{
    struct own_times *times = r->phases == NULL ? NULL : r->phases->times;
    if (times == NULL || (r->rank != 0 && !has_partner(r)))
        return;
    if (r->rank != 0) {
        send_times(r, &times[PHASE_PACK]);
        send_times(r, &times[PHASE_UNPACK]);
        return;
    }
    if (has_partner(r)) {
        receive_times(r, &times[PHASE_PARTNER_PACK]);
        receive_times(r, &times[PHASE_PARTNER_UNPACK]);
        take_net(times);
    }
    for (int i = PHASE_PACK; i < (has_partner(r) ? PHASE_COUNT : PHASE_PARTNER_PACK); i++) {
        bool communicates = i == PHASE_COMMUNICATION || i == PHASE_NET;
        r->extra[i] = value_of(r, &times[i], communicates ? overhead_us : 0.0);
    }
}
