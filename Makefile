# averse: `make demo` and `make test` do all the set-up; `make` alone lists the targets.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
WORK   ?= validation
READY  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz pythons mutants validate lint messages format lock clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): requirements/lock.txt requirements/bootstrap.txt pyproject.toml requirements/install.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" sh requirements/install.sh

demo: $(READY)  ## Build the reference town, play an exercise on it, print the paths to open
	@$(BIN)/averse demo --out demo

# byte code is kept, whatever the shell says: each worker reads every module and every test
test: $(READY)  ## Run the tests
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadgroup

mutants: $(READY)  ## Break every rule once, and see that its tests notice (some minutes)
	@$(BIN)/python -m tests.mutants

validate: $(READY)  ## Check the water on benchmarks and measured floods (an hour; on again where stopped)
	@$(BIN)/python -m benchmarks.validation.ea --work $(WORK)
	@$(BIN)/python -m benchmarks.validation.merewether --work $(WORK)
	@$(BIN)/python -m benchmarks.validation.rochefort --work $(WORK)

fuzz: $(READY)  ## Look for leaks in 10,000 pairs of worlds; kill and flood servers; call a room's interface
	@AVERSE_CRASH_GAMES=200 AVERSE_FUZZ_PAIRS=10000 AVERSE_PLAYS=500 AVERSE_API_EXAMPLES=100 \
	    AVERSE_KILLS=100 AVERSE_SOCKETS=10000 AVERSE_CLOCKS=1 AVERSE_HARM=1 $(BIN)/python -m pytest -n auto \
	    --dist loadgroup tests/fuzz \
	    tests/exercises/test_any_play.py tests/exercises/test_crash.py \
	    tests/exercises/room/test_openapi.py tests/exercises/room/test_killed.py \
	    tests/exercises/room/test_flood.py tests/exercises/room/test_clock_set.py \
	    tests/exercises/room/test_harm.py

pythons: $(READY)  ## Play the same games on Python 3.11, 3.12 and 3.13: the same hashes
	@$(BIN)/python -m tests.golden.pythons

balance: $(READY)  ## Print what players get and what each rule changes (half an hour; on again where stopped)
	@test -d demo/district || $(BIN)/averse demo --out demo
	@$(BIN)/python -m benchmarks.balance --pack demo/district --keep build/balance

lint: $(READY)  ## Check style and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

messages: $(READY)  ## Gather what players read, merge it into its French, compile that
	@mkdir -p build
	@$(BIN)/pybabel -q extract
	@$(BIN)/pybabel -q update
	@$(BIN)/pybabel -q compile

format: $(READY)  ## Put the code in its form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lock: $(READY)  ## Choose the versions again and write the lock
	@$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
	    --all-extras pyproject.toml -o requirements/lock.txt
	@$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
	    requirements/bootstrap.in -o requirements/bootstrap.txt

clean:  ## Remove the environment and all that was made
	rm -rf $(VENV) demo validation
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
