#!/bin/sh
#SBATCH --job-name=skampi
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Measures until all is done: sbatch slurm.sh, in the directory with .skampi. Where the time of the
# job is over, or a suite crashes, the job is put into the queue again and goes on behind it.
# skampi and mpirun (or srun) are those in PATH; @MAXRETRIES in .skampi bounds the tries.

# So long before the end Slurm tells this script, which puts the job back then.
#SBATCH --signal=B:USR1@60

put_back() {
    scontrol requeue "$SLURM_JOB_ID"
    exit 0
}
trap put_back USR1

# -K: one process that ends before its time takes the others along.
srun -K skampi &
wait $!
skampi --status -n "$SLURM_NTASKS"
test $? = 3 && put_back
