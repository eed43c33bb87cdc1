#!/bin/sh
# A prolog of Slurm: is this node all right? In slurm.conf: Prolog=/etc/slurm/slurm_prolog.sh. Before a
# job, it measures messages and collectives within the node, in some seconds. If something is slower
# than its limit (the manual has the table), the node is drained and the job requeued, and held unless
# SchedulerParameters has nohold_on_prolog_fail. What one launch cannot tell does not count. Nor does a
# failure to measure: a missing library must not drain a cluster. The reasons are in the system's log.
#
# Set here: the directories of skampi and mpirun, the number of processes, the user, and the most seconds.
PATH=${SKAMPI_PATH:-/usr/local/bin}:/usr/bin:/bin:/usr/sbin:/sbin
processes=${SKAMPI_PROCESSES:-2}
user=${SKAMPI_USER:-nobody}
seconds=${SKAMPI_SECONDS:-120}

report() {
    echo "$0: $*" >&2
    logger -t skampi "$*" 2>/dev/null
}

# Without Slurm's variables, mpirun starts processes on this node.
room=$(mktemp -d) && chown "$user" "$room" && cd "$room" || exit 0
trap 'rm -rf "$room"' EXIT
timeout -k 5 "$seconds" setpriv --reuid "$user" --clear-groups env -i HOME="$room" PATH="$PATH" \
    mpirun -np "$processes" skampi -f health --quiet >said 2>&1 || {
    report "not measured: $(tail -n 1 said)"
    exit 0
}
skampi-show --health skampi.out >health 2>&1
test $? != 1 && exit 0
report "slower than its limits: $(grep -w look health | tr '\n' ' ')"
exit 1
