#!/bin/sh
# Does this version print the same as an older one? Builds both, and compares what tests/same/outputs.pl writes.
#
#   usage: since.sh COMMIT
set -e
[ $# = 1 ] || { echo "usage: $0 COMMIT" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
base=$root/build/same/$(git -C "$root" rev-parse "$1")
[ -d "$base/tree" ] || git -C "$root" worktree add --detach "$base/tree" "$1"
outputs() {
    make -s -C "$1" -j2 all
    (cd "$1" && perl -Itests/lib -Ireport/lib "$root/tests/same/outputs.pl" "$2")
}
[ -d "$base/outputs" ] || outputs "$base/tree" "$base/outputs"
rm -rf "$root/build/same/now"
outputs "$root" "$root/build/same/now"
diff -r -u "$base/outputs" "$root/build/same/now" && echo "same as $1"
