# SKaMPI. "make demo" shows it, "make check" tests it; both do all set-up by themselves.
#
#   make [MPICC=/path/to/mpicc]     build, and ./skampi; without MPICC for the library whose mpicc is in PATH
#                                   MPI=mpich beside another library of Debian, MPI=smpi: simulated machines,
#                                   MPI=none: only what needs no MPI, from an archive of make dist
#                                   HWLOC=: without hwloc; FORTRAN=: without loops in Fortran
#                                   LOOPFLAGS=-O3: flags of the loops of applications
#                                   EMULATOR=qemu-aarch64: starts the program where this machine cannot
#   make demo                       build, measure (20 seconds, if two CPUs are idle), show the results, make a report
#   make mpi                        which MPI library that is
#   make check [MPI=mpich]          tests of each kind, in 5 minutes; TESTS="tests/mpi/run.t ..." for some
#   make check-all                  all tests, in 15 minutes
#   make times                      how long each file of the last run took
#   make check-unit                 only the unit tests, without installing anything
#   make check-fresh                demo and check on a new Debian system; FRESH="commands" for others,
#                                   FRESH_RELEASE=trixie for Debian 13
#   make check-libraries            tests with Intel MPI, MPICH 5 and Open MPI 5 from PyPI; LIBRARY=intel: one of them
#   make release-check              the archive, its packages, container and ReFrame; STEPS="packages": only these
#   make check-long                 all tests in their long form, and the next four
#   make check-compilers            compile by clang, with -O3 -flto, and for 64-bit Arm
#   make check-asan                 unit tests and a real run with the address and UB sanitizers
#   make check-tsan                 a run of suites with threads with the thread sanitizer
#   make check-valgrind             a real run under valgrind
#   make torture                    kill runs, fail disks, cut files: the long form of tests/faults
#   make fuzz                       a minute of fuzzing each reader: parameter file, result files
#   make lint                       warnings as errors, formatting, cppcheck, include direction
#   make format                     format C and Perl
#   make bench                      one table of figures about skampi; BENCH="clock duet": only these
#   make same SINCE=COMMIT          what programs print here and did at COMMIT, on fixed input: the differences
#   make house                      lines and files of each room, and other figures of the source
#   make golden                     rewrite the golden files; review the diff
#   make deps                       install what all of this needs; deps-demo, deps-check, deps-lint: less
#   make docs                       the manual, docs/manual.pdf
#   make example                    measure and report docs/examples again, on an idle machine
#   make barrier-figure             simulate what barriers do to OSU's and IMB's numbers, and draw it (20 minutes)
#   make install PREFIX=/usr/local DESTDIR=      and make uninstall, with the same
#   make dist                       build/skampi-VERSION.tar.gz of what is committed
#   make field-kit                  build/skampi-field-VERSION.tar.gz: dist with a script that tries it on a cluster
#   make deb                        Debian packages, for Open MPI and for MPICH
#   make clean                      remove what make has built

VERSION = 4.3.0
RELEASED = 2026-11-29
CFLAGS ?= -O2 -g
FFLAGS ?= -O2 -g
JOBS := $(shell nproc 2>/dev/null || echo 1)

# The MPI library: folder of the build, compiler, mpirun, the compiler's file, hwloc, in words, then a text (mpi.sh).
# MPI=smpi has one compiler, whatever MPICC is for the others.
MPI_ASKED := $(MPI)
$(if $(filter-out openmpi mpich abi smpi other none,$(MPI)),$(error MPI=$(MPI): only openmpi, mpich, smpi and none have names; \
	any library is built by its compiler: make MPICC=/path/to/mpicc))
ifeq ($(MPI),smpi)
override MPICC =
endif
# "make install", perhaps as another user with another PATH, installs what was built.
MPI_CHOSEN := $(and $(filter install,$(MAKECMDGOALS)),$(if $(MPI)$(MPICC),,yes),$(shell cat build/library 2>/dev/null))
ifeq ($(MPI),none)
MPI_CHOSEN = none MPI=none has no 'skampi', and needs report/catalog.json of an archive of make dist
endif
ifeq ($(MPI_CHOSEN),)
MPI_CHOSEN := $(shell sh ./mpi.sh '$(MPI)' '$(MPICC)' '$(MPIRUN)' $(CPPFLAGS))
endif
ifeq ($(firstword $(MPI_CHOSEN)),none)
MPI_MISSING := $(wordlist 2,99,$(MPI_CHOSEN))
MPI_CHOSEN := $(or $(MPI),openmpi) mpicc mpirun
endif
override MPI := $(word 1,$(MPI_CHOSEN))
override MPICC := $(or $(MPICC),$(word 2,$(MPI_CHOSEN)))
override MPIRUN := $(or $(MPIRUN),$(word 3,$(MPI_CHOSEN)))
MPI_NAME = $(wordlist 6,99,$(MPI_CHOSEN))
# CPUs, cores and caches are read by hwloc, if the compiler finds it; make HWLOC= does without.
HWLOC := $(filter hwloc%,$(word 5,$(MPI_CHOSEN)))
CPUS_READER = hosts/cpus_$(if $(HWLOC),hwloc,kernel)
# The loops of applications also exist in Fortran; make FORTRAN= does without.
FORTRAN := $(shell command -v gfortran 2>/dev/null)
FORTRAN_VERSION := $(if $(FORTRAN),Fortran compiler version $(shell $(FORTRAN) -dumpfullversion))

# gcc mistakes MPICH's MPI_STATUSES_IGNORE, and Open MPI's MPI_UNWEIGHTED, for short arrays.
WARNINGS_mpich = -Wno-stringop-overflow
WARNINGS_openmpi = -Wno-stringop-overread
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes \
	-Wstrict-prototypes -Wvla -Wno-unused-parameter $(WARNINGS_OF_CLANG)
# clang does not know the options above. It takes members after positional ones for forgotten, and constants for names.
WARNINGS_OF_CLANG := $(if $(findstring clang,$(shell { $(MPICC) --version; $(CC) --version; } 2>/dev/null)), \
	-Wno-unknown-warning-option -Wno-missing-field-initializers -Wno-enum-float-conversion)
BASE_CPPFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc
# make V=1 shows the commands
Q = $(if $(V),,@)
COMPILE = $(BASE_CPPFLAGS) -I$(BUILD) $(CPPFLAGS) $(WARNINGS) $(WARNINGS_$(MPI)) $(CFLAGS) -MMD -MP
# Timers are in librt before glibc 2.34.
LIBS = $(if $(HWLOC),-lhwloc) -lm -ldl -lrt

# Sources that need no MPI are also compiled without it, for the unit tests.
PURE_SOURCES = $(filter-out src/hosts/cpus_%,$(wildcard $(patsubst %,src/%/*.c,base model loops params plan stats clock hosts health results merge))) \
	src/$(CPUS_READER).c $(addprefix src/,patterns/noise.c session/progress.c session/watchdog.c)
SOURCES = $(filter-out src/hosts/cpus_%,$(wildcard src/*.c src/*/*.c)) src/$(CPUS_READER).c
CONFIGS = $(sort $(wildcard configs/*.skampi))

BUILD = build/$(MPI)$(VARIANT)
FORTRAN_OBJECTS = $(if $(FORTRAN),loops/fortran.o)
OBJECTS = $(SOURCES:src/%.c=$(BUILD)/%.o) $(BUILD)/shipped.o $(FORTRAN_OBJECTS:%=$(BUILD)/%)
UNIT = build/unit$(VARIANT)
UNIT_OBJECTS = $(PURE_SOURCES:src/%.c=$(UNIT)/%.o) $(FORTRAN_OBJECTS:%=$(UNIT)/%)

.PHONY: all help mpi demo demonstration lint format docs example example-report barrier-figure barrier-drawing \
	barrier-series man install uninstall dist field-kit deb clean

# The permutation test of skampi-compare needs no MPI.
MAXT = build/skampi-maxt

# The program's tables of patterns, types and keys, for the report's programs.
CATALOG = $(or $(and $(filter none,$(MPI)),$(wildcard report/catalog.json)),build/catalog.json)

# The recorder of other programs' MPI calls: a library to preload; simulated programs are linked with it.
RECORDER_smpi = $(BUILD)/librecord.a
RECORDER = $(or $(RECORDER_$(MPI)),$(BUILD)/libskampi-record.so)

ifeq ($(MPI),none)
all: $(MAXT) $(CATALOG)
else ifeq ($(filter-out openmpi,$(MPI_ASKED))$(VARIANT),)
all: skampi $(MAXT) $(CATALOG) $(RECORDER)
else
all: $(BUILD)/skampi $(MAXT) $(if $(filter smpi,$(MPI)),,$(CATALOG)) $(RECORDER)
endif

skampi: $(BUILD)/skampi force
	@[ "$$(readlink skampi)" = $< ] || ln -sfv $< skampi
	@[ -n '$(MPI_ASKED)' ] || \
		echo '$(MPI) $(lastword $(filter-out -%,$(MPICC))) $(MPIRUN) $(word 4,$(MPI_CHOSEN)) $(or $(HWLOC),-) $(MPI_NAME)' > build/library

mpi:
	@$(if $(MPI_MISSING),echo "$(MPI_MISSING)" >&2; exit 1,echo "$(MPI_NAME); $(MPIRUN); build in $(BUILD)")

# Says what is built before the first file. After a change of the compiler, all is built again.
$(BUILD)/library: force
	$(if $(MPI_MISSING),@echo "$(MPI_MISSING)" >&2; exit 1)
	@mkdir -p $(@D)
	@echo '$(word 4,$(MPI_CHOSEN))' | cmp -s - $@ || \
		{ echo "  MPI  $(MPI_NAME)"; echo '$(word 4,$(MPI_CHOSEN))' > $@; }

# After a change of the reader of CPUs, what has one is linked again.
%/hwloc: force
	@mkdir -p $(@D)
	@echo '$(HWLOC)' | cmp -s - $@ || \
		{ $(if $(HWLOC)$(filter $(UNIT)/%,$@),,echo "  NOTE without hwloc (libhwloc-dev, hwloc-devel): the CPU's name and caches are not stated";) \
		echo '$(HWLOC)' > $@; }
$(BUILD)/hwloc: | $(BUILD)/library
$(BUILD)/$(CPUS_READER).o: $(BUILD)/hwloc
$(UNIT)/$(CPUS_READER).o: $(UNIT)/hwloc

# No library that it does not call, such as that of Fortran, so that it starts with others of the same ABI.
$(BUILD)/skampi: $(OBJECTS)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) -Wl,--as-needed $(LDFLAGS) -o $@ $(OBJECTS) $(LIBS)

build/catalog.json: $(BUILD)/skampi
	@echo "  GEN  $@"
	$(Q)$(EMULATOR) $< --catalog > $@.new && mv $@.new $@

# The loops of applications are measured themselves: make LOOPFLAGS=-O3. The results state the flags.
# Without the alignment, a change of unrelated code can make a short loop take twice as long.
LOOP_ALIGNMENT = -falign-loops=64
override LOOPFLAGS := $(LOOP_ALIGNMENT) $(filter-out $(LOOP_ALIGNMENT),$(LOOPFLAGS))
LOOP_OBJECTS = $(filter $(BUILD)/loops/% $(UNIT)/loops/%,$(OBJECTS) $(UNIT_OBJECTS))
$(LOOP_OBJECTS): COMPILE += $(LOOPFLAGS) -DSKAMPI_LOOPFLAGS='"$(strip $(CFLAGS) $(LOOPFLAGS))"' \
	$(if $(FORTRAN),$(IN_FORTRAN))
IN_FORTRAN = -DSKAMPI_FORTRAN='"$(FORTRAN_VERSION), $(strip $(FFLAGS) $(LOOPFLAGS))"'
$(filter $(BUILD)/%,$(LOOP_OBJECTS)): $(BUILD)/loopflags
$(filter $(UNIT)/%,$(LOOP_OBJECTS)): $(UNIT)/loopflags

# skampi --version -v prints how it was built.
$(BUILD)/cli/inform_version.o: COMPILE += -DSKAMPI_BUILT='"MPI=$(MPI) MPICC=$(MPICC) $(or $(HWLOC),without hwloc) $(strip $(CPPFLAGS) $(CFLAGS) $(LDFLAGS))"'
$(BUILD)/cli/inform_version.o: $(BUILD)/loopflags $(BUILD)/hwloc

LOOPS_MADE_WITH = $(CFLAGS) $(LOOPFLAGS) $(FORTRAN_VERSION) $(FFLAGS)
.PHONY: force
%/loopflags: force
	@mkdir -p $(@D)
	@echo '$(LOOPS_MADE_WITH)' | cmp -s - $@ || echo '$(LOOPS_MADE_WITH)' > $@

%/loops/fortran.o: src/loops/fortran.f90 src/loops/both_ways.f90 Makefile %/loopflags
	@mkdir -p $(@D)
	@echo "  FC   $@"
	$(Q)$(FORTRAN) -cpp -std=f2008 -Wall -Wextra $(FFLAGS) $(LOOPFLAGS) -J$(@D) -c -o $@ $<

# The version, and the commit of a checkout: headers of two, so that a commit recompiles only what prints it. Released
# is what is tagged, or has no .git; an archive of make dist has both in the file COMMIT, if that is whole.
$(BUILD)/%/version.h $(BUILD)/%/commit.h: force
	@mkdir -p $(@D)
	@version=$(VERSION) commit=; \
	if [ -e .git ]; then \
		commit=$$(GIT_OPTIONAL_LOCKS=0 git describe --tags --match v$(VERSION) --long --always --abbrev=12 --dirty=', modified' 2>/dev/null); \
		case $$commit in *modified | "$${commit#v$(VERSION)-0-g}") version=$$version-dev ;; esac; \
		commit=$${commit##*-g}; \
	elif grep -qsxE '$(VERSION)(-dev)? [0-9a-f]{12,40}' COMMIT; then read -r version commit < COMMIT; \
	elif [ -e COMMIT ]; then version=$$version-dev; fi; \
	put() { echo "#define $$1 \"$$2\"" | cmp -s - $(@D)/$$3 || echo "#define $$1 \"$$2\"" > $(@D)/$$3; }; \
	put SKAMPI_VERSION "$$version" version.h; put SKAMPI_COMMIT "$$commit" commit.h

# Preprocess the library's mpi.h, with Open MPI's extensions: it says what the library has.
$(BUILD)/mpi.i: Makefile $(BUILD)/library
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '#include <mpi.h>' '#ifdef OPEN_MPI' '#include <mpi-ext.h>' '#endif' | \
		$(MPICC) $(BASE_CPPFLAGS) $(CPPFLAGS) -E -P -x c - > $@.new && mv $@.new $@

DECLARED = $(BUILD)/context/declared.h
# Is the MPI library linked statically? Then it has what it declares, and no other one is loaded.
$(BUILD)/static: $(BUILD)/mpi.i
	$(Q)echo 'int MPI_Init(void *, void *); int main(void) { return MPI_Init(0, 0); }' > $@.c
	$(Q)if $(MPICC) $(LDFLAGS) $@.c -o $@.out 2>/dev/null && names=$$(nm -D $@.out 2>/dev/null); then \
		case $$names in *MPI_Init*) ;; *) echo static ;; esac; fi > $@

$(DECLARED): src/context/probe.pl src/model/capabilities.def $(BUILD)/mpi.i $(BUILD)/static
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)perl src/context/probe.pl src/model/capabilities.def $$(cat $(BUILD)/static) < $(BUILD)/mpi.i > $@.new && mv $@.new $@

$(OBJECTS): $(BUILD)/library | $(DECLARED) $(BUILD)/base/version.h $(BUILD)/hwloc

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -c -o $@ $<

# The shipped parameter files are part of the program: skampi --print-config NAME.
$(BUILD)/shipped.c: configs/embed.pl $(CONFIGS)
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)perl configs/embed.pl $(CONFIGS) > $@.new && mv $@.new $@

$(BUILD)/shipped.o: $(BUILD)/shipped.c
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -c -o $@ $<

# A unit test after an edit: compiled quickly, except for clocks and for simulations of thousands of rows.
$(filter-out $(UNIT)/clock/% $(UNIT)/health/% $(UNIT)/stats/% $(UNIT)/merge/%,$(UNIT_OBJECTS)): COMPILE += -O0

$(UNIT)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(COMPILE) -c -o $@ $<

$(MAXT): src/programs/maxt/skampi_maxt.c src/stats/maxt.c src/stats/maxt.h src/base/err.c src/base/text.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(filter-out -MMD -MP,$(COMPILE)) $(LDFLAGS) -o $@ $(filter %.c,$^) -lm

# The wrappers are made from the library's mpi.h. In Open MPI, calls from Fortran do not reach those of C;
# in MPICH, those of mpi_f08 that have no buffer do not.
RECORD_LANGUAGES_openmpi = c fortran
RECORD_LANGUAGES_mpich = c f08
RECORD_LANGUAGES = $(or $(RECORD_LANGUAGES_$(MPI)),c)
RECORD_OBJECTS = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/programs/record/*.c)) \
	$(RECORD_LANGUAGES:%=$(BUILD)/programs/record/wrap_%.o)
$(RECORD_OBJECTS): $(BUILD)/library
$(RECORD_OBJECTS): COMPILE += -fPIC -fvisibility=hidden

$(RECORD_LANGUAGES:%=$(BUILD)/programs/record/wrap_%.c): $(BUILD)/programs/record/wrap_%.c: src/programs/record/wrap.pl src/programs/record/calls.txt $(BUILD)/mpi.i
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)perl src/programs/record/wrap.pl src/programs/record/calls.txt $* < $(BUILD)/mpi.i > $@.new && mv $@.new $@

$(RECORD_LANGUAGES:%=$(BUILD)/programs/record/wrap_%.o): %.o: %.c Makefile
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -Wno-missing-prototypes -c -o $@ $<

$(BUILD)/libskampi-record.so: $(RECORD_OBJECTS)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -lm

$(BUILD)/librecord.a: $(RECORD_OBJECTS)
	@echo "  AR   $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Archives for the tests: a change rebuilds two archives, not each test's objects. Thin: they name their objects.
$(BUILD)/libskampi.a: $(filter-out $(BUILD)/main.o,$(OBJECTS))
$(UNIT)/libskampi.a: $(UNIT_OBJECTS)
%/libskampi.a:
	@echo "  AR   $@"
	$(Q)rm -f $@ && $(AR) rcsT $@ $^

-include $(OBJECTS:.o=.d) $(UNIT_OBJECTS:.o=.d) $(RECORD_OBJECTS:.o=.d)

clean:
	rm -rf build skampi

help:
	@sed -n 's/^#   make/make/p' Makefile

# Open MPI requires a confirmation to run as root; it is set only for what make starts itself.
AS_ROOT := $(if $(filter 0,$(shell id -u)),OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

DEMO = build/demo

# With what there is: without gnuplot there is no report, without LaTeX no PDF, without DBI no database.
demo: deps-demo
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT= skampi $(CATALOG)
	@$(MAKE) --no-print-directory VARIANT= demonstration

demonstration:
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo "$(MPIRUN) -np 2 ./skampi -f configs/quick.skampi"
	@cd $(DEMO) && $(AS_ROOT) $(MPIRUN) -np 2 ../../skampi -f ../../configs/quick.skampi \
		--machine "$$(uname -n)"
	@perl report/show.pl $(DEMO)/skampi.out; echo
	@! command -v gnuplot >/dev/null || { perl report/dorep.pl --quiet --format html $(DEMO)/skampi.out && \
		echo "The report:  $(DEMO)/skampi.out.html, in any browser"; }
	@! command -v gnuplot >/dev/null || ! command -v pdflatex >/dev/null || \
		{ perl report/dorep.pl --quiet --format pdf $(DEMO)/skampi.out && \
		echo "For paper:   $(DEMO)/skampi.out.pdf"; }
	@echo "The results: $(DEMO)/skampi.out; this table again: ./skampi show $(DEMO)/skampi.out"
	@! perl -MDBD::SQLite -MMojolicious -e 1 2>/dev/null || \
		{ perl report/db.pl add --database $(DEMO).db $(DEMO)/skampi.out && \
		echo "In a browser, also with your other runs: ./skampi db serve --database $(DEMO).db"; }

include deps.mk install.mk docs/docs.mk tests/tests.mk tests/long.mk

C_FILES = $(shell git ls-files '*.c' '*.h')
PERL_FILES = $(shell git ls-files '*.pl' '*.pm' '*.t' tests/mutants)
# Files and folders in plain English: free of the words that docs/glossary.md advises against.
PLAIN_ENGLISH = README CHANGES CONTRIBUTING.md Makefile mpi.sh deps.mk install.mk configs debian docs report src tests

lint: deps-lint
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/lint CFLAGS="-O2 -Werror" build/lint/skampi build/lint/libskampi-record.so build/lint/hosts/cpus_kernel.o \
		$(BENCH_PROGRAMS:%=build/lint/%)
	@clang-format --dry-run -Werror $(C_FILES)
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingInclude -DMPI_VERSION=4 -Isrc $(wildcard src/*.c src/*/*.c src/programs/*/*.c)
	@perl tests/lint/includes.pl src
	@perl tests/lint/files.pl build/lint src
	@perl tests/lint/rooms.pl report/lib/SKaMPI
	@perl tests/lint/literals.pl src
	@perl tests/lint/facts.pl src/results/facts.def report
	@perl tests/lint/words.pl $(PLAIN_ENGLISH)
	@echo $(PERL_FILES) | xargs -n 1 -P $(JOBS) sh -c 'perltidy -st "$$0" | diff -u "$$0" -'
	@echo $(PERL_FILES) | xargs -n 20 -P $(JOBS) perlcritic --quiet --profile .perlcriticrc

format: deps-lint
	@clang-format -i $(C_FILES)
	@for f in $(PERL_FILES); do perltidy -st $$f | cmp -s $$f - || \
		{ echo "$$f"; perltidy -b -bext=/ $$f; }; done
