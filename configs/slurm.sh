#!/bin/sh
#SBATCH --job-name=skampi
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Measures until all is done: sbatch slurm.sh, in the directory with .skampi. If the job's time is
# over, or a suite crashes, the job is requeued and continues after that suite. skampi and mpirun
# (or srun) are those in PATH. @MAXRETRIES in .skampi limits the tries of a suite; the end of a job
# while the suite runs counts as a try.

# Slurm signals this script 60 s before the job's end; the script then requeues the job.
#SBATCH --signal=B:USR1@60

# A job that cannot even start must not be requeued for ever.
put_back() {
    test "${SLURM_RESTART_COUNT:-0}" -lt 50 || exit 1
    scontrol requeue "$SLURM_JOB_ID"
    exit 0
}
trap put_back USR1

# -K: if a process exits early, the others are ended, too.
srun -K skampi &
wait $!
skampi --status -n "$SLURM_NTASKS"
status=$?
test $status = 3 && put_back
exit $status
