#!/bin/sh
# mpirun runs this instead of ssh:  remote_shell.sh NAME WORD...  The words form a shell command.
set -eu
host=$1
shift
exec "$(dirname "$0")/on_host.sh" "$host" sh -c "$*"
