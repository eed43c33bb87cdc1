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
        const char *set[3], *values[3];
        const char *number, *partition, *nodes;
    } rows[] = {
        { .number = "none", .partition = "", .nodes = "" },
        { { "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST" },
          { "7", "short", "n[01-04]" },
          "7",
          "short",
          "n[01-04]" },
        { { "PBS_JOBID", "PBS_QUEUE", "PBS_NODEFILE" },
          { "8.server", "workq", "nodes" },
          "8.server",
          "workq",
          "n10 n1 n2" },
        { { "PBS_JOBID", "PBS_NODEFILE" }, { "9.server", "missing" }, "9.server", "", "" },
        { { "LSB_JOBID", "LSB_QUEUE", "LSB_HOSTS" },
          { "5", "normal", "a a b a" },
          "5",
          "normal",
          "a b" },
    };
    write_below("nodes", "n10\nn1\nn1\nn2\nn10\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        LOCAL_TEXT number = { 0 }, partition = { 0 }, nodes = { 0 };
        for (size_t j = 0; j < COUNT(variables); j++)
            unsetenv(variables[j]);
        for (int j = 0; j < 3; j++)
            if (rows[i].set[j] != NULL)
                setenv(rows[i].set[j], rows[i].values[j], 1);
        job_add_number(&number);
        job_add_partition(&partition);
        job_add_nodes(&nodes);
        assert_string_equal(text_get(&number), rows[i].number);
        assert_string_equal(text_get(&partition), rows[i].partition);
        assert_string_equal(text_get(&nodes), rows[i].nodes);
    }
}
