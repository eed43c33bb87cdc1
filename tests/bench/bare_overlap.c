/* Overlap by the protocols of OSU's and IMB's loops, for comparison with skampi's as_osu and
 * as_imb.
 *
 * bare_overlap (OPERATION BYTES REPETITIONS)...
 * prints a line "OSU IMB" for each, in percent.
 *
 * OSU: each process computes for its own mean time of the operation, in products of 25 x 25 numbers
 * with a look at the clock after each; times are means over the processes. IMB: each computes a
 * number of products of 10 x 10 numbers, calibrated to that time; times are those of the process
 * that took longest. Both have a barrier between repetitions. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OSU_DIM = 25, IMB_DIM = 10, SKIPPED = 50, ARGUMENTS = 3, CALIBRATED = 20000 };

struct call {
    const char *name;
    int len_bytes;
    char *send, *receive; /* owned */
};

static void start(const struct call *c, MPI_Request *request)
{
    if (strcmp(c->name, "Ibcast") == 0)
        MPI_Ibcast(c->send, c->len_bytes, MPI_BYTE, 0, MPI_COMM_WORLD, request);
    else if (strcmp(c->name, "Iallreduce") == 0)
        MPI_Iallreduce(c->send, c->receive, c->len_bytes / (int)sizeof(int), MPI_INT, MPI_SUM,
                       MPI_COMM_WORLD, request);
    else
        MPI_Ialltoall(c->send, c->len_bytes, MPI_BYTE, c->receive, c->len_bytes, MPI_BYTE,
                      MPI_COMM_WORLD, request);
}

static double matrix[OSU_DIM][OSU_DIM], x[OSU_DIM], y[OSU_DIM];

/* Kept from the optimiser. */
static volatile double sink;

static void product(int dim)
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            x[i] = x[i] * 0.5 + matrix[i][j] * matrix[j][i] + y[j];
    sink = x[0];
}

static void compute_osu(double seconds)
{
    for (double passed = 0.0; passed < seconds;) {
        double since = MPI_Wtime();
        product(OSU_DIM);
        passed += MPI_Wtime() - since;
    }
}

static void compute_imb(double seconds, double product_s)
{
    for (long i = (long)(seconds / product_s + 0.5); i > 0; i--)
        product(IMB_DIM);
}

static double calibrate(void)
{
    double since = MPI_Wtime();
    for (int i = 0; i < CALIBRATED; i++)
        product(IMB_DIM);
    return (MPI_Wtime() - since) / CALIBRATED;
}

static double pure_s(const struct call *c, int n)
{
    MPI_Request request;
    double sum_s = 0.0;
    for (int i = -SKIPPED; i < n; i++) {
        double since = MPI_Wtime();
        start(c, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum_s += i < 0 ? 0.0 : MPI_Wtime() - since;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return sum_s / n;
}

struct times {
    double pure, work, all; /* in seconds, of a process */
};

static struct times by_osu(const struct call *c, int n)
{
    MPI_Request request;
    struct times t = { pure_s(c, n), 0.0, 0.0 };
    volatile double init_s = 0.0, wait_s = 0.0;
    for (int i = -SKIPPED; i < n; i++) {
        double since = MPI_Wtime(), init = MPI_Wtime();
        start(c, &request);
        init_s += MPI_Wtime() - init;
        double work = MPI_Wtime();
        compute_osu(t.pure);
        work = MPI_Wtime() - work;
        double wait = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wait_s += MPI_Wtime() - wait;
        double all = MPI_Wtime() - since;
        t.work += i < 0 ? 0.0 : work / n;
        t.all += i < 0 ? 0.0 : all / n;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return t;
}

static struct times by_imb(const struct call *c, int n, double product_s)
{
    MPI_Request request;
    struct times t = { pure_s(c, n), 0.0, 0.0 };
    for (int i = -SKIPPED; i < n; i++) {
        double since = MPI_Wtime();
        start(c, &request);
        double work = MPI_Wtime();
        compute_imb(t.pure, product_s);
        work = MPI_Wtime() - work;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        double all = MPI_Wtime() - since;
        t.work += i < 0 ? 0.0 : work / n;
        t.all += i < 0 ? 0.0 : all / n;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return t;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The sums over the processes have the same ratios as the means. */
static double osu_percent(struct times own)
{
    struct times t;
    MPI_Allreduce(&own, &t, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return larger(0.0, 100.0 - 100.0 * (t.all - t.work) / t.pure);
}

static double imb_percent(struct times own)
{
    struct {
        double all;
        int rank;
    } mine = { own.all, 0 }, slowest;
    MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(&own, 3, MPI_DOUBLE, slowest.rank, MPI_COMM_WORLD);
    double share = (own.pure + own.work - own.all) / larger(own.pure, own.work);
    return 100.0 * (share > 1.0 ? 1.0 : larger(0.0, share));
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double product_s = calibrate();
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        struct call c = { .name = argv[i], .len_bytes = atoi(argv[i + 1]) };
        size_t bytes = (size_t)c.len_bytes * (size_t)size;
        int n = atoi(argv[i + 2]);
        c.send = malloc(bytes);
        c.receive = malloc(bytes);
        if (c.send == NULL || c.receive == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        memset(c.send, 1, bytes);
        memset(c.receive, 1, bytes);
        double osu = osu_percent(by_osu(&c, n)), imb = imb_percent(by_imb(&c, n, product_s));
        if (rank == 0)
            printf("%.2f %.2f\n", osu, imb);
        free(c.send);
        free(c.receive);
    }
    MPI_Finalize();
    return 0;
}
