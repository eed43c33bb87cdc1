#!/bin/sh
# Does this version print the same as an older one? Builds both, and compares what tests/same/outputs.pl writes. Outputs
# are kept under the hash of the version's files, so that an interrupted start goes on.
#
#   usage: since.sh COMMIT
set -e
[ $# = 1 ] || { echo "usage: $0 COMMIT" >&2; exit 2; }
cd "$(dirname "$0")/../.."
root=$PWD same=$PWD/build/same script=$PWD/tests/same/outputs.pl git_dir=$(git rev-parse --absolute-git-dir)
git_of() { GIT_INDEX_FILE=$same/index git --git-dir="$git_dir" "$@"; }
kept=$same/$(git hash-object "$script")
mkdir -p "$kept"
now=$(git_of add -A && git_of write-tree)
older=$(git rev-parse "$1^{tree}")

# Makes a copy of this version, with what is built, the older one: make then builds what differs.
make_older() {
    rm -rf "$same/tree" && mkdir -p "$same/tree/build"
    tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$same/tree"
    cp -a "build/${MPI:-openmpi}" build/smpi "$same/tree/build"
    cd "$same/tree"
    git_of update-index -q --refresh || true
    git_of read-tree --reset -u "$older"
    echo "$(sed -n 's/^VERSION = //p' Makefile)-dev 000000000000" > COMMIT # as a checkout has them
}

# Writes the outputs of the version in directory $1, whose hash is $2, as many parts at once as there are CPUs.
outputs() {
    cd "$1"
    make -s -j2 all
    make -s -j2 MPI=smpi VARIANT= CFLAGS='-O2 -g' build/smpi/skampi build/smpi/tests/no_cpu_time.so
    export SKAMPI_BUILT=1 PERL5LIB="$1/tests/lib:$1/report/lib"
    perl "$script" | xargs -P "$(nproc)" -n 1 perl "$script" "$kept/$2"
    touch "$kept/$2/complete"
}

(outputs "$root" "$now")
[ -e "$kept/$older/complete" ] || (make_older; outputs "$same/tree" "$older")
diff -r -u "$kept/$older" "$kept/$now"
echo "same as $1"
