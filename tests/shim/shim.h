/* A hostile machine for tests: a library between a program and MPI. Each rank's MPI_Wtime gets a
 * known error, and chosen calls are delayed. It is preloaded (libshim.so), or, for the simulator,
 * linked to skampi's own objects; a test program may use the declarations here by linking it or by
 * dlsym(RTLD_DEFAULT, ...).
 *
 * The environment variable SKAMPI_SHIM says what to do, words with commas between:
 *   offset=S     a clock is up to S seconds off: rank 0 0.37 S, rank 1 -S, rank 2 S, then scattered
 *   drift=PPM    and up to PPM too fast: rank 0 0, rank 1 PPM, rank 2 -PPM, then scattered
 *   set=S@T      at the true time T a clock is set ahead by up to S seconds: scattered as drifts
 *   turn=PPM@T   and from then on its drift is larger by up to PPM
 *   sine=PPM@S   its drift changes all the time, by up to PPM * sin(t / S)
 *   tick=S       it shows multiples of S only
 *   jitter=S     each reading is up to S too late, but time never goes backwards
 *   monotonic    CLOCK_MONOTONIC shows the same, as if each rank had a host of its own
 *   step=RANK:SECONDS:READINGS   the clock of rank RANK (* is every rank) is set back by
 *                SECONDS at its READINGS-th reading
 *   delay=RANK:CALL:SECONDS[:BYTES][@NTH]   rank RANK of MPI_COMM_WORLD (* is every rank) is
 *                delayed before each (the NTH, from 1) call of CALL with a message of BYTES bytes
 *                (of MPI_Alltoall, to each process)
 * Anything else ends the program with status 2. */
#ifndef SKAMPI_SHIM_H
#define SKAMPI_SHIM_H

/* What the rank's clock shows at a true instant, except for tick and jitter. */
double shim_reading(int rank, double true_s);

/* The true time: CLOCK_MONOTONIC of the machine, in seconds, or the simulated time, which takes no
 * time to read. The double resolves 0.1 ns until the machine is up for 10 days. */
double shim_true(void);

#endif
