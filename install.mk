# Installing and packaging; a part of the Makefile.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SHAREDIR ?= $(PREFIX)/share
LIBDIR ?= $(PREFIX)/lib
OURS = share/skampi
DOC = share/doc/skampi
COMPLETIONS = share/bash-completion/completions
ZSH_COMPLETIONS ?= share/zsh/site-functions
FISH_COMPLETIONS = share/fish/vendor_completions.d

# skampi-NAME is report/NAME.pl.
PROGRAMS = show compare export launch tune profile model db

# From POD, with the options and parameters of the catalogue. The report's programs print theirs for --help.
MAN = build/man
PAGES = $(addprefix $(MAN)/,skampi.1 skampi.5 skampi.out.5 dorep.1 $(PROGRAMS:%=skampi-%.1))
POD2MAN = pod2man --utf8 --errors=die --center=SKaMPI --release='SKaMPI $(VERSION)' --date=$(RELEASED)

man: $(PAGES)
.SECONDARY: $(PAGES:=.pod)

define page
@mkdir -p $(@D)
@echo "  MAN  $@"
$(Q)$(POD2MAN) --section=$(subst .,,$(suffix $@)) \
	--name=$(if $(filter %.5,$@),$(basename $(@F)),$(shell echo $(basename $(@F)) | tr a-z A-Z)) $< > $@.new
$(Q)mv $@.new $@
endef

$(MAN)/%.pod: docs/man/%.pod docs/tables.pl $(CATALOG)
	@mkdir -p $(@D)
	$(Q)perl docs/tables.pl $(CATALOG) $< > $@.new && mv $@.new $@

$(MAN)/%: $(MAN)/%.pod
	$(page)

# The report's programs stay next to their modules; bin has links to them. The compiled one is in lib, with
# a link next to them.
REPORT_FILES = $(sort $(shell find report -type f ! -name '*.c' ! -name '*~' ! -name '.*.sw?'))
OF_MPI = $(if $(filter none,$(MPI)),,$(1))
REPORT_LINKS = $(OURS)/report/dorep.pl:bin/dorep $(foreach p,$(PROGRAMS),$(OURS)/report/$p.pl:bin/skampi-$p) \
	$(call OF_MPI,lib/skampi/$(notdir $(RECORDER)):$(OURS)/report/$(notdir $(RECORDER))) lib/skampi/skampi-maxt:$(OURS)/report/skampi-maxt
MANUAL = $(wildcard docs/manual.pdf)

# mode:from:to of every file; uninstall removes the third.
FILES = $(call OF_MPI,755:$(BUILD)/skampi:bin/skampi 644:$(RECORDER):lib/skampi/$(notdir $(RECORDER))) \
	755:$(MAXT):lib/skampi/skampi-maxt \
	$(foreach f,$(CONFIGS),644:$f:$(OURS)/$(notdir $f)) \
	$(foreach f,$(wildcard configs/*.sh),755:$f:$(OURS)/$(notdir $f)) \
	$(foreach d,server frameworks,$(foreach f,$(wildcard configs/$d/*),$(if $(filter %.sh,$f),755,644):$f:$(OURS)/$d/$(notdir $f))) \
	$(foreach f,$(REPORT_FILES),$(if $(filter report/%.pl,$f),755,644):$f:$(OURS)/$f) \
	644:$(CATALOG):$(OURS)/report/catalog.json \
	$(foreach p,dorep $(PROGRAMS:%=skampi-%),644:docs/man/$p.1.pod:$(OURS)/docs/man/$p.1.pod) \
	$(foreach f,$(PAGES),644:$f:share/man/man$(subst .,,$(suffix $f))/$(notdir $f)) \
	644:docs/completion/_skampi:$(ZSH_COMPLETIONS)/_skampi \
	$(foreach p,skampi dorep $(PROGRAMS:%=skampi-%),644:docs/completion/skampi:$(COMPLETIONS)/$p \
		644:docs/completion/skampi.fish:$(FISH_COMPLETIONS)/$p.fish) \
	$(foreach f,README CHANGES LICENSE CITATION.cff docs/refinement.md $(MANUAL),644:$f:$(DOC)/$(notdir $f))

# The shell adds the directories: their names may contain blanks, the words of a make list may not.
PLACE = case $$to in bin/*) to="$(DESTDIR)$(BINDIR)/$${to\#bin/}" ;; \
	lib/*) to="$(DESTDIR)$(LIBDIR)/$${to\#lib/}" ;; \
	*) to="$(DESTDIR)$(SHAREDIR)/$${to\#share/}" ;; esac

install: all man
	@set -e; for f in $(FILES); do \
		mode=$${f%%:*}; f=$${f#*:}; from=$${f%%:*}; to=$${f#*:}; $(PLACE); \
		echo "install $$to"; \
		install -D -m $$mode "$$from" "$$to"; done
	@set -e; for p in $(REPORT_LINKS); do \
		to=$${p%%:*}; $(PLACE); from=$$to; \
		to=$${p#*:}; $(PLACE); \
		echo "install $$to"; mkdir -p "$${to%/*}"; ln -sf "$$(realpath -ms --relative-to="$${to%/*}" "$$from")" "$$to"; done

# The manual may have been installed, too. Shared directories are removed if they are empty, except
# those that every system has.
INSTALLED = $(FILES) $(REPORT_LINKS:%=:%) :$(DOC)/manual.pdf
SHARED = bin lib share/doc share/man/man1 share/man/man5 $(COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS) share

uninstall:
	@for f in $(INSTALLED); do \
		to=$${f##*:}; $(PLACE); set -- "$$@" "$$to"; done; rm -f "$$@"
	@for to in $(OURS) $(DOC) lib/skampi; do $(PLACE); \
		[ ! -d "$$to" ] || find "$$to" -depth -type d -empty -delete; done
	@to=$(OURS); $(PLACE); [ ! -d "$$to" ] || echo "kept, since it contains files of others: $$to"
	@case "$(PREFIX)" in / | /usr | /usr/local | /opt) exit 0 ;; esac; \
		(cd "$(DESTDIR)$(PREFIX)" && rmdir -p $(SHARED); cd - && rmdir "$(DESTDIR)$(PREFIX)") \
			>/dev/null 2>&1; :

# Packs what is committed, and what is made from it; the same commit gives the same bytes, with time and rights of git.
DIST = skampi-$(VERSION)
ARCHIVE = build/$(DIST).tar.gz
EASYCONFIG = SKaMPI-$(VERSION)-gompi-2025a.eb
MADE = build/COMMIT: $(CATALOG):report/ docs/manual.pdf:docs/ $(PAGES:%=%:docs/man/)

define archive
@changed=$$([ -e .git ] && git status --porcelain -unormal || echo 'no checkout of git') && [ -z "$$changed" ] || \
	{ printf 'make $@ packs only what is committed; commit these, or move them away:\n%s\n' "$$changed" >&2; exit 1; }
@sed -n 's/.*"\(.*\)"/\1/p' $(BUILD)/base/version.h $(BUILD)/base/commit.h | paste -sd ' ' > build/COMMIT
@set -e; set --; for f in $(MADE); do set -- "$$@" --prefix="$(DIST)/$${f#*:}" --add-file="$${f%:*}"; done; \
	git -c tar.umask=022 archive --format=tar "$$@" --prefix=$(DIST)/ HEAD > $(ARCHIVE).new
@GZIP= gzip -9n < $(ARCHIVE).new > $(ARCHIVE) && rm $(ARCHIVE).new
@cd build && sha256sum $(DIST).tar.gz > $(DIST).tar.gz.sha256
@echo "$(ARCHIVE)"
endef

dist field-kit: $(CATALOG) $(PAGES) docs/manual.pdf

dist:
	$(archive)
	@cd build && read -r sum rest < $(DIST).tar.gz.sha256 && \
		sed "s/^    version(\"$(VERSION)\")/    version(\"$(VERSION)\", sha256=\"$$sum\")/" ../configs/frameworks/package.py > package.py && \
		sed "s/^sources.*/&\nchecksums = ['$$sum']/" ../configs/frameworks/skampi.eb > $(EASYCONFIG)
	@echo "its checksum, in files for Spack and EasyBuild, too: $(ARCHIVE).sha256 build/package.py build/$(EASYCONFIG)"

# Script and page belong beside the Makefile.
field-kit: DIST = skampi-field-$(VERSION)
field-kit: MADE += configs/field/field.sh: docs/field-kit.md:
field-kit:
	$(archive)

# One package for each MPI library of the distribution.
deb: deps-deb
	@rm -rf build/deb && mkdir -p build/deb
	@$(MAKE) --no-print-directory dist
	@tar -C build/deb -xzf build/$(DIST).tar.gz
	cd build/deb/$(DIST) && dpkg-buildpackage -us -uc -b
	@ls build/deb/*.deb
