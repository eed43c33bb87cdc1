/* The places of a measurement's messages in the buffers, call by call and thread by thread. */
#include "context/measurement.h"

static void side_use(struct side *s, long long next)
{
    s->at = s->first_at + next;
    s->host = s->first_host + next;
    s->device = s->first_device + next;
}

/* In place, moves the side that is a part of the other one to this process's part. */
static void take_own_part(const struct measurement *m, struct side *part, const struct side *whole,
                          long long *next)
{
    long long element = whole->elements == 0 ? 0 : whole->stride / whole->elements;
    bool large = m->suite->options.counts == COUNTS_C;
    *next += element * (large ? whole->large_displacements[m->rank]
                              : (MPI_Aint)whole->displacements[m->rank]);
    part->bytes = element * (large ? whole->large_counts[m->rank] : whole->counts[m->rank]);
}

void measurement_use_buffers(struct measurement *m, long long next)
{
    bool one = m->suite->options.buffers == BUFFERS_ONE && !m->separate;
    enum in_place in_place = m->in_place ? m->suite->type->in_place : NEVER_IN_PLACE;
    long long sent = next, received = next + (one ? 0 : m->sizes.send);
    m->next = next;
    m->send.bytes = m->in_place ? m->sizes.receive : m->sizes.send;
    m->receive.bytes = m->sizes.receive;
    if (in_place == IN_PLACE_OF_PART)
        take_own_part(m, &m->send, &m->receive, &sent);
    else if (in_place == IN_PLACE_OF_SOURCE)
        take_own_part(m, &m->receive, &m->send, &received);
    side_use(&m->send, sent);
    side_use(&m->receive, received);
}

void measurement_first_buffers(struct measurement *m)
{
    measurement_use_buffers(m, m->sizes.attached);
}

/* The bytes of a thread: of its attached buffer, followed by those of its messages. */
static long long own_bytes(const struct measurement *m)
{
    bool all = m->suite->options.data == DATA_COLD;
    return all ? m->resources->buffers.bytes / (m->sizes.more + 1) / BUFFER_ALIGNMENT *
                     BUFFER_ALIGNMENT
               : buffer_size_own(m->suite, &m->sizes);
}

void measurement_next_buffers(struct measurement *m)
{
    measurement_use_buffers(m, buffers_after(m->next, &m->sizes, own_bytes(m)));
}

bool measurement_moves_buffers(const struct measurement *m)
{
    return buffers_after(m->sizes.attached, &m->sizes, own_bytes(m)) != m->sizes.attached;
}

static void side_move(struct side *s, long long bytes)
{
    s->first_at += bytes;
    s->first_host += bytes;
    s->first_device += bytes;
}

void measurement_be_thread(struct measurement *m, int thread)
{
    long long messages = own_bytes(m) - m->sizes.attached;
    m->attached += thread * m->sizes.attached;
    side_move(&m->send, thread * messages);
    side_move(&m->receive, thread * messages);
    m->thread = thread;
    if (m->suite->options.thread_comm == THREAD_COMM_SHARED)
        m->tag += thread * TAGS_OF_THREAD;
    else
        m->comm = m->for_crew[thread - 1];
}
