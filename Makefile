# make run starts the gateway, make test runs the suite; both install first, once.

VENV    := .venv
BIN     := $(VENV)/bin
SERVE   ?=
PYTEST  ?=
# One more than there are processor cores: many tests wait for a process they started.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)
TRIES   ?= 2

# The first Python that is new enough; `make PYTHON=/path/to/python3.12 run` chooses another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python3.14; do \
    "$$name" -c '$(NEW_ENOUGH)' 2>/dev/null && echo "$$name" && break; done)

.DEFAULT_GOAL := help
# Compiled modules are kept, whatever the shell says: many tests start Python anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run form check lint test coverage words proof bench trace-payment lock clean

help: ## Say what the targets do
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|' 2>/dev/null \
	    || sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1  \2/p' Makefile

install: $(VENV)/.installed ## Install into .venv what the lock file names, then the project itself

run: install ## Start the gateway, for instance: make run SERVE="--port 0"
	@exec $(BIN)/sandgate serve $(SERVE)

form: install
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports --no-logo

check: form ## Check format, lint, import contracts and types: the fast part of make test
	@$(BIN)/mypy

lint: check

# The order is random; the run prints the option that repeats it, --randomly-seed=NUMBER.
# Five tests that fail at most are tried once more, alone; their first failure stays on the screen.
FEW_FAILED := import json, sys; \
    failed = json.load(open(".pytest_cache/v/cache/lastfailed")); sys.exit(not 0 < len(failed) <= 5)
# Types are checked on one core while the tests are collected; what is wrong with them is said last.
test: form ## Check, and run the tests, for instance: make test PYTEST="-k capture"
	@$(BIN)/mypy > $(VENV)/.types 2>&1 & types=$$!; \
	$(BIN)/python -m pytest -q -n $(WORKERS) $(PYTEST) || { \
	    test $$? -eq 1 && test $(TRIES) -gt 1 && $(BIN)/python -c '$(FEW_FAILED)' \
	    && echo 'Trying once more what failed:' \
	    && $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none $(PYTEST); }; \
	tests=$$?; wait $$types; typed=$$?; cat $(VENV)/.types; \
	test $$typed -eq 0 && exit $$tests

coverage: check ## Check, then run the tests, measure branch coverage and hold its floor
	@$(BIN)/python -m pytest -q -n $(WORKERS) --timeout 300 -m "not proof and not cost" \
	    --cov --cov-report= $(PYTEST)
	@$(BIN)/coverage report

words: install ## List the words that the glossary replaced, for instance: make words IN=docs
	@$(BIN)/python -m simulator.tests.project.words $(IN)

proof: install ## Run the long proofs and write their figures with machine and date
	@$(BIN)/python -m load.proof $(PROOF)
	@$(BIN)/python -m features.mutants.sampled try --store $(MUTANTS)
	@$(BIN)/python -m pytest -q -m proof $(PYTEST)

bench: install ## Measure and compare with the numbers the project promises
	@$(BIN)/python -m load.bench $(BENCH)

trace-payment: install ## Count the files and functions that one sale passes through
	@$(BIN)/python -m simulator.tests.measured.trace_payment $(TRACE)

# The lock holds versions and hashes only: no index, no address, no option of this machine.
lock: $(VENV)/.installed ## Write requirements.lock anew from pyproject.toml
	@$(BIN)/python -m pip install --quiet 'uv>=0.9,<1'
	@echo '# Written by `make lock`: what the project and its tests need, with hashes.' > requirements.lock.new
	@$(BIN)/uv pip compile pyproject.toml --extra dev --extra load --universal --python-version 3.11 \
	    --generate-hashes --no-config --upgrade \
	    --no-header --no-emit-index-url --no-emit-find-links --quiet \
	    | grep -v -E '^ *--(index-url|extra-index-url|find-links|trusted-host|no-index)' \
	    >> requirements.lock.new
	@mv requirements.lock.new requirements.lock

clean: ## Remove what installing and testing left behind (the data folder stays)
	@rm -rf $(VENV) dist build .pytest_cache .hypothesis .mypy_cache .ruff_cache \
	    .import_linter_cache .coverage .coverage.*
	@find . \( -name .git -o -name '.sandgate*' \) -prune -o -type d \
	    \( -name __pycache__ -o -name .pytest_cache \) -prune -exec rm -rf {} +

# One that is named, and is not the one that made .venv, makes it anew.
WHICH := import sys; print(sys.version, sys.base_prefix)
ifneq ($(filter command environment,$(origin PYTHON)),)
ifneq ($(shell $(PYTHON) -c '$(WHICH)' 2>&1),$(shell $(BIN)/python -c '$(WHICH)' 2>&1))
.PHONY: another
$(VENV)/.python: another
endif
endif

$(VENV)/.python: Makefile
	@if [ -z "$(PYTHON)" ]; then \
	    echo 'Sandgate needs Python 3.11 or newer, and none was found on the PATH.' >&2; \
	    echo 'Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)' >&2; exit 1; fi
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { \
	    echo 'Sandgate needs Python 3.11 or newer; $(PYTHON) is' "$$($(PYTHON) -V 2>&1)." >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
	    echo 'Python could not make a virtual environment (Debian and Ubuntu: apt install python3-venv).' >&2; \
	    exit 1; }
	@touch $@

$(VENV)/.locked: requirements.lock $(VENV)/.python
	@echo 'Installing what requirements.lock names into $(VENV); this takes a minute once.'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@touch $@

$(VENV)/.installed: pyproject.toml $(VENV)/.locked
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
