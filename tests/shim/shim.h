/* A hostile machine for tests: a library between a program and MPI that adds a known error to each
 * rank's MPI_Wtime and delays chosen calls. It is preloaded (libshim.so) or, for the simulator,
 * linked with skampi's objects. A test program may use these declarations by linking with it or by
 * dlsym(RTLD_DEFAULT, ...).
 *
 * The environment variable SKAMPI_SHIM has words separated by commas:
 *   offset=S     clocks are off by up to S seconds: rank 0 0.37 S, 1 -S, 2 S, others in between
 *   drift=PPM    clocks drift by up to PPM: rank 0 by 0, 1 PPM, 2 -PPM, others in between
 *   set=S@T      at the true time T, clocks are set ahead by up to S seconds, like drift
 *   turn=PPM@T   from the true time T on, clocks drift by up to PPM more
 *   sine=PPM@S   the drift changes continuously, by up to PPM * sin(t / S)
 *   tick=S       clocks show only multiples of S
 *   jitter=S     each reading is up to S too late, but time never goes backwards
 *   monotonic    CLOCK_MONOTONIC has the same errors, as if each rank had its own host
 *   hasty        MPI_Barrier returns at once
 *   step=RANK:SECONDS:READINGS   the clock of rank RANK (*: every rank) is set back by SECONDS at
 *                its READINGS-th reading
 *   lie=S        clocks show only multiples of S, and each reading is a nanosecond more than the
 * one before, so that the tick looks fine within=RANK:SECONDS:LEAST   after a call that can be
 * delayed and that ended LEAST seconds after the last reading of rank RANK, its next reading is
 * SECONDS ahead (negative: back) pause=RANK:SECONDS:EVERY   rank RANK (*: every rank) stops for
 * SECONDS when it reads its clock after a random instant; these are EVERY seconds apart on average
 *   detour=RANK:SECONDS:EVERY  the same at regular instants, EVERY seconds apart
 *   delay=RANK:CALL:SECONDS[:BYTES][@NTH]   rank RANK of MPI_COMM_WORLD (*: every rank) is
 *                delayed before each call (or only the NTH, from 1) of CALL with a message of BYTES
 *                bytes (MPI_Alltoall: to each process)
 * Anything else ends the program with status 2. */
#pragma once

/* The reading of the rank's clock at a true instant, without tick and jitter. */
double shim_reading(int rank, double true_s);

/* The true time: CLOCK_MONOTONIC of the machine, in seconds, or the simulated time, which takes no
 * time to read. A double resolves 0.1 ns for the first 10 days of uptime. */
double shim_true(void);
