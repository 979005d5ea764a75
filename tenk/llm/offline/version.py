"""The rules, the lexicon and the pipeline in, what they are called in the journal key out."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from tenk.nlp import BUNDLED, identify

MODEL = "tenk-offline"
"""What the data says of captions that the offline writer made."""


@cache
def version(pipeline: str | None = None) -> dict[str, str]:
    """Versions of all that an offline reply depends on besides its request; loads no pipeline.

    Rules and lexicon go by their content: their replies are free, and none made by other rules may pass for one of
    these.
    """
    folder = Path(__file__).parent
    rules = [file for file in sorted(folder.glob("*.py")) if file.name != Path(__file__).name]
    return {
        "model": MODEL,
        "rules": _digest(rules),
        "lexicon": _digest([folder / "lexicon.yaml"]),
        "pipeline": identify(pipeline or BUNDLED),
    }


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
