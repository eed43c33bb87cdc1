"""SKaMPI as a package of Spack: packages/skampi/package.py in a repository of yours.

An example until there is a public address: "make dist" writes build/package.py, with the checksum of
build/skampi-VERSION.tar.gz, which it makes. Put that archive into the folder skampi of a source mirror
(spack mirror add), or where you start spack.
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

    version("4.3.0")

    variant("mpi", default=True, description="The benchmark; without it, all programs that need no MPI")
    variant("report", default=False, description="What dorep needs for plots and for the report as PDF")
    variant("db", default=False, description="The result database and its web pages")

    license("BSD-3-Clause")

    depends_on("c", type="build")
    depends_on("perl@5.26:", type=("build", "run"))
    depends_on("mpi", when="+mpi")
    depends_on("hwloc@2:", when="+mpi")
    depends_on("cmocka", type="test")
    depends_on("gnuplot", type="run", when="+report")
    depends_on("texlive", type="run", when="+report")
    depends_on("perl-dbi", type="run", when="+db")
    depends_on("perl-dbd-sqlite", type="run", when="+db")
    depends_on("perl-mojolicious", type="run", when="+db")

    @property
    def make_arguments(self):
        """Returns the arguments of make, which name the compiler of the library."""
        return [f"MPICC={self.spec['mpi'].mpicc}", "FORTRAN="] if self.spec.satisfies("+mpi") else ["MPI=none"]

    def build(self, spec, prefix):
        make(*self.make_arguments)

    def check(self):
        make("check-unit", *self.make_arguments)

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}", *self.make_arguments)
        perl = spec["perl"].command.path
        filter_file("^#!/usr/bin/perl", f"#!{perl}", *find(prefix.share.skampi.report, "*.pl", recursive=False))
