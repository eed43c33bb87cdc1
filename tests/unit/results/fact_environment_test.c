#include "../test.h"

#include "results/fact.h"

static const char *const shown[] = {
    "OMPI_MCA_btl=self,vader",
    "OMPI_MCA_btl_vader_backing_directory=/tmp",
    "OMPI_MCA_pmix=^s1,s2",
    "OMPI_COMM_WORLD_SIZE=2",
    "OMPI_MCA_mpi_oversubscribe=0",
    "PMIX_MCA_gds=hash",
    "PMIX_VERSION=4.2.2",
    "UCX_TLS=rc,sm",
    "MPIR_CVAR_CH4_OFI_ENABLE_RMA=1",
    "MPICH_ASYNC_PROGRESS=1",
    "I_MPI_ADJUST_BCAST=3",
    "SLURM_JOB_NODELIST=n[1-4]",
    "SLURM_NTASKS=64",
    "FI_PROVIDER=tcp",
    "FI_TCP_IO_URING=1",
    "PRTE_MCA_prte_hwloc_default_binding_policy=none",
    "HYDRA_TOPO_DEBUG=1",
    "UCX_LOG_FILE=/home/me/TOKEN",
    "UCX_NET_DEVICES=",
};

static const char *const left_out[] = {
    "HOME=/root",
    "PATH=/bin",
    "AWS_SECRET_KEY=x",
    "XOMPI_MCA_btl=self",
    "ompi_mca_btl=self",
    "HYDRA_BSTRAP_UPSTREAM_FD=7",
    "I_MPI_HYDRA_UUID=95760000-e1af-d40f-6461-060069cb9728",
    "I_MPI_INFO_CACHE_SIZE=32768,1048576,33554432",
    "I_MPI_PIN_INFO=0,1",
    "I_MPI_PIN_MAPPING=1:0 0",
    "OMPI_FILE_LOCATION=/tmp/ompi.vm.0/pid.1/0/0",
    "OMPI_COMM_WORLD_RANK=0",
    "OMPI_COMM_WORLD_LOCAL_RANK=0",
    "OMPI_COMM_WORLD_NODE_RANK=0",
    "OMPI_FIRST_RANKS=0",
    "OMPI_MCA_ess=pmi",
    "OMPI_MCA_ess_base_jobid=424280065",
    "OMPI_MCA_initial_wdir=/tmp",
    "OMPI_MCA_orte_hnp_uri=1.0;tcp://192.0.2.2:35003",
    "OMPI_MCA_orte_precondition_transports=00acfd8817fd567e-a378ccd75d1f64c1",
    "OMPI_MCA_orte_top_session_dir=/tmp/ompi.vm.0",
    "PMIX_BFROP_BUFFER_TYPE=PMIX_BFROP_BUFFER_NON_DESC",
    "PMIX_DSTORE_21_BASE_PATH=/tmp/x",
    "PMIX_GDS_MODULE=ds21,hash",
    "PMIX_HOSTNAME=vm",
    "PMIX_ID=424280065.0",
    "PMIX_NAMESPACE=424280065",
    "PMIX_RANK=0",
    "PMIX_SERVER_TMPDIR=/tmp/x",
    "PMIX_SERVER_URI41=1.0;tcp4://127.0.0.1:37299",
    "PMIX_SYSTEM_TMPDIR=/tmp",
    "SLURM_LAUNCH_NODE_IPADDR=192.0.2.2",
    "SLURM_SRUN_COMM_PORT=4711",
    "SLURM_STEP_LAUNCHER_PORT=4711",
    "SLURM_TASK_PID=4711",
};

/* Checks how one variable is shown. */
static const char *const hidden[][2] = {
    { "UCX_TOKEN=abc", "UCX_TOKEN=(hidden)" },
    { "UCX_token=abc", "UCX_token=(hidden)" },
    { "SLURM_JWT=abc", "SLURM_JWT=(hidden)" },
    { "SLURM_Jwt_X=abc", "SLURM_Jwt_X=(hidden)" },
    { "OMPI_MCA_my_Secret=abc", "OMPI_MCA_my_Secret=(hidden)" },
    { "I_MPI_HYDRA_PASSWORD=a=b", "I_MPI_HYDRA_PASSWORD=(hidden)" },
    { "UCX_IB_key=1", "UCX_IB_key=(hidden)" },
    { "FI_CREDential=1", "FI_CREDential=(hidden)" },
    { "OMPI_MCA_plm_rsh_agent=ssh -i x", "OMPI_MCA_plm_rsh_agent=(hidden)" },
    { "OMPI_MCA_precondition_transports=1-2", "OMPI_MCA_precondition_transports=(hidden)" },
    { "PRTE_MCA_prte_hnp_uri=1.0;tcp://x", "PRTE_MCA_prte_hnp_uri=(hidden)" },
    { "HYDRA_X_URI=x\nUCX_TLS=fake", "HYDRA_X_URI=(hidden)" },
    { "UCX_KEY", "UCX_KEY=(hidden)" },
    { "UCX_TLS=x\nUCX_Y=\033[2J\302\233", "UCX_TLS=x?UCX_Y=?[2J?" },
};

static void check_one(const char *variable, const char *expected)
{
    char *variables[] = { (char *)variable, NULL };
    LOCAL_TEXT out = { 0 };
    environment_add(&out, variables);
    assert_string_equal(text_get(&out), expected);
}

TEST(test_selection)
{
    for (size_t i = 0; i < COUNT(shown); i++)
        check_one(shown[i], shown[i]);
    for (size_t i = 0; i < COUNT(left_out); i++)
        check_one(left_out[i], "");
    for (size_t i = 0; i < COUNT(hidden); i++)
        check_one(hidden[i][0], hidden[i][1]);
}

TEST(test_several)
{
    static char *variables[] = { "UCX_B=2", "HOME=/", "OMPI_A=1", "UCX_A=", NULL };
    LOCAL_TEXT out = { 0 };
    environment_add(&out, variables);
    assert_string_equal(text_get(&out), "OMPI_A=1\nUCX_A=\nUCX_B=2");
    text_release(&out);
    environment_add(&out, variables + 4);
    assert_string_equal(text_get(&out), "");
}
