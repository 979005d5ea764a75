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
from tenk.benchmark.protocol.groups import GROUPS, in_order
from tenk.benchmark.protocol.measures import MEASURES, a_caption, measured, members, of_captions
from tenk.benchmark.significance import Clusters, Interval, bootstrap_means, holm, permutation_p

LEVEL = 0.95

Values = npt.NDArray[np.float64]


def intervals(
    videos: Sequence[str], codes: Sequence[str], ranks: Ranks, names: Sequence[str], *, seed: int = 0
) -> dict[str, dict[str, Interval]]:
    """By measure, and group or code: the percentile bootstrap over videos. MedR has none, nor has a single video.

    Videos and codes are those of the captions that `ranks` are of. A group is averaged anew in each resample.
    """
    chosen = [MEASURES[name] for name in names if name != "MedR"]
    needs = sorted({need for measure in chosen for need in measure.needs})
    there = in_order(codes)
    rows, columns = _numbers(videos), _numbers(codes, there)
    if not needs or not rows.any():
        return {}
    sums = np.zeros((rows.max() + 1, len(needs), len(there)))
    counts = np.zeros_like(sums)
    for place, need in enumerate(needs):
        sums[rows, place, columns] = of_captions(ranks, need)
        counts[rows, place, columns] = 1.0
    drawn = bootstrap_means(Clusters(sums.reshape(len(sums), -1), counts.reshape(len(sums), -1)), seed=seed)
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


def _numbers(names: Sequence[str], known: Sequence[str] = ()) -> npt.NDArray[np.int64]:
    """The place of each of `names` among `known`, by default among themselves, in the order in which they come up."""
    places = {name: place for place, name in enumerate(known or dict.fromkeys(names))}
    return np.fromiter((places[name] for name in names), np.int64, len(names))


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
    """Between every two models, `ranks` by their names, in the measure `name`, by `headline`.

    Paired permutation tests over videos. Measures that are not a mean over captions have none, nor ranks cut off.
    """
    measure = MEASURES[name]
    if not measure.linear:
        return []
    values = {model: a_caption(own, measure) for model, own in ranks.items()}
    weights = {column: _weights(codes, own) for column, own in headline(codes).items()}
    rows, found = _numbers(videos), []
    for one, other in combinations(ranks, 2):
        for column, weight in weights.items():
            # What a video adds to the column's value: their sum is what is compared, whichever of them swap sides.
            shares = [np.bincount(rows, values[model] * weight).astype(np.float64) for model in (one, other)]
            difference = float(np.sum(shares[0] - shares[1]))
            found.append((one, other, column, difference, permutation_p(shares[0], shares[1], seed=seed)))
    corrected = holm([p for *_, p in found])
    return [Difference(*each, fixed) for each, fixed in zip(found, corrected, strict=True)]


def headline(codes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that have tests, with their codes: the groups, or the codes where there is no group."""
    columns = members(codes)
    return {group: own for group, own in columns.items() if group in GROUPS} or columns


def _weights(codes: Sequence[str], own: tuple[str, ...]) -> Values:
    """What a caption's value weighs in the mean of the means of the codes `own`."""
    array = np.array(codes)
    weights = np.zeros(len(array))
    for code in own:
        here = array == code
        weights[here] = 1 / (len(own) * np.count_nonzero(here))
    return weights
