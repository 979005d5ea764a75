"""Ranked lists in, as retrieval systems write them, Standing out.

    TREC      `query Q0 item rank score tag` a line; ordered by score, equal scores are ties. Read from its end, so that
              a query's id may hold spaces and tabs
    JSON      `{query: [items]}`, best first, or `{query: {item: score}}`

Lists may be cut off: then only the places down to the shortest of them are known, and metrics that need more say so.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tenk.benchmark.entries import BEYOND, in_order
from tenk.benchmark.ids import listed
from tenk.benchmark.plain import brief
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.reading import files
from tenk.benchmark.standing.table import Standing
from tenk.errors import BenchmarkError

_FIELDS = re.compile(r"(.+?)[ \t]+[^ \t]+[ \t]+([^ \t]+)[ \t]+[^ \t]+[ \t]+([^ \t]+)[ \t]+[^ \t]+")
"""Other white space than spaces and tabs may be part of an id."""


@dataclass(frozen=True)
class Ranking:
    """One query's items, the best first; `scores` fall, or are None where only the order is known."""

    items: tuple[str, ...]
    scores: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Run:
    """The rankings of one model, by query."""

    rankings: Mapping[str, Ranking]
    name: str = "run"

    def top(self, k: int) -> dict[str, tuple[str, ...]]:
        """The first `k` items of each query."""
        return {query: ranking.items[:k] for query, ranking in self.rankings.items()}


def from_lists(rankings: Mapping[str, Sequence[str] | Mapping[str, float]], name: str = "run") -> Run:
    """From `{query: [items]}` or `{query: {item: score}}`. Raises BenchmarkError for repeated items and odd scores."""
    return Run({query: _ranking(query, given) for query, given in rankings.items()}, name)


def read_run(path: str | Path) -> Run:
    """A file of TREC's or of JSON's form, by its ending (`.json`). Raises BenchmarkError, with file and line."""
    path = Path(path)
    text = files.read_text(path)
    given = files.parse(text, str(path)) if path.suffix.lower() == ".json" else None
    try:
        found = from_lists(_trec(text) if given is None else _json(given), path.stem)
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None
    if not found.rankings:
        raise BenchmarkError(f"{path} holds no ranked list.")
    return found


def standing(run: Run, qrels: Qrels) -> tuple[Standing, int]:
    """Queries to items, and the number of queries whose list ends amid equal scores, whose last places are uncertain.

    Queries of the run that `qrels` does not know, and queries of `qrels` that something is relevant to and the run does
    not rank, raise BenchmarkError, as do unknown items.
    """
    unknown = [query for query in run.rankings if query not in qrels.queries]
    if unknown:
        raise BenchmarkError(f"{run.name} ranks for {len(unknown)} queries that are not known: {listed(unknown)}.")
    some = [query for query, count in zip(qrels.queries.names, qrels.counts, strict=True) if count]
    missing = [query for query in some if query not in run.rankings]
    if missing:
        raise BenchmarkError(f"{run.name} has no ranking for {len(missing)} queries: {listed(missing)}.")
    above = np.full(len(qrels.items), BEYOND, np.int32)
    tied = np.ones(len(qrels.items), np.int32)
    depth, cut_ties = len(qrels.ids), 0
    for query in some:
        q = qrels.queries.position(query)
        own = slice(qrels.start[q], qrels.start[q + 1])
        ranking = run.rankings[query]
        places = {item: place for place, item in enumerate(qrels.ids.positions(ranking.items).tolist())}
        scores = ranking.scores or tuple(-float(place) for place in range(len(places)))
        if len(places) < len(qrels.ids):
            depth = min(depth, len(places))
            cut_ties += len(scores) > 1 and scores[-1] == scores[-2]
        first = np.searchsorted(-np.array(scores), -np.array(scores), side="left")
        last = np.searchsorted(-np.array(scores), -np.array(scores), side="right")
        for entry, item in enumerate(qrels.items[own].tolist(), start=own.start):
            if (place := places.get(item)) is not None:
                above[entry], tied[entry] = first[place], last[place] - first[place]
    entries, gains = qrels.items.copy(), qrels.gains.copy()
    in_order(qrels.start, above, tied, gains, entries)
    known = None if depth == len(qrels.ids) else depth
    return Standing(qrels.queries, qrels.ids, qrels.start, entries, above, tied, gains, depth=known), int(cut_ties)


_MOST = sys.float_info.max


def _ranking(query: str, given: Sequence[str] | Mapping[str, float]) -> Ranking:
    if isinstance(given, Mapping):
        for item, score in given.items():
            if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= _MOST:
                raise BenchmarkError(
                    f"The score of item {brief(item)} for query {brief(query)} is {brief(score)}, no finite number."
                )
        items = sorted(given, key=lambda item: -given[item])
        return Ranking(tuple(items), tuple(float(given[item]) for item in items))
    if isinstance(given, str) or not all(isinstance(item, str) for item in given):
        raise BenchmarkError(f"The ranking of query {brief(query)} must be a list of item ids.")
    twice = [item for item, times in Counter(given).items() if times > 1]
    if twice:
        raise BenchmarkError(f"The ranking of query {brief(query)} has {listed(twice)} more than once.")
    return Ranking(tuple(given))


def _json(found: object) -> Mapping[str, Sequence[str] | Mapping[str, float]]:
    if not isinstance(found, dict) or not all(isinstance(ranking, list | dict) for ranking in found.values()):
        raise BenchmarkError("a run is {query: [items]} or {query: {item: score}}.")
    read: dict[str, Sequence[str] | Mapping[str, float]] = {}
    for query, ranking in found.items():
        where = f"the ranking of query {brief(query)}"
        names = [files.identifier(item, where) for item in ranking]
        read[files.identifier(query, "a query")] = (
            dict(zip(names, ranking.values(), strict=True)) if isinstance(ranking, dict) else names
        )
    return read


def _trec(text: str) -> Mapping[str, Mapping[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        line = line.strip(" \t\r")
        fields = _FIELDS.fullmatch(line)
        if fields is None:
            count = len(re.split(r"[ \t]+", line))
            raise BenchmarkError(f"line {number} has {count} fields, not `query Q0 item rank score tag`.")
        query, item, score = fields.groups()
        ranking = found.setdefault(query, {})
        if item in ranking:
            raise BenchmarkError(f"line {number} ranks item {brief(item)} for query {brief(query)} again.")
        try:
            ranking[item] = float(score)
        except ValueError:
            raise BenchmarkError(f"line {number}: the score {brief(score)} is no number.") from None
    return found
