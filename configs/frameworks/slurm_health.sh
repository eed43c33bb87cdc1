#!/bin/sh
# At the beginning of a Slurm job, before its program: are its nodes all right? In the job script:
#
#     slurm_health.sh || exit 1
#
# Measures all pairs of nodes in one launch (the manual's "Before a job"). If something is bad, the
# status is 1, and health.txt names it, with the command that drains the node: an operator may run
# it. What cannot be decided does not stop the job, nor does a launch that fails: only skampi prints the
# line "The hosts: bad", a launcher has its own statuses. Arguments replace srun and its options; the
# variable SKAMPI_BASELINE names a file that "skampi health --save" wrote.
[ $# -gt 0 ] || set -- srun --ntasks-per-node=1
"$@" skampi health ${SKAMPI_BASELINE:+--baseline "$SKAMPI_BASELINE"} >health.txt
status=$?
cat health.txt
grep -q '^The hosts: ' health.txt || echo "$0: not measured: $1 ended with status $status" >&2
! grep -qx 'The hosts: bad' health.txt
