"""Evaluations of several models in, intervals around their numbers and tests of the differences between them out.

What is drawn again, and what swaps sides in a test, is a video with all its captions: they are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tenk.benchmark.protocol.evaluate import Ranks
from tenk.benchmark.protocol.groups import in_order
from tenk.benchmark.protocol.measures import MEASURES, a_caption, measured, members, of_captions
from tenk.benchmark.significance import Clusters, Interval, bootstrap_means, holm, permutation_p

LEVEL = 0.95

Values = npt.NDArray[np.float64]


def intervals(
    videos: Sequence[str], codes: Sequence[str], ranks: Ranks, names: Sequence[str], *, seed: int = 0
) -> dict[str, dict[str, Interval]]:
    """By measure, and group or code: the percentile bootstrap over videos. MedR has none.

    Videos and codes are those of the captions that `ranks` are of. A group is averaged anew in each resample.
    """
    chosen = [MEASURES[name] for name in names if name != "MedR"]
    needs = sorted({need for measure in chosen for need in measure.needs})
    there = in_order(codes)
    array = np.array(codes)
    apart = [np.where(array == code, of_captions(ranks, need), np.nan) for need in needs for code in there]
    if not apart:
        return {}
    drawn = bootstrap_means(Clusters.of(np.stack(apart, axis=1), videos), seed=seed)
    # [resamples, needs, codes]
    drawn = drawn.reshape(len(drawn), len(needs), len(there))
    found = {}
    for measure in chosen:
        means = measured(codes, ranks, measure.name)
        found[measure.name] = {
            column: _interval(
                means[column],
                measure.formula({need: _averaged(drawn[:, needs.index(need)], there, own) for need in measure.needs}),
            )
            for column, own in members(codes).items()
        }
    return found


def _averaged(drawn: Values, codes: tuple[str, ...], own: tuple[str, ...]) -> Values:
    """Means of the codes `own`, shape [resamples]; NaN of a resample without any caption of one of them."""
    mean: Values = drawn[:, [codes.index(code) for code in own]].mean(axis=1)
    return mean


def _interval(mean: float, drawn: Values) -> Interval:
    low, high = np.nanquantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(mean, float(low), float(high))


@dataclass(frozen=True)
class Difference:
    """By how much `one` is above `other`, and how often chance alone would give as much (`p`).

    `corrected` is p corrected for all differences that were tested along with it (Holm).
    """

    one: str
    other: str
    column: str
    difference: float
    p: float
    corrected: float


def differences(
    videos: Sequence[str], codes: Sequence[str], ranks: Mapping[str, Ranks], name: str, *, seed: int = 0
) -> list[Difference]:
    """Between every two models, `ranks` by their names, in the measure `name`, by group, and code where it is in none.

    Paired permutation tests over videos. Measures that are not a mean over captions have none, nor ranks cut off.
    """
    measure = MEASURES[name]
    if not measure.linear:
        return []
    tested, values = headline(codes), {model: a_caption(own, measure) for model, own in ranks.items()}
    found = []
    for one, other in combinations(ranks, 2):
        for column, own in tested.items():
            weights = _weights(codes, own)
            both = [values[model] * weights for model in (one, other)]
            difference = float(np.nansum(both[0] - both[1]) / len(codes))
            found.append((one, other, column, difference, permutation_p(both[0], both[1], videos, seed=seed)))
    corrected = holm([p for *_, p in found])
    return [Difference(*each, fixed) for each, fixed in zip(found, corrected, strict=True)]


def headline(codes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that have tests, with their codes: the groups, and where some are not there, also the other codes."""
    columns = members(codes)
    if "All" in columns:
        return {column: own for column, own in columns.items() if column not in codes}
    return {column: own for column, own in columns.items() if column not in ("f", "p")}


def _weights(codes: Sequence[str], own: tuple[str, ...]) -> Values:
    """What a caption's value weighs in the mean of the codes `own`, times the number of captions; NaN outside it."""
    array = np.array(codes)
    weights = np.full(len(array), np.nan)
    for code in own:
        here = array == code
        weights[here] = len(array) / (len(own) * np.count_nonzero(here))
    return weights
