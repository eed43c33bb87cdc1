#!/bin/sh
# A prologue of PBS (mom_priv/prologue): the check of slurm_prolog.sh, which is in the same directory. It
# runs on the job's first node. If that is slower than its limits, the node is set offline; the status 2
# requeues the job.
here=$(dirname "$0")
"$here/slurm_prolog.sh" && exit 0
pbsnodes -o -C "SKaMPI: slower than its limits" "$(hostname -s)" 2>/dev/null
exit 2
