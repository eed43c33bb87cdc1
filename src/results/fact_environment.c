#include "results/fact.h"

/* Beginnings of variables of MPI libraries, of the libraries they use, and of launchers. */
static const char of_mpi[] = "OMPI_ PMIX_ UCX_ MPIR_ MPICH_ I_MPI SLURM_ FI_ PRTE_ HYDRA_ ROMIO_";

/* Variables that a launcher sets for each run: addresses and directories of its daemons, identities
 * of job and process. They do not change how MPI behaves, but would make equal runs differ. */
static const char describes_launch[] =
    "HYDRA_BSTRAP_ I_MPI_HYDRA_UUID I_MPI_INFO_ I_MPI_PIN_INFO I_MPI_PIN_MAPPING "
    "OMPI_COMM_WORLD_LOCAL_RANK OMPI_COMM_WORLD_NODE_RANK OMPI_COMM_WORLD_RANK "
    "OMPI_FILE_LOCATION OMPI_FIRST_RANKS OMPI_MCA_ess OMPI_MCA_initial_wdir OMPI_MCA_orte_ "
    "PMIX_BFROP PMIX_DSTORE_ PMIX_GDS PMIX_HOSTNAME PMIX_ID PMIX_NAMESPACE PMIX_RANK "
    "PMIX_SERVER_ PMIX_SYSTEM_TMPDIR SLURM_LAUNCH_NODE_IPADDR SLURM_SRUN_COMM_ "
    "SLURM_STEP_LAUNCHER_PORT SLURM_TASK_PID";

/* Words anywhere in a name, in upper or lower case. */
static const char *const secret_words[] = { "TOKEN", "JWT",  "SECRET", "PASS",
                                            "KEY",   "CRED", "AGENT",  "PRECONDITION" };
static const char SECRET_END[] = "_URI"; /* only at its end: FI_TCP_IO_URING is not a secret */

static bool is_secret(const char *name)
{
    size_t len = strlen(name), end = strlen(SECRET_END);
    for (size_t i = 0; i < sizeof(secret_words) / sizeof(*secret_words); i++)
        if (text_has(name, secret_words[i]))
            return true;
    return len >= end && text_same(name + len - end, SECRET_END);
}

static void add_variable(struct text *out, const char *variable)
{
    size_t len = strcspn(variable, "=");
    text_add(out, "%s", out->len == 0 ? "" : "\n");
    size_t name = out->len;
    text_add_printable(out, variable, len);
    if (is_secret(text_get(out) + name))
        text_add(out, "=(hidden)");
    else
        text_add_printable(out, variable + len, strlen(variable + len));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

extern char **environ;

char *const *environment_at_start(void)
{
    static char **variables;
    size_t count = 1;
    for (char **v = environ; *v != NULL; v++)
        count++;
    if (variables == NULL && (variables = malloc(count * sizeof(*variables))) != NULL)
        memcpy(variables, environ, count * sizeof(*variables));
    return variables == NULL ? environ : variables;
}

void environment_add(struct text *out, char *const *variables)
{
    size_t count = 0, kept = 0;
    while (variables[count] != NULL)
        count++;
    const char **sorted;
    allocated_array(&sorted, count);
    for (size_t i = 0; i < count; i++)
        if (text_begins(variables[i], of_mpi) && !text_begins(variables[i], describes_launch))
            sorted[kept++] = variables[i];
    qsort(sorted, kept, sizeof(*sorted), by_name);
    for (size_t i = 0; i < kept; i++)
        add_variable(out, sorted[i]);
    free(sorted);
}
