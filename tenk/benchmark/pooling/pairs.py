"""The first k items of several models in, the pairs that people are to judge out: each pair once, and who found it.

A file of pairs has a JSON object a line:

    query      id of the query (the caption)
    item       id of the item (the video)
    planned    labels that are planned for it: 1, or 2 for a sample of the pairs, by which agreement is measured
    original   true where the benchmark's own labels hold the pair already
    found      a list of {"run": name of a model, "rank": its place there, from 1}

System pooling as in section 3.1 of Rodriguez et al., Fighting FIRe with FIRE (2023). A pair is its two ids: nothing is
joined to one string, so that ids may hold any character.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from tenk.benchmark.ids import listed
from tenk.benchmark.plain import brief
from tenk.benchmark.pooling.lines import read_lines
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.benchmark.top import top
from tenk.errors import BenchmarkError
from tenk.records import Record

Key = tuple[str, str]
"""The ids of a query and an item."""

Positives = Mapping[str, Collection[str]]
"""The relevant items of queries."""

DEPTH = 10
"""Places of each model that are judged, in the paper."""

TWICE = 0.1
"""The share of pairs that get a second label, in the paper."""


class Found(Record):
    """A model that has the pair among its first items, and the place of it there."""

    run: str
    rank: int = Field(ge=1)


class Pair(Record):
    """Whether `item` is relevant to `query` is to be judged, `planned` times."""

    query: str
    item: str
    planned: Literal[1, 2] = 1
    original: bool = False
    found: tuple[Found, ...] = ()

    @property
    def key(self) -> Key:
        return self.query, self.item


@dataclass(frozen=True)
class Pool:
    """`left_out` pairs were in the original labels. `cut` counts, by model, the queries whose list ends amid ties."""

    pairs: tuple[Pair, ...]
    left_out: int
    cut: Mapping[str, int]


def pool(
    models: Sequence[Scores | Run],
    *,
    k: int = DEPTH,
    original: Positives | None = None,
    keep_original: bool = False,
    share: float = TWICE,
    seed: int = 0,
) -> Pool:
    """The pairs of the first `k` of each of `models`, sorted by query and item.

    Pairs of `original` are left out, or marked with `keep_original`. About `share` of all pairs get a second label:
    which ones follows from `seed` and the pair's ids alone, so that one more model changes no earlier choice.
    Raises BenchmarkError for two models of one name, and for scores that are no numbers.
    """
    different_names([model.name for model in models])
    if not 0 <= share <= 1:
        raise BenchmarkError(f"The share of pairs that are labelled twice is {share}: it must be from 0 to 1.")
    found: dict[Key, list[Found]] = {}
    cut = {}
    for model in sorted(models, key=lambda model: model.name):
        first = top(model, k)
        cut[model.name] = first.cut
        for query, ranking in first.run.rankings.items():
            for rank, item in enumerate(ranking.items, 1):
                found.setdefault((query, item), []).append(Found(run=model.name, rank=rank))
    known = {(query, item) for query, items in (original or {}).items() for item in items}
    pairs = [
        Pair(
            query=query,
            item=item,
            planned=2 if chance((query, item), seed) < share else 1,
            original=(query, item) in known,
            found=tuple(sources),
        )
        for (query, item), sources in sorted(found.items())
    ]
    kept = tuple(pair for pair in pairs if keep_original or not pair.original)
    return Pool(kept, len(pairs) - len(kept), cut)


def read_pairs(path: str | Path) -> tuple[Pair, ...]:
    """In the order of the file. Raises BenchmarkError, with file and line, for a pair that is there twice as well."""
    places: dict[Key, str] = {}
    pairs = []
    for where, pair in read_lines(path, Pair):
        if pair.key in places:
            raise BenchmarkError(
                f"{where}: item {brief(pair.item)} for query {brief(pair.query)} is there already ({places[pair.key]})."
            )
        places[pair.key] = where
        pairs.append(pair)
    if not pairs:
        raise BenchmarkError(f"{path} holds no pair.")
    return tuple(pairs)


def chance(key: Key, seed: int) -> float:
    """A number from 0 up to 1 that `key` and `seed` alone determine."""
    digest = hashlib.sha256(json.dumps([seed, *key]).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def different_names(names: Iterable[str]) -> None:
    """Raises BenchmarkError where two models have the same name."""
    given = list(names)
    twice = [name for name in dict.fromkeys(given) if given.count(name) > 1]
    if not given:
        raise BenchmarkError("There is no model: name at least one file of scores or a run.")
    if twice:
        raise BenchmarkError(f"Two models are called {listed(twice)}. Models are told apart by their file names.")
