# The manual; a part of the Makefile.

PRINTED = $(addprefix build/docs/,params.tex options.tex types.tex facts.tex commands.tex foreign.tex launchers.tex libraries.tex \
	health_limits.tex health_states.tex host_limits.tex operations.tex)
MANUAL_TABLES = $(PRINTED) $(addprefix build/docs/,version.tex sample.tex sample.txt)
MANUAL_FILES = docs/manual.tex $(wildcard docs/manual/* docs/examples/*)

docs: deps-demo
	@$(MAKE) --no-print-directory docs/manual.pdf

# Tables of what the program knows.
$(PRINTED): docs/tables.pl $(CATALOG) $(wildcard docs/libraries/*.txt)
	@mkdir -p $(@D)
	$(Q)perl $< $(CATALOG) $(basename $(@F)) > $@.new && mv $@.new $@

build/docs/operations.tex: report/lib/SKaMPI/Document/Texts.pm $(wildcard report/texts/*.tex)

build/docs/version.tex: Makefile
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '\newcommand{\skampiversion}{$(VERSION)}' > $@

# Parts of the example for the manual: its date and machine, and a table.
SAMPLE = docs/examples/standard.out
SAMPLE_FACTS = s/^\#@DATE \w* \(\w*\) *\(\w*\) [^ ]* \(\w*\).*/\\newcommand{\\sampledate}{\2 \1 \3}/p; \
	s/^\#@MACHINE \(.*\)/\\newcommand{\\samplemachine}{\1}/p
build/docs/sample.tex: $(SAMPLE) docs/docs.mk
	@mkdir -p $(@D)
	$(Q)sed -n '$(SAMPLE_FACTS)' $< > $@

build/docs/sample.txt: $(SAMPLE) $(CATALOG) report/show.pl $(wildcard report/lib/SKaMPI/*/*.pm) docs/docs.mk
	@mkdir -p $(@D)
	$(Q)COLUMNS=100 perl report/show.pl $< bcast > $@.new && sed -n '/^Sync/,$$p' $@.new > $@

# Measures docs/examples on this machine: the standard suite, its report, and a plot for the
# manual. EXAMPLE_RUNS=5 merges five runs. Describe the machine in machine.txt first; it should be idle.
EXAMPLE = build/example
EXAMPLES = docs/examples
EXAMPLE_RUNS = 1
example: deps-demo skampi $(CATALOG)
	@rm -rf $(EXAMPLE) && mkdir -p $(EXAMPLE)
	$(Q)(cat $(EXAMPLES)/machine.txt; \
		sed '/^@MACHINE/,/^@USER/d' configs/standard.skampi) \
		> $(EXAMPLE)/.skampi
	$(Q)cd $(EXAMPLE) && for i in $$(seq $(EXAMPLE_RUNS)); do \
		$(AS_ROOT) $(MPIRUN) -np 2 ../../skampi --quiet || exit 1; done
	$(Q)cp $(EXAMPLE)/skampi.out $(EXAMPLES)/standard.out
	@$(MAKE) --no-print-directory example-report

# PDFs are the same bytes each time. Cairo 1.16 (Debian 12), which writes those of gnuplot, ignores the variable.
EPOCH = SOURCE_DATE_EPOCH=$(shell date -u -d $(RELEASED) +%s)
SET_DATE = LC_ALL=C sed -i '/CreationDate/s/(D:[0-9]*/(D:$(subst -,,$(RELEASED))000000/'

# The same results with the present report.
example-report: deps-demo $(CATALOG)
	@mkdir -p $(EXAMPLE)
	$(Q)perl report/dorep.pl --quiet --format pdf -o $(EXAMPLE)/standard $(EXAMPLES)/standard.out
	$(Q)mv $(EXAMPLE)/standard.pdf $(EXAMPLES)/standard.pdf
	$(Q)$(EPOCH) gnuplot -e "results='$(EXAMPLES)/standard.out'" $(EXAMPLES)/bcast.gpl > $(EXAMPLES)/bcast.pdf
	$(Q)$(SET_DATE) $(EXAMPLES)/bcast.pdf
	@$(MAKE) --no-print-directory $(EXAMPLES)/page1.png
	@ls -l $(EXAMPLES)

# The first page as a picture, for the README.
$(EXAMPLES)/page1.png: $(EXAMPLES)/standard.pdf
	$(Q)gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=png256 -r110 -dLastPage=1 -dTextAlphaBits=4 -dGraphicsAlphaBits=4 \
		-sOutputFile=$@ $<

# The figure of barriers: simulated runs, as many at once as there are CPUs, a series with each library, the drawing
# and its caption. MPICH waits without a pause, so that its processes need a CPU each. A run that build/barrier has is
# not made again, so that a second make goes on.
BARRIER = build/barrier
BARRIER_DATA = perl -Itests/lib -Ireport/lib docs/barrier.pl
barrier-figure:
	@command -v smpirun >/dev/null || { echo 'make barrier-figure: smpirun is missing; install SimGrid' \
		'(on Debian the package libsimgrid-dev)' >&2; exit 1; }
	@$(MAKE) --no-print-directory MPI=smpi VARIANT= $(addprefix build/smpi/,skampi tests/others tests/no_cpu_time.so)
	@mkdir -p $(BARRIER)
	$(Q)$(BARRIER_DATA) list | xargs -P $(JOBS) -n 1 $(BARRIER_DATA) run $(BARRIER)
	@$(MAKE) --no-print-directory MPI=openmpi VARIANT= barrier-series
	@$(MAKE) --no-print-directory MPI=mpich VARIANT= barrier-series
	$(Q)$(BARRIER_DATA) csv $(BARRIER) > $(EXAMPLES)/barrier.csv
	@$(MAKE) --no-print-directory barrier-drawing

SERIES_openmpi = --oversubscribe -np 4
SERIES_mpich = -np $$(nproc | awk '{print $$1 < 4 ? $$1 : 4}')
barrier-series: skampi
	$(Q)$(AS_ROOT) $(BARRIER_DATA) real $(BARRIER) $(MPI) $(MPIRUN) $(SERIES_$(MPI)) "$$PWD/$(BUILD)/skampi"

# The same data drawn again.
barrier-drawing:
	$(Q)for kind in pdf png; do $(EPOCH) gnuplot -e "data='$(EXAMPLES)/barrier.csv'; kind='$$kind'" \
		$(EXAMPLES)/barrier.gpl > $(EXAMPLES)/barrier.$$kind || exit 1; done
	$(Q)$(SET_DATE) $(EXAMPLES)/barrier.pdf
	$(Q)$(BARRIER_DATA) caption $(EXAMPLES)/barrier.csv > $(EXAMPLES)/barrier.tex
	@ls -l $(EXAMPLES)/barrier.*

# Three times, for the table of contents and the references.
PDFLATEX = cd docs && TEXINPUTS=.:../build/docs: $(EPOCH) \
	FORCE_SOURCE_DATE=1 pdflatex -no-shell-escape -halt-on-error -interaction=nonstopmode \
	-output-directory=../build/docs manual.tex
docs/manual.pdf: $(MANUAL_TABLES) $(MANUAL_FILES)
	@mkdir -p build/docs/manual
	@echo "  TEX  $@"
	$(Q)for i in 1 2 3; do ($(PDFLATEX)) > build/docs/said || \
		{ grep -A5 '^!' build/docs/said; exit 1; }; \
		(cd build/docs && makeindex -q -s ../../docs/manual/skampi.ist manual.idx); done
	$(Q)mv build/docs/manual.pdf $@
	@echo "$@, $$(sed -n 's/.*(\([0-9]* pages\).*/\1/p' build/docs/manual.log)"
