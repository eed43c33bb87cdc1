#!/bin/sh
#SBATCH --job-name=skampi
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Measures until all is done, in the directory with .skampi:
#
#   sbatch slurm.sh [LAUNCHER...]       such as mpirun; srun -K by default
#
# If the job's time is over, or a suite crashes, the job is requeued and continues after that suite.
# skampi and the launcher are those in PATH. @MAXRETRIES in .skampi limits the tries of a suite; the
# end of a job while the suite runs counts as a try.

# Slurm signals this script 60 s before the job's end; the script then requeues the job.
#SBATCH --signal=B:USR1@60

progress() {
    skampi --status -n "$SLURM_NTASKS"
}

# Ends the launcher first, as Slurm may not find the processes of mpirun. A job in which nothing was
# measured is not requeued: the next one would not start either.
put_back() {
    kill "$launcher" 2>/dev/null
    (sleep 30 && kill -KILL "$launcher") >/dev/null 2>&1 &
    wait "$launcher"
    kill $!
    if test "$(progress)" = "$before"; then
        echo "$0: nothing was measured; not requeued. Does srun need --mpi=pmix (see srun --mpi=list)?" >&2
        exit 1
    fi
    scontrol requeue "$SLURM_JOB_ID"
    exit 0
}
trap put_back USR1

before=$(progress)

# If srun starts each process as a program of its own, or none, use srun --mpi=pmix.
# -K: if a process exits early, the others are ended, too.
test $# -gt 0 || set -- srun -K
"$@" skampi &
launcher=$!
wait $launcher
progress
status=$?
test $status = 3 && put_back
exit $status
