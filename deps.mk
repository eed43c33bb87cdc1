# The Debian packages to install; a part of the Makefile. Each set says what it is for.

# The program and the MPI library it measures; CPU binding, cores and caches (optional).
DEPS_BUILD = gcc make libc6-dev libopenmpi-dev openmpi-bin libhwloc-dev
# The report and the manual: plots, typesetting and its fonts; bubblewrap confines the LaTeX and gnuplot
# files of the user (dorep -u). All else needs only Perl.
# The result database: a database in one file, and its web pages.
DEPS_REPORT = perl gnuplot-nox texlive-latex-base texlive-latex-recommended \
	texlive-fonts-recommended lmodern bubblewrap libdbi-perl libdbd-sqlite3-perl \
	libmojolicious-perl
# Tests: C units, running programs, a second MPI library, simulated machines, several hosts
# (namespaces), the text of a PDF, uninitialised and leaked memory; programs and modules that read exported
# results (JSON, CSV) and YAML; a reader of Perl; loops in Fortran, which the program can do without; a server for the
# result database, a browser for its pages, their HTML, and pictures of them.
DEPS_CHECK = libcmocka-dev libipc-run-perl libmpich-dev mpich libsimgrid-dev iproute2 poppler-utils \
	valgrind libbenchmark-tools python3-scipy python3-jsonschema python3-yaml sqlite3 gfortran \
	libcpanel-json-xs-perl libtext-csv-xs-perl libppi-perl \
	libdbd-pg-perl postgresql chromium chromium-driver tidy ghostscript
# Format and style; clang's runtime is for the fuzzers.
DEPS_LINT = git clang clang-format libclang-rt-dev cppcheck perltidy libperl-critic-perl
# A new system to test on, a Debian package and its checks, and a batch system (tests/hosts/slurm.t).
DEPS_FRESH = debootstrap
DEPS_DEB = debhelper lintian
DEPS_SLURM = slurm-wlm
# The compiler for another processor.
DEPS_CROSS = gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# The packages that a target installs.
WANTED_deps-demo = $(DEPS_BUILD) $(DEPS_REPORT)
WANTED_deps-check = $(WANTED_deps-demo) $(DEPS_CHECK)
WANTED_deps-lint = $(DEPS_BUILD) $(DEPS_LINT)
WANTED_deps-fresh = $(DEPS_FRESH)
WANTED_deps-deb = $(WANTED_deps-check) $(DEPS_DEB)
WANTED_deps-slurm = $(WANTED_deps-check) $(DEPS_SLURM)
WANTED_deps = $(WANTED_deps-check) $(DEPS_LINT)
WANTED_deps-compilers = $(DEPS_BUILD) gfortran clang $(DEPS_CROSS)

# The programs and modules of Perl that are named where packages cannot be installed by apt-get.
PROGRAMS_deps-demo = cc perl gnuplot pdflatex
MODULES_deps-demo = DBD::SQLite Mojolicious
PROGRAMS_deps-check = $(PROGRAMS_deps-demo) smpicc mpicc.mpich gfortran ip pdftotext valgrind sqlite3 tidy gs chromium
MODULES_deps-check = $(MODULES_deps-demo) DBD::Pg IPC::Run Cpanel::JSON::XS Text::CSV_XS
PROGRAMS_deps-lint = clang clang-format cppcheck perltidy perlcritic git
PROGRAMS_deps = $(PROGRAMS_deps-check) $(PROGRAMS_deps-lint)
MODULES_deps = $(MODULES_deps-check)
PROGRAMS_deps-fresh = debootstrap
PROGRAMS_deps-deb = dpkg-buildpackage
PROGRAMS_deps-slurm = slurmctld
PROGRAMS_deps-compilers = gfortran clang aarch64-linux-gnu-gcc

# The targets that do what they can with what is there.
GO_ON = deps-demo deps-check deps-compilers

.PHONY: deps deps-demo deps-check deps-lint deps-fresh deps-deb deps-slurm deps-compilers
deps deps-demo deps-check deps-lint deps-fresh deps-deb deps-slurm deps-compilers:
	@if ! command -v apt-get >/dev/null; then \
		missing=; for p in $(PROGRAMS_$@); do command -v $$p >/dev/null || missing="$$missing $$p"; done; \
		for m in $(MODULES_$@); do perl -M$$m -e 1 2>/dev/null || missing="$$missing $$m"; done; \
		[ -z "$$missing" ] || echo "not on this system, which has no apt-get:$$missing"; \
		exit 0; fi; \
	there=" $$(dpkg-query -W -f='$${db:Status-Status}:$${Package} ' $(WANTED_$@) 2>/dev/null)"; \
	missing=; for p in $(WANTED_$@); do \
		case "$$there" in *" installed:$$p "*) ;; *) missing="$$missing $$p";; esac; done; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as=; \
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as=sudo; \
	else as=none; fi; \
	echo "$$([ "$$as" = none ] && echo missing packages || echo installing):$$missing"; \
	[ "$$as" != none ] && $$as apt-get update -qq && \
		$$as env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing && exit 0; \
	echo "to install them, type:"; \
	echo "  su -c 'apt-get update && apt-get install -y --no-install-recommends$$missing'"; \
	exit $(if $(filter $@,$(GO_ON)),0,1)
