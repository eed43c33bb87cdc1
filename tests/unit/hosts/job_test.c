#define _GNU_SOURCE
#include "../test.h"
#include "../text_files.h"

#include "hosts/job.h"

static const char *const variables[] = {
    "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST", "PBS_JOBID", "PBS_QUEUE",
    "PBS_NODEFILE", "LSB_JOBID",           "LSB_QUEUE",          "LSB_HOSTS", "JOB_ID",
    "QUEUE",        "COBALT_JOBID",        "FLUX_JOB_ID"
};

/* Variables of batch systems, and the three facts about the job. */
TEST_IN_DIRECTORY(test_jobs)
{
    static const struct {
        const char *number, *partition, *nodes;
        char *set[3];
    } rows[] = {
        { "none", "", "", { NULL } },
        { "7",
          "short",
          "n[01-04]",
          { "SLURM_JOB_ID=7", "SLURM_JOB_PARTITION=short", "SLURM_JOB_NODELIST=n[01-04]" } },
        { "8.server",
          "workq",
          "n10 n1 n2",
          { "PBS_JOBID=8.server", "PBS_QUEUE=workq", "PBS_NODEFILE=nodes" } },
        { "9.server", "", "", { "PBS_JOBID=9.server", "PBS_NODEFILE=missing" } },
        { "5", "normal", "a b", { "LSB_JOBID=5", "LSB_QUEUE=normal", "LSB_HOSTS=a a b a" } },
    };
    write_below("nodes", "n10\nn1\nn1\nn2\nn10\n");
    EACH(c, rows) {
        LOCAL_TEXT number = { 0 }, partition = { 0 }, nodes = { 0 };
        for (size_t j = 0; j < COUNT(variables); j++)
            unsetenv(variables[j]);
        for (int j = 0; j < 3; j++)
            if (c->set[j] != NULL)
                putenv(c->set[j]);
        job_add_number(&number);
        job_add_partition(&partition);
        job_add_nodes(&nodes);
        assert_string_equal(text_get(&number), c->number);
        assert_string_equal(text_get(&partition), c->partition);
        assert_string_equal(text_get(&nodes), c->nodes);
    }
}

/* The switch above the node whose address it is. */
TEST(test_switch)
{
    static const struct {
        char *address, *pattern, *expected;
    } rows[] = {
        { "spine.leaf7.n1", "switch.switch.node", "leaf7" },
        { "leaf7.n1", "switch.node", "leaf7" },
        { "s[0-1].leaf7.n1", "switch.switch.node", "leaf7" },
        { "leaf7.n10", "switch.node", "" }, /* of the host that started this process */
        { "n1", "node", "" },
        { "b1.n1", "block.node", "" },
        { "n1", "switch.node", "" },
    };
    EACH(c, rows) {
        LOCAL_TEXT name = { 0 };
        setenv("SLURM_TOPOLOGY_ADDR", c->address, 1);
        setenv("SLURM_TOPOLOGY_ADDR_PATTERN", c->pattern, 1);
        job_add_switch(&name, "n1.cluster");
        assert_string_equal(text_get(&name), c->expected);
    }
}
