# What a stranger would guess: demo, test, site, measure, studies, bench, check, clean.
PYTHON ?= python3
VENV := .venv
LENS := $(VENV)/bin/lens
DEMO := _demo
DEMO_GRADERS := math-is-equiv verl-gsm8k verl-math-reward verl-math-dapo verl-search-r1-em

.PHONY: demo test site measure studies bench check docs clean

demo: $(VENV)/.installed  ## environment, install, audit five public graders, build a site of them
	rm -rf $(DEMO)
	$(LENS) new $(DEMO)
	for grader in $(DEMO_GRADERS); do $(LENS) measure grader $$grader --data $(DEMO)/data || exit 1; done
	$(LENS) build --data $(DEMO)/data --content $(DEMO)/content --out $(DEMO)/_site
	@echo
	@echo "environment: $$(du -sm $(VENV) | cut -f1) MB, graders' caches: $$(du -sm $${EVIDENCE_LENS_CACHE:-$$HOME/.cache/evidence-lens} | cut -f1) MB"
	@echo "the site: file://$(CURDIR)/$(DEMO)/_site/index.html"

test: $(VENV)/.dev  ## every test
	$(VENV)/bin/python -m pytest -n 2 --dist loadgroup

site: $(VENV)/.installed  ## the published site, from the committed evidence
	$(LENS) build

measure: $(VENV)/.installed  ## measure again everything the published site shows (needs ../shared; hours)
	$(VENV)/bin/python -m measure.published

studies: $(VENV)/.installed  ## run every frozen study and adjudicate it; stopped, it goes on where it was
	$(LENS) study run

bench: $(VENV)/.dev  ## speed against the public peers, each in an environment of its own
	$(VENV)/bin/python -m bench

check: $(VENV)/.dev  ## style, types, layers, generated regions and claims
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/python -m cogapp --check README.md
	$(LENS) evidence verify
	$(LENS) claims README.md CHANGELOG.md CONTRIBUTING.md content

docs: $(VENV)/.dev  ## write the generated regions and stamped numbers again
	$(VENV)/bin/python -m cogapp -r README.md
	$(LENS) claims --write README.md

clean:  ## everything these targets made; evidence stays
	rm -rf $(VENV) _site $(DEMO) .cache dist build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
