"""Where the relevant items of each query stand in its ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.errors import BenchmarkError

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Standing:
    """Of the relevant items of each query, how many items stand above and how many beside them.

    Query `q` has the entries `start[q]` to `start[q + 1]`, the highest first: `above` items have a higher score,
    `tied` have the same one, itself among them. `entries` are the relevant items, as positions in `items`, and `gains`
    how relevant they are.

    Two things may be left out, for speed or because they are not known. With `depth`, what stands deeper has an `above`
    of BEYOND. With `firsts`, only the highest of each query's relevant items are listed.
    """

    queries: Ids
    items: Ids
    start: npt.NDArray[np.int64]
    entries: npt.NDArray[np.int64]
    above: Counts
    tied: Counts
    gains: npt.NDArray[np.float64]
    depth: int | None = None
    firsts: bool = False

    @property
    def relevant(self) -> npt.NDArray[np.int64]:
        """Entries a query, shape [queries]: all its relevant items but with `firsts`. 0 is left out of every mean."""
        return np.diff(self.start)

    @property
    def left_out(self) -> int:
        """Queries that nothing is relevant to."""
        return int(np.count_nonzero(self.relevant == 0))

    def must_reach(self, k: int | None, metric: str) -> None:
        """Raises BenchmarkError where `metric` needs the first `k` places (None: all), and fewer are known."""
        if self.depth is None or (k is not None and k <= self.depth):
            return
        needs = "the whole ranking" if k is None else f"the first {k} places"
        raise BenchmarkError(
            f"{metric} needs {needs} of every query, and only the first {self.depth} are known. "
            "Give the scores of all items, or choose a metric with a smaller cut-off."
        )

    def must_be_whole(self, metric: str) -> None:
        """Raises BenchmarkError where `metric` needs all relevant items, and only the highest are listed."""
        if self.firsts:
            raise BenchmarkError(f"{metric} needs the places of all relevant items: count them with `standing`.")
