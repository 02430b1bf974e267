# Everything runs in a local environment, .venv, that the first target builds.
# The package is installed, not linked: tests and commands see what a user would get.

PYTHON ?= python3
ARGS ?=
EXTRAS ?= dev

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install
FOLDERS := spec impl proofs_check
SOURCES := $(shell find $(FOLDERS) -name __pycache__ -prune -o \
	\( -type d -o -name '*.py' -o -name '*.csv' -o -name '*.toml' -o -name '*.json' -o -name '*.v' -o -name py.typed \) -print)
REQUIREMENTS := pyproject.toml .ci/constraints.txt

.PHONY: help check test lint certify bench formal mutations

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

check: .venv/installed ## settle every claim and compare with the ledger (ARGS=--fresh)
	@$(BIN)/establish check $(ARGS)

test: .venv/installed ## run the tests (ARGS=tests/test_house.py; EXTRAS=dev,spark: on PySpark too)
	@$(BIN)/pytest --numprocesses auto $(ARGS)

lint: .venv/installed ## ruff, its formatter, and mypy --strict on the installed packages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@cd .venv && bin/mypy --config-file ../pyproject.toml $(FOLDERS:%=-p establish.%)

certify: .venv/installed ## check the mechanisms that run and write their certificates
	@$(BIN)/establish certify $(ARGS)

formal: .venv/installed ## let Coq check the proofs and compare with the record (ARGS=--record; --full)
	@$(BIN)/python -m establish.proofs_check.formal.build $(ARGS)

mutations: .venv/installed ## edit the formulas one by one and see which proof each edit breaks
	@$(BIN)/python -m establish.proofs_check.formal.mutations $(ARGS)

bench: .venv/installed ## print how long things take (EXTRAS=dev,peers: beside other libraries)
	@for script in tests/bench/bench_*.py; do $(BIN)/python $$script; done

.venv/installed: $(REQUIREMENTS) $(SOURCES)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@rm -rf build *.egg-info
	@if [ ! -f $@ ] || [ -n "$(filter $(REQUIREMENTS),$?)" ]; then \
		echo "installing establish and what it needs into .venv"; \
		$(PIP) -c .ci/constraints.txt '.[$(EXTRAS)]'; \
	else \
		$(PIP) --no-deps --no-build-isolation --force-reinstall .; \
	fi
	@rm -rf build *.egg-info
	@touch $@
