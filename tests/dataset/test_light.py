"""Importing the rooms is cheap: pandas, pyarrow and datasets come when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["tenk.dataset", "tenk.dataset.about", "tenk.dataset.load", "tenk.dataset.write", "tenk.stats"]
)
def test_nothing_heavy_is_imported(module: str) -> None:
    heavy = ["datasets", "huggingface_hub", "pandas", "pyarrow", "pyphen", "spacy", "textstat"]
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
