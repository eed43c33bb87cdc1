# Tests; a part of the Makefile. tests/long.mk has the long forms.

# Unit tests need cmocka.
CMOCKA := $(wildcard $(addsuffix /cmocka.h,/usr/include /usr/local/include $(subst :, ,$(CPATH))))
UNIT_TESTS = $(if $(CMOCKA),$(patsubst tests/unit/%.c,$(UNIT)/%,$(wildcard tests/unit/*/*_test.c)))
# tests/table says for each file whether it is in check or only in check-all. Simulated machines have an MPI library of
# their own, so they are tested only with Open MPI.
OTHERS_mpich = tests/sim/%.t
IN = check
LISTED = $(shell sed -nE 's/^(check|$(IN)) .* //p' tests/table 2>/dev/null)
TESTS = $(UNIT_TESTS) $(filter-out $(OTHERS_$(MPI)),$(LISTED))
# TESTS may have patterns, as tests/faults/*.t.
CHOSEN = $(foreach t,$(TESTS),$(or $(wildcard $t),$t))
UNKNOWN = $(filter-out build/% $(wildcard $(TESTS)),$(CHOSEN))
RUN = $(patsubst tests/unit/%.c,$(UNIT)/%,$(CHOSEN))

# Open MPI does not look for fast networks, which takes longer than most tests, and kills the other
# processes of a run that failed at once, not a second later. Open MPI 5 complains if it finds no network between
# processes of a host. Headers do not have the self test of this machine.
TEST_ENV = $(AS_ROOT) OMPI_MCA_pml=$${OMPI_MCA_pml:-ob1} OMPI_MCA_odls_base_sigkill_timeout=0 \
	OMPI_MCA_btl_tcp_if_include=lo \
	$(COMPONENTS:%=OMPI_MCA_mca_base_component_path="$(CURDIR)/%") \
	PATH="$(CURDIR)/$(BUILD):$$PATH" SKAMPI_PROGRAM="$(CURDIR)/$(BUILD)/skampi" SKAMPI_MPIRUN="$(MPIRUN)" SKAMPI_MPICC="$(MPICC)" \
	SKAMPI_BUILD="$(CURDIR)/$(BUILD)" SKAMPI_UNIT="$(CURDIR)/$(UNIT)" SKAMPI_MPI=$(MPI) \
	SKAMPI_VARIANT=$(VARIANT) SKAMPI_BUILT=yes XDG_CACHE_HOME="$(CURDIR)/build/cache"
# Processes of MPICH never yield while they wait.
AT_ONCE_mpich = 1
RUN_TESTS = HARNESS_PERL_SWITCHES='-MSKaMPI::FatalWarnings -MSKaMPI::Needs' \
	SKAMPI_JOBS=$(or $(AT_ONCE_$(MPI)),$(JOBS)) perl tests/run.pl

.PHONY: tests simulated run-tests check check-all check-unit times golden

check-all: IN = all
check check-all: deps-check
	@$(if $(UNKNOWN),echo "make check: no such test: $(UNKNOWN)" >&2; exit 2)
	@$(MAKE) --no-print-directory -j$(JOBS) IN=$(IN) tests
	@$(MAKE) --no-print-directory IN=$(IN) run-tests

# A make of its own: packages may have been installed just now.
run-tests:
	@$(if $(CMOCKA),,echo "SKIP: all unit tests: cmocka is missing (make deps)")
	@$(TEST_ENV) $(RUN_TESTS) $(RUN)

check-unit: $(UNIT_TESTS)
	@$(RUN_TESTS) $(UNIT_TESTS)

# Seconds, elapsed and of CPU, of the files that ran last.
times:
	@sort -rn build/times

golden: deps-check
	@$(MAKE) --no-print-directory -j$(JOBS) tests
	@$(TEST_ENV) GOLDEN=write $(RUN_TESTS) $(RUN)

# A unit test is a program. A .t file needs skampi, the libraries, the program of the same name in
# tests/mpi, where programs.t and long_programs.t need all, and what the others of its folder need.
MPI_PROGRAMS = $(patsubst tests/mpi/%.c,$(BUILD)/tests/%,$(wildcard tests/mpi/*.c))
program_of = $(if $(filter %programs.t,$(1)),$(MPI_PROGRAMS),$(filter $(MPI_PROGRAMS),\
	$(patsubst tests/mpi/%.t,$(BUILD)/tests/%,$(1))))
folder_of = $(patsubst tests/%/,%,$(dir $(1)))
needs_of = $(if $(filter %.t,$(1)),$(BUILD)/skampi $(CATALOG) $(LIBRARIES) $(call program_of,$(1)) \
	$(NEEDS_$(call folder_of,$(1))),$(1))

NEEDS_mpi = $(MAXT) $(RECORDER)
NEEDS_gpu = $(patsubst %,$(BUILD)/tests/%,gpu/libcuda.so.1 gpu/libamdhip64.so libaware.so)
NEEDS_hosts = $(BUILD)/tests/clocks $(RECORDER)
NEEDS_faults = $(UNIT)/dummy_run
NEEDS_fuzz = simulated $(MAXT) $(FUZZED:%=$(UNIT)/%_replay)
NEEDS_shim = $(BUILD)/tests/readings simulated
NEEDS_sim = simulated
NEEDS_database = simulated
NEEDS_docs = simulated $(MAXT) $(NEEDS_gpu)
NEEDS_report = $(MAXT)
NEEDS_record = $(RECORDER) $(BUILD)/tests/reductions

# Readers that are fuzzed: tests/fuzz/NAME_fuzz.c, tests/fuzz/corpus/NAME, and NAME.t, which replays it.
FUZZED = params out

# Open MPI's components without those of fast networks: two of their libraries sleep 0.1 s each when they are
# loaded, as rank 0 loads all to read the settings.
PLUGINS := $(if $(filter openmpi,$(MPI)),$(wildcard $(addsuffix /openmpi*/mca_*.so,$(shell $(MPICC) --showme:libdirs 2>/dev/null))))
COMPONENTS = $(if $(PLUGINS),$(BUILD)/tests/components)
$(BUILD)/tests/components: tests/tests.mk $(BUILD)/library
	$(Q)rm -rf $@ && mkdir -p $@
	$(Q)ln -s $(foreach p,$(PLUGINS),$(if $(filter mca_mtl_% mca_btl_o%,$(notdir $p)),,$p)) $@

# Libraries that are preloaded, and simulated programs.
# A hostile clock: preloaded; for the simulator, a part of the program. Datatypes that are counted,
# partitioned communication, MPI calls that abort or hang, a disk that fails, a slow disk.
SHIM_HOST_smpi = host_smpi
SHIM_HOST = $(or $(SHIM_HOST_$(MPI)),host_real)
SHIM_OBJECTS = $(patsubst %,$(BUILD)/shim/%.o,shim settings delay $(SHIM_HOST))
SHIM_LINK_smpi = $(SHIM_OBJECTS)
# Not with sanitizers: they must be loaded first.
NAPS_mpich = $(BUILD)/tests/naps.so
NAPS_abi = $(NAPS_mpich)
SHIMS = $(patsubst %,$(BUILD)/tests/lib%.so,locks start slower stale datatypes partitions)
LIBRARIES = $(COMPONENTS) $(SHIMS) $(patsubst %,$(BUILD)/tests/lib%.so,shim algorithms abort io memory slow_disk) \
	$(NAPS_$(MPI)$(VARIANT))

SIMULATED = $(patsubst %,build/smpi/tests/%,skampi_shim readings checks truth partitions rma torus slow warm disturb overlap late others program decisions) \
	build/smpi/tests/no_cpu_time.so
ifeq ($(MPI),smpi)
simulated: all $(SIMULATED)
else
simulated:
	@if command -v smpicc >/dev/null; then \
		$(MAKE) --no-print-directory MPI=smpi VARIANT= CFLAGS='-O2 -g' simulated; fi
endif

$(BUILD)/shim/%.o: tests/shim/%.c Makefile $(BUILD)/library | $(DECLARED)
	@mkdir -p $(@D)
	@echo "  CC   $@"
	$(Q)$(MPICC) $(COMPILE) -fPIC -c -o $@ $<

define link
@mkdir -p $(@D)
@echo "  LINK $@"
$(Q)$(1) $(COMPILE) $(LDFLAGS) -o $@
endef

$(BUILD)/tests/libshim.so: $(SHIM_OBJECTS)
	$(call link,$(MPICC)) -shared $^ -lm

$(SHIMS): $(BUILD)/tests/lib%.so: $(BUILD)/shim/%.o
	$(call link,$(MPICC)) -shared $<

$(BUILD)/tests/libalgorithms.so: $(BUILD)/shim/algorithms.o
	$(call link,$(MPICC)) -shared $< -ldl

$(BUILD)/tests/libabort.so $(BUILD)/tests/libslow_disk.so: $(BUILD)/tests/lib%.so: tests/faults/%.c Makefile $(BUILD)/library
	$(call link,$(MPICC)) -fPIC -shared $< -ldl

$(BUILD)/tests/gpu/libcuda.so.1 $(BUILD)/tests/gpu/libamdhip64.so: tests/gpu/driver.c Makefile
	$(call link,$(CC)) -fPIC -shared $<

$(BUILD)/tests/libaware.so: tests/gpu/aware.c Makefile $(BUILD)/library
	$(call link,$(MPICC)) -fPIC -shared $< -ldl

$(BUILD)/tests/libio.so $(BUILD)/tests/libmemory.so: $(BUILD)/tests/lib%.so: tests/faults/%.c Makefile
	$(call link,$(CC)) -fPIC -shared $< -ldl

$(BUILD)/tests/naps.so: tests/lib/naps.c
	$(call link,$(CC)) -fPIC -shared $<

$(BUILD)/tests/no_cpu_time.so: tests/sim/no_cpu_time.c
	$(call link,$(CC)) -fPIC -shared $<

$(BUILD)/tests/readings: tests/shim/readings.c $(SHIM_OBJECTS)
	$(call link,$(MPICC)) $< $(SHIM_LINK_$(MPI)) -lm

$(BUILD)/tests/skampi_shim: $(BUILD)/main.o $(BUILD)/libskampi.a $(SHIM_OBJECTS) $(BUILD)/shim/noisy.o
	$(call link,$(MPICC)) $< $(BUILD)/shim/noisy.o $(BUILD)/libskampi.a $(SHIM_LINK_$(MPI)) $(LIBS) -Wl,--wrap=registry_catalog

$(BUILD)/tests/partitions: $(BUILD)/main.o $(BUILD)/libskampi.a $(BUILD)/shim/partitions.o
	$(call link,$(MPICC)) $< $(BUILD)/shim/partitions.o $(BUILD)/libskampi.a $(LIBS)

$(BUILD)/tests/checks: tests/shim/checks.c $(BUILD)/libskampi.a $(SHIM_OBJECTS)
	$(call link,$(MPICC)) $< $(BUILD)/libskampi.a $(SHIM_LINK_$(MPI)) $(LIBS)

# The true times of simulated machines.
$(BUILD)/tests/truth $(BUILD)/tests/torus $(BUILD)/tests/rma $(BUILD)/tests/late $(BUILD)/tests/others: $(BUILD)/tests/%: tests/sim/%.c $(wildcard tests/sim/*.[ch]) $(BUILD)/library
	$(call link,$(MPICC)) $(filter tests/sim/$*.c tests/sim/$*_%.c,$^) -lm

# With the recorder in it, as the simulator loads a copy of the program for each process.
$(BUILD)/tests/program: tests/sim/program.c $(BUILD)/librecord.a
	$(call link,$(MPICC)) $< -Wl,--whole-archive $(BUILD)/librecord.a -Wl,--no-whole-archive -lm

$(BUILD)/tests/slow $(BUILD)/tests/warm $(BUILD)/tests/disturb $(BUILD)/tests/overlap: $(BUILD)/tests/%: tests/sim/%.c $(BUILD)/libskampi.a
	$(call link,$(MPICC)) $< $(BUILD)/libskampi.a $(LIBS)

# Each process compares what it measures with rank 0.
$(BUILD)/tests/decisions: tests/sim/decisions.c $(BUILD)/main.o $(BUILD)/libskampi.a
	$(call link,$(MPICC)) -Wl,--wrap=pattern_measure $^ $(LIBS)

$(MPI_PROGRAMS): $(BUILD)/tests/%: tests/mpi/%.c $(BUILD)/libskampi.a
	$(call link,$(MPICC)) $< $(BUILD)/libskampi.a $(LIBS)

$(BUILD)/tests/clocks: tests/hosts/clocks.c $(BUILD)/libskampi.a
	$(call link,$(MPICC)) $< $(BUILD)/libskampi.a $(LIBS)

$(UNIT)/dummy_run: tests/faults/dummy_run.c $(UNIT)/libskampi.a
	$(call link,$(CC)) $< $(UNIT)/libskampi.a -lm

$(UNIT)/%_replay: tests/fuzz/%_fuzz.c tests/fuzz/replay.h $(UNIT)/libskampi.a
	$(call link,$(CC)) -DREPLAY $< $(UNIT)/libskampi.a -lm

$(UNIT)/%_test: tests/unit/%_test.c $(UNIT)/libskampi.a
	$(call link,$(CC)) $(WRAP) $< $(UNIT)/libskampi.a -lcmocka $(LIBS)

# Tests in which allocations fail on demand: tests/unit/failing.h
$(addprefix $(UNIT)/stats/,series_test series_values_test): \
	WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup

# A test in which renames fail.
$(UNIT)/base/file_move_test: WRAP = -Wl,--wrap=link,--wrap=rename

-include $(SHIM_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) $(MPI_PROGRAMS:=.d)

# Last, as make reads prerequisites at once: all variables are known here.
tests: $(sort $(foreach test,$(RUN),$(call needs_of,$(test))))
