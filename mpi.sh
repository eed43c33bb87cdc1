#!/bin/sh
# Chooses the MPI library for the Makefile: mpi.sh MPI MPICC MPIRUN CPPFLAGS... (the first three may be empty). Prints
# words: the library, which names the folder of the build; its compiler, or "given"; the mpirun that belongs to it; the
# compiler's file; the version of hwloc if the compiler finds that, or "-"; and what all this is, for people. Without a
# library: "none", and why.
mpi=$1 mpicc=$2 mpirun=$3
shift 3

# The library as mpi.h says, hwloc as above, and the library's name and version. With the ABI of MPI 5, it is that of no
# library. Intel, Cray and MVAPICH have built on MPICH. The program needs hwloc 2, which has more headers than hwloc 1.
library_of() {
    compiler=$1
    shift
    printf '%s\n' '#include <mpi.h>' '#if MPI_ABI_VERSION > 0' \
        '"abi MPI ABI "MPI_ABI_VERSION"."MPI_ABI_SUBVERSION' '#elif defined OPEN_MPI' \
        '"openmpi Open MPI "OMPI_MAJOR_VERSION"."OMPI_MINOR_VERSION"."OMPI_RELEASE_VERSION' \
        '#elif defined I_MPI_VERSION' '"mpich Intel MPI "I_MPI_VERSION' \
        '#elif defined CRAY_MPICH_VERSION' '"mpich Cray MPICH "CRAY_MPICH_VERSION' \
        '#elif defined MVAPICH_VERSION' '"mpich MVAPICH "MVAPICH_VERSION' \
        '#elif defined MVAPICH2_VERSION' '"mpich MVAPICH2 "MVAPICH2_VERSION' \
        '#elif defined MPICH_VERSION' '"mpich MPICH "MPICH_VERSION' \
        '#elif defined MPICH_NAME' '"mpich MPICH"' \
        '#elif defined SMPI_H' '"smpi SimGrid"' \
        '#else' '"other unknown library"' '#endif' \
        '#ifdef __has_include' '#if __has_include(<hwloc.h>) && __has_include(<hwloc/shmem.h>)' \
        '#include <hwloc/autogen/config.h>' '#endif' '#endif' \
        '#ifdef HWLOC_VERSION' '"hwloc-"HWLOC_VERSION' '#else' '"-"' '#endif' |
        $compiler "$@" -E -P -x c - 2>/dev/null |
        sed -n '/^"/{ s/["]//g; H; }; ${ x; s/.*\n\([^ ]*\) \(.*\)\n\(.*\)$/\1 \3 \2/p; }'
}

# The one beside the compiler: Debian's has the library in its name. Without its folder if PATH finds it.
mpirun_of() {
    for name in "mpirun.$mpi" mpirun; do
        beside=${path%/*}/$name
        if [ -x "$beside" ]; then
            [ "$(command -v "$name")" = "$beside" ] || name=$beside
            break
        fi
    done
    echo "$name"
}

candidates="mpicc ${CRAY_MPICH_DIR:+cc} mpicc.${mpi:-openmpi}"
[ "$mpi" != smpi ] || candidates=smpicc
[ -z "$mpicc" ] || candidates=given
for candidate in $candidates; do
    compiler=${mpicc:-$candidate}
    # The last word that is no option: "env OMPI_CC=clang mpicc", "mpicc -mpi-abi".
    for word in $compiler; do
        [ "${word#-}" = "$word" ] && name=$word
    done
    path=$(command -v "$name" 2>/dev/null)
    [ -n "$path$mpicc" ] || continue
    library=$(library_of "$compiler" "$@")
    case $library in
    "${mpi:-${library%% *}} "*)
        mpi=${library%% *}
        echo "$mpi $candidate ${mpirun:-$(mpirun_of)} $(readlink -f "$path" || echo -)" \
            "${library#* }, $compiler$([ "$path" = "$compiler" ] || echo " ($path)")"
        exit
        ;;
    '')
        why="'$compiler' finds no mpi.h"
        break
        ;;
    *) why="'$compiler' is that of ${library#* * }" ;;
    esac
done
echo "none no compiler of ${mpi:-an MPI library}: ${why:-none of $candidates is in PATH}." \
    "Load a module, install libopenmpi-dev or openmpi-devel, or say where it is: make MPICC=/path/to/mpicc"
