# Two words do everything on a fresh machine: `make report` and `make test`.

# Another interpreter: make test PYTHON=python3.13 (it gets a virtual environment of its own).
PYTHON ?= python3
WORKERS ?= 2
PYTEST_ARGS ?=

VENV ?= .venv$(if $(filter-out python3,$(PYTHON)),-$(notdir $(PYTHON)))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS)
DEMO := build/demo

.DEFAULT_GOAL := help
.PHONY: help report test quick check deep bench pages clean

help:
	@echo "make report   set up, lay out the demo evidence, write its report"
	@echo "make test     set up, run every test"
	@echo "make quick    the tests that take less than a minute"
	@echo "make check    lint, format, types, house rules"
	@echo "make deep     property tests with many more and random examples"
	@echo "make bench    the benchmarks"
	@echo "make pages    write the pages in reports/ and the report of the demo again"
	@echo "make clean    remove what was built; the environments stay"

report: $(VENV)/.runtime
	@rm -rf $(DEMO)
	@mkdir -p $(DEMO)
	@$(BIN)/python -m forensics.testing.world fixtures/worlds/demo.toml --out $(DEMO)/evidence
	@$(BIN)/forensics run home=$(DEMO)/evidence -o $(DEMO)/case

test: $(VENV)/.dev
	@HYPOTHESIS_PROFILE=ci $(PYTEST) $(PYTEST_ARGS)

quick: $(VENV)/.dev
	@HYPOTHESIS_PROFILE=quick $(PYTEST) -m "not slow and not corpus" $(PYTEST_ARGS)

check: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q $(wildcard tests/test_house.py tests/test_conformance.py tests/test_docs.py)

deep: $(VENV)/.dev
	@HYPOTHESIS_PROFILE=deep $(PYTEST) $(PYTEST_ARGS)

bench: $(VENV)/.dev
	@set -e; for script in tests/bench/*.py; do \
		case $$script in */_*) continue;; esac; \
		echo "== $$script"; $(BIN)/python -m tests.bench.$$(basename "$$script" .py); \
	done

pages: $(VENV)/.runtime
	@$(BIN)/python -m forensics.report.pages reports
	@$(BIN)/python -m forensics.testing.demo fixtures/worlds/demo.toml reports/demo

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis mutants
	find forensics tests -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment is made once; a stamp says which requirements are in it.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "error: there is no $(PYTHON) here"; \
		echo "hint: install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.12 ..."; exit 2; } >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: $(PYTHON) is $$($(PYTHON) -V 2>&1); forensics needs Python 3.11 or newer"; \
		echo "hint: make PYTHON=/path/to/python3.12 ..."; exit 2; } >&2
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "error: $(PYTHON) cannot make a virtual environment"; \
		echo "hint: on Debian and Ubuntu: apt-get install python3-venv"; exit 2; } >&2

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(BIN)/python
	@echo "setting up $(VENV)"
	@$(PIP) install --require-hashes -r requirements/runtime.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	@echo "setting up $(VENV) for tests"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@
