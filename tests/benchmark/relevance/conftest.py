"""What the proxies' tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tenk.benchmark.relevance.wordnet import WordNet, find, open_wordnet
from tenk.benchmark.relevance.words import Tagger
from tenk.errors import BenchmarkError
from tenk.nlp import BUNDLED


@pytest.fixture(scope="session")
def wordnet() -> WordNet:
    """The machine's WordNet; the test is skipped where there is none."""
    try:
        find()
    except BenchmarkError as problem:
        pytest.skip(str(problem))
    return open_wordnet()


@pytest.fixture(scope="session")
def tagger() -> Tagger:
    return Tagger(BUNDLED)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of reference values, outside the project; the test is skipped where it is absent."""
    data = Path(os.environ.get("TENK_TEST_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
    if not (data.parent / "fixtures").is_dir():
        pytest.skip(f"no reference values at {data.parent / 'fixtures'} (set TENK_TEST_DATA)")
    return data.parent / "fixtures"
