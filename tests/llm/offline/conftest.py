"""The pipeline that the offline writer's tests run on."""

from __future__ import annotations

import os

import pytest
import spacy
from spacy.language import Language

from tenk.nlp.pipelines import MODEL


@pytest.fixture(scope="session")
def nlp() -> Language:
    """The bundled pipeline (`TENK_TEST_PIPELINE` names another folder)."""
    return spacy.load(os.environ.get("TENK_TEST_PIPELINE", MODEL))
