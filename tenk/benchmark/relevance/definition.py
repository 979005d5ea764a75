"""A proxy and its options in, what its numbers depend on out: to be kept with them."""

from __future__ import annotations

from importlib.metadata import version
from inspect import signature
from typing import TYPE_CHECKING, Any

from tenk.benchmark.relevance.proxies import PROXIES
from tenk.benchmark.relevance.words import Tagger
from tenk.errors import BenchmarkError

if TYPE_CHECKING:
    from tenk.benchmark.relevance.meanings import Meanings


def definition(name: str, **options: Any) -> dict[str, Any]:
    """What the numbers of PROXIES[name] depend on besides captions: its name, all its options, versions.

    `options` are those it was called with; what is not named has its default. Raises BenchmarkError for a proxy or an
    option that there is not.
    """
    if name not in PROXIES:
        raise BenchmarkError(f"There is no proxy {name!r}. There are: {', '.join(PROXIES)}.")
    parameters = signature(PROXIES[name]).parameters.values()
    chosen = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != "watch"}
    if unknown := options.keys() - chosen.keys() - {"watch"}:
        raise BenchmarkError(f"{name} has no option {min(unknown)!r}. It has: {', '.join(chosen)}.")
    chosen |= {option: value for option, value in options.items() if option != "watch"}
    found: dict[str, Any] = {"proxy": name, "tenk": version("tenk")}
    if "stop_words" in chosen:
        found["spacy"] = version("spacy")
    if "tagger" in chosen:
        found["pipeline"] = (chosen.pop("tagger") or Tagger()).name
    if name in ("syn", "meteor"):
        found["nltk"] = version("nltk")
        found |= _knowledge(chosen)
    return found | chosen


def _knowledge(chosen: dict[str, Any]) -> dict[str, Any]:
    from tenk.benchmark.relevance.senses import Senses
    from tenk.benchmark.relevance.wordnet import open_wordnet

    if "meanings" in chosen:
        meanings: Meanings = chosen.pop("meanings") or Senses()
        return meanings.definition
    return {"wordnet": (chosen.pop("wordnet") or open_wordnet()).get_version()}
