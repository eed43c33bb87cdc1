#!/bin/sh
# What mpirun takes for ssh:  remote_shell.sh NAME WORD...  The words together are a shell command.
set -eu
host=$1
shift
exec "$(dirname "$0")/on_host.sh" "$host" sh -c "$*"
