#include "../test.h"
#include "../text_files.h"

#include "hosts/cpus.h"
#include "hosts/system.h"

#include <unistd.h>

static void write_of_cpu(int cpu, const char *name, const char *content)
{
    char path[128];
    snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/%s", cpu, name);
    write_below(path, content);
}

static void check_list(const unsigned long *cpus, const char *expected)
{
    LOCAL_TEXT list = { 0 };
    cpus_list(cpus, &list);
    assert_string_equal(text_get(&list), expected);
}

TEST(test_lists)
{
    static const struct {
        unsigned long first, last; /* words of the mask */
        const char *expected;
    } rows[] = {
        { 0, 0, "unknown" },         { 1, 0, "0" },          { 0xf, 0, "0-3" },
        { 0x16d, 0, "0,2-3,5-6,8" }, { 1UL << 63, 0, "63" }, { 0, 3UL << 62, "4094-4095" },
        { 3, 1, "0-1,4032" },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned long cpus[CPU_WORDS] = { [0] = rows[i].first, [CPU_WORDS - 1] = rows[i].last };
        check_list(cpus, rows[i].expected);
    }
    check_list((unsigned long[CPU_WORDS]){ 1UL << 63, 1 }, "63-64");
    unsigned long all[CPU_WORDS];
    memset(all, 0xff, sizeof(all));
    check_list(all, "0-4095");
    assert_int_equal(cpus_count(all), CPUS_MOST);
    assert_int_equal(cpus_next(all, CPUS_MOST), CPUS_MOST);
}

/* Two sockets of two cores with two threads each: CPUs 0 to 3 are the first threads. */
TEST_IN_DIRECTORY(test_parts)
{
    static const struct {
        unsigned long cpus, cores, sockets;
    } rows[] = {
        { 0xff, 0xf, 0x5 }, { 0x11, 0x1, 0x1 }, { 0x30, 0x3, 0x1 }, { 0x80, 0x8, 0x4 },
        { 0x14, 0x5, 0x5 }, { 0x100, 0, 0 },    { 0, 0, 0 },
    };
    for (int cpu = 0; cpu < 8; cpu++) {
        char core[16];
        snprintf(core, sizeof(core), "%d,%d\n", cpu % 4, cpu % 4 + 4);
        write_of_cpu(cpu, CPUS_OF_CORE, core);
        write_of_cpu(cpu, CPUS_OF_SOCKET, cpu % 4 < 2 ? "0-1,4-5\n" : "2-3,6-7\n");
    }
    write_of_cpu(9, CPUS_OF_CORE, "5000\n"); /* more than a mask holds */
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned long cpus[CPU_WORDS] = { rows[i].cpus | 0x200 }, parts[CPU_WORDS];
        cpus_parts(".", cpus, CPUS_OF_CORE, parts);
        assert_int_equal(parts[0], rows[i].cores);
        cpus_parts(".", cpus, CPUS_OF_SOCKET, parts);
        assert_int_equal(parts[0], rows[i].sockets);
    }
}

TEST_IN_DIRECTORY(test_caches)
{
    struct cache c;
    assert_false(cpus_cache(".", 3, 0, &c));
    write_of_cpu(3, "cache/index0/level", "1\n");
    write_of_cpu(3, "cache/index0/type", "Data\n");
    assert_false(cpus_cache(".", 3, 0, &c)); /* of an unknown size */
    write_of_cpu(3, "cache/index0/size", "48K\n");
    assert_true(cpus_cache(".", 3, 0, &c));
    assert_int_equal(c.level, 1);
    assert_string_equal(c.kind, "d");
    assert_int_equal(c.bytes, 48 * 1024);
    assert_string_equal(c.list, "cache/index0/shared_cpu_list");
    write_of_cpu(3, "cache/index0/type", "Instruction\n");
    assert_true(cpus_cache(".", 3, 0, &c));
    assert_string_equal(c.kind, "i");
    write_of_cpu(3, "cache/index3/level", "3\n");
    write_of_cpu(3, "cache/index3/type", "Unified\n");
    write_of_cpu(3, "cache/index3/size", "4194304K\n");
    assert_true(cpus_cache(".", 3, 3, &c));
    assert_int_equal(c.level, 3);
    assert_string_equal(c.kind, "");
    assert_int_equal(c.bytes, 4LL << 30);
}

/* A process that is bound to one CPU sees all others that it could use, and stays bound. */
TEST_IN_DIRECTORY(test_allowed)
{
    unsigned long before[CPU_WORDS], own[CPU_WORDS], all[CPU_WORDS], again[CPU_WORDS];
    cpus_allowed(before, all);
    assert_in_range(cpus_count(before), 1, cpus_count(all));
    assert_in_range(cpus_count(all), 1, sysconf(_SC_NPROCESSORS_CONF));
    char command[80];
    snprintf(command, sizeof(command), "taskset -cp %d %d >bound 2>&1", cpus_next(before, 0),
             (int)getpid());
    if (system(command) != 0)
        skip();
    cpus_allowed(own, again);
    assert_int_equal(cpus_count(own), 1);
    assert_int_equal(cpus_next(own, 0), cpus_next(before, 0));
    assert_memory_equal(again, all, sizeof(all));
    cpus_allowed(own, again);
    assert_int_equal(cpus_count(own), 1);
}
