# Everything runs in .venv, which is made here. Another Python: make PYTHON=python3.12 test
PYTHON ?= python3
BIN := .venv/bin
SETTINGS := settings.ini setup.py pyproject.toml
PYTEST := QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest

.PHONY: help demo test test-all book app notebooks readme lint clean

help:
	@echo 'make demo       evaluate the bundled rankings and explain one value step by step'
	@echo 'make test       the tests, with coverage of the package'
	@echo 'make test-all   the slower tests: browser, pages, package build'
	@echo 'make book       the textbook as static pages in _docs, from the committed outputs'
	@echo 'make app        the desktop calculator as a program in one folder, dist/rankmetrics'
	@echo 'make notebooks  export, execute and clean every notebook, write README.md'
	@echo 'make lint       ruff and mypy alone'
	@echo 'make clean      remove .venv and what tools left behind'

demo: .venv/.run
	@echo '== Two made-up result lists of a product search, evaluated: rankmetrics eval'
	@$(BIN)/rankmetrics eval
	@echo
	@echo '== One value step by step: rankmetrics explain AP 1 0 1 0'
	@$(BIN)/rankmetrics explain AP 1 0 1 0

# The package must stay covered to 95 %; the report names the lines that no test reaches.
test: .venv/.dev
	$(PYTEST) -n auto --dist worksteal -m 'not slow and not browser' --cov --cov-report=term --cov-fail-under=95

test-all: .venv/.book
	$(PYTEST) -m 'slow or browser'

# Formulas and sliders need scripts that npm fetches once; without npm the pages do without, and the build says so.
book: .venv/.book
	$(BIN)/python docs/site_build.py

# The program needs no Python where it runs; it is built for the system that builds it.
app: .venv/.app
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath dist --workpath build/app gui/rankmetrics.spec
	@du -sh dist/rankmetrics

notebooks: .venv/.dev
	$(BIN)/nbdev_export
	$(BIN)/python tests/nbtools.py
	$(BIN)/nbdev_clean
	$(BIN)/python tests/readme.py

readme: .venv/.dev
	$(BIN)/python tests/readme.py

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf .venv *.egg-info build dist _docs .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A stamp older than the settings means that the requirements may have changed.
.venv/.run: $(SETTINGS)
	@$(call venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.dev: $(SETTINGS)
	@$(call venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch .venv/.run $@

.venv/.book: $(SETTINGS)
	@$(call venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,book]'
	@touch .venv/.run .venv/.dev $@

.venv/.app: $(SETTINGS)
	@$(call venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[app]'
	@touch .venv/.run $@

define venv
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo 'Python 3.11 or newer is needed. Name one: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }; \
test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv || \
  { rm -rf .venv; echo 'No virtual environment could be made. On Debian: apt-get install python3-venv' >&2; exit 1; }
endef
