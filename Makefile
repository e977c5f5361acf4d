# make demo   crawls the demo site and shows what comes out
# make test   lint, types, and all tests that need Python alone
# make test-all   the others as well: processes, Chromium, PostgreSQL, Spark, the oldest Scrapy
# make versions   the most important tests, with the oldest Scrapy
# make axe   installs axe-core (needs npm), with which the tests check that pages are accessible
# make spark   installs PySpark (needs Java), with which the tests run the jobs for archives
# make pictures   makes the pictures of the documentation (needs Chromium), in some three minutes
# make docs   builds the documentation site in build/docs (needs npm for the diagrams)
# make wheel   builds the wheel in dist/
# make image   builds the container image, with podman or docker
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
# What `make test` leaves out (tests/needs.py).
ALONE := -m 'not (chromium or postgresql or spark or process)'
# A file at a time, which may share fixtures; those with slow tests come first (tests/conftest.py).
ON_ALL_CORES := --numprocesses auto --dist loadfile --no-loadscope-reorder
# How long `make attack` takes: some 5,000 pages and 10 kills a minute.
PAGES ?= 2000
KILLS ?= 20

# The oldest Scrapy that newsclean runs with; pyproject.toml says the same.
OLDEST_SCRAPY := 2.18.0
OLDEST := $(VENV)-scrapy-$(OLDEST_SCRAPY)

AXE := .axe/node_modules/axe-core/axe.min.js
MERMAID := .docs/node_modules/mermaid/dist/mermaid.min.js
# Installs one package of npm, with nothing beside it, in a folder of its own.
NPM_INSTALL := npm install --no-save --no-package-lock --no-audit --no-fund --silent --prefix

.PHONY: demo test test-all versions axe spark docs wheel image pictures attack lint types pytest format lock clean

demo: $(READY)
	@echo "newsclean: the demo starts"
	@$(BIN)/newsclean demo

test: lint types pytest

# Here a program that is missing is a failure, and no test is passed over.
test-all: export CI = true
test-all: lint types axe spark docs
	@$(BIN)/python -m compileall -q newsclean
	$(BIN)/pytest -q $(ON_ALL_CORES)
	$(MAKE) versions

versions: $(OLDEST)/.ready
	$(OLDEST)/bin/python -m pytest -q -m versions \
		$(shell grep --files-with-matches mark.versions tests/crawl/*.py)

axe: $(AXE)

$(AXE):
	$(NPM_INSTALL) .axe axe-core@4

# Strict: a link that leads nowhere is a failure. Only what is installed before needs a network.
docs: $(READY_TO_TEST) $(MERMAID)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "newsclean: the documentation is in build/docs. Open index.html; to search it as well, serve it:"
	@echo "  $(BIN)/python -m http.server --directory build/docs --bind 127.0.0.1"

$(MERMAID):
	$(NPM_INSTALL) .docs mermaid@11

wheel: $(READY)
	@rm -rf build/bdist* build/lib
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/newsclean-*.whl

# The first builder of containers that is installed here.
BUILDER ?= $(firstword $(notdir $(wildcard $(foreach name,podman docker buildah,$(addsuffix /$(name),$(subst :, ,$(PATH)))))))
image:
	@[ -n "$(BUILDER)" ] || { echo "make image needs podman, docker or buildah"; exit 1; }
	$(BUILDER) build --file deploy/Containerfile --tag newsclean .
	$(BUILDER) run --rm newsclean --version

spark: $(READY_TO_TEST)
	@$(INSTALL) --require-hashes --requirement requirements-spark.txt

attack: $(READY_TO_TEST)
	$(BIN)/python -m tests.attack --pages $(PAGES) --kills $(KILLS)

pictures: $(READY_TO_TEST)
	$(BIN)/python docs/pictures.py

lint: $(READY_TO_TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY_TO_TEST)
	$(BIN)/mypy

# Compiled before, and not by the crawls of the tests (tests/conftest.py).
pytest: $(READY_TO_TEST)
	@$(BIN)/python -m compileall -q newsclean
	$(BIN)/pytest -q $(ALONE) $(ON_ALL_CORES)

format: $(READY_TO_TEST)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What is pinned, with hashes that pip checks; then newsclean itself, which has none.
$(READY): pyproject.toml requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "newsclean needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	@echo "newsclean: making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(BIN)/python install $(PIP_OPTIONS) $(RECENT_PIP) 2>/dev/null || \
		{ $(BIN)/python -m ensurepip >/dev/null && $(INSTALL) $(RECENT_PIP); }
	@echo "newsclean: installing what it runs on (Scrapy, lxml, NumPy …): once, up to a minute"
	@$(INSTALL) --require-hashes --requirement requirements.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(READY_TO_TEST): $(READY) requirements-test.txt
	@echo "newsclean: installing what its tests need (pytest, mypy, ruff …): once, up to a minute"
	@$(INSTALL) --require-hashes --requirement requirements-test.txt
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib > /dev/null || true  # not all are of this version
	@touch $@

# What is pinned, but for Scrapy.
PINS = sed -n 's/^\([a-z0-9-]*==.*\) \\$$/\1/p' $(1) | grep -v '^scrapy=='
$(OLDEST)/.ready: $(READY)
	@echo "newsclean: installing Scrapy $(OLDEST_SCRAPY): once, up to a minute"
	@$(PYTHON) -m venv --without-pip $(@D)
	@$(call PINS,requirements.txt) > $(@D)/requirements.txt
	@$(call PINS,requirements-test.txt) > $(@D)/constraints.txt
	@$(BIN)/python -m pip --python $(@D)/bin/python install $(PIP_OPTIONS) \
		scrapy==$(OLDEST_SCRAPY) \
		--requirement $(@D)/requirements.txt --constraint $(@D)/constraints.txt \
		hypothesis pytest pytest-timeout warcio
	@$(BIN)/python -m pip --python $(@D)/bin/python install $(PIP_OPTIONS) \
		--no-deps --no-build-isolation --editable .
	@$(@D)/bin/python -m compileall -q -j 0 $(@D)/lib > /dev/null || true
	@touch $@

# The newest versions that pyproject.toml admits, with their hashes: one version for Python 3.11.0 and
# newer, on Linux and macOS. What newsclean is built with is among them, as pip does not isolate its
# build above; PySpark, 400 MB, is apart.
LOCK := $(VENV)-lock/bin/uv pip compile --quiet --no-config --upgrade --universal \
	--python-version 3.11.0 --fork-strategy fewest --generate-hashes --no-annotate \
	--custom-compile-command 'make lock'
FROM_PYPROJECT = $(PYTHON) -c 'import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))$(1), sep="\n")'
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install $(PIP_OPTIONS) uv
	$(call FROM_PYPROJECT,["build-system"]["requires"]) | $(LOCK) pyproject.toml - \
		--output-file requirements.txt
	$(LOCK) pyproject.toml --extra test --constraint requirements.txt \
		--output-file requirements-test.txt
	$(call FROM_PYPROJECT,["project"]["optional-dependencies"]["spark"]) | $(LOCK) - \
		--constraint requirements-test.txt --output-file requirements-spark.txt

clean:
	rm -rf .axe .docs $(VENV) $(VENV)-lock $(VENV)-scrapy-* build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
