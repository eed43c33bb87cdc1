#!/bin/sh
# Runs a command on the first of several hosts on this machine:
#
#   lan.sh DIRECTORY NAME:CPUS:DELAY_US:RATE_MBIT:SECOND_MBIT... -- COMMAND...
#
# A host is a host name, a network, a monotonic clock 1000 s ahead of the previous host's, and the
# CPUs it may use. All hosts are connected to one switch, a bridge; what a host with a delay sends
# and receives is late by the delay, and a host with a rate sends no faster. SKaMPI::Hosts starts this as
# the first process of network, mount and PID namespaces of their own: whatever it makes vanishes
# with it, however it exits.
set -eu

LAN=$1
shift
export LAN
export TMPDIR="$LAN/tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
tools=$(dirname "$0")

# connect NAME DELAY_US RATE_MBIT: connects the host's end, eth0, to the switch
connect() {
    if [ "$2" = 0 ]; then
        ip link add "port-$1" type veth peer name eth0 netns "$LAN/$1/net"
    else
        ip tuntap add dev "port-$1" mode tap
        ip tuntap add dev eth0 mode tap
        perl "$tools/delay.pl" "$2" "port-$1" eth0
        ip link set eth0 netns "$LAN/$1/net"
    fi
    ip link set "port-$1" master switch up
    [ "$3" = 0 ] || limit "$1" eth0 "$3"
}

# limit NAME INTERFACE RATE_MBIT
limit() {
    "$tools/on_host.sh" "$1" tc qdisc add dev "$2" root tbf rate "$3mbit" burst 16kb latency 1s
}

# connect_second NUMBER NAME RATE_MBIT
connect_second() {
    ip link add "second-$2" type veth peer name eth1 netns "$LAN/$2/net"
    ip link set "second-$2" master second up
    "$tools/on_host.sh" "$2" ip address add "10.0.1.$1/24" dev eth1
    "$tools/on_host.sh" "$2" ip link set eth1 up
    limit "$2" eth1 "$3"
}

# host NUMBER NAME CPUS DELAY_US RATE_MBIT SECOND_MBIT
host() {
    mkdir "$LAN/$2"
    for kind in net uts time; do : > "$LAN/$2/$kind"; done
    echo "$3" > "$LAN/$2/cpus"
    ahead=$(($1 * 1000))
    unshare --net="$LAN/$2/net" --uts="$LAN/$2/uts" --time="$LAN/$2/time" --fork \
        --monotonic=$ahead --boottime=$ahead hostname "$2"
    connect "$2" "$4" "$5"
    "$tools/on_host.sh" "$2" ip link set lo up
    "$tools/on_host.sh" "$2" ip address add "10.0.0.$1/24" dev eth0
    "$tools/on_host.sh" "$2" ip link set eth0 up
    [ "$6" = 0 ] || connect_second "$1" "$2" "$6"
    echo "10.0.0.$1 $2" >> "$LAN/names"
}

mount -t tmpfs none "$LAN"
mount -t tmpfs none /dev/shm
mkdir "$TMPDIR"
echo '127.0.0.1 localhost' > "$LAN/names"
mount --bind "$LAN/names" /etc/hosts
ip link set lo up
ip link add switch type bridge
ip link set switch up
ip link add second type bridge
ip link set second up

first=${1%%:*}
number=0
while [ "$1" != -- ]; do
    number=$((number + 1))
    host $number $(echo "$1" | tr : ' ')
    shift
done
shift
"$tools/on_host.sh" "$first" "$@"
