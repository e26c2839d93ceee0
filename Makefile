# table-monitor: `make demo` and `make test` work from a clean clone.
#
# SMALL=1 installs without torch and ultralytics (into .venv-small).

PYTHON ?= python3
ifdef SMALL
VENV := .venv-small
SET := small
SIZE := about 0.9 GB
else
VENV := .venv
SET := full
SIZE := about 6.7 GB with torch; "make $(MAKECMDGOALS) SMALL=1" does without
endif
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Nothing is fetched or reported by ultralytics behind the user's back.
export YOLO_OFFLINE := true
export YOLO_AUTOINSTALL := false

DEMO ?= fixtures/videos/bank
DEMO_OUT ?= out/demo
PYTEST_ARGS ?= -n 2 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help demo test lint docs pytest evaluate install install-dev lock clean

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /|/' | awk -F'|' '{printf "  make %-12s %s\n", $$1, $$2}'
	@echo '  SMALL=1 after any of them: without torch and ultralytics'

demo: install ## Install, review the sample clip, print shots and rulings
	@echo "== Reviewing $(DEMO)/clip.mp4"
	@$(BIN)/table-monitor review $(DEMO)/clip.mp4 --out $(DEMO_OUT) --declarations $(DEMO)/declarations.jsonl --head left --ball-set standard --annotate

test: lint pytest ## Install, then style, types, import contracts and all tests

lint: install-dev docs ## Style, types, import contracts and links of the documentation
	@echo "== ruff" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "== mypy" && $(BIN)/mypy
	@echo "== import contracts" && $(BIN)/lint-imports

docs: install-dev ## The documentation as a site in out/site; a broken link fails
	@echo "== documentation" && $(BIN)/mkdocs build --strict

pytest: install-dev ## Tests only (PYTEST_ARGS=... is passed on)
	@echo "== pytest" && $(BIN)/pytest $(PYTEST_ARGS)

evaluate: install-dev ## Measure the product against truth and write docs/accuracy.md (N= fresh shots)
	@$(BIN)/python -m monitor.evaluation.campaign --page docs/accuracy.md $(if $(N),--fresh $(N))

install: $(VENV)/.installed ## Make the environment and install what the product needs

install-dev: $(VENV)/.installed-dev ## The same, and what the tests and `synth` need

$(VENV)/.installed: requirements/build.txt requirements/$(SET).txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "table-monitor needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "== [1/3] Environment $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "The venv module is missing (Debian, Ubuntu: apt-get install python3-venv)." >&2; exit 1; }
	@echo "== [2/3] Installing $$(grep -c == requirements/$(SET).txt) packages ($(SIZE))"
	@$(PIP) install --no-deps -r requirements/build.txt -r requirements/$(SET).txt
	@echo "== [3/3] table-monitor itself"
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python requirements/check_system.py
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.txt requirements/synthetic.txt
	@echo "== Installing packages for tests, checks and the truth generator"
	@$(PIP) install --no-deps -r requirements/dev.txt -r requirements/synthetic.txt
	@touch $@

lock: ## Write requirements/*.txt anew from requirements/*.in
	@$(PYTHON) requirements/lock.py

clean: ## Remove environments and results
	rm -rf .venv .venv-small out build dist *.egg-info
