#include "patterns/phases.h"

enum { TAG = 3 };

/* Clock readings in a repetition, besides the first and the last one. */
enum { BY_SERVER = 4, BY_CLIENT = 3 };

const struct extra_info phases_extra[] = {
    [PHASE_CASE] = { "case", NULL, "number of the row in the test's table of sizes" },
    [PHASE_PACK] = { "pack", "microsec.", "packing on rank 0" },
    [PHASE_COMMUNICATION] = { "communication", "microsec.",
                              "from sending to having received on rank 0; includes what the "
                              "partner packs and unpacks" },
    [PHASE_UNPACK] = { "unpack", "microsec.", "unpacking on rank 0" },
    [PHASE_PARTNER_PACK] = { "partner_pack", "microsec.", "packing on the partner" },
    [PHASE_PARTNER_UNPACK] = { "partner_unpack", "microsec.", "unpacking on the partner" },
    [PHASE_NET] = { "net", "microsec.",
                    "communication without what the partner packs and unpacks" },
    { NULL, NULL, NULL },
};

static void note(struct run *r, double pack_s, double communication_s, double unpack_s)
{
    if (r->phases == NULL)
        return;
    r->phases->pack_s = pack_s;
    r->phases->communication_s = communication_s;
    r->phases->unpack_s = unpack_s;
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

double phases_readings_s(const struct run *r)
{
    bool reads = r->phases != NULL && r->phase_hooks->pack != NULL;
    return reads ? (BY_SERVER + BY_CLIENT) * r->machine->clock.cost_s : 0.0;
}

int phases_init(struct phases *p, struct run *r, const struct op *op, struct err *e)
{
    int most = r->suite->max_repetition;
    *p = (struct phases){ 0 };
    r->phases = NULL;
    if ((op->info.traits & TYPE_PHASES) == 0)
        return 0;
    r->phases = p;
    if (own_times_init(&p->pack, most, e) != 0 || own_times_init(&p->communication, most, e) != 0 ||
        own_times_init(&p->unpack, most, e) != 0 || own_times_init(&p->partner_pack, most, e) != 0)
        return -1;
    return own_times_init(&p->partner_unpack, most, e);
}

void phases_release(struct phases *p, struct run *r)
{
    own_times_release(&p->pack);
    own_times_release(&p->communication);
    own_times_release(&p->unpack);
    own_times_release(&p->partner_pack);
    own_times_release(&p->partner_unpack);
    r->phases = NULL;
}

void phases_keep(struct run *r, double total_s)
{
    struct phases *p = r->phases;
    if (p == NULL)
        return;
    if (r->phase_hooks->pack == NULL)
        note(r, 0.0, total_s, 0.0);
    own_times_add(&p->pack, p->pack_s);
    own_times_add(&p->communication, p->communication_s);
    own_times_add(&p->unpack, p->unpack_s);
}

void phases_clear(struct run *r)
{
    if (r->phases == NULL)
        return;
    own_times_clear(&r->phases->pack);
    own_times_clear(&r->phases->communication);
    own_times_clear(&r->phases->unpack);
}

static void receive_times(const struct run *r, struct own_times *times)
{
    MPI_Status status;
    MPI_Recv(times->us, times->most, MPI_DOUBLE, r->partner, TAG, r->control, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &times->n);
}

static struct extra_value value_of(const struct run *r, struct own_times *times, double minus_us)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error };
    struct stats s = stats_of(times->us, times->n, how);
    return (struct extra_value){ s.cleaned.mean_us - minus_us, s.cleaned.error_us };
}

/* The partner made the same repetitions. */
static void take_net(struct own_times *net, const struct phases *p)
{
    for (net->n = 0; net->n < p->communication.n; net->n++)
        net->us[net->n] =
            p->communication.us[net->n] - p->partner_pack.us[net->n] - p->partner_unpack.us[net->n];
}

void phases_conclude(struct run *r, double overhead_us)
{
    struct phases *p = r->phases;
    if (p == NULL)
        return;
    if (r->rank != 0) {
        MPI_Send(p->pack.us, p->pack.n, MPI_DOUBLE, 0, TAG, r->control);
        MPI_Send(p->unpack.us, p->unpack.n, MPI_DOUBLE, 0, TAG, r->control);
        return;
    }
    receive_times(r, &p->partner_pack);
    receive_times(r, &p->partner_unpack);
    r->extra[PHASE_PACK] = value_of(r, &p->pack, 0.0);
    r->extra[PHASE_UNPACK] = value_of(r, &p->unpack, 0.0);
    take_net(&p->pack, p); /* before the others are sorted */
    r->extra[PHASE_NET] = value_of(r, &p->pack, overhead_us);
    r->extra[PHASE_COMMUNICATION] = value_of(r, &p->communication, overhead_us);
    r->extra[PHASE_PARTNER_PACK] = value_of(r, &p->partner_pack, 0.0);
    r->extra[PHASE_PARTNER_UNPACK] = value_of(r, &p->partner_unpack, 0.0);
}
