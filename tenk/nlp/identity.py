"""A pipeline's name in, its name and version out, without loading it, which takes a second: for naming parts."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from tenk.errors import PipelineError
from tenk.nlp.pipelines import BUNDLED, MODEL, full_name, pick


def identify(name: str | None = None) -> str:
    """What `describe(load_pipeline(name, ...))` says. Raises PipelineError where there is no such pipeline."""
    picked = pick(name)
    try:
        meta = json.loads((_folder(picked) / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise PipelineError(
            f"There is no spaCy pipeline {picked!r}. Install it, give the path of a pipeline's folder, or leave the "
            f"name out: {BUNDLED} comes with tenk."
        ) from None
    return full_name(meta)


def _folder(picked: str) -> Path:
    if picked == BUNDLED:
        return MODEL
    spec = find_spec(picked) if picked.isidentifier() else None
    return Path(spec.origin).parent if spec and spec.origin else Path(picked)
