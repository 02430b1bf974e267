# Everything runs in a local environment, .venv, that the first target builds.
# The package is installed, not linked: tests and commands see what a user would get.

PYTHON ?= python3
ARGS ?=
EXTRAS ?= dev

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install
LIBRARIES := .venv/libraries-
FOLDERS := spec impl proofs_check
SOURCES := $(shell find $(FOLDERS) -name __pycache__ -prune -o \
	\( -type d -o -name '*.py' -o -name '*.csv' -o -name '*.gz' -o -name '*.toml' -o -name '*.json' -o -name '*.v' -o -name 'certificates.*' -o -path '*/templates/*' -o -name py.typed \) -print)
REQUIREMENTS := pyproject.toml setup.py .ci/constraints.txt

# Compiled modules are kept, in .venv and beside the tests: these start a hundred times what a user starts.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help check test campaign lint certify bench second formal mutations mutants published alarms docs quartiles

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 17

check: $(LIBRARIES)base .venv/code ## settle every claim and compare with the ledger (ARGS=--fresh)
	@echo "checking all claims: about 3 minutes the first time, seconds when nothing has changed"
	@$(BIN)/establish check $(ARGS)

test: $(LIBRARIES)$(EXTRAS) .venv/code ## run the tests (ARGS=tests/test_house.py; EXTRAS=dev,spark: on PySpark too)
	@$(BIN)/pytest --numprocesses auto --dist worksteal $(ARGS)

campaign: $(LIBRARIES)$(EXTRAS) .venv/code ## run the long tests, and the others on ten times as many examples
	@$(BIN)/pytest --numprocesses auto --dist worksteal -m "" --hypothesis-profile=campaign $(ARGS)

lint: $(LIBRARIES)$(EXTRAS) .venv/code ## ruff, its formatter, and mypy --strict on the installed packages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@cd .venv && bin/mypy --config-file ../pyproject.toml $(FOLDERS:%=-p establish.%)

certify: $(LIBRARIES)$(EXTRAS) .venv/code ## check the mechanisms that run and write their certificates
	@$(BIN)/establish certify $(ARGS)

second: $(LIBRARIES)base .venv/code ## ask for second opinions on the proofs of statements that have none (about 15 minutes for all)
	@rm -rf build/proofs && $(BIN)/establish export --unasked --out build/proofs $(ARGS)
	@$(BIN)/establish recheck build/proofs --record

formal: $(LIBRARIES)base .venv/code ## let Coq check the proofs and compare with the record (ARGS=--record; --full)
	@$(BIN)/python -m establish.proofs_check.formal.build $(ARGS)

mutations: $(LIBRARIES)base .venv/code ## edit the formulas one by one and see which proof each edit breaks
	@$(BIN)/python -m establish.proofs_check.formal.mutations $(ARGS)

mutants: $(LIBRARIES)$(EXTRAS) ## edit formulas and code one by one and see who notices (ARGS="--only spec/admissible.py")
	@$(BIN)/python tests/mutants/campaign.py $(ARGS)

published: $(LIBRARIES)base .venv/code ## audit the published suite beside other tools (ARGS="SVT4 --outputs 1e7")
	@$(BIN)/python -m establish.proofs_check.audit.published $(ARGS)

alarms: $(LIBRARIES)base .venv/code ## audit correct mechanisms 10,000 times: none may be accused (ARGS="--runs 500")
	@$(BIN)/python -m establish.proofs_check.audit.alarms $(ARGS)

docs: $(LIBRARIES)$(EXTRAS) .venv/code ## build the documentation below build/docs, warnings as errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q -f docs/mkdocs.yml

bench: $(LIBRARIES)$(EXTRAS) .venv/code ## print how long things take (EXTRAS=dev,peers: beside other libraries)
	@for script in tests/bench/bench_*.py; do $(BIN)/python $$script; done

quartiles: $(LIBRARIES)$(EXTRAS) .venv/code ## print the errors of quartiles by mechanism, as CSV (ARGS="shifted 100,300 1,4")
	@$(BIN)/python tests/bench/quartiles.py $(ARGS)

# The libraries of some extras, or of none: base.
$(LIBRARIES)%: $(REQUIREMENTS)
	@test -x $(BIN)/python || { echo "making the environment .venv"; $(PYTHON) -m venv .venv; }
	@rm -rf build *.egg-info
	@$(BIN)/python .ci/install.py $*
	@rm -rf build *.egg-info
	@touch $@ $(LIBRARIES)base .venv/code

# Our own code, installed again after a change.
.venv/code: $(SOURCES)
	@rm -rf build *.egg-info
	@echo "installing establish again, as its files changed"
	@$(PIP) --no-deps --no-build-isolation --force-reinstall .
	@rm -rf build *.egg-info
	@touch $@
