"""Evaluations of some models on one split in, all numbers and what is to be said of them out, in records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark.chance import worse_than_chance
from tenk.benchmark.protocol.captions import Captions
from tenk.benchmark.protocol.compare import Difference, differences, intervals
from tenk.benchmark.protocol.evaluate import CUTS, Evaluation, Ranks
from tenk.benchmark.protocol.expand import Expansion
from tenk.benchmark.protocol.groups import ABOUT, GROUPS, in_order
from tenk.benchmark.protocol.measures import DEFAULT, MEASURES, a_caption, lacking, measured, no_measure
from tenk.benchmark.significance import holm, permutation_p
from tenk.benchmark.ties import Rule
from tenk.errors import BenchmarkError

TO_VIDEO, TO_TEXT = "text to video", "video to text"
"""Directions: what ranks what."""


@dataclass(frozen=True)
class Number:
    """A measure of one model in one direction, of a group or code; `low` and `high` bound it, where it has bounds."""

    model: str
    direction: str
    measure: str
    column: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Differences:
    """What was tested together."""

    direction: str
    measure: str
    found: tuple[Difference, ...]


@dataclass(frozen=True)
class Fusion:
    """One row of the comparison of an expansion, of the same videos in all rows of a model.

    `how` is None for a variant alone; `difference` is that of R@1 to the first variant alone, with its p.
    """

    model: str
    how: str | None
    variants: tuple[str, ...]
    values: dict[str, float]
    difference: float | None = None
    p: float | None = None
    corrected: float | None = None


@dataclass(frozen=True)
class Report:
    """What `tenk evaluate` tells. `of` names dataset and split; `ties` is the rule that all of it is under."""

    of: str
    captions: Captions
    ties: Rule
    evaluations: tuple[Evaluation, ...]
    numbers: tuple[Number, ...]
    differences: tuple[Differences, ...]
    fusions: tuple[Fusion, ...]
    notes: tuple[str, ...]


def report(
    of: str,
    evaluations: Sequence[Evaluation],
    *,
    measures: Sequence[str] | None = None,
    expansions: Sequence[Expansion] = (),
    ties: Rule = "expected",
    seed: int = 0,
) -> Report:
    """Of models on the same captions. `measures` are names of MEASURES; by default those of DEFAULT that can be had.

    Raises BenchmarkError for no model, two models of one name, models of different captions, measures that there are
    not, and those that a model's ranks do not go deep enough for.
    """
    if not evaluations:
        raise BenchmarkError("There is no model to report of.")
    if unknown := [name for name in measures or () if name not in MEASURES]:
        raise BenchmarkError(no_measure(unknown[0]))
    captions = evaluations[0].captions
    models = [each.model for each in evaluations]
    if len(set(models)) < len(models):
        raise BenchmarkError(f"Two models have one name ({', '.join(models)}). Name them: --scores NAME=FILE.")
    if any(each.captions.ids != captions.ids for each in evaluations):
        raise BenchmarkError("The models were evaluated on different captions: they cannot be compared.")
    wanted, notes = _possible(evaluations, measures)
    numbers: list[Number] = []
    found: list[Differences] = []
    for direction, ranks in _directions(evaluations):
        for model, own in ranks.items():
            numbers += _numbers(captions, model, direction, own, wanted, seed)
        if len(ranks) > 1:
            for name in wanted:
                tested = differences(captions.videos, captions.codes, ranks, name, seed=seed)
                if tested:
                    found.append(Differences(direction, name, tuple(tested)))
    return Report(
        of,
        captions,
        ties,
        tuple(evaluations),
        tuple(numbers),
        tuple(found),
        _fusions(evaluations, expansions, seed),
        (*_notes(captions, evaluations, ties), *notes, *_left_out(expansions)),
    )


def _directions(evaluations: Sequence[Evaluation]) -> Iterator[tuple[str, dict[str, Ranks]]]:
    yield TO_VIDEO, {each.model: each.to_video for each in evaluations}
    back = {each.model: each.to_text for each in evaluations if each.to_text is not None}
    if back:
        yield TO_TEXT, back


def _possible(evaluations: Sequence[Evaluation], measures: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """The measures to report, and what is to be said of those that are not."""
    why = {
        name: f"{each.model}: {reason}"
        for name in measures or DEFAULT
        for each in evaluations
        if (reason := lacking(each.to_video, MEASURES[name]))
    }
    if measures is None:
        return [name for name in DEFAULT if name not in why], [f"{reason}: left out." for reason in why.values()]
    if why:
        raise BenchmarkError(f"{next(iter(why.values()))}. Give the scores of all videos, or choose other measures.")
    return list(measures), []


def _numbers(
    captions: Captions, model: str, direction: str, ranks: Ranks, measures: Sequence[str], seed: int
) -> Iterator[Number]:
    bounds = intervals(captions.videos, captions.codes, ranks, measures, seed=seed)
    for name in measures:
        for column, value in measured(captions.codes, ranks, name).items():
            if name in bounds:
                own = bounds[name][column]
                yield Number(model, direction, name, column, value, own.low, own.high)
            else:
                yield Number(model, direction, name, column, value)


def _notes(captions: Captions, evaluations: Sequence[Evaluation], ties: Rule) -> Iterator[str]:
    codes = set(captions.codes)
    if any(len(members) > 1 and codes >= set(members) for members in GROUPS.values()):
        yield f"{ABOUT} The value of a group is the mean of its codes' values."
    if any(each.to_text is not None for each in evaluations):
        yield f"{TO_TEXT}: each video ranks the captions of one code, one a video."
    if len(captions.pool) == 1:
        yield "There is one video: every rank is 1, which says nothing of the models."
    for code in in_order(captions.codes):
        lacking = len(captions.pool) - captions.codes.count(code)
        if lacking:
            yield f"{lacking:,} of {len(captions.pool):,} videos have no caption {code}; they are among what is ranked."
    for each in evaluations:
        yield from each.notes
        if worse := worse_than_chance(_within(each.to_video), len(captions.pool), each.to_video.depth):
            yield f"{each.model}, {TO_VIDEO}: {worse}"
        for direction, ranks in ((TO_VIDEO, each.to_video), (TO_TEXT, each.to_text)):
            if ranks is not None and ranks.tied:
                yield (
                    f"{each.model}, {direction}: {ranks.tied:,} of {len(captions.ids):,} right answers share their "
                    f"score with others ({_TIES[ties]})."
                )


def _within(ranks: Ranks) -> npt.NDArray[np.float64]:
    """With infinity for what stands deeper than is known."""
    return np.where(np.isnan(ranks.first), np.inf, ranks.first)


_TIES = {
    "expected": "the mean over their orders is given",
    "optimistic": "the right one is put first",
    "pessimistic": "the right one is put last",
}


def _left_out(expansions: Sequence[Expansion]) -> Iterator[str]:
    for each in expansions[:1]:
        if each.left_out:
            yield f"Query expansion: {each.left_out:,} videos lack a variant and are left out of its queries."


def _fusions(evaluations: Sequence[Evaluation], expansions: Sequence[Expansion], seed: int) -> tuple[Fusion, ...]:
    """Each variant alone, and all of them fused, on the videos that have all of them."""
    by_model = {each.model: each for each in evaluations}
    found, ps = [], []
    for each in expansions:
        base = _alone(by_model[each.model], each, each.variants[0])
        for code in each.variants:
            found.append(Fusion(each.model, None, (code,), _summary(_alone(by_model[each.model], each, code))))
        one, other = (a_caption(ranks, MEASURES["R@1"]) for ranks in (each.ranks, base))
        ps.append(permutation_p(one, other, each.videos, seed=seed))
        difference = float(np.mean(one - other))
        found.append(Fusion(each.model, each.how, each.variants, _summary(each.ranks), difference, ps[-1]))
    corrected = iter(holm(ps)) if ps else iter(())
    return tuple(one if one.p is None else Fusion(**{**vars(one), "corrected": next(corrected)}) for one in found)


def _alone(evaluation: Evaluation, expansion: Expansion, code: str) -> Ranks:
    """The ranks of one variant, in the order of the expansion's videos."""
    captions, ranks = evaluation.captions, evaluation.to_video
    places = {
        video: place
        for place, (video, own) in enumerate(zip(captions.videos, captions.codes, strict=True))
        if own == code
    }
    own = np.array([places[video] for video in expansion.videos])
    return Ranks({k: ranks.hits[k][own] for k in CUTS}, ranks.first[own], 0)


def _summary(ranks: Ranks) -> dict[str, float]:
    """Over all queries, as if they had one code."""
    names = ("R@1", "R@5", "R@10", "Avg. R", "MedR")
    return {name: measured(["f"] * len(ranks.first), ranks, name)["f"] for name in names}
