"""Files of judgements in, records out; every fault names the file and the line.

A file of judgements has a JSON object a line:

    query       id of the query (the caption)
    item        id of the item (the video)
    annotator   who judged: any name, the same for all judgements of one person or model
    label       relevant, irrelevant or unsure
    round       1: the first label of a pair; 2: the second that is planned for a sample; 3: a third, asked for because
                the others disagree (1 where it is not given)
    kind        human or llm (human where it is not given)
    model       of an llm, which one answered; people have none
    time        when, as in ISO 8601; nothing depends on it

`unsure` is a label of its own: it is a vote for neither of the others, and agrees with itself alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from pydantic import ConfigDict, Field, field_validator, model_validator

from tenk.benchmark.plain import brief
from tenk.benchmark.pooling.lines import read_lines
from tenk.benchmark.pooling.pairs import Key
from tenk.errors import BenchmarkError
from tenk.records import Record

Label = Literal["relevant", "irrelevant", "unsure"]
LABELS: tuple[Label, ...] = get_args(Label)

Kind = Literal["human", "llm"]

PLANNED = (1, 2)
"""Rounds whose labels no earlier label has called for. A third label is asked for because two differ: agreement that
counts it is of pairs chosen by their disagreement."""


class Judgement(Record):
    """One label of one pair by one annotator."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    query: str
    item: str
    annotator: str = Field(min_length=1)
    label: Label
    round: Literal[1, 2, 3] = 1
    kind: Kind = "human"
    model: str | None = Field(default=None, min_length=1)
    time: str | None = None

    @field_validator("time")
    @classmethod
    def _time_is_one(cls, time: str | None) -> str | None:
        if time is not None:
            try:
                datetime.fromisoformat(time)
            except ValueError:
                raise ValueError(f"{brief(time)} is no time as in ISO 8601, such as 2026-11-21T09:30:00Z") from None
        return time

    @model_validator(mode="after")
    def _model_is_of_an_llm(self) -> Judgement:
        if (self.kind == "llm") != (self.model is not None):
            raise ValueError("a judgement of kind llm names its model, and one of a human none")
        return self

    @property
    def key(self) -> Key:
        return self.query, self.item


Known = Callable[[Judgement], str]
"""What is unknown of a judgement's pair, as a sentence; an empty one where it is known."""


def pooled(keys: Container[Key]) -> Known:
    """Knows pairs that were pooled."""
    return lambda one: (
        ""
        if one.key in keys
        else f"item {brief(one.item)} was not pooled for query {brief(one.query)}: there is no such pair."
    )


def of_benchmark(queries: Collection[str], items: Collection[str]) -> Known:
    """Knows any pair of these queries and items."""

    def unknown(one: Judgement) -> str:
        if one.query not in queries:
            return f"there is no query {brief(one.query)} among the {len(queries)} that are known."
        return "" if one.item in items else f"there is no item {brief(one.item)} among the {len(items)} that are known."

    return unknown


def read_judgements(paths: Iterable[str | Path], known: Known | None = None) -> tuple[Judgement, ...]:
    """Those of all files, in their order.

    Raises BenchmarkError for a pair that is not `known`, for an annotator of two kinds, and where one judged a pair
    twice, in whatever file.
    """
    seen: dict[tuple[Key, str], str] = {}
    kinds: dict[str, tuple[Kind, str]] = {}
    found = []
    for path in paths:
        for where, one in read_lines(path, Judgement):
            if known is not None and (unknown := known(one)):
                raise BenchmarkError(f"{where}: {unknown} Judge the pairs of the pool, by the same ids.")
            earlier = seen.setdefault((one.key, one.annotator), where)
            if earlier != where:
                raise BenchmarkError(
                    f"{where}: {brief(one.annotator)} judged item {brief(one.item)} for query "
                    f"{brief(one.query)} already ({earlier}). Keep one of the two."
                )
            kind, first = kinds.setdefault(one.annotator, (one.kind, where))
            if kind != one.kind:
                raise BenchmarkError(
                    f"{where}: {brief(one.annotator)} is {one.kind} here and {kind} in {first}. Rename one."
                )
            found.append(one)
    return tuple(found)


def by_pair(judgements: Sequence[Judgement]) -> dict[Key, list[Judgement]]:
    """Sorted by query, item, round and annotator, so that the order of files changes nothing."""
    pairs: dict[Key, list[Judgement]] = {}
    for one in sorted(judgements, key=lambda one: (one.key, one.round, one.annotator)):
        pairs.setdefault(one.key, []).append(one)
    return pairs
