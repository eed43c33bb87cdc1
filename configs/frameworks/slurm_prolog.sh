#!/bin/sh
# A prolog of Slurm: is this node all right? In slurm.conf: Prolog=/etc/slurm/slurm_prolog.sh. Before a
# job, it measures messages and collectives within the node. If something is slower than its limit (the
# manual has the table), the node is drained and the job requeued, and held unless SchedulerParameters has
# nohold_on_prolog_fail. What one launch cannot tell does not count. Nor does a failure to measure: a
# missing library must not drain a cluster. The reasons are in the system's log.
#
# A job may wait for its node for 10 s (BatchStartTimeout of slurm.conf), so a measurement may take 8 s.
# Not every job waits: a node is measured again after a day. A longer check: slurm_check.sh.
#
# Set here: the directories of skampi and mpirun, the number of processes, the user, the most seconds, after
# how many hours a node is measured again (0: for each job), and the file whose time says when it was.
PATH=${SKAMPI_PATH:-/usr/local/bin}:/usr/bin:/bin:/usr/sbin:/sbin
processes=${SKAMPI_PROCESSES:-2}
user=${SKAMPI_USER:-nobody}
seconds=${SKAMPI_SECONDS:-8}
hours=${SKAMPI_HOURS:-24}
stamp=${SKAMPI_STAMP:-/run/skampi_prolog}
test -z "$(find "$stamp" -mmin "-$((60 * hours))" 2>/dev/null)" || exit 0
end=$(($(date +%s) + seconds))

report() {
    echo "$0: $*" >&2
    logger -t skampi "$*" 2>/dev/null
}

# Keeps what a terminal does not obey.
plain() {
    LC_ALL=C tr -c ' -~' ' '
}

# Runs a command as the user, until the end of the time for both.
as_user() {
    left=$((end - $(date +%s)))
    timeout -k 5 $((left > 0 ? left : 1)) setpriv --reuid "$user" --regid "$group" --clear-groups --inh-caps=-all \
        --no-new-privs env -i HOME="$room/work" PATH="$PATH" "$@"
}

# Root writes beside the user's directory, where the user can place no link and read nothing. Without Slurm's variables,
# mpirun starts processes on this node.
umask 077
group=$(id -g "$user") && room=$(mktemp -d) && mkdir "$room/work" && chmod 711 "$room" && chown "$user" "$room/work" &&
    cd "$room/work" || exit 0
trap 'rm -rf "$room"' EXIT
: >"$stamp"
as_user mpirun -np "$processes" skampi -f health --quiet >../said 2>&1 || {
    report "not measured: $(tail -n 1 ../said | plain)"
    exit 0
}
as_user skampi-show --health skampi.out >../health 2>&1
test $? != 1 && exit 0
rm -f "$stamp"
report "slower than its limits: $(grep -aw look ../health | plain)"
exit 1
