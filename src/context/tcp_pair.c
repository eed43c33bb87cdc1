#include "context/tcp_pair.h"

static void swap(const struct tcp_pair *p, const void *own, void *theirs, size_t bytes)
{
    control_swap(p->clock, own, theirs, (int)bytes, p->other, p->comm);
}

static int agree(const struct tcp_pair *p, int rc, struct err *e)
{
    struct err theirs;
    swap(p, e, &theirs, sizeof(theirs));
    return err_is_set(&theirs) ? err_set(e, "%s", theirs.text) : rc;
}

/* The one that listens learns which of its addresses was reached. */
static int reach(struct tcp *t, const struct tcp_pair *p, struct tcp_addresses *all, struct err *e)
{
    struct tcp_addresses theirs;
    int at = 0, at_theirs;
    swap(p, all, &theirs, sizeof(theirs));
    if (!p->listens) {
        *all = theirs;
        at = tcp_connect(t, all, p->connections, e);
    }
    if (agree(p, at < 0 ? -1 : 0, e) != 0)
        return -1;
    swap(p, &at, &at_theirs, sizeof(at));
    return p->listens ? at_theirs : at;
}

int tcp_join(struct tcp *t, const struct tcp_pair *p, struct err *e)
{
    struct tcp_addresses all = { .count = 0 };
    char own[MPI_MAX_PROCESSOR_NAME] = "", theirs[MPI_MAX_PROCESSOR_NAME];
    int len;
    MPI_Get_processor_name(own, &len);
    swap(p, own, theirs, sizeof(own));
    bool same_host = strcmp(own, theirs) == 0;
    int rc = p->listens ? tcp_offer(t, p->interface, same_host, &all, e) : 0;
    int at = agree(p, rc, e) == 0 ? reach(t, p, &all, e) : -1;
    if (at < 0)
        return -1;
    const unsigned char *ip = all.at[at].ip;
    snprintf(t->interface, sizeof(t->interface), "%s", all.at[at].name);
    snprintf(t->address, sizeof(t->address), "%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3]);
    t->other = p->other;
    t->yields = p->clock->yield;
    return agree(p, p->listens ? tcp_accept(t, &all, p->connections, e) : 0, e);
}
