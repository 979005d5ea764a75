"""A dataset's captions and a model's scores of them in, what a 10k table shows of it out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark.metrics import first_rank, hit_rate
from tenk.benchmark.protocol.captions import Aligned
from tenk.benchmark.protocol.groups import by_code, by_group
from tenk.benchmark.standing import first_both
from tenk.benchmark.standing.table import Standing
from tenk.benchmark.ties import Rule, broken

CUTS = (1, 5, 10)
"""Of R@K, and of the average recall, which is their mean."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ranks:
    """One direction, a value a query: `hits` of each cut [queries], 0 to 1, and the `first` rank [queries]."""

    hits: dict[int, Values]
    first: Values

    @classmethod
    def of(cls, standing: Standing) -> Ranks:
        return cls({k: hit_rate(standing, k) for k in CUTS}, first_rank(standing))

    @property
    def average(self) -> Values:
        """The mean of the hits over the cuts, shape [queries]."""
        mean: Values = np.mean([self.hits[k] for k in CUTS], axis=0)
        return mean


@dataclass(frozen=True)
class Evaluation:
    """One model on one split. `texts` are captions to videos; `videos` those of each code to its captions, by code."""

    model: str
    queries: tuple[str, ...]
    codes: tuple[str, ...]
    texts: Ranks
    videos: dict[str, Ranks]

    def table(self, values: Values) -> dict[str, float]:
        """Means of `values` [captions] by group (Full, Partial, Short, Long, All) and by code."""
        codes = by_code(self.codes, values)
        return by_group(codes) | codes

    @property
    def recall(self) -> dict[str, dict[str, float]]:
        """In percent, by what Tables 8 and 9 call it: R@1, R@5, R@10 and Avg. R, each by group and code."""
        found = {f"R@{k}": self.texts.hits[k] for k in CUTS} | {"Avg. R": self.texts.average}
        return {name: {key: 100 * mean for key, mean in self.table(values).items()} for name, values in found.items()}

    @property
    def to_full(self) -> dict[str, float]:
        """Figure 2: how much R@1 of each code differs from that of the full caption, in percent of the latter."""
        ones = by_code(self.codes, self.texts.hits[1])
        full = ones.get("f", 0.0)
        return {code: 100 * (one - full) / full for code, one in ones.items() if code != "f"} if full else {}


def evaluate(aligned: Aligned, *, ties: Rule = "expected") -> Evaluation:
    """Ranks all videos for each caption and, for each code, all captions of that code for each video."""
    there, _ = first_both(aligned.scores, aligned.qrels)
    videos = {}
    for code in dict.fromkeys(aligned.codes):
        own = aligned.of(code)
        _, back = first_both(own.scores, own.qrels)
        videos[code] = Ranks.of(broken(back, ties))
    return Evaluation(
        aligned.scores.name, aligned.scores.queries.names, aligned.codes, Ranks.of(broken(there, ties)), videos
    )
