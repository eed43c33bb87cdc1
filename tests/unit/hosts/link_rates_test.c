#include "../test.h"
#include "../text_files.h"

#include "hosts/link_rates.h"

/* Files of the directory that is used instead of /sys, and what is known of the links then. */
TEST_IN_DIRECTORY(test_links)
{
    static const struct {
        const char *path, *content;
    } files[] = {
        { "class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n" },
        { "class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n" },
        { "class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "250\n" },
        { "class/infiniband/mlx5_2/ports/1/state", "4: ACTIVE\n" },
        { "class/infiniband/mlx5_2/ports/1/rate", "100 Gb/sec (4X EDR)\n" },
        { "class/infiniband/mlx5_2/ports/1/counters/port_xmit_data", "5\n" },
        { "class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n" },
        { "class/infiniband/mlx5_1/ports/1/rate", "10 Gb/sec (4X SDR)\n" },
        { "class/infiniband/mlx5_1/ports/1/counters/port_xmit_data", "0\n" },
        { "class/infiniband/mlx5_0/device/numa_node", "1\n" },
        { "devices/system/cpu/cpu5/node1/distance", "20\n" },
        { "class/net/eth0/speed", "100000\n" },
        { "class/net/eth0/device/numa_node", "-1\n" },
        { "class/net/eth0/statistics/tx_bytes", "7\n" },
        { "class/net/lo/statistics/tx_bytes", "9\n" },
        { "class/net/veth1/speed", "-1\n" },
        { "class/net/veth1/statistics/tx_bytes", "8\n" },
        { "class/net/tap0/statistics/tx_bytes", "5\n" }, /* reading its speed fails: EINVAL */
    };
    static const struct link_rate expected[] = {
        { "mlx5_0/1", 100000.0, 1000.0, false, 2.0 },
        { "mlx5_2/1", 100000.0, 20.0, false, 2.0 },
        { "eth0", 100000.0, 7.0, true, 1.0 },
        { "tap0", 0.0, 5.0, true, 0.0 },
        { "veth1", 0.0, 8.0, true, 0.0 },
    };
    static const double nodes[] = { 1.0, NAN, -1.0, NAN, NAN };
    struct link_rate links[MAX_LINKS];
    assert_int_equal(link_rates_read(".", links), 0);
    EACH(c, files)
        write_below(c->path, c->content);
    assert_int_equal(link_rates_read(".", links), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(links[i].name, expected[i].name);
        assert_true(links[i].mbit == expected[i].mbit);
        assert_true(links[i].sent == expected[i].sent);
        assert_int_equal(links[i].kernel, expected[i].kernel);
        assert_true(links[i].rails == expected[i].rails);
        const double node = link_rates_node(".", &links[i]);
        assert_true(isnan(nodes[i]) ? isnan(node) : node == nodes[i]);
        assert_int_equal(link_rates_near(".", node, 5), i == 0 || i == 2);
        assert_int_equal(link_rates_near(".", node, 4), i == 2);
    }
}

TEST(test_served)
{
    static const struct {
        double first, second, bytes;
        const char *expected; /* NULL: none */
    } rows[] = { { 1000.0, 10.0, 1000.0, "a" },
                 { 400.0, 450.0, 1000.0, NULL },
                 { 600.0, 2000.0, 1000.0, "b" } };
    EACH(c, rows) {
        struct link_rate before[] = { { "a", 0.0, 5.0, false, 0.0 }, { "b", 0.0, 6.0, true, 0.0 } };
        struct link_rate after[] = { before[0], before[1] };
        after[0].sent += c->first;
        after[1].sent += c->second;
        const struct link_rate *link = link_rates_served(before, after, 2, c->bytes);
        if (c->expected == NULL)
            assert_null(link);
        else
            assert_string_equal(link->name, c->expected);
    }
}
