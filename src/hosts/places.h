/* The places of the processes, as they report them to rank 0, and conclusions. No MPI. */
#pragma once

#include "base/text.h"
#include "hosts/system.h"

enum { CPU_WORDS = 64 }; /* of unsigned long: 4096 CPUs per host */
enum { HOST_NAME_SIZE = 257 };

/* Processes of a host, and the CPUs that they share. */
struct crowd {
    int processes, cpus;
};

/* The report of a process about the place where it runs. */
struct place_of_rank {
    char host[HOST_NAME_SIZE];     /* as MPI_Get_processor_name says */
    unsigned long cpus[CPU_WORDS]; /* bit mask of those it may run on; none: unknown */
    int host_cpus;                 /* those that the host lets processes use; 0: unknown */
    long long host_bytes;          /* of the host's memory; 0: unknown */
    long long free_bytes;          /* of it, and of what its cgroups leave; 0: unknown */
    int cores;                     /* number of cores that have CPUs it may run on; 0: unknown */
    int core;                      /* the first of them, by its lowest CPU */
    int sockets;                   /* number of sockets that have such CPUs; 0: unknown */
    int socket;                    /* the first of them */
    bool has_tsc;
    char clocksource[SYSTEM_WORD_SIZE]; /* see system.h; "": unknown */
    char governor[SYSTEM_WORD_SIZE];    /* of its CPUs; "": unknown */
};

/* The conclusions about a rank from that and from the places of the others. */
struct verdict {
    bool first_on_host;
    int processes;      /* on its host */
    bool shares_core;   /* is bound to a core to which another rank is bound too */
    struct crowd crowd; /* on its host, or processes = 0: the host has enough CPUs */
};

struct hosts {
    struct place_of_rank *ranks; /* owned, rank 0 only: one per process */
    struct verdict *verdicts;    /* likewise */
    int processes;
    /* Known on every rank: */
    bool oversubscribed; /* some processes share a CPU */
    int cpus_each;       /* CPUs of the process that has fewest: those on which it may run, at most
                            its share of those of all processes of its host; 0: unknown */
};

/* How near two processes are, as one word: "same-core". Processes that are not bound to one core or
 * socket are not on the same, as far as is known. */
const char *hosts_between(const struct hosts *h, int rank, int other);

/* Rank 0, once it knows all places: sets verdicts and oversubscribed. Processes that are bound to
 * the same core share it; they are a crowd only if the host has no other core for them. */
void hosts_judge(struct hosts *h);

/* Rank 0, after hosts_judge: error if the processes of a host need more memory than it has; with
 * spare, more than half of what is free. */
int hosts_can_hold(const struct hosts *h, long long bytes, bool spare, struct err *e);

/* For the header (rank 0): "a:2 b:2"; the distinct words that are at an offset of the places, at
 * most as many as fit in a line. */
void hosts_summary(const struct hosts *h, struct text *out);
void hosts_words(const struct hosts *h, size_t offset, struct text *out);
