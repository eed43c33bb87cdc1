#!/bin/sh
# Checks a release by its archive: a line for each step (archive packages container reframe, or those that are named)
# with ok, failed and its log, or not done and why. Status 0: all are ok.
set -u
cd "$(dirname "$0")/../.." || exit
place=$PWD/build/release
unset MAKEFLAGS MAKEOVERRIDES MFLAGS
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
run='skampi bcast -m 8'

# The archive in a new folder of this name.
archive=$PWD/build/skampi-$(sed -n 's/^VERSION = //p' Makefile).tar.gz
unpack() { mkdir "$1" && tar -C "$1" --strip-components=1 -xzf "$archive"; }

# A test in its long form; what it skips is not done.
long() {
    SKAMPI_LONG=1 make check IN=all TESTS="tests/install/$1.t" || return
    ! skipped=$(grep ^SKIP "$place/$step.log") || { echo "$skipped" && return 77; }
}

archive() { long dist; }
packages() { long deb; }

# By podman or docker where they run its image, else the steps of the Containerfile on a new Debian.
container() {
    unpack "$place/container" && cd "$place/container" || return
    image=$(sed -n 's/^FROM //p' configs/frameworks/Containerfile)
    for with in podman docker; do
        "$with" run --rm "$image" true || continue
        "$with" build -t skampi-release -f configs/frameworks/Containerfile . &&
            "$with" run --rm --shm-size=1g skampi-release sh -c "mpirun --oversubscribe -np 2 $run"
        return
    done
    steps=$(perl -0777 -ne 's/\\\n//g; print join q{ && }, /^RUN (.+)/mg' configs/frameworks/Containerfile)
    SKAMPI_FRESH=$place/../fresh FRESH_RELEASE=trixie tests/fresh/bare.sh \
        "$steps && mpirun --allow-run-as-root --oversubscribe -np 2 $run"
}

reframe() {
    python3 -m venv build/reframe && build/reframe/bin/pip install -q reframe-hpc ||
        { echo 'ReFrame cannot be installed from PyPI'; return 77; }
    unpack "$place/source" && make -C "$place/source" install PREFIX="$place/installed" || return
    PATH=$place/installed/bin:$PATH
    $run --print-config >"$place/p.skampi"
    cat >"$place/settings.py" <<'END'
site_configuration = {'systems': [{'name': 'here', 'hostnames': ['.*'], 'partitions': [
    {'name': 'cpu', 'scheduler': 'local', 'launcher': 'mpirun', 'environs': ['builtin']}]}]}
END
    build/reframe/bin/reframe --prefix "$place/reframe" -C "$place/settings.py" \
        -S "skampi.parameter_file=$place/p.skampi" -r -c "$place/installed/share/skampi/frameworks/reframe.py"
}

rm -rf "$place" && mkdir -p "$place" && make dist >/dev/null || exit
bad=0
for step in ${*:-archive packages container reframe}; do
    ("$step") >"$place/$step.log" 2>&1
    case $? in
    0) echo "$step: ok" ;;
    77 | 127) bad=1 && echo "$step: not done: $(tail -n 1 "$place/$step.log")" ;;
    *) bad=1 && echo "$step: failed: $place/$step.log" ;;
    esac
done
exit $bad
