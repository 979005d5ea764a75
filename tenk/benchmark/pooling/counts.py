"""Judgements in, how many there are and how far annotators agree out: Table 2, each annotator, and Figure 7.

Rodriguez et al., Fighting FIRe with FIRE (2023), Table 2, section 3.2 and appendix C.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.pooling.agreement import agreement, by_count
from tenk.benchmark.pooling.judgements import LABELS, Judgement, by_pair
from tenk.benchmark.pooling.verdicts import majority, verdicts
from tenk.benchmark.tables import Table


def table2(judgements: Sequence[Judgement], pairs: int | None = None) -> Table:
    """Pairs and labels by verdict; `pairs` is how many were to be judged.

    Percentages of verdicts are of all judged pairs, those of single labels of the pairs with a verdict.
    """
    found = verdicts(judgements)
    outcomes = Counter(verdict.outcome for verdict in found.values())
    given = Counter(verdict.outcome for verdict in found.values() for _ in verdict.votes)
    open_ = outcomes["disagreement"]
    agreed = len(found) - open_
    rows: list[tuple[str | float | None, ...]] = []
    if pairs is not None:
        rows.append(("Pairs of the pool", pairs, None, None))
    rows.append(("Judged", len(found), _percent(len(found), pairs or len(found)), len(judgements)))
    rows.append(("Majority", agreed, _percent(agreed, len(found)), given.total() - given["disagreement"]))
    for label in LABELS:
        if label != "unsure" or outcomes[label]:
            rows.append((f"  {label}", outcomes[label], _percent(outcomes[label], agreed), given[label]))
    rows.append(("Disagreement", open_, _percent(open_, len(found)), given["disagreement"]))
    return Table("Judged pairs", ("", "Pairs", "%", "Labels"), tuple(rows), digits=2)


def agreements(judgements: Sequence[Judgement]) -> Table:
    """Of the planned labels, and of all of them; why there is no alpha, where it is undefined."""
    rows = []
    for name, found in (
        ("planned labels", agreement(judgements)),
        ("all labels", agreement(judgements, rounds=(1, 2, 3))),
    ):
        alpha = f"undefined: {found.reason}" if found.alpha is None else found.alpha
        rows.append((name, found.pairs, found.labels, found.rate, alpha))
    columns = ("Of pairs with two or more", "Pairs", "Labels", "Agreement", "Krippendorff's alpha")
    return Table("Agreement of annotators", columns, tuple(rows), digits=3)


def annotators(judgements: Sequence[Judgement]) -> Table:
    """Of each annotator: what it is, its labels, and how many of them are what most of the other people say.

    Pairs that nobody else judged, or whose others have no majority, do not count there. Models are never the others.
    """
    own: dict[str, list[Judgement]] = {}
    for one in judgements:
        own.setdefault(one.annotator, []).append(one)
    people = by_pair([one for one in judgements if one.kind == "human"])
    rows = []
    for name in sorted(own, key=lambda name: (own[name][0].kind, name)):
        labels = Counter(one.label for one in own[name])
        same = [
            said == one.label
            for one in own[name]
            if (others := [other.label for other in people.get(one.key, ()) if other.annotator != name])
            and (said := majority(others)) != "disagreement"
        ]
        kind = own[name][0].kind if own[name][0].model is None else f"llm {own[name][0].model}"
        share = _percent(sum(same), len(same))
        rows.append((name, kind, labels.total(), _percent(labels["relevant"], labels.total()), len(same), share))
    columns = ("Annotator", "Kind", "Labels", "Relevant %", "Judged by others too", "As they say %")
    return Table("Annotators", columns, tuple(rows))


def agreement_by_labels(judgements: Sequence[Judgement]) -> Figure | None:
    """Figure 7: the rate of agreement by the number of labels that pairs have; None where no pair has two."""
    found = {count: each for count, each in by_count(judgements).items() if each.rate is not None}
    if not found:
        return None
    counts = tuple(map(str, found))
    return Figure(
        "agreement-by-labels",
        "Agreement of annotators by the number of labels",
        "bar",
        "labels of a pair",
        "equal couples of labels, %",
        (Series("agreement", counts, tuple(100 * (each.rate or 0.0) for each in found.values())),),
        note="Pairs: " + ", ".join(f"{each.pairs:,} with {count} labels" for count, each in found.items()) + ".",
    )


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
