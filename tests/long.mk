# Long forms of the tests, and figures; a part of the Makefile.

.PHONY: check-long check-libraries check-recorded check-compilers check-fresh release-check torture check-asan run-asan check-tsan check-valgrind \
	fuzz bench run-bench same house

# Folders of tests that depend on the MPI library.
OF_LIBRARY = cli mpi shim hosts faults record

# All tests in their long form; real runs once more while skampi-profile's recorder records them; then with a second MPI
# library and sanitizers.
check-long: IN = all
check-long: deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) IN=$(IN) tests
	@$(TEST_ENV) SKAMPI_LONG=1 SKAMPI_MOST_S=28800 $(RUN_TESTS) $(RUN)
	@$(MAKE) --no-print-directory check-recorded
	@$(MAKE) --no-print-directory check MPI=mpich TESTS="$(wildcard $(OF_LIBRARY:%=tests/%/*.t))"
	@$(MAKE) --no-print-directory check-asan
	@$(MAKE) --no-print-directory check-compilers

check-recorded: deps-check $(RECORDER)
	@dir=$$(mktemp -d); SKAMPI_RECORDED=$$dir $(MAKE) --no-print-directory check TESTS='tests/mpi/*.t' && \
		test -n "$$(ls $$dir)"; status=$$?; rm -r $$dir; exit $$status

# Compile by clang without warnings, and with optimisation at link time; a missing compiler is named. The objects for
# 64-bit Arm are not linked: its MPI library is not here.
ARM_COMPILER = aarch64-linux-gnu-gcc $(shell $(MPICC) --showme:compile) \
	-idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch)
STRICT = $(MAKE) --no-print-directory -j$(JOBS)
needs = @command -v $(1) >/dev/null || { echo "SKIP: $(1) is missing (make deps-compilers)"; exit 0; };
check-compilers: deps-compilers
	$(call needs,aarch64-linux-gnu-gcc) $(STRICT) BUILD=build/arm FORTRAN= CFLAGS="-O2 -Werror" MPICC="$(ARM_COMPILER)" \
		build/arm/main.o build/arm/libskampi.a
	$(call needs,clang) $(STRICT) BUILD=build/clang CFLAGS="-O2 -Werror" MPICC="env OMPI_CC=clang $(MPICC)" check \
		TESTS="tests/mpi/registry.t tests/mpi/ops_data.t"
	@$(STRICT) BUILD=build/lto CFLAGS="-O3 -flto=auto" check TESTS="tests/mpi/registry.t tests/mpi/ops_data.t"

# The project as committed, on a new system. 77: such a system cannot be made here.
check-fresh:
	@tests/fresh/bare.sh $(if $(FRESH),'$(FRESH)') || [ $$? = 77 ]

# With MPI libraries of PyPI; LIBRARY=intel: with one of them. 77: PyPI is out of reach.
check-libraries: deps-check
	@tests/libraries.sh $(LIBRARY) || [ $$? = 77 ]

# A line for each step; STEPS="archive packages": only these.
release-check: deps-deb
	@tests/install/release.sh $(STEPS)

# Does this tree print the same as another version? make same SINCE=main~3
same:
	@tests/same/since.sh $(or $(SINCE),HEAD)

# Figures of the source, for docs and reviews.
house:
	@perl tests/lint/house.pl

# The long form of tests/faults.
torture: deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) SKAMPI_LONG=1 SKAMPI_MOST_S=28800 $(RUN_TESTS) tests/faults/*.t

# The same program and tests with sanitizers, for wild pointers, leaks and undefined behaviour.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-asan: deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=-asan CFLAGS="-O1 -g $(SANITIZE)" tests
	@$(MAKE) --no-print-directory VARIANT=-asan run-asan

# check-valgrind finds the leaks of a real run: the MPI library's own leaks are in modules that are
# unloaded by then and cannot be distinguished here. A test's preloaded library may precede ASan's.
run-asan:
	@ASAN_OPTIONS=allocator_may_return_null=1 $(RUN_TESTS) $(UNIT_TESTS)
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 $(RUN_TESTS) tests/mpi/*.t tests/cli/*.t tests/faults/unfinished.t

# Threads of a process: races between them, but not those within the MPI library.
check-tsan:
	@$(MAKE) --no-print-directory -j$(JOBS) VARIANT=-tsan CFLAGS="-O1 -g -fsanitize=thread" build/$(MPI)-tsan/skampi
	@$(TEST_ENV) TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp ignore_noninstrumented_modules=1 exitcode=66" \
		$(MPIRUN) -np 2 build/$(MPI)-tsan/skampi -q -t 10 --vary threads --set End_Argument=4 -m 64 --set data=fresh \
		Send Bsend Rsend Stream_MPI_Isend Persistent_Send-Recv Bcast Allreduce Persistent_Allreduce

check-valgrind: deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) $(RUN_TESTS) tests/mpi/valgrind.t

FUZZ_SECONDS ?= 60
build/fuzz/%_fuzz: tests/fuzz/%_fuzz.c $(PURE_SOURCES) $(wildcard src/*/*.h)
	@mkdir -p $(@D)
	clang $(BASE_CPPFLAGS) -O1 -g -fsanitize=fuzzer,address,undefined -o $@ \
		$< $(PURE_SOURCES) $(LIBS)

fuzz: deps-lint
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZED:%=build/fuzz/%_fuzz)
	@$(MAKE) --no-print-directory $(FUZZED:%=fuzz-%)

fuzz-%:
	@mkdir -p build/fuzz/found-$*
	build/fuzz/$*_fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 \
		build/fuzz/found-$* tests/fuzz/corpus/$*

# Always with Open MPI.
BENCH_PROGRAMS = bare_loop bare_peers clock_error peak
BENCH_NEEDS = skampi build/openmpi/libskampi-record.so $(BENCH_PROGRAMS:%=build/openmpi/%) build/openmpi/tests/libslower.so build/openmpi/tests/libshim.so \
	$(MAXT)
bench: deps-check
	@$(MAKE) -s --no-print-directory -j$(JOBS) MPI=openmpi VARIANT= $(BENCH_NEEDS)
	@$(MAKE) -s --no-print-directory MPI=openmpi VARIANT= run-bench

run-bench:
	@$(AS_ROOT) SKAMPI_MPIRUN="$(MPIRUN)" perl -Itests/lib -Ireport/lib tests/bench/bench.pl

$(BENCH_PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: tests/bench/%.c $(BUILD)/libskampi.a
	$(call link,$(MPICC)) $< $(BENCH_LINK)

$(BUILD)/clock_error: BENCH_LINK = $(BUILD)/libskampi.a $(LIBS)
