# Installing and packaging; a part of the Makefile.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SHAREDIR ?= $(PREFIX)/share
OURS = $(SHAREDIR)/skampi
DOCDIR = $(SHAREDIR)/doc/skampi
MANDIR = $(SHAREDIR)/man
COMPLETIONS = $(SHAREDIR)/bash-completion/completions

# --- manual pages ------------------------------------------------------------------------------
# From POD: pages of their own, with the options and parameters that the program tells, and those of
# the report's programs.
MAN = build/man
PAGES = $(addprefix $(MAN)/,skampi.1 skampi.5 skampi.out.5 skampi-show.1 dorep.1)
POD2MAN = pod2man --utf8 --errors=die --center=SKaMPI --release='SKaMPI $(VERSION)' --date=$(RELEASED)

INSTALLED_NAMES = sed -e 1d -e 's/\<show\.pl\>/skampi-show/g' -e 's/\<dorep\.pl\>/dorep/g'

man: $(PAGES)
.SECONDARY: $(PAGES:=.pod)

define page
@mkdir -p $(@D)
@echo "  MAN  $@"
$(Q)$(POD2MAN) --section=$(subst .,,$(suffix $@)) \
	--name=$(if $(filter %.5,$@),$(basename $(@F)),$(shell echo $(basename $(@F)) | tr a-z A-Z)) $< > $@.new
$(Q)mv $@.new $@
endef

$(MAN)/%.pod: docs/man/%.pod docs/man/fill.pl $(BUILD)/skampi
	@mkdir -p $(@D)
	$(Q)perl docs/man/fill.pl $(BUILD)/skampi $< > $@.new && mv $@.new $@

$(MAN)/skampi-show.1.pod: report/show.pl
	@mkdir -p $(@D)
	$(Q)sed -n '/^__END__/,$$p' $< | $(INSTALLED_NAMES) > $@

$(MAN)/dorep.1.pod: report/dorep.pl
	@mkdir -p $(@D)
	$(Q)sed -n '/^__END__/,$$p' $< | $(INSTALLED_NAMES) > $@

$(MAN)/%: $(MAN)/%.pod
	$(page)

# --- install -----------------------------------------------------------------------------------
# The report's programs stay beside their modules; bin has links to them.
REPORT_FILES = $(sort $(shell find report -type f ! -name '*~' ! -name '.*.sw?'))
REPORT_PROGRAMS = show.pl:skampi-show dorep.pl:dorep
MANUAL = $(wildcard docs/manual.pdf)

# mode:from:to of everything; uninstall removes what stands third.
FILES = 755:$(BUILD)/skampi:$(BINDIR)/skampi \
	$(foreach f,$(CONFIGS),644:$f:$(OURS)/$(notdir $f)) \
	$(foreach f,$(wildcard configs/*.sh),755:$f:$(OURS)/$(notdir $f)) \
	$(foreach f,$(REPORT_FILES),$(if $(filter report/%.pl,$f),755,644):$f:$(OURS)/$f) \
	$(foreach f,$(PAGES),644:$f:$(MANDIR)/man$(subst .,,$(suffix $f))/$(notdir $f)) \
	$(foreach p,skampi skampi-show dorep,644:docs/completion/skampi:$(COMPLETIONS)/$p) \
	$(foreach f,README LICENSE docs/refinement.md $(MANUAL),644:$f:$(DOCDIR)/$(notdir $f))

install: all man
	@set -e; for f in $(FILES); do \
		mode=$${f%%:*}; f=$${f#*:}; \
		echo "install $(DESTDIR)$${f#*:}"; \
		install -D -m $$mode "$${f%%:*}" "$(DESTDIR)$${f#*:}"; done
	@set -e; for p in $(REPORT_PROGRAMS); do \
		echo "install $(DESTDIR)$(BINDIR)/$${p#*:}"; \
		ln -sf "$$(realpath -ms --relative-to='$(BINDIR)' '$(OURS)')/report/$${p%%:*}" \
			"$(DESTDIR)$(BINDIR)/$${p#*:}"; done

uninstall:
	@for f in $(FILES); do rm -f "$(DESTDIR)$${f##*:}"; done
	@for p in $(REPORT_PROGRAMS); do rm -f "$(DESTDIR)$(BINDIR)/$${p#*:}"; done
	@for d in $(OURS) $(DOCDIR); do \
		[ ! -d "$(DESTDIR)$$d" ] || find "$(DESTDIR)$$d" -depth -type d -empty -delete; done
	@[ ! -d "$(DESTDIR)$(OURS)" ] || echo "left, for it holds files of others: $(DESTDIR)$(OURS)"

# --- packages ----------------------------------------------------------------------------------
# What is committed, and nothing else: the same commit gives the same bytes.
DIST = skampi-$(VERSION)

dist:
	@mkdir -p build
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are left out"
	git archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n > build/$(DIST).tar.gz.new
	@mv build/$(DIST).tar.gz.new build/$(DIST).tar.gz
	@echo "build/$(DIST).tar.gz"

# For the Open MPI of the machine's distribution.
deb: deps-deb
	@rm -rf build/deb && mkdir -p build/deb
	@$(MAKE) --no-print-directory dist
	@tar -C build/deb -xzf build/$(DIST).tar.gz
	cd build/deb/$(DIST) && dpkg-buildpackage -us -uc -b
	@ls build/deb/*.deb
