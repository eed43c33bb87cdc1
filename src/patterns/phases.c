#include "patterns/phases.h"

enum { TAG = 3 };

/* Clock readings in a repetition, besides the first and the last one. */
enum { BY_SERVER = 4, BY_CLIENT = 3, BY_TWO_STEPS = 8 };

#define EXTRA_CASE [PHASE_CASE] = { "case", NULL, "number of the row in the test's table of sizes" }
#define EXTRA_OWN                                                                                  \
    [PHASE_PACK] = { "pack", "microsec.", "packing on rank 0" }, [PHASE_UNPACK] = {                \
        "unpack", "microsec.", "unpacking on rank 0"                                               \
    }

const struct extra_info phases_extra[MAX_EXTRA + 1] = {
    EXTRA_CASE,
    EXTRA_OWN,
    [PHASE_COMMUNICATION] = { "communication", "microsec.",
                              "from sending to having received on rank 0, with the partner's "
                              "packing" },
    [PHASE_PARTNER_PACK] = { "partner_pack", "microsec.", "packing on the partner" },
    [PHASE_PARTNER_UNPACK] = { "partner_unpack", "microsec.", "unpacking on the partner" },
    [PHASE_NET] = { "net", "microsec.",
                    "communication without what the partner packs and unpacks" },
};

const struct extra_info phases_extra_of_all[MAX_EXTRA + 1] = {
    EXTRA_CASE,
    EXTRA_OWN,
    [PHASE_COMMUNICATION] = { "communication", "microsec.",
                              "the time without packing and unpacking on rank 0" },
};

struct phase_times {
    double pack_s, communication_s, unpack_s;
};

struct phases {
    struct values times[PHASE_COUNT]; /* except PHASE_CASE */
    struct phase_times latest, held[MAX_BATCH];
};

static void note(struct measurement *m, double pack_s, double communication_s, double unpack_s)
{
    struct phases *p = m->recorded;
    if (p != NULL)
        p->latest = (struct phase_times){ pack_s, communication_s, unpack_s };
}

void phases_server(struct measurement *m)
{
    const struct phase_hooks *h = m->form;
    double (*now)(void) = m->resources->clock.now;
    if (h->pack == NULL) {
        h->send(m);
        h->receive(m);
        return;
    }
    double start = now();
    h->pack(m);
    double packed = now();
    h->send(m);
    h->receive(m);
    double received = now();
    h->unpack(m);
    double unpacked = now(), cost_s = m->resources->clock.cost_s;
    note(m, packed - start - cost_s, received - packed - BY_CLIENT * cost_s,
         unpacked - received - cost_s);
}

void phases_client(struct measurement *m)
{
    const struct phase_hooks *h = m->form;
    double (*now)(void) = m->resources->clock.now;
    h->receive(m);
    if (h->pack != NULL) {
        double received = now();
        h->unpack(m);
        double unpacked = now();
        h->pack(m);
        double packed = now(), cost_s = m->resources->clock.cost_s;
        note(m, packed - unpacked - cost_s, 0.0, unpacked - received - cost_s);
    }
    h->send(m);
}

void phases_two_steps(struct measurement *m)
{
    const struct phase_hooks *h = m->form;
    double (*now)(void) = m->resources->clock.now;
    double cost_s = m->resources->clock.cost_s, pack_s = 0.0, unpack_s = 0.0;
    for (int step = 0; step < 2; step++) {
        if (h->pack == NULL) {
            h->send(m);
            continue;
        }
        double start = now();
        h->pack(m);
        double packed = now();
        h->send(m);
        double received = now();
        h->unpack(m);
        unpack_s += now() - received - cost_s;
        pack_s += packed - start - cost_s;
    }
    note(m, pack_s, 0.0, unpack_s);
}

static double readings_s(const struct measurement *m, const void *of)
{
    const struct phase_hooks *h = m->form;
    int readings = h->receive != NULL ? BY_SERVER + BY_CLIENT : BY_TWO_STEPS;
    return h->pack != NULL ? readings * m->resources->clock.cost_s : 0.0;
}

static void hold(int i, void *of)
{
    struct phases *p = of;
    p->held[i] = p->latest;
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct phases *p = of;
    const struct phase_hooks *h = m->form;
    for (int i = 0; i < b->n; i++) {
        struct phase_times t = p->held[i];
        double total_s = b->us[i] * 1e-6;
        if (!repetitions_valid(b, i))
            continue;
        if (h->pack == NULL)
            t = (struct phase_times){ 0.0, total_s, 0.0 };
        else if (h->receive == NULL)
            t.communication_s = total_s - t.pack_s - t.unpack_s;
        values_add(&p->times[PHASE_PACK], t.pack_s * 1e6);
        values_add(&p->times[PHASE_COMMUNICATION], t.communication_s * 1e6);
        values_add(&p->times[PHASE_UNPACK], t.unpack_s * 1e6);
    }
}

static void receive_times(const struct measurement *m, struct values *times)
{
    MPI_Status status;
    MPI_Recv(times->list, times->most, MPI_DOUBLE, m->at.partner, TAG, m->control, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &times->n);
}

/* Concludes with the times of the partner, which rank 0 gets. */
static void conclude_phases(struct measurement *m, double overhead_us, void *of)
{
    struct phases *p = of;
    struct values *times = p->times;
    bool pair = ((const struct phase_hooks *)m->form)->receive != NULL;
    if (m->all.rank != 0 && pair) {
        MPI_Send(times[PHASE_PACK].list, times[PHASE_PACK].n, MPI_DOUBLE, 0, TAG, m->control);
        MPI_Send(times[PHASE_UNPACK].list, times[PHASE_UNPACK].n, MPI_DOUBLE, 0, TAG, m->control);
    }
    if (m->all.rank != 0)
        return;
    if (pair) {
        receive_times(m, &times[PHASE_PARTNER_PACK]);
        receive_times(m, &times[PHASE_PARTNER_UNPACK]);
        struct values *net = &times[PHASE_NET];
        for (net->n = 0; net->n < times[PHASE_COMMUNICATION].n; net->n++)
            net->list[net->n] = times[PHASE_COMMUNICATION].list[net->n] -
                                times[PHASE_PARTNER_PACK].list[net->n] -
                                times[PHASE_PARTNER_UNPACK].list[net->n];
    }
    for (int i = PHASE_PACK; i < (pair ? PHASE_COUNT : PHASE_PARTNER_PACK); i++) {
        bool communicates = i == PHASE_COMMUNICATION || i == PHASE_NET;
        m->extra[i] = recorded_mean(m, &times[i]);
        m->extra[i].value -= communicates ? overhead_us : 0.0;
    }
}

const struct recorder phases_recorder = {
    .bytes = sizeof(struct phases),
    .values = PHASE_COUNT,
    .hold = hold,
    .batch = batch,
    .conclude = conclude_phases,
    .readings_s = readings_s,
};
