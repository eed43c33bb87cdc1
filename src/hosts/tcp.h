/* TCP connections between two processes, without MPI: the medium below it. One side listens and
 * offers its addresses (IPv4), the other one connects to the first that it can reach. Both poll, as
 * MPI libraries do: a call that has to wait does not sleep. Strangers can connect, too, and say
 * nothing or something else. */
#pragma once

#include "model/suite.h"

enum { MAX_INTERFACES = 16, INTERFACE_NAME = 16 };

/* All that the other side needs to connect. */
struct tcp_addresses {
    struct {
        char name[INTERFACE_NAME]; /* "eth0" */
        unsigned char ip[4];
    } at[MAX_INTERFACES];
    int count, port;
    uint64_t secret; /* others that connect do not know it */
};

struct tcp {
    int count, fd[MAX_CONNECTIONS];
    int listens, listener[MAX_INTERFACES]; /* between offer and accept: one for each address */
    int broken;                            /* errno of the first call that failed; 0: none has */
    bool yields;                           /* to other processes, while it waits */
    double patience_s;
    /* For the caller, who keeps connections: with which rank, as asked for, as reached. */
    int other;
    char asked[ALGORITHM_NAME], interface[INTERFACE_NAME], address[16];
};

/* The addresses of the active interface of this name; NULL: of all but the loopback, or, with
 * same_host, of the loopback. */
int tcp_offer(struct tcp *s, const char *name, bool same_host, struct tcp_addresses *offer,
              struct err *e);

/* count connections, within 30 s in all. Returns the number of the address that was reached,
 * or -1. */
int tcp_connect(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e);

/* After the other side has connected. Waits for patience_s in all, however many strangers come. */
int tcp_accept(struct tcp *s, const struct tcp_addresses *offer, int count, struct err *e);

void tcp_close(struct tcp *s);

/* All of the bytes, through connection i. After a failure, which includes waiting for longer than
 * patience_s, they do nothing. */
void tcp_give(struct tcp *s, int i, const void *from, size_t bytes);
void tcp_take(struct tcp *s, int i, void *to, size_t bytes);
