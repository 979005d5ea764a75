"""A pipeline's name in, a spaCy pipeline out: the one named, else an installed `en_core_web_*`, else the bundled one.

What a caller may rely on, whichever it is: `token.pos_` is a universal part of speech (NOUN, PROPN, VERB, AUX, ...),
`token.tag_` a Penn tag, `token.lemma_` a lemma; with `parse=True` there are heads, `doc.sents` and `token.dep_`. The
inventory of `dep_` is the pipeline's own: the bundled one has Universal Dependencies (obj, nsubj:pass, compound:prt),
`en_core_web_*` has CLEAR's labels (dobj, nsubjpass, prt), with other heads (a preposition heads its noun). Statistics
read parts of speech only and take any pipeline. Rules that read trees need the UD ones: the offline writer of a
run therefore takes `BUNDLED`, whatever is installed or configured.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenk.errors import PipelineError

if TYPE_CHECKING:
    from spacy.language import Language

BUNDLED = "tenk_en_ewt"
"""The name by which the bundled pipeline can be asked for, whatever else is installed."""

MODEL = Path(__file__).parent / "model"
"""Where the bundled pipeline is."""

INSTALLED = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm")
"""Looked for in this order: of those that are installed, the most accurate whose speed is that of a CPU pipeline.

`en_core_web_trf` is left to those who name it: it is a hundred times slower without a GPU.
"""

SPARED = "TENK_SPARE_TORCH"
"""Set in the environment by `spare_torch`: processes that are started from here on know it, too."""

_PARSE = ("parser",)
_NEVER = ("ner", "senter", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat")


def spare_torch() -> None:
    """For a process that is tenk's own, and those it starts: the bundled pipeline and INSTALLED load without torch.

    spaCy imports torch wherever it is installed, a second or two and 180 MB that those pipelines have no use for.
    Who wants torch itself can import it; a pipeline that needs it cannot be loaded after one of these.
    """
    os.environ[SPARED] = "1"


def load_pipeline(name: str | None = None, *, parse: bool) -> Language:
    """The pipeline `name`: a package, a folder, or `BUNDLED`; None picks an installed one, else the bundled one.

    `parse=False` leaves the parser out, which doubles the speed or better; entities and the like are always left out.
    A document's analysis depends on its text alone, not on the batch it came in.

    A process loads a pipeline once and is given the same object again: change nothing about it.

    Raises `PipelineError` where `name` is absent, is not a pipeline, or lacks a component that a caller relies on.
    """
    return _load(pick(name), parse)


@cache
def _load(chosen: str, parse: bool) -> Language:
    _import_spacy(chosen)
    import spacy

    target = MODEL if chosen == BUNDLED else chosen
    try:
        nlp = spacy.load(target, exclude=[*_NEVER, *(() if parse else _PARSE)])
    except (OSError, ValueError) as error:
        mend = (
            "It comes with tenk: install tenk again."
            if chosen == BUNDLED
            else f"Install it (`python -m spacy download {chosen}`), give the path of a pipeline's folder, or leave "
            f"the name out: {BUNDLED} comes with tenk."
        )
        message = f"The spaCy pipeline {chosen!r} cannot be loaded ({_first_line(error)}). {mend}"
        raise PipelineError(message) from error
    _check(nlp, chosen, parse=parse)
    return nlp


def pick(name: str | None) -> str:
    """The pipeline that `name` stands for: itself, or for None an installed one, else the bundled one."""
    return name or next((package for package in INSTALLED if find_spec(package)), BUNDLED)


def stop_words() -> frozenset[str]:
    """spaCy's English stop words, lower case, which are those of any English pipeline. Loads no pipeline."""
    _import_spacy(BUNDLED)
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


def _import_spacy(chosen: str) -> None:
    """Without torch, where it is to be spared and `chosen` has no use for it."""
    hidden = SPARED in os.environ and chosen in (BUNDLED, *INSTALLED) and "torch" not in sys.modules
    if hidden:
        # What is None there cannot be imported.
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import spacy  # noqa: F401
    finally:
        if hidden:
            del sys.modules["torch"]


def describe(nlp: Language) -> str:
    """Name and version of a pipeline as they stand in the provenance, such as `tenk_en_ewt 1.0.0`."""
    return full_name(nlp.meta)


def full_name(meta: Mapping[str, Any]) -> str:
    """Name and version that a pipeline's meta.json gives."""
    name, language = meta["name"], meta["lang"]
    # spaCy's own packages have their language in front of the name that is in their meta.json.
    full = name if name.startswith(f"{language}_") or name == BUNDLED else f"{language}_{name}"
    return f"{full} {meta['version']}"


def _check(nlp: Language, name: str, *, parse: bool) -> None:
    sets_pos = {"morphologizer", "attribute_ruler"}
    missing = [
        what
        for what, there in (
            ("parts of speech (a morphologizer, or a tagger with an attribute_ruler)", sets_pos & set(nlp.pipe_names)),
            ("lemmas (a lemmatizer)", {"lemmatizer", "trainable_lemmatizer"} & set(nlp.pipe_names)),
            ("trees (a parser)", not parse or "parser" in nlp.pipe_names),
        )
        if not there
    ]
    if missing:
        raise PipelineError(
            f"The spaCy pipeline {name!r} gives no {' and no '.join(missing)}. Name another in the configuration, or "
            f"none: {BUNDLED} comes with tenk."
        )


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
