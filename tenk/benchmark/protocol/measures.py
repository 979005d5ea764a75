"""Ranks in, what is reported of them out, by group and code: R@K, their mean, sum and geometric mean, the ranks.

    R@K       share of captions whose video is among the first K, in percent
    Avg. R    mean of R@1, R@5 and R@10, in percent: what the paper calls average recall
    R@sum     their sum
    GeoMean   their geometric mean, of a group that of the group's R@K
    MedR      median rank, of a group that over all its captions together
    MeanR     mean rank

All but MedR are of the means that groups.py defines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark.protocol.evaluate import CUTS, Ranks
from tenk.benchmark.protocol.groups import GROUPS, by_code, by_group, in_order
from tenk.errors import BenchmarkError

Values = npt.NDArray[np.float64]
Means = Mapping[int, Values]
"""Means of hits by cut; of ranks under 0."""


@dataclass(frozen=True)
class Measure:
    """`formula` of the means of the hits within the cuts `needs`, 0 standing for the rank.

    With `linear`, its mean over captions is the formula of their means, so that it has a value a caption.
    """

    name: str
    needs: tuple[int, ...]
    formula: Callable[[Means], Values]
    percent: bool = True
    linear: bool = True


def _at(k: int) -> Measure:
    return Measure(f"R@{k}", (k,), lambda means: 100 * means[k])


def _cube_root(means: Means) -> Values:
    product: Values = np.cbrt(means[1] * means[5] * means[10])
    return 100 * product


MEASURES = {
    measure.name: measure
    for measure in (
        *map(_at, CUTS),
        Measure("Avg. R", CUTS, lambda means: 100 * (means[1] + means[5] + means[10]) / 3),
        Measure("R@sum", CUTS, lambda means: 100 * (means[1] + means[5] + means[10])),
        Measure("GeoMean", CUTS, _cube_root, linear=False),
        Measure("MedR", (0,), lambda means: means[0], percent=False, linear=False),
        Measure("MeanR", (0,), lambda means: means[0], percent=False),
    )
}

DEFAULT = ("R@1", "Avg. R")
"""Those of the paper's Tables 8 and 9."""


def named(names: str) -> tuple[str, ...]:
    """Measures by names between commas, case and punctuation apart: `r@1,avgr`; `all` are all of them.

    Those that `tenk measure` has for the same are taken, too. Raises BenchmarkError for others.
    """
    if _plain(names) == "all":
        return tuple(MEASURES)
    known = {_plain(name): name for name in MEASURES} | _ALSO
    wrong = [name for name in names.split(",") if _plain(name) not in known]
    if wrong:
        raise BenchmarkError(no_measure(wrong[0].strip()))
    return tuple(dict.fromkeys(known[_plain(name)] for name in names.split(",")))


def no_measure(name: str) -> str:
    """What is said where there is none of this name."""
    return f"There is no metric {name!r}. There are: {', '.join(MEASURES)}, or all of them: all."


_ALSO = {
    **{f"{word}{k}": f"R@{k}" for word in ("hit", "correct") for k in CUTS},
    "averagerecall": "Avg. R",
    "gm": "GeoMean",
    "medianrank": "MedR",
    "meanrank": "MeanR",
}
"""Names of `metrics.named`, without punctuation, that are not those of MEASURES."""


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def lacking(ranks: Ranks, measure: Measure) -> str:
    """Why `measure` cannot be had of these ranks; empty where it can."""
    if ranks.depth is None or (0 not in measure.needs and max(measure.needs) <= ranks.depth):
        return ""
    needs = "the whole ranking" if 0 in measure.needs else f"the first {max(measure.needs)} places"
    return f"{measure.name} needs {needs} of every caption, and only the first {ranks.depth} are known"


def measured(codes: Sequence[str], ranks: Ranks, name: str) -> dict[str, float]:
    """By group and code of the captions. Raises BenchmarkError where the ranks do not go deep enough."""
    measure = MEASURES[name]
    if why := lacking(ranks, measure):
        raise BenchmarkError(f"{why}. Give the scores of all videos, or choose other measures.")
    if name == "MedR":
        return _medians(codes, ranks.first)
    means = {need: by_code(codes, of_captions(ranks, need)) for need in measure.needs}
    columns = {need: by_group(of_codes) | of_codes for need, of_codes in means.items()}
    return {
        column: float(measure.formula({need: np.array(means[column]) for need, means in columns.items()}))
        for column in columns[measure.needs[0]]
    }


def of_captions(ranks: Ranks, need: int) -> Values:
    """Hits within the cut `need`, or ranks for 0, shape [captions]."""
    return ranks.hits[need] if need else ranks.first


def a_caption(ranks: Ranks, measure: Measure) -> Values:
    """The value of each caption, whose mean is that of a linear measure, shape [captions]."""
    return measure.formula({need: of_captions(ranks, need) for need in measure.needs})


def members(codes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The codes of each column that captions with `codes` have: the groups that are complete, and each code."""
    there = in_order(codes)
    return {group: own for group, own in GROUPS.items() if set(own) <= set(there)} | {code: (code,) for code in there}


def _medians(codes: Sequence[str], ranks: Values) -> dict[str, float]:
    array = np.array(codes)
    return {column: float(np.median(ranks[np.isin(array, own)])) for column, own in members(codes).items()}
