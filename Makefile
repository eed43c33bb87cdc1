# SKaMPI. "make demo" shows it, "make check" tests it; both do all set-up by themselves.
#
#   make [MPI=openmpi|mpich|smpi]   build/$(MPI)/skampi, and ./skampi for Open MPI
#   make deps                       install what is missing (Debian packages)
#   make demo                       build, measure for about 20 seconds, show the results, make a PDF
#   make check [MPI=mpich]          all tests; TESTS="tests/mpi/run.t ..." for some of them
#   make check-unit                 only the tests of the parts, without installing anything
#   make lint                       warnings as errors, formatting, cppcheck, include direction
#   make check-asan                 unit tests and a real run with the address and UB sanitizers
#   make check-valgrind             a real run under valgrind
#   make fuzz                       a minute of fuzzing each reader: parameter file, result files
#   make bench                      one table of figures about skampi; BENCH="clock spread": only these
#   make torture                    kill runs, fail disks, cut files: the long form of tests/faults
#   make golden                     rewrite the golden files; review the diff
#   make docs                       the manual, docs/manual.pdf
#   make example                    measure and report docs/examples anew, on an idle machine
#   make install PREFIX=/usr/local DESTDIR=      and make uninstall, with the same
#   make dist                       build/skampi-VERSION.tar.gz of what is committed

VERSION = 4.2.0
RELEASED = 2026-11-21
MPI ?= openmpi
CFLAGS ?= -O2 -g
JOBS := $(shell nproc 2>/dev/null || echo 1)

MPICC_openmpi = mpicc.openmpi
MPICC_mpich = mpicc.mpich
MPICC_smpi = smpicc
MPICC ?= $(MPICC_$(MPI))

# MPICH's MPI_STATUSES_IGNORE is an address that gcc takes for a short array; so is Open MPI's
# MPI_UNWEIGHTED.
WARNINGS_mpich = -Wno-stringop-overflow
WARNINGS_openmpi = -Wno-stringop-overread
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes \
	-Wstrict-prototypes -Wvla
BASE_CPPFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -DSKAMPI_VERSION='"$(VERSION)"' -Isrc
# make V=1 shows the commands
Q = $(if $(V),,@)
COMPILE = $(BASE_CPPFLAGS) $(CPPFLAGS) $(WARNINGS) $(WARNINGS_$(MPI)) $(CFLAGS) -MMD -MP
LIBS = -lhwloc -lm

# What needs no MPI is also compiled without one, for the unit tests.
PURE_SOURCES = $(wildcard $(patsubst %,src/%/*.c,base model params plan stats results merge)) \
	$(patsubst %,src/%.c,clock/clock clock/line clock/link hosts/places hosts/system hosts/warnings \
	session/watchdog)
SOURCES = $(wildcard src/*.c src/*/*.c)
CONFIGS = $(sort $(wildcard configs/*.skampi))

BUILD = build/$(MPI)$(VARIANT)
OBJECTS = $(SOURCES:src/%.c=$(BUILD)/%.o) $(BUILD)/shipped.o
UNIT = build/unit$(VARIANT)
UNIT_OBJECTS = $(PURE_SOURCES:src/%.c=$(UNIT)/%.o)
UNIT_TESTS = $(patsubst tests/unit/%.c,$(UNIT)/%,$(wildcard tests/unit/*/*_test.c))
MPI_TESTS = $(patsubst tests/mpi/%.c,$(BUILD)/tests/%,$(wildcard tests/mpi/*.c)) \
	$(BUILD)/tests/clocks
# Not with sanitizers: they have to be loaded first.
NAPS_mpich = $(BUILD)/tests/naps.so

# The hostile clock of the tests: preloaded; for the simulator a part of the program.
SHIM_HOST_smpi = host_smpi
SHIM_HOST = $(or $(SHIM_HOST_$(MPI)),host_real)
SHIM_OBJECTS = $(patsubst %,$(BUILD)/shim/%.o,shim settings delay $(SHIM_HOST))
SHIM_TESTS_smpi = $(BUILD)/tests/skampi_shim
SHIM_TESTS = $(or $(SHIM_TESTS_$(MPI)),$(BUILD)/tests/libshim.so $(BUILD)/tests/libdatatypes.so) \
	$(BUILD)/tests/readings
# Faults: MPI calls that abort or hang, a disk that fails, and a run without MPI.
FAULT_TESTS = $(patsubst %,$(BUILD)/tests/%,libabort.so libio.so) $(UNIT)/dummy_run
SHIM_LINK_smpi = $(SHIM_OBJECTS)

# --- dependencies: package, and why -------------------------------------------------------------
DEPS = \
	gcc make libc6-dev \
	libopenmpi-dev openmpi-bin \
	libhwloc-dev \
	libcmocka-dev \
	libipc-run-perl \
	libmpich-dev mpich \
	libsimgrid-dev \
	iproute2 \
	clang clang-format cppcheck \
	libclang-rt-14-dev \
	perltidy libperl-critic-perl \
	gnuplot-nox texlive-latex-base texlive-latex-recommended \
	texlive-fonts-recommended lmodern libtemplate-perl \
	bubblewrap \
	poppler-utils \
	valgrind
# gcc make libc6-dev        build
# libopenmpi-dev openmpi-bin  the MPI library to measure
# libhwloc-dev              hosts, CPU binding and caches
# libcmocka-dev             C unit tests
# libipc-run-perl           tests run programs with time limits
# libmpich-dev mpich        the same tests on a second MPI library
# libsimgrid-dev            smpicc, smpirun: simulated machines with known times
# iproute2                  tests on several hosts, which are namespaces
# clang clang-format cppcheck  make lint, make fuzz
# libclang-rt-14-dev        sanitizer and fuzzer runtime of clang
# perltidy libperl-critic-perl  make lint for Perl
# gnuplot-nox               the plots of the report
# texlive-latex-base texlive-latex-recommended  its typesetting; pdflatex, latex and dvips
# texlive-fonts-recommended lmodern  its fonts: Palatino, Helvetica, a typewriter
# libtemplate-perl          its LaTeX templates
# bubblewrap                confines LaTeX and gnuplot files of the user (dorep -u)
# poppler-utils             tests look into its PDF
# valgrind                  tests: memory that nobody wrote, or gave back

# Only for "make deb".
DEPS_DEB = debhelper lintian
# debhelper lintian         a Debian package, and what is wrong with it

.PHONY: all deps demo tests check check-unit run-asan lint check-asan check-valgrind fuzz bench \
	torture golden docs example example-report deps-deb man install uninstall dist deb clean

ifeq ($(MPI)$(VARIANT),openmpi)
all: skampi
else
all: $(BUILD)/skampi
endif

skampi: build/openmpi/skampi
	ln -sf build/openmpi/skampi skampi

$(BUILD)/skampi: $(OBJECTS)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -c -o $@ $<

# The parameter files that ship are part of the program: skampi --print-config NAME.
$(BUILD)/shipped.c: configs/embed.pl $(CONFIGS)
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	$(Q)perl configs/embed.pl $(CONFIGS) > $@.new && mv $@.new $@

$(BUILD)/shipped.o: $(BUILD)/shipped.c
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -c -o $@ $<

$(BUILD)/tests/%: tests/mpi/%.c $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(COMPILE) $(LDFLAGS) -o $@ $< $(filter-out $(BUILD)/main.o,$(OBJECTS)) $(LIBS)

$(BUILD)/tests/clocks: tests/hosts/clocks.c $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(COMPILE) $(LDFLAGS) -o $@ $< $(filter-out $(BUILD)/main.o,$(OBJECTS)) $(LIBS)

$(BUILD)/shim/%.o: tests/shim/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -fPIC -c -o $@ $<

$(BUILD)/tests/libshim.so: $(SHIM_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -lm

$(BUILD)/tests/libdatatypes.so: $(BUILD)/shim/datatypes.o
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $<

$(BUILD)/tests/skampi_shim: $(OBJECTS) $(SHIM_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(SHIM_LINK_$(MPI)) $(LIBS)

$(BUILD)/tests/libabort.so: tests/faults/abort.c Makefile
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(COMPILE) $(LDFLAGS) -fPIC -shared -o $@ $<

$(BUILD)/tests/libio.so: tests/faults/io.c Makefile
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(COMPILE) $(LDFLAGS) -fPIC -shared -o $@ $< -ldl

$(UNIT)/dummy_run: tests/faults/dummy_run.c $(UNIT_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(COMPILE) $(LDFLAGS) -o $@ $< $(UNIT_OBJECTS) -lm

$(BUILD)/tests/readings: tests/shim/readings.c $(SHIM_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(COMPILE) $(LDFLAGS) -o $@ $< $(SHIM_LINK_$(MPI)) -lm

$(BUILD)/tests/naps.so: tests/lib/naps.c
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(COMPILE) $(LDFLAGS) -fPIC -shared -o $@ $<

$(UNIT)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(CC) $(COMPILE) -c -o $@ $<

$(UNIT)/%_test: tests/unit/%_test.c $(UNIT_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(COMPILE) $(LDFLAGS) $(WRAP) -o $@ $< $(UNIT_OBJECTS) -lcmocka -lm

# Tests in which allocations fail on demand: tests/unit/failing.h
$(addprefix $(UNIT)/,base/text_test base/complaints_test base/file_test base/grow_test \
	stats/series_test stats/own_times_test merge/merge_test): \
	WRAP = -Wl,--wrap=malloc,--wrap=realloc

# Tests in which changes of names fail, or the process dies between two of them.
$(UNIT)/base/move_test: WRAP = -Wl,--wrap=link,--wrap=rename
$(UNIT)/merge/postproc_test: WRAP = -Wl,--wrap=link,--wrap=unlink,--wrap=rename

-include $(OBJECTS:.o=.d) $(SHIM_OBJECTS:.o=.d) $(UNIT_OBJECTS:.o=.d) $(UNIT_TESTS:=.d)

# --- set-up ------------------------------------------------------------------------------------
deps: WANTED = $(DEPS)
deps-deb: WANTED = $(DEPS) $(DEPS_DEB)
deps deps-deb:
	@missing=; for p in $(WANTED); do \
		case "$$(dpkg-query -W -f='$${Status}' $$p 2>/dev/null)" in \
		*"ok installed") ;; *) missing="$$missing $$p";; esac; done; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$$(id -u)" = 0 ]; then as=; \
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as=sudo; \
	else echo "missing packages; please type:"; \
		echo "  su -c 'apt-get update && apt-get install -y --no-install-recommends$$missing'"; \
		exit 1; fi; \
	echo "installing:$$missing"; \
	$$as apt-get update -qq && \
	$$as env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing

clean:
	rm -rf build skampi

# --- using it ----------------------------------------------------------------------------------
# As root, Open MPI wants to be told that this is meant; only for what make starts itself.
AS_ROOT := $(if $(filter 0,$(shell id -u)),OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
MPIRUN_openmpi = mpirun.openmpi
MPIRUN_mpich = mpirun.mpich
MPIRUN ?= $(MPIRUN_$(MPI))

DEMO = build/demo

demo: deps
	@$(MAKE) --no-print-directory -j$(JOBS) skampi
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo "mpirun -np 2 ./skampi -f configs/quick.skampi"
	@cd $(DEMO) && $(AS_ROOT) mpirun.openmpi -np 2 ../../skampi -f ../../configs/quick.skampi
	@perl report/show.pl $(DEMO)/skampi.out
	@perl report/dorep.pl --quiet --format pdf $(DEMO)/skampi.out
	@echo; echo "The results: $(DEMO)/skampi.out; this table again: report/show.pl $(DEMO)/skampi.out"
	@echo "The report:  $(DEMO)/skampi.out.pdf"

include install.mk docs/docs.mk

# --- tests -------------------------------------------------------------------------------------
TEST_ENV = $(AS_ROOT) SKAMPI_PROGRAM=$(CURDIR)/$(BUILD)/skampi SKAMPI_MPIRUN=$(MPIRUN) \
	SKAMPI_BUILD=$(CURDIR)/$(BUILD) SKAMPI_UNIT=$(CURDIR)/$(UNIT) SKAMPI_MPI=$(MPI) \
	SKAMPI_VARIANT=$(VARIANT)
# Simulated machines have an MPI library of their own: they are tested once, with Open MPI's turn.
OTHERS_mpich = tests/sim/%.t
TESTS = $(UNIT_TESTS) $(filter-out $(OTHERS_$(MPI)),$(wildcard tests/*/*.t))
PROVE = prove -Itests/lib -Ireport/lib

# What is fuzzed: tests/fuzz/NAME_fuzz.c, tests/fuzz/corpus/NAME, and NAME.t, which replays it.
FUZZED = params out

tests: $(BUILD)/skampi $(UNIT_TESTS) $(MPI_TESTS) $(SHIM_TESTS) $(NAPS_$(MPI)$(VARIANT)) \
	$(FUZZED:%=$(UNIT)/%_replay) $(FAULT_TESTS)

$(UNIT)/%_replay: tests/fuzz/%_fuzz.c tests/fuzz/replay.h $(UNIT_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(CC) $(COMPILE) -DREPLAY $(LDFLAGS) -o $@ $< $(UNIT_OBJECTS) -lm

check: deps
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) $(PROVE) $(TESTS)

# The long form of tests/faults.
torture: deps
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) SKAMPI_TORTURE=1 $(PROVE) -v tests/faults/*.t

check-unit: $(UNIT_TESTS)
	@$(PROVE) $(UNIT_TESTS)

golden: deps
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) GOLDEN=write $(PROVE) $(TESTS)

# The same program and tests with what finds wild pointers, leaks and undefined behaviour.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-asan: deps
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=-asan CFLAGS="-O1 -g $(SANITIZE)" tests
	@$(MAKE) --no-print-directory VARIANT=-asan run-asan

# Leaks of a real run are check-valgrind's: what the MPI library loses, it loses in modules that are
# unloaded by then and cannot be told apart here. A test's preloaded library may come before ASan's.
run-asan:
	@$(PROVE) $(UNIT_TESTS)
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 $(PROVE) tests/mpi/*.t tests/cli/*.t

check-valgrind: deps
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) $(PROVE) -v tests/mpi/valgrind.t

FUZZ_SECONDS ?= 60
build/fuzz/%_fuzz: tests/fuzz/%_fuzz.c $(PURE_SOURCES) $(wildcard src/*/*.h)
	@mkdir -p $(@D)
	clang $(BASE_CPPFLAGS) -O1 -g -fsanitize=fuzzer,address,undefined -o $@ \
		$< $(PURE_SOURCES) -lm

fuzz: deps
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZED:%=build/fuzz/%_fuzz)
	@$(MAKE) --no-print-directory $(FUZZED:%=fuzz-%)

fuzz-%:
	@mkdir -p build/fuzz/found-$*
	build/fuzz/$*_fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 \
		build/fuzz/found-$* tests/fuzz/corpus/$*

# Always of Open MPI.
BENCH_PROGRAMS = bare_loop clock_error nothing peak
BENCH_NEEDS = skampi $(BENCH_PROGRAMS:%=build/openmpi/%) build/openmpi/tests/libshim.so
bench: deps
	@$(MAKE) -s --no-print-directory -j$(JOBS) MPI=openmpi VARIANT= $(BENCH_NEEDS)
	@$(AS_ROOT) perl -Itests/lib -Ireport/lib tests/bench/bench.pl

$(BENCH_PROGRAMS:%=build/openmpi/%): build/openmpi/%: tests/bench/%.c $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(Q)$(MPICC) $(COMPILE) $(LDFLAGS) -o $@ $< $(BENCH_LINK)

build/openmpi/clock_error: BENCH_LINK = $(filter-out $(BUILD)/main.o,$(OBJECTS)) $(LIBS)

# --- lint --------------------------------------------------------------------------------------
C_FILES = $(shell git ls-files '*.c' '*.h')
PERL_FILES = $(shell git ls-files '*.pl' '*.pm' '*.t')
# Files and folders in plain English: free of the words that docs/glossary.md advises against.
PLAIN_ENGLISH = README CONTRIBUTING.md docs

lint: deps
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/lint CFLAGS="-O2 -Werror" build/lint/skampi
	@clang-format --dry-run -Werror $(C_FILES)
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingInclude -Isrc -DSKAMPI_VERSION='""' $(SOURCES)
	@perl tests/lint/includes.pl src
	@perl tests/lint/words.pl $(PLAIN_ENGLISH)
	@for f in $(PERL_FILES); do perltidy -l=100 -st $$f | diff -u $$f - || exit 1; done
	@perlcritic --quiet --profile .perlcriticrc $(PERL_FILES)
