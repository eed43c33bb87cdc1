# The manual; a part of the Makefile.

MANUAL_TABLES = $(addprefix build/docs/,params.tex options.tex types.tex operations.tex \
	version.tex)
MANUAL_FILES = docs/manual.tex $(wildcard docs/manual/* docs/examples/*)

docs: deps
	@$(MAKE) --no-print-directory docs/manual.pdf

# What the program tells about itself.
build/docs/params.tex: TELL = --help-params --latex
build/docs/options.tex: TELL = --help --latex
build/docs/types.tex: TELL = --list --latex
$(filter-out %/operations.tex %/version.tex,$(MANUAL_TABLES)): $(BUILD)/skampi
	@mkdir -p $(@D)
	$(Q)$(BUILD)/skampi $(TELL) > $@.new && mv $@.new $@

build/docs/operations.tex: docs/operations.pl $(BUILD)/skampi $(wildcard report/texts/*.dri \
		report/texts/operation/*.dri)
	@mkdir -p $(@D)
	$(Q)perl $< $(BUILD)/skampi report/texts > $@.new && mv $@.new $@

build/docs/version.tex: Makefile
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '\newcommand{\skampiversion}{$(VERSION)}' > $@

# As often as it takes for the table of contents and the references; the same bytes each time.
PDFLATEX = cd docs && TEXINPUTS=.:../build/docs: SOURCE_DATE_EPOCH=$(shell date -d $(RELEASED) +%s) \
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
