#!/bin/sh
#SBATCH --job-name=skampi
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Measures until all is done: sbatch slurm.sh, in the directory with .skampi. Where the time of the
# job is over, or a suite crashes, the job is put into the queue again and goes on behind it.
# skampi and mpirun (or srun) are those in PATH. @MAXRETRIES in .skampi bounds the tries of a suite;
# the end of a job within it counts as one.

# So long before the end Slurm tells this script, which puts the job back then.
#SBATCH --signal=B:USR1@60

# What cannot even begin would come back for ever.
put_back() {
    test "${SLURM_RESTART_COUNT:-0}" -lt 50 || exit 1
    scontrol requeue "$SLURM_JOB_ID"
    exit 0
}
trap put_back USR1

# -K: one process that ends before its time takes the others along.
srun -K skampi &
wait $!
skampi --status -n "$SLURM_NTASKS"
status=$?
test $status = 3 && put_back
exit $status
