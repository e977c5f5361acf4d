# make demo   crawls the demo site and shows what comes out
# make test   lint, types, tests
# make versions   the most important tests with each older Scrapy that newsclean runs with
# make attack PAGES=50000 KILLS=100   attacks the crawler for as long as that takes

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
# How long `make attack` takes: some 5,000 pages and 10 kills a minute.
PAGES ?= 2000
KILLS ?= 20

# Older versions of Scrapy that newsclean runs with.
OLD_SCRAPY := 2.13.4 2.14.2

.PHONY: demo test versions $(OLD_SCRAPY:%=scrapy-%) attack lint types pytest format lock clean

demo: $(READY)
	@echo "newsclean: the demo starts"
	@$(BIN)/newsclean demo

test: lint types pytest

versions: $(OLD_SCRAPY:%=scrapy-%)

$(OLD_SCRAPY:%=scrapy-%): scrapy-%: $(VENV)-scrapy-%/.ready
	PYTHONPATH=$(CURDIR) $(VENV)-$@/bin/python -m pytest -q -m versions \
		$(shell grep --files-with-matches mark.versions tests/crawl/*.py)

attack: $(READY_TO_TEST)
	$(BIN)/python -m tests.attack --pages $(PAGES) --kills $(KILLS)

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

# From the lock files, whose hashes pip checks; then newsclean itself, which has none.
$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "newsclean needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	@echo "newsclean: making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(BIN)/python install $(PIP_OPTIONS) $(RECENT_PIP) 2>/dev/null || \
		{ $(BIN)/python -m ensurepip >/dev/null && $(INSTALL) $(RECENT_PIP); }
	@echo "newsclean: installing what it runs on (Scrapy, lxml, NumPy …): once, up to a minute"
	@$(INSTALL) --require-hashes --requirement requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(READY_TO_TEST): $(READY) requirements-test.lock
	@echo "newsclean: installing what its tests need (pytest, mypy, ruff …): once, up to a minute"
	@$(INSTALL) --require-hashes --requirement requirements-test.lock
	@touch $@

# What the lock files pin, but for Scrapy, and Twisted, of which an older Scrapy takes an older one.
PINS = sed -n 's/^\([A-Za-z0-9._-]*==[^ ;]*\).*/\1/p' $(1) | grep -v -i -E '^(scrapy|twisted)=='
$(VENV)-scrapy-%/.ready: $(READY)
	@echo "newsclean: installing Scrapy $*: once, up to a minute"
	@$(PYTHON) -m venv --without-pip $(@D)
	@$(call PINS,requirements.lock) > $(@D)/requirements.txt
	@$(call PINS,requirements-test.lock) > $(@D)/constraints.txt
	@$(BIN)/python -m pip --python $(@D)/bin/python install $(PIP_OPTIONS) scrapy==$* \
		--requirement $(@D)/requirements.txt --constraint $(@D)/constraints.txt \
		brotli hypothesis pytest pytest-timeout warcio
	@touch $@

# The newest versions that pyproject.toml admits, with their hashes; takes some minutes.
LOCK := $(VENV)-lock/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe \
	--no-annotate --no-header --no-emit-index-url --no-emit-trusted-host \
	--no-emit-find-links --all-build-deps pyproject.toml
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install $(PIP_OPTIONS) pip-tools
	$(LOCK) --output-file requirements.lock
	$(LOCK) --extra test --constraint requirements.lock --output-file requirements-test.lock

clean:
	rm -rf $(VENV) $(VENV)-lock $(VENV)-scrapy-* build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
