"""Judgements in, one verdict a pair out: the label of the majority, or that there is none; and what is left to judge.

A label holds where more than half of a pair's labels are it. What has no majority is a disagreement, which is kept and
counted: it adds no positive, and its third label is asked for (Rodriguez et al., Fighting FIRe with FIRE, section 3.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tenk.benchmark.pooling.judgements import Judgement, Label, by_pair
from tenk.benchmark.pooling.pairs import Key, Pair, Positives
from tenk.records import Record

Outcome = Label | Literal["disagreement"]


@dataclass(frozen=True)
class Verdict:
    """`votes` are the labels, in the order of rounds and annotators."""

    outcome: Outcome
    votes: tuple[Label, ...]


class Todo(Record):
    """A label that is still to be given; `annotators` judged the pair already, and somebody else is asked."""

    query: str
    item: str
    round: Literal[1, 2, 3]
    annotators: tuple[str, ...] = ()


def verdicts(judgements: Sequence[Judgement]) -> dict[Key, Verdict]:
    """By pair, sorted."""
    return {
        key: Verdict(majority([one.label for one in own]), tuple(one.label for one in own))
        for key, own in by_pair(judgements).items()
    }


def majority(labels: Sequence[Label]) -> Outcome:
    """The label of more than half of `labels`, which are not empty."""
    label, votes = Counter(labels).most_common(1)[0]
    return label if 2 * votes > len(labels) else "disagreement"


def repaired(original: Positives, found: Mapping[Key, Verdict]) -> dict[str, frozenset[str]]:
    """`original` with the pairs that are judged relevant.

    An original positive stays one whatever was said of it, as in the paper: see `refuted`.
    """
    positives = {query: set(items) for query, items in original.items()}
    for (query, item), verdict in found.items():
        if verdict.outcome == "relevant":
            positives.setdefault(query, set()).add(item)
    return {query: frozenset(items) for query, items in positives.items()}


def refuted(original: Positives, found: Mapping[Key, Verdict]) -> list[Key]:
    """The original positives that are judged irrelevant."""
    return [
        (query, item)
        for (query, item), verdict in found.items()
        if verdict.outcome == "irrelevant" and item in original.get(query, ())
    ]


def todo(pairs: Sequence[Pair], judgements: Sequence[Judgement]) -> Iterator[Todo]:
    """The labels of `pairs` that are planned and not given, and a third where the planned ones have no majority."""
    judged = by_pair(judgements)
    for pair in pairs:
        own = judged.get(pair.key, [])
        rounds = {one.round for one in own}
        annotators = tuple(one.annotator for one in own)
        missing: list[Literal[1, 2, 3]] = [1] if 1 not in rounds else []
        if pair.planned == 2 and 2 not in rounds:
            missing.append(2)
        if not missing and 3 not in rounds and majority([one.label for one in own]) == "disagreement":
            missing.append(3)
        for number in missing:
            yield Todo(query=pair.query, item=pair.item, round=number, annotators=annotators)
