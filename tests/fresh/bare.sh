#!/bin/sh
# Runs commands on the committed project in a new Debian with nothing installed but make and git.
# What works only because of something that was installed or cached by hand fails there.
#
#   tests/fresh/bare.sh [COMMANDS]      default: make demo && make check
#   FRESH_RELEASE=trixie tests/fresh/bare.sh ...    Debian 13 (Open MPI 5, MPICH 4.2) instead of 12
#
# Exit status: that of the commands; 77 and a reason where such a system cannot be made. The system is
# a directory in build/fresh. Its mounts and processes have namespaces of their own, so they are gone
# when this script ends, for whatever reason.
set -eu

release=${FRESH_RELEASE:-bookworm}
project=$(cd "$(dirname "$0")/../.." && pwd)
place=${SKAMPI_FRESH:-$project/build/fresh}
base=$place/base.$release
room=$place/room.$$

# Inside the new system's namespaces.
enter() {
    cd "$1"
    mount --bind . .
    cd "$1"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t devpts -o ptmxmode=666 devpts dev/pts
    mount -t tmpfs tmpfs dev/shm
    pivot_root . mnt
    cd /
    umount -l mnt
    # shellcheck disable=SC2086 # a list of words without blanks
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive CI="${CI:-}" TERM="${TERM:-dumb}" $proxies \
        sh -c 'apt-get -qq update && cd /work/skampi && eval "$0"; exit $?' "$2"
}

proxies=
for name in http_proxy https_proxy no_proxy; do
    eval "value=\${$name:-}"
    [ -z "$value" ] || proxies="$proxies $name=$value"
done
if [ "${1:-}" = --inside ]; then
    enter "$2" "$3"
fi

commands=${1:-make demo && make check}
child=

clean_up() {
    trap '' HUP INT TERM
    if [ -n "$child" ]; then
        kill -KILL "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    # The killed processes may still be writing.
    for pause in 0.1 0.5 2 5; do
        rm -rf --one-file-system "$room" 2>/dev/null && break
        sleep $pause
    done
}

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "check-fresh: $*" >&2
    exit 1
}

# In the background, so that a signal is not held up.
apart() {
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child "$@" &
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    return "$status"
}

# Removes the remains of a killed script.
sweep() {
    for old in "$place"/room.*; do
        [ ! -d "$old" ] || kill -0 "${old##*.}" 2>/dev/null || rm -rf --one-file-system "$old"
    done
}

# Tries the new system, which needs root and Debian here.
try() {
    [ "$(id -u)" = 0 ] || skip 'needs root'
    command -v apt-get >/dev/null || skip 'needs a Debian system: apt-get is missing'
    mkdir -p "$room/old"
    mknod "$room/null" c 1 3 2>/dev/null && (: >"$room/null") 2>/dev/null ||
        skip "device files cannot be made or used in $place"
    apart sh -c 'cd "$1" && mount --bind . . && cd "$1" && mount -t proc proc old && umount old &&
        pivot_root . old' sh "$room" 2>"$room/why" ||
        skip "this system does not allow it: $(head -n 1 "$room/why")"
    rm -rf --one-file-system "$room"
}

# Where this system has its own packages from. apt knows the labels of sources only after an update.
mirror() {
    found=$(labelled)
    [ -n "$found" ] || { apt-get -qq update >/dev/null && found=$(labelled); }
    echo "$found"
}

labelled() {
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' 'Component: main' |
        head -n 1
}

# Made once, and kept. What apt has to know to reach the mirror from here comes along.
make_base() {
    command -v debootstrap >/dev/null || make -s -C "$project" deps-fresh || fail 'no debootstrap'
    from=$(mirror)
    [ -n "$from" ] || skip 'no Debian mirror among the sources of apt'
    case $from in https:*) certificates=,ca-certificates ;; *) certificates= ;; esac
    apart debootstrap --variant=minbase --include="make,git$certificates" "$release" "$room" "$from" \
        >"$place/debootstrap.log" 2>&1 || {
        tail -n 5 "$place/debootstrap.log" >&2
        fail "debootstrap failed; see $place/debootstrap.log"
    }
    apt-config dump | grep '^Acquire::' | grep -v IndexTargets >"$room/etc/apt/apt.conf.d/50outside"
    [ ! -d /etc/apt/auth.conf.d ] || cp -a /etc/apt/auth.conf.d/. "$room/etc/apt/auth.conf.d/"
    mv -T "$room" "$base" 2>/dev/null || [ -d "$base" ]
}

make_room() {
    cp -a "$base" "$room"
    cp -L /etc/resolv.conf /etc/hosts "$room/etc/" 2>/dev/null || true
    mkdir -p "$room/work/skampi"
    [ -e "$project/.git" ] || { # an archive
        tar -C "$project" --exclude=./build -c . | tar -C "$room/work/skampi" -x && return
    }
    git -C "$project" diff --quiet HEAD || echo 'check-fresh: uncommitted changes are left out'
    git clone -q --no-hardlinks "$project" "$room/work/skampi"
    git -C "$room/work/skampi" checkout -q --detach "$(git -C "$project" rev-parse HEAD)"
}

trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
try
sweep
[ -d "$base" ] || make_base
make_room
echo "check-fresh: on a new Debian ($release): $commands"
apart "$0" --inside "$room" "$commands"
