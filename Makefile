# make demo   crawls the demo site and shows what comes out
# make test   lint, types, tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Errors only, and no compiling of every module: Python itself compiles those that are used.
PIP_OPTIONS := --quiet --quiet --disable-pip-version-check --no-compile
INSTALL := $(BIN)/python -m pip install $(PIP_OPTIONS)
# pip 23 takes more than twice as long to find what to install.
RECENT_PIP := 'pip>=25'
# What is installed: to run newsclean, and to test it.
READY := $(VENV)/.ready
READY_TO_TEST := $(VENV)/.ready-to-test

.PHONY: demo test lint types pytest format clean

demo: $(READY)
	@echo "newsclean: the demo starts"
	@$(BIN)/newsclean demo

test: lint types pytest

lint: $(READY_TO_TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY_TO_TEST)
	$(BIN)/mypy

pytest: $(READY_TO_TEST)
	$(BIN)/pytest -q

format: $(READY_TO_TEST)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "newsclean needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	@echo "newsclean: making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(BIN)/python install $(PIP_OPTIONS) $(RECENT_PIP) 2>/dev/null || \
		{ $(BIN)/python -m ensurepip >/dev/null && $(INSTALL) $(RECENT_PIP); }
	@echo "newsclean: installing what it runs on (Scrapy, lxml, NumPy …): once, up to a minute"
	@$(INSTALL) --requirement requirements.txt
	@touch $@

$(READY_TO_TEST): $(READY)
	@echo "newsclean: installing what its tests need (pytest, mypy, ruff …): once, up to a minute"
	@$(INSTALL) --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
