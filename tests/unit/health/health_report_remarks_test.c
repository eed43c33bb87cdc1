/* Remarks that need no other host to compare with: links, TCP, memory, CPUs, clocks. */
#include "../test.h"

#include "health/health_report.h"

enum { HOSTS = 3 };

static const char *const names[HOSTS] = { "a", "b", "c" };

/* A run of three equal hosts: 1 MiB between hosts takes 100 us, 84 Gbit/s. */
struct machine {
    struct link_rate links[HOSTS];
    double shares[HOSTS], us[HEALTH_KINDS];
    struct health_run run;
    int left, unknown; /* pairs that were not measured alone; suspects without a verdict */
    bool since;        /* these are slower than in the baseline */
};

static void judge(struct machine *m, struct health_remarks *remarks)
{
    LOCAL(health) h;
    health_init(&h, HOSTS, names);
    for (int kind = 0; kind < HEALTH_KINDS; kind++)
        for (int i = 0; i < HOSTS * (health_kinds[kind].pairs ? HOSTS : 1); i++)
            h.us[kind][i] = m->us[kind];
    health_find(&h, 1);
    health_judge(&h);
    h.left = m->left;
    for (int i = 0; i < m->unknown; i++)
        h.suspects[h.suspect_count++] = (struct health_suspect){
            .host = i, .other = -1, .since = m->since, .fault = FAULT_UNKNOWN, .group = -1
        };
    m->run.links = m->links;
    m->run.shares = m->shares;
    health_remarks_find(remarks, &h, &m->run);
}

#define PLANTED(name, ...)                                                                         \
    static void name(struct machine *m)                                                            \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
PLANTED(one_slow_link, m->links[1].mbit = 50000.0)
PLANTED(one_rail, m->links[0].rails = m->links[2].rails = 2.0)
PLANTED(half_rate, m->us[HEALTH_LONG] = 200.0)

static void tcp(struct machine *m)
{
    for (int i = 0; i < HOSTS; i++)
        m->links[i].kernel = true;
    m->us[HEALTH_LONG] = 200.0;
    m->run.tcp_share = 0.93;
}

PLANTED(poor_tcp, tcp(m), m->run.tcp_share = 0.49)
PLANTED(poor_tcp_of_a_crowd, poor_tcp(m), m->run.oversubscribed = true)
PLANTED(poor_tcp_beside_others, poor_tcp(m), m->shares[1] = 0.5)
PLANTED(unknown_tcp, tcp(m), m->run.tcp_share = NAN)
PLANTED(no_shared_memory, m->us[HEALTH_NEAR] = 12.0)
PLANTED(slow_copies, m->us[HEALTH_NEAR_LONG] = 1700.0)
PLANTED(other_programs, m->shares[2] = 0.5)
PLANTED(no_shared_memory_known, no_shared_memory(m), other_programs(m))
PLANTED(moving_clocks, m->run.clock_unfit = true, m->run.clock_us = 3.0)
PLANTED(left_out, m->left = 3)
PLANTED(no_partner, m->unknown = 1)
PLANTED(all_slower, m->unknown = 2, m->since = true)
PLANTED(slow_allreduce, m->run.usual.allreduce_us = 1.9)
PLANTED(slow_halves, m->run.usual.halves_us = 250.0)
PLANTED(slow_beside_others, slow_halves(m), m->shares[1] = 0.5)

static void nothing(struct machine *m)
{
}

#define TCP  "TCP serves messages between hosts (ib0/1, 100 Gbit/s); "
#define POOR TCP "MPI reaches 49 % of it without MPI; limit 50 %"

TEST(remarks)
{
    static const struct {
        void (*change)(struct machine *m);
        enum health_state state;
        const char *text; /* of the first remark; NULL: there is none */
    } rows[] = {
        { nothing, HEALTH_GOOD, NULL },
        { one_slow_link, HEALTH_BAD, "b: link ib0/1 runs at 50 Gbit/s, others at 100" },
        { one_rail, HEALTH_BAD, "b: 1 active link like ib0/1, others have 2" },
        { half_rate, HEALTH_BAD, "a: bandwidth is 42 % of its link ib0/1, 100 Gbit/s; limit 60 %" },
        { tcp, HEALTH_GOOD, TCP "MPI reaches 93 % of it without MPI" },
        { poor_tcp, HEALTH_BAD, POOR },
        { poor_tcp_of_a_crowd, HEALTH_UNKNOWN, POOR },
        { poor_tcp_beside_others, HEALTH_UNKNOWN, POOR },
        { unknown_tcp, HEALTH_GOOD, TCP "no connection without MPI to compare it with" },
        { no_shared_memory, HEALTH_BAD,
          "latency within hosts is 12.0 us, limit 10 us: is shared memory used?" },
        { slow_copies, HEALTH_BAD, "1 MiB within hosts takes 27.2 times a copy of it, limit 16" },
        { other_programs, HEALTH_UNKNOWN,
          "c: a process had 50 % of a CPU: other programs run there" },
        { no_shared_memory_known, HEALTH_UNKNOWN,
          "latency within hosts is 12.0 us, limit 10 us: is shared memory used?" },
        { moving_clocks, HEALTH_UNKNOWN, "clocks are apart by 3.0 us and do not hold still" },
        { left_out, HEALTH_UNKNOWN,
          "3 more pairs were slow in the rounds; there was no time to measure them alone" },
        { no_partner, HEALTH_UNKNOWN, "a: no healthy host is left to compare it with" },
        { all_slower, HEALTH_UNKNOWN,
          "2 more hosts were slower than in the baseline; they were not measured alone" },
        { slow_allreduce, HEALTH_BAD,
          "Allreduce takes 2.1 times as long as in the baseline, limit 2" },
        { slow_halves, HEALTH_BAD,
          "what halves of the hosts exchange at once takes 1.6 times as long as in the baseline, "
          "limit 1.5" },
        { slow_beside_others, HEALTH_UNKNOWN,
          "b: a process had 50 % of a CPU: other programs run there" },
    };
    EACH(c, rows) {
        struct machine m = { .us = { 2.0, 100.0, 0.5, 100.0, 1000.0, 1.0 } };
        LOCAL(health_remarks) remarks;
        m.run = (struct health_run){ .together = { 4.0, 400.0, NAN }, .usual = { NAN, NAN, NAN } };
        for (int host = 0; host < HOSTS; host++) {
            m.links[host] = (struct link_rate){ .name = "ib0/1", .mbit = 100000.0, .rails = 1.0 };
            m.shares[host] = 1.0;
        }
        c->change(&m);
        judge(&m, &remarks);
        assert_int_equal(health_remarks_state(&remarks), c->state);
        assert_int_equal(remarks.count > 0, c->text != NULL);
        if (remarks.count > 0)
            assert_string_equal(text_get(&remarks.list[0].text), c->text);
    }
}
