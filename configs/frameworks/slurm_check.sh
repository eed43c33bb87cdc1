#!/bin/sh
# A HealthCheckProgram of Slurm: the check of slurm_prolog.sh, which is in the same directory, of idle nodes
# one after the other. In slurm.conf:
#
#     HealthCheckProgram=/etc/slurm/slurm_check.sh
#     HealthCheckInterval=3600
#     HealthCheckNodeState=IDLE,CYCLE
#
# It checks one node; links between nodes are checked in a job (slurm_health.sh). Slurm kills it after 60 s
# and drains no node by itself, so this does. The status is 0 also if nothing was measured: newer versions of
# slurmd repeat the program until it is.
PATH=$PATH:/usr/local/bin:/usr/bin:/bin
export SKAMPI_HOURS=0 SKAMPI_SECONDS="${SKAMPI_SECONDS:-50}"
"$(dirname "$0")/slurm_prolog.sh" ||
    scontrol update NodeName="${SLURMD_NODENAME:-$(hostname -s)}" State=DRAIN \
        Reason="SKAMPI: slower than its limits"
exit 0
