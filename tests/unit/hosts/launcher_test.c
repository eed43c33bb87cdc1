#include "../test.h"

#include "hosts/job.h"

static const char *const variables[] = { "OMPI_COMM_WORLD_SIZE", "I_MPI_HYDRA_UUID",
                                         "MPI_LOCALNRANKS", "SLURM_PROCID" };

/* Variables as launchers set them: Intel's sets those of MPICH, and all run within a job of Slurm.
 */
TEST(test_launchers)
{
    static const struct {
        const char *set[3], *library, *core;
    } rows[] = {
        { { "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID" }, "Open MPI", "mpirun --bind-to core" },
        { { "MPI_LOCALNRANKS", "SLURM_PROCID" }, "MPICH", "mpirun --bind-to core" },
        { { "MPI_LOCALNRANKS", "I_MPI_HYDRA_UUID", "SLURM_PROCID" },
          "Intel MPI",
          "mpirun -genv I_MPI_PIN_DOMAIN core" },
        { { "SLURM_PROCID" }, "Slurm", "srun --cpu-bind=cores" },
        { { NULL }, NULL, "the launcher's option that binds each process to a core" },
    };
    EACH(c, rows) {
        for (size_t j = 0; j < COUNT(variables); j++)
            unsetenv(variables[j]);
        for (int j = 0; j < 3 && c->set[j] != NULL; j++)
            setenv(c->set[j], "1", 1);
        const struct launcher *l = launcher_get();
        assert_true((l->library == NULL) == (c->library == NULL));
        if (l->library != NULL)
            assert_string_equal(l->library, c->library);
        assert_string_equal(l->core, c->core);
    }
}
