"""SKaMPI as a package of Spack: packages/skampi/package.py in a repository of yours.

There is no public archive: "make dist" makes build/skampi-VERSION.tar.gz, and sha256sum its checksum.
Put the archive into the folder skampi of a source mirror (spack mirror add), or where you start spack,
and the checksum into the line of the version below; without it, use spack install --no-checksum.
"""

import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Skampi(MakefilePackage):
    """SKaMPI measures what MPI operations cost, over message lengths and numbers of processes, each
    value with its standard error."""

    homepage = "https://doi.org/10.1155/2002/202839"  # the paper about the method
    manual_download = True
    url = f"file://{os.getcwd()}/skampi-4.3.0.tar.gz"

    version("4.3.0")  # sha256="..." of your archive

    variant("mpi", default=True, description="The benchmark; without it, only the programs that read results")
    variant("report", default=False, description="Plots and the report as PDF")
    variant("db", default=False, description="The result database and its web pages")

    license("BSD-3-Clause")

    depends_on("c", type="build")
    depends_on("perl@5.26:", type=("build", "run"))
    depends_on("mpi", when="+mpi")
    depends_on("hwloc@2:", when="+mpi")
    depends_on("cmocka", type="test")
    depends_on("gnuplot", type="run", when="+report")
    depends_on("texlive", type="run", when="+report")
    depends_on("perl-template-toolkit", type="run", when="+report")
    depends_on("perl-dbi", type="run", when="+db")
    depends_on("perl-dbd-sqlite", type="run", when="+db")
    depends_on("perl-mojolicious", type="run", when="+db")

    @property
    def make_arguments(self):
        """Returns the arguments of make, which name the compiler of the library."""
        return [f"MPICC={self.spec['mpi'].mpicc}", "FORTRAN="]

    def build(self, spec, prefix):
        if spec.satisfies("+mpi"):
            make(*self.make_arguments)
        else:
            make("build/skampi-maxt")

    def check(self):
        make("check-unit")

    def install(self, spec, prefix):
        if spec.satisfies("+mpi"):
            make("install", f"PREFIX={prefix}", *self.make_arguments)
        else:
            install_tree("report", prefix.share.skampi.report)
            install("build/skampi-maxt", prefix.share.skampi.report)
            install_tree("docs/man", prefix.share.skampi.docs.man)
            mkdirp(prefix.bin)
            for name in ["show", "compare", "export", "db"]:
                symlink(join_path(prefix.share.skampi.report, f"{name}.pl"), join_path(prefix.bin, f"skampi-{name}"))
        perl = self.spec["perl"].command.path
        filter_file("^#!/usr/bin/perl", f"#!{perl}", *find(prefix.share.skampi.report, "*.pl", recursive=False))
