/* The exact simulated time of each kind of measurement, by its definition in the manual, on any
 * machine that smpirun simulates. It uses no code from src, because skampi's results are compared
 * with it. The simulator's own clock is the same for all and takes no time to read.
 *
 * truth PARTNER CHUNKS [types=,TYPE,...,] [root=RANK] LENGTH...
 * prints lines "TYPE LENGTH MICROSECONDS", for all types at every length, or for those after
 * types=; with CHUNKS 0 only for type 1, with -1 only for type 47: these are fast enough for
 * thousands of lengths. With root=RANK before a length, that process is the root of MPI_Bcast and
 * MPI_Gather from then on. */
#include "truth.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double now(void)
{
    return simgrid_get_clock();
}

double common_instant(const struct me *m)
{
    double own = now(), latest;
    MPI_Allreduce(&own, &latest, 1, MPI_DOUBLE, MPI_MAX, m->comm);
    return latest + PAUSE_S;
}

void sleep_to(double instant)
{
    sg_actor_sleep_for(instant - now());
}

bool is_wanted(const struct me *m, int type)
{
    char item[16];
    snprintf(item, sizeof(item), ",%d,", type);
    return m->types == NULL || strstr(m->types, item) != NULL;
}

void print_time(const struct me *m, int type, double seconds)
{
    if (m->rank == 0)
        printf("%d %d %.6f\n", type, m->count * (int)sizeof(int), seconds * 1e6);
}

static void all(struct me *m)
{
    if (m->chunks <= 0) {
        (m->chunks == 0 ? report_first_ping_pong : report_first_collective)(m);
        return;
    }
    report_ping_pongs(m);
    report_streams(m);
    report_masters(m);
    report_collectives(m);
    report_nonblocking(m);
    report_algorithms(m);
}

/* Memory for messages of a length; the buffer for MPI_Bsend has room for a chunk per worker. */
static void with_length(struct me *m, int bytes)
{
    size_t processes = (size_t)m->size, message = (size_t)bytes;
    int attached = (int)(2 * processes * (message + MPI_BSEND_OVERHEAD)), size;
    void *buffer = malloc((size_t)attached);
    m->count = bytes / (int)sizeof(int);
    m->send = calloc(processes, message);
    m->receive = calloc(processes, message);
    m->counts = malloc(2 * processes * sizeof(int));
    m->places = m->counts + m->size;
    m->requests = malloc(2 * processes * sizeof(MPI_Request));
    for (int i = 0; i < m->size; i++) {
        m->counts[i] = m->count;
        m->places[i] = i * m->count;
    }
    MPI_Buffer_attach(buffer, attached);
    all(m);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    free(m->send);
    free(m->receive);
    free(m->counts);
    free(m->requests);
}

int main(int argc, char **argv)
{
    struct me m = { .comm = MPI_COMM_WORLD, .made = MPI_COMM_NULL };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(m.comm, &m.rank);
    MPI_Comm_size(m.comm, &m.size);
    if (argc < 4) {
        fputs("usage: truth PARTNER CHUNKS [types=,TYPE,...,] [root=RANK] LENGTH...\n", stderr);
        return 2;
    }
    m.partner = atoi(argv[1]);
    m.chunks = atoi(argv[2]);
    for (int i = 3; i < argc; i++)
        if (strncmp(argv[i], "types=", 6) == 0)
            m.types = argv[i] + 6;
        else if (sscanf(argv[i], "root=%d", &m.root) != 1)
            with_length(&m, atoi(argv[i]));
    MPI_Finalize();
    return 0;
}
