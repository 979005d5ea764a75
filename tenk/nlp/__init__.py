"""Text in, spaCy documents out: which pipeline is used, and what its name is for the provenance.

pipelines.py   picks the pipeline: the one named, else an installed one, else the bundled one
model/         the bundled pipeline, trained on Universal Dependencies English-EWT
training/      how it was trained, in one command
"""

from __future__ import annotations

from tenk.nlp.identity import identify
from tenk.nlp.pipelines import BUNDLED, describe, load_pipeline, spare_torch, stop_words

__all__ = ["BUNDLED", "describe", "identify", "load_pipeline", "spare_torch", "stop_words"]
