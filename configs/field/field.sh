#!/bin/sh
#SBATCH --job-name=skampi-field
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --time=15
#SBATCH --signal=B:TERM@60
#SBATCH --output=skampi-field.log
# Tries SKaMPI on a cluster in 15 minutes: sbatch -N 8 field.sh, or sh field.sh without Slurm. See field-kit.md.
[ -n "$SLURM_JOB_ID" ] || cd "$(dirname "$0")" || exit 2
if [ ! -f configs/field/field.pl ]; then
    echo "$0: start it in the folder of the kit: cd skampi-field-*; sbatch field.sh" >&2
    exit 2
fi
perl -e 'use 5.026' || exit 2
exec perl configs/field/field.pl "$@"
