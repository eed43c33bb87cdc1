/* TCP connections between two processes of a communicator, which make them together. */
#pragma once

#include "context/control.h"
#include "hosts/tcp.h"

struct tcp_pair {
    const struct clock *clock;
    MPI_Comm comm;         /* for control messages */
    int other;             /* rank of the other process */
    bool listens;          /* one of them does, the other one connects */
    const char *interface; /* of the one that listens; NULL: any */
    int connections;
};

/* Called by both; 0, or -1 and the same error, on both. */
int tcp_join(struct tcp *t, const struct tcp_pair *p, struct err *e);
