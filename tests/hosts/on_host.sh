#!/bin/sh
# Runs a command on a host of lan.sh:  on_host.sh NAME COMMAND...
set -eu
host=$LAN/$1
shift
exec nsenter --net="$host/net" --uts="$host/uts" --time="$host/time" \
    taskset --cpu-list "$(cat "$host/cpus")" "$@"
