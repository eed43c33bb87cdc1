/* skampi --health: one launch that names the host, link, direction, pair or group of hosts that is
 * bad, before a job. */
#pragma once

#include "health/health_report.h"
#include "session/session.h"

/* The steps of a run, instead of those of session.h between session_init and session_release.
 * Collective. Rank 0 prints the verdicts, or JSON, to standard output. Returns the enum
 * health_state; HEALTH_NO_FILE: a file cannot be used; -1: nothing could be measured. */
enum { HEALTH_NO_FILE = -2 };
int health_run(struct session *s, struct err *e);

/* --- for health*.c: the measurements. One process of each host, its first, measures for the host;
 * the second one answers it. Collective, unless they say otherwise; rank 0 gets the results. --- */

enum {
    HEALTH_SHORT_BYTES = 8,
    HEALTH_LONG_BYTES = 1 << 20,
};
enum { HEALTH_LATENCIES = 9, HEALTH_MESSAGES = 5, HEALTH_ALLREDUCES = 50, HEALTH_COPIES = 5 };

struct health_hosts {
    const struct session *session; /* borrowed */
    MPI_Comm leaders, host;        /* borrowed; of all hosts' first processes; of this host */
    int hosts, own;                /* number of hosts; of this process's: negative: not its first */
    bool has_second;               /* another process of the host answers; on first processes */
    char *out, *in, *copy;         /* owned */
};

/* A host, as its first process says. */
struct host_of {
    char name[HOST_NAME_SIZE];
    uint64_t switch_hash; /* 0: unknown */
    int ranks[2];         /* of its first two processes, -1: none */
};

void health_hosts_init(struct health_hosts *w, const struct session *s);
void health_hosts_release(struct health_hosts *w);

/* First and second processes only: a second process answers until the first one ends it. */
void health_hosts_answer(const struct health_hosts *w);
void health_hosts_end(const struct health_hosts *w);

/* In a pair of hosts: asks by a long message, and waits for a short answer, or answers. Returns the
 * time, in microseconds. */
double health_hosts_ask(struct health_hosts *w, int peer, bool asks);

/* First processes: all rounds of disjoint pairs of hosts, and what each host does by itself. */
void health_hosts_rounds(struct health_hosts *w, struct health *h, struct health_run *run);

/* First processes: the time, in microseconds, in which each host of the first half and one of the
 * second exchange long messages, all at once; rank 0: that of the slowest pair, NaN of one host. */
double health_hosts_halves(struct health_hosts *w);

/* First processes: the looks, one after the other, in visits. */
void health_hosts_alone(struct health_hosts *w, struct health *h, struct health_run *run);

/* All processes: the time of a short MPI_Allreduce on the slowest of them. */
double health_hosts_allreduce(const struct health_hosts *w);

/* Adds the parameter file whose suites are the pairs of rounds and, if it keeps them, the rows of
 * -o; rank 0 writes these results, with what was printed. all: of each host. */
void health_rows_parameters(struct text *out, int processes, bool keeps);
int health_rows_write(const struct session *s, const struct health *h, const struct health_run *run,
                      const struct host_of *all, const struct text *verdict, struct err *e);
