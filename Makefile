PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Many tests wait for sockets and processes rather than work.
SPREAD := -n $$(( 1 + $$($(BIN)/python -c 'import os; print(os.cpu_count())') )) --dist worksteal
# Tests of what is compiled: `make kernel` runs them, and the others leave them out.
COMPILED := tests/lab/training tests/lab/solving/test_palm.py
HASHES := --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --no-header --quiet $(ARGS)
LOCK := $(BIN)/uv pip compile pyproject.toml --group build $(HASHES)

# Arguments: lock file, what for, further options of pip. One dot is shown for each package, so that a slow line is not taken for a hang. Python
# compiles a module when it first imports it: most are never imported, and to compile them all takes a third of the time.
install = @printf '%s' 'Installing what $(2) needs ($(1), a minute or two) '; set -o pipefail; \
	$(BIN)/python -m pip install --disable-pip-version-check --no-input --no-compile --require-hashes --only-binary=:all: $(3) -r $(1) \
		| awk '/^Collecting|^Requirement already/ { printf "."; fflush() } END { print "" }' && \
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation -e .

# Where this is set, every process that a test or the playground starts would compile all that it imports again.
export PYTHONDONTWRITEBYTECODE :=

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard bot/platform/i18n/locale/*/LC_MESSAGES/tabula.po))

SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help play test test-rest sweeps rules test-all coverage suite check e2e fuzz audit peers kernel bench figures torture mutants train sharpen strength errors puzzles docs words \
	translate screens complete gallery format lock studies readings solve game

##@ Try it
help: ## this list
	@awk -F ':.*## ' '/^##@/ { printf "%s%s\n", sep, substr($$0, 5); sep = "\n" } \
		/^[a-z0-9-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.play $(CATALOGUES) ## try the bot in the browser, without a token; ARGS="--port 8123" passes flags on
	@echo 'Starting Tabula on a simulated Discord'
	@$(BIN)/tabula play $(ARGS)

##@ Test
test: $(VENV)/.test ## the tests to run before a commit, a few minutes; it says how many are left to test-all
	@echo "Running the tests on $$($(BIN)/python -V)"
	@$(BIN)/pytest $(SPREAD) --benchmark-disable $(COMPILED:%=--ignore=%) $(ARGS)

# What these leave is for `make e2e`, `make bench` and `make peers`.
test-rest: sweeps rules

sweeps: $(VENV)/.test
	@echo 'Running what make test leaves: sweeps, PostgreSQL, whole processes'
	@$(BIN)/pytest $(SPREAD) --benchmark-disable -m 'sweep and not (e2e or bench or peers)' --ignore=tests/engine \
		$(COMPILED:%=--ignore=%) $(ARGS)

# Tracing takes longer than the tests, so the sweeps go without.
rules: $(VENV)/.test
	@echo 'Running the tests of the rules, and checking that they cover every line and branch of them'
	@$(BIN)/pytest tests/engine $(SPREAD) -m 'not (sweep or peers)' --cov=engine --cov-report= $(ARGS)
	@$(BIN)/coverage report --include='engine/*' --fail-under=100
	@$(BIN)/pytest tests/engine $(SPREAD) -m 'sweep and not peers' $(ARGS)

test-all: coverage test-rest ## every test but the browser's and the timings, and what they cover

# Whole processes are not measured, so the figure of the bot is lower than what its tests reach.
coverage: $(VENV)/.test ## make test under coverage; the bot's share and that of the pictures may only rise
	@$(MAKE) --no-print-directory test ARGS='--cov=bot --cov=render --cov-report= $(ARGS)'
	@$(BIN)/coverage report --include='render/*' --fail-under=99 --format=total
	@$(BIN)/coverage report --include='bot/*' --fail-under=89 --format=total

suite: $(VENV)/.test ## some of the tests, sweeps among them; ARGS="tests/words" says which
	@echo "Running the tests on $$($(BIN)/python -V)"
	@$(BIN)/pytest $(SPREAD) --benchmark-disable -m 'not (e2e or bench or peers)' $(ARGS)

check: $(VENV)/.test ## format, style, types, layers, generated pages and translations
	@echo 'Checking the format'
	@$(BIN)/ruff format --check
	@echo 'Checking the style'
	@$(BIN)/ruff check
	@echo 'Checking the types'
	@$(BIN)/mypy
	@echo 'Checking the layers'
	@$(BIN)/lint-imports
	@echo 'Checking the generated pages'
	@$(BIN)/python -m lab.docs check
	@echo 'Checking the texts and their translations'
	@$(BIN)/python -m lab.translations check

e2e: $(VENV)/.test ## play a game in a real browser
	@.ci/chromium
	@echo 'Playing in the browser'
	@$(BIN)/pytest -m e2e tests/e2e --timeout 600 $(ARGS)

fuzz: $(VENV)/.test $(VENV)/.fuzz ## an hour of generated plays, positions, records, requests, ids; ARGS="--minutes 5"
	@$(BIN)/python -m tests.fuzz $(ARGS)

audit: $(VENV)/.audit ## ask whether holes are known in the libraries that run the bot, where that list can be reached
	@$(BIN)/pip-audit --requirement requirements/run.txt --disable-pip --no-deps --progress-spinner off $(ARGS)

mutants: $(VENV)/.test $(VENV)/.mutants ## see whether the tests find small faults; about an hour; ARGS="clock --each 50" says where
	@$(BIN)/python -m lab.mutants $(ARGS)

peers: $(VENV)/.test ## compare our plays with those of GNU Backgammon, OpenSpiel and Ludii, where they are installed
	@echo 'Comparing with other engines'
	@$(BIN)/pytest -m peers tests/peers -rs $(ARGS) || [ $$? = 5 ]

bench: $(VENV)/.test ## time the hot paths
	@$(BIN)/pytest -m bench tests/bench $(ARGS)

figures: $(VENV)/.test ## time the hot paths, store their medians with day and commit, and write docs/generated/measurements.md
	@mkdir -p .benchmarks
	@$(BIN)/pytest -m bench tests/bench --benchmark-json=.benchmarks/run.json $(ARGS)
	@$(BIN)/python -m lab.figures_page take .benchmarks/run.json
	@$(BIN)/python -m lab.docs

torture: $(VENV)/.test ## run the bot under a seeded schedule of faults; ARGS="--faults 10000 --seed 7" says how many, --help more
	@$(BIN)/python -m tests.torture $(ARGS)

# Compiled after what tests need, whose installation compiles them at first.
test sweeps suite e2e torture: $(CATALOGUES)

##@ Train and measure the computer players
kernel: $(VENV)/.test $(VENV)/.train ## hold the compiled self-play to the rules; the first time it is compiled for minutes
	@echo 'Holding the compiled self-play to the rules'
	@$(BIN)/pytest $(COMPILED) -m 'not (e2e or bench or peers)' -rs $(ARGS)

train: $(VENV)/.train ## train GAME's computer player further, for ten minutes or ARGS="--minutes 60"
	@$(BIN)/python -m lab.training train $(GAME) $(ARGS)

sharpen: $(VENV)/.train ## refine GAME's computer player by 1-ply look-ahead; ARGS="--minutes 60 --hidden 512"
	@$(BIN)/python -m lab.training sharpen $(GAME) $(ARGS)

strength: $(VENV)/.train ## measure the computer players and update docs/generated/strength.md
	@$(BIN)/python -m lab.training strength --note $(ARGS)
	@$(BIN)/python -m lab.docs

errors: $(VENV)/.train ## measure how far the nets' evaluations err, and update the pages that say so; half an hour
	@$(BIN)/python -m lab.training errors $(ARGS)
	@$(BIN)/python -m lab.studies
	@$(BIN)/python -m lab.docs

puzzles: $(VENV)/.test ## have the computer players find new puzzles; those that still hold stay, ARGS="--each 20" finds more
	@$(BIN)/python -m lab.training puzzles $(ARGS)

studies: $(VENV)/.test $(VENV)/.train ## let the computer players play more games, and update docs/generated/studies.md
	@$(BIN)/python -m lab.training studies $(ARGS)
	@$(BIN)/python -m lab.studies
	@$(BIN)/python -m lab.docs

readings: $(VENV)/.test $(VENV)/.train ## count what docs/readings asks of the games, in minutes; ARGS="--games 2000" says of how many
	@$(BIN)/python -m lab.reading_games $(ARGS)
	@$(BIN)/python -m lab.readings
	@$(BIN)/python -m lab.docs

solve: $(VENV)/.test $(VENV)/.train ## solve the games that are small enough, and update docs/generated/solved.md; hours and 9 GB, ARGS=bear-off solves one part
	@$(BIN)/python -m lab.solving $(ARGS)
	@$(BIN)/python -m lab.docs

##@ Write and update
docs: $(VENV)/.test ## write the pages of docs/generated
	@$(BIN)/python -m lab.docs

game: $(VENV)/.test ## write the skeleton of a new game; NAME="Ludus novus"
	@$(BIN)/python -m lab.new_game '$(NAME)'

words: $(VENV)/.test ## update the template of what translators work on, and say what waits for them
	@$(BIN)/python -m lab.translations write

translate: $(VENV)/.test ## update every language's file, and compile it; ARGS=de begins German
	@$(BIN)/python -m lab.translations merge $(ARGS)
	@$(BIN)/python hatch_build.py

screens: $(VENV)/.test $(CATALOGUES) ## draw texts in their places into .screens/, in every language or in ARGS="de fr"
	@.ci/chromium
	@echo "Drawing texts in their places, under a minute a language"
	@$(BIN)/python -m tests.e2e.screens $(ARGS)
	@echo "Open .screens/index.html"

complete: $(VENV)/.test ## see whether every text is translated, which a release waits for
	@$(BIN)/python -m lab.translations complete

gallery: $(VENV)/.test ## draw every game in every theme into .gallery/
	@$(BIN)/python -m lab.gallery .gallery

format: $(VENV)/.test ## put the code into shape
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

lock: $(VENV)/.test ## update requirements/ from pyproject.toml; ARGS=--upgrade takes the newest versions
	@echo 'Locking the requirements'
	@$(LOCK) --extra test --extra check --output-file requirements/test.txt >/dev/null
	@$(LOCK) --extra play --constraint requirements/test.txt --output-file requirements/play.txt >/dev/null
	@$(LOCK) --constraint requirements/test.txt --output-file requirements/run.txt >/dev/null
	@$(LOCK) --extra postgres --extra metrics --extra seal --constraint requirements/test.txt --output-file requirements/container.txt >/dev/null
	@$(LOCK) --extra train --constraint requirements/test.txt --output-file requirements/train.txt >/dev/null
	@$(LOCK) --extra audit --constraint requirements/test.txt --output-file requirements/audit.txt >/dev/null
	@$(LOCK) --extra fuzz --constraint requirements/test.txt --output-file requirements/fuzz.txt >/dev/null
	@$(LOCK) --extra mutants --constraint requirements/test.txt --output-file requirements/mutants.txt >/dev/null
	@$(BIN)/uv pip compile --group sdist $(HASHES) --output-file requirements/sdist.txt >/dev/null

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || \
		{ echo 'Tabula needs Python 3.11 or newer, but there is no $(PYTHON); name yours with PYTHON=...' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tabula needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) -V 2>&1); name a newer one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo 'Python cannot make virtual environments here; install its venv module (Debian, Ubuntu: apt install python3-venv)' >&2; exit 1; }
	@echo 'Making a virtual environment in $(VENV)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: requirements/play.txt pyproject.toml | $(VENV)/.python
	$(call install,$<,playing)
	@touch $@

$(VENV)/.test: requirements/test.txt pyproject.toml | $(VENV)/.python
	$(call install,$<,testing)
	@touch $@ $(VENV)/.play

# The package's installation has compiled them; here they follow what has changed since.
%.mo: %.po | $(VENV)/.play
	@$(BIN)/python hatch_build.py

$(VENV)/.audit: requirements/audit.txt pyproject.toml | $(VENV)/.python
	$(call install,$<,auditing)
	@touch $@

$(VENV)/.fuzz: requirements/fuzz.txt pyproject.toml | $(VENV)/.python
	$(call install,$<,fuzzing)
	@touch $@

# Of one library there is only the source: what builds it is pinned by its hash as well, where pip would fetch any.
$(VENV)/.mutants: requirements/mutants.txt requirements/sdist.txt pyproject.toml | $(VENV)/.python
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --require-hashes --only-binary=:all: -r requirements/sdist.txt
	$(call install,$<,mutating,--no-binary=yattag --no-build-isolation)
	@touch $@

$(VENV)/.train: requirements/train.txt pyproject.toml | $(VENV)/.python
	$(call install,$<,training)
	@touch $@ $(VENV)/.play
