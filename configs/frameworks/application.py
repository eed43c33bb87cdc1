"""SKaMPI as an application of Ramble: applications/skampi/application.py in a repository of yours."""

from ramble.appkit import *


class Skampi(ExecutableApplication):
    """Measures what MPI operations cost; the figures of merit of each point are its time, the
    standard error and the number of repetitions."""

    name = "skampi"

    tags("synthetic-benchmarks")

    software_spec("skampi", pkg_spec="skampi", package_manager="spack*")
    required_package("skampi", package_manager="spack*")

    executable("measure", "skampi -f {parameter_file} -o skampi.out --quiet", use_mpi=True)
    executable("export", "skampi-export --format csv -o skampi.csv skampi.out", use_mpi=False)
    executable("status", "skampi --status -f {parameter_file} -o skampi.out", use_mpi=False)

    workload("suites", executables=["measure", "export", "status"])
    workload_variable(
        "parameter_file",
        default="quick",
        description="a parameter file, or the name of one that ships with skampi",
        workloads=["suites"],
    )

    success_criteria("complete", mode="string", match=r".*: complete, .* 0 failed, 0 given up, 0 left")

    # A line of skampi.csv: suite, number of its type, ..., argument, time, error, repetitions, ...
    row = (
        r"^\d+,.*?,(?P<suite>[a-z0-9]+_[^,\"]+),\d+,.*?,(?P<argument>\d*),"
        r"(?P<time>[\d.e+-]+),(?P<error>[\d.e+-]*),(?P<count>\d+),"
    )
    figure_of_merit_context("point", regex=row, output_format="{suite} {argument}")

    for title, group, unit in [("time", "time", "us"), ("standard error", "error", "us"), ("repetitions", "count", "")]:
        figure_of_merit(
            title,
            fom_regex=row,
            group_name=group,
            units=unit,
            log_file="{experiment_run_dir}/skampi.csv",
            contexts=["point"],
        )
