#!/bin/sh
#PBS -N skampi
#PBS -l select=1:ncpus=16:mpiprocs=16
#PBS -l walltime=01:00:00
#PBS -j oe
# Measures until all is done, in the directory with .skampi: qsub pbs.sh. If the job's time is over, or
# a suite crashes, the job submits itself again and the next one continues after that suite. skampi
# and mpirun are those in PATH; -V passes yours on. @MAXRETRIES in .skampi limits the tries of a suite.
cd "${PBS_O_WORKDIR:-.}" || exit 1
processes=$(wc -l <"$PBS_NODEFILE")

progress() {
    skampi --status -n "$processes"
}

# Submits the job again, but not one in which nothing was measured: the next one would not start
# either. PBS sends SIGTERM some seconds before it ends the job; skampi then ends by itself.
again() {
    trap '' TERM
    kill "$launcher" 2>/dev/null
    wait "$launcher"
    if test "$(progress)" = "$before"; then
        echo "$0: nothing was measured; not submitted again" >&2
        exit 1
    fi
    qsub "$0"
    exit 0
}
trap again TERM

before=$(progress)
mpirun -np "$processes" skampi &
launcher=$!
wait $launcher
progress
status=$?
test $status = 3 && again
exit $status
