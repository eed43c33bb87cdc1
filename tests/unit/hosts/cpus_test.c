/* The readers of the program and of a build without hwloc, side by side. */
#define cpus_of_process    kernel_of_process
#define cpus_largest_cache kernel_largest_cache
#define cpus_hardware      kernel_hardware
#include "hosts/cpus_kernel.c"
#undef cpus_of_process
#undef cpus_largest_cache
#undef cpus_hardware

#include "../test.h"
#include "../text_files.h"

void cpus_of_process(struct place_of_rank *own);
long long cpus_largest_cache(void);
void cpus_hardware(struct text *out);

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
    EACH(c, rows) {
        unsigned long cpus[CPU_WORDS] = { [0] = c->first, [CPU_WORDS - 1] = c->last };
        check_list(cpus, c->expected);
    }
    check_list((unsigned long[CPU_WORDS]){ 1UL << 63, 1 }, "63-64");
    unsigned long all[CPU_WORDS];
    memset(all, 0xff, sizeof(all));
    check_list(all, "0-4095");
    assert_int_equal(cpus_count(all), CPUS_MOST);
}

/* Cores and sockets are compared where both can know them; sockets have other numbers. */
static void check_same_place(struct place_of_rank *by_kernel)
{
    struct place_of_rank own = { .host_cpus = 0 };
    *by_kernel = own;
    cpus_of_process(&own);
    kernel_of_process(by_kernel);
    assert_memory_equal(own.cpus, by_kernel->cpus, sizeof(own.cpus));
    assert_int_equal(own.host_cpus, by_kernel->host_cpus);
    if (own.cores == 0 || access("/sys/devices/system/cpu/cpu0/topology", R_OK) != 0)
        return;
    assert_int_equal(own.cores, by_kernel->cores);
    assert_int_equal(own.core, by_kernel->core);
    assert_int_equal(own.sockets, by_kernel->sockets);
}

/* A process that is bound to one CPU sees all others that it could use, and stays bound. */
TEST_IN_DIRECTORY(test_places)
{
    struct place_of_rank all, bound;
    check_same_place(&all);
    assert_in_range(cpus_count(all.cpus), 1, all.host_cpus);
    assert_in_range(all.host_cpus, 1, sysconf(_SC_NPROCESSORS_CONF));
    int last = CPUS_MOST - 1;
    while (!cpus_have(all.cpus, last))
        last--;
    char command[80];
    snprintf(command, sizeof(command), "taskset -cp %d %d >bound 2>&1", last, (int)getpid());
    if (system(command) != 0)
        skip();
    check_same_place(&bound);
    assert_true(cpus_count(bound.cpus) == 1 && cpus_have(bound.cpus, last));
    assert_int_equal(bound.host_cpus, all.host_cpus);
    assert_true(bound.cores <= 1 && bound.sockets <= 1);
    check_same_place(&bound);
    assert_int_equal(cpus_count(bound.cpus), 1);
}

TEST(test_hardware)
{
    LOCAL_TEXT own = { 0 };
    LOCAL_TEXT by_kernel = { 0 };
    cpus_hardware(&own);
    kernel_hardware(&by_kernel);
    assert_true(own.len > 0 && strchr(text_get(&own), '\n') == NULL);
    assert_non_null(strstr(text_get(&by_kernel), "CPUs (built without hwloc)"));
    if (cpus_largest_cache() > 0 && kernel_largest_cache() > 0)
        assert_int_equal(cpus_largest_cache(), kernel_largest_cache());
}
