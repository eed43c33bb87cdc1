/* The network links of this host, and which one sends: as the kernel says below a directory,
 * usually /sys, so that tests can have one of their own. No MPI. */
#pragma once

#include "base/err.h"

enum { MAX_LINKS = 32 };

struct link_rate {
    char name[32]; /* "mlx5_0/1", "eth0" */
    double mbit;   /* 0: unknown, as of most virtual links */
    double sent;   /* bytes so far */
    bool kernel;   /* of the kernel's network: its messages are TCP or UDP */
    double rails;  /* active ones of this kind and rate, with this one; 0: its rate is unknown */
};

/* The active links of InfiniBand and RoCE, then those of the kernel, without the loopback. Returns
 * their number. */
int link_rates_read(const char *directory, struct link_rate links[MAX_LINKS]);

/* The NUMA node of a link's device, -1: unknown; NaN: it has no device, as virtual links. */
double link_rates_node(const char *directory, const struct link_rate *link);

/* Is a CPU on that node, or on any, as far as is known? */
bool link_rates_near(const char *directory, double node, int cpu);

/* The link that sent most of these bytes between two readings; NULL: none sent half of them. */
const struct link_rate *link_rates_served(const struct link_rate *before,
                                          const struct link_rate *after, int count, double bytes);
