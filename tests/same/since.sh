#!/bin/sh
# Does this version print the same as an older one? Builds both, and compares what tests/same/outputs.pl writes.
#
#   usage: since.sh COMMIT
set -e
[ $# = 1 ] || { echo "usage: $0 COMMIT" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
base=$root/build/same/$(git -C "$root" rev-parse "$1^{commit}")

# Writes the outputs of the version in directory $1 to $2, which is complete once it is there.
outputs() {
    make -s -C "$1" -j2 all
    rm -rf "$2.new" "$2"
    (cd "$1" && perl -Itests/lib -Ireport/lib "$root/tests/same/outputs.pl" "$2.new")
    mv "$2.new" "$2"
}

if [ ! -d "$base/outputs" ]; then
    mkdir -p "$base/tree"
    git -C "$root" archive "$1" | tar -x -C "$base/tree"
    outputs "$base/tree" "$base/outputs"
fi
outputs "$root" "$root/build/same/now"
diff -r -u "$base/outputs" "$root/build/same/now"
echo "same as $1"
