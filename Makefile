# make demo   the main job on the bundled sample, with the embedded offline writer
# make test   lint, types and tests
# Both make .venv and install the pinned dependencies first; Python compiles what it imports, and not all that is there.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint clean

demo: .venv/demo.installed
	$(BIN)/tenk run --source sample --writer offline
	$(BIN)/tenk show outputs/datasets/Sample10k --videos 2

test: lint
	$(BIN)/python -m pytest -n auto

lint: .venv/test.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("tenk needs Python 3.11 or newer: make PYTHON=python3.11 ...") \
	  if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv

.venv/demo.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

.venv/test.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt \
	  --editable '.[benchmark,crosscheck,finetune,flows,postgres,test]'
	touch $@ .venv/demo.installed

clean:
	rm -rf .venv build dist
