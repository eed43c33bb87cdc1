#include "../test.h"
#include "../text_files.h"

#include "hosts/places.h"

#define CLOCK         "devices/system/clocksource/clocksource0/current_clocksource"
#define GOVERNOR(cpu) "devices/system/cpu/cpu" #cpu "/cpufreq/scaling_governor"

/* Files of the directory that is used instead of /sys. */
TEST_IN_DIRECTORY(test_clocksource)
{
    static const struct {
        const char *content, *expected;
    } rows[] = {
        { "tsc\n", "tsc" },
        { "hpet", "hpet" },
        { "hyperv_clocksource_tsc_page\n", "hyperv_clocksource_tsc_page" },
        { "kvm-clock\nmore\n", "kvm-clock" },
        { "", "" },
        { "\n", "" },
        { "a word of more than thirty-two letters", "a" },
        { "awordofmorethanthirty-two-letters-is-cut", "awordofmorethanthirty-two-lette" },
    };
    char word[SYSTEM_WORD_SIZE] = "before";
    system_word(".", SYSTEM_CLOCKSOURCE, word);
    assert_string_equal(word, ""); /* the file does not exist */
    EACH(c, rows) {
        write_below(CLOCK, c->content);
        system_word(".", SYSTEM_CLOCKSOURCE, word);
        assert_string_equal(word, c->expected);
    }
}

TEST_IN_DIRECTORY(test_governor)
{
    static const struct {
        unsigned long cpus[CPU_WORDS];
        const char *expected;
    } rows[] = {
        { { 0x1 }, "performance" },
        { { 0x2 }, "powersave" },
        { { 0x3 }, "powersave" },
        { { 0x5 }, "performance" }, /* CPU 2 does not have one */
        { { 0x4 }, "" },
        { { 0xd }, "schedutil" },
        { { 0xf }, "powersave" },
        { { 0, 0x2 }, "ondemand" },
        { { 0x1, 0x2 }, "ondemand" },
        { { 0, 0x1 }, "" },
        { { 0, 0 }, "" },
    };
    write_below(GOVERNOR(0), "performance\n");
    write_below(GOVERNOR(1), "powersave\n");
    write_below(GOVERNOR(3), "schedutil\n");
    write_below(GOVERNOR(65), "ondemand\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char word[SYSTEM_WORD_SIZE] = "before";
        system_governor(".", rows[i].cpus, word);
        if (strcmp(word, rows[i].expected) != 0)
            fail_msg("case %zu: '%s'", i, word);
    }
}

TEST(test_has_tsc)
{
    static const char *const with[] = { "x86_64", "i386", "i486", "i586", "i686" };
    static const char *const without[] = { "",      "i",    "i286",    "i786",    "i68",
                                           "i6866", "ia64", "aarch64", "x86_64v", "ppc64le" };
    for (size_t i = 0; i < COUNT(with); i++)
        if (!system_has_tsc(with[i]))
            fail_msg("%s", with[i]);
    for (size_t i = 0; i < COUNT(without); i++)
        if (system_has_tsc(without[i]))
            fail_msg("%s", without[i]);
}

/* The kernel's report, in KiB; memory may be added meanwhile, but not half of it. */
TEST(test_memory)
{
    long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL)
        skip();
    assert_int_equal(fscanf(file, "MemTotal: %lld kB", &kib), 1);
    fclose(file);
    assert_in_range(system_memory() / 1024, kib / 2, 2 * kib);
}

/* A cgroup, or one that it is in, may leave less than the kernel offers. */
TEST_IN_DIRECTORY(test_free_memory)
{
    static const struct {
        const char *cgroups, *file, *content;
        long long bytes;
    } rows[] = {
        { "0::/\n", "meminfo", "MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable: 8 kB\n", 8192 },
        { "0::/a/b\n", "fs/cgroup/a/b/memory.max", "max\n", 8192 },
        { "0::/a/b\n", "fs/cgroup/a/b/memory.current", "1000\n", 8192 },
        { "0::/a/b\n", "fs/cgroup/a/b/memory.max", "5000\n", 4000 },
        { "0::/a/b\n", "fs/cgroup/a/memory.current", "100\n", 4000 },
        { "0::/a/b\n", "fs/cgroup/a/memory.max", "3100\n", 3000 },
        { "0::/c\n", "fs/cgroup/memory.current", "0\n", 8192 },
        { "0::/c\n", "fs/cgroup/memory.max", "7000\n", 7000 },
        { "9:cpu:/d\n4:memory:/d\n", "fs/cgroup/memory/d/memory.usage_in_bytes", "10\n", 8192 },
        { "9:cpu:/d\n4:memory:/d\n", "fs/cgroup/memory/d/memory.limit_in_bytes", "20\n", 10 },
        { "9:cpu:/d\n4:memory:/d\n", "fs/cgroup/memory/d/memory.stat",
          "inactive_file 9\ntotal_inactive_file 7\n", 17 },
        { "0::/a/b\n", "fs/cgroup/a/memory.current", "3000\n", 100 },
        { "0::/a/b\n", "fs/cgroup/a/memory.stat", "file 900\ninactive_file 500\n", 600 },
        { "0::/a/b\n", "fs/cgroup/a/memory.current", "9000\n", 1 },
    };
    assert_int_equal(system_free_memory(".", "."), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_below("self/cgroup", rows[i].cgroups);
        write_below(rows[i].file, rows[i].content);
        if (system_free_memory(".", ".") != rows[i].bytes)
            fail_msg("row %zu: %lld", i, system_free_memory(".", "."));
    }
}
