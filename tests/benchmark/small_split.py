"""Small splits, models of them with many ties, and what a model's ranks are, worked out the long way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol.captions import Captions
from tenk.benchmark.protocol.evaluate import Evaluation, Ranks
from tenk.benchmark.scores import Given, Scores
from tenk.records import CODES


def captions(videos: int = 7, codes: Sequence[str] = CODES, without: Sequence[tuple[int, str]] = ()) -> Captions:
    """Of videos with odd ids, each with all `codes` but those that are named."""
    names = [f"v:{number}\té\n{number}" for number in range(videos)]
    pairs = [(name, code) for number, name in enumerate(names) for code in codes if (number, code) not in without]
    texts = tuple(f"{code} of {name}" for name, code in pairs)
    return Captions(*zip(*pairs, strict=True), texts, tuple(names))  # type: ignore[arg-type]


def matrix(of: Captions, seed: int = 0, levels: int = 6) -> npt.NDArray[np.float32]:
    """Scores with ties, in which the right video has a somewhat higher one; [captions, videos]."""
    rng = np.random.default_rng(seed)
    found = rng.integers(0, levels, (len(of.ids), len(of.pool))).astype(np.float32)
    right = [of.pool.index(video) for video in of.videos]
    found[np.arange(len(right)), right] += rng.integers(0, 3, len(right))
    return found


def scores(of: Captions, table: npt.NDArray[np.floating], name: str = "model", seed: int | None = None) -> Scores:
    """A model's; with `seed`, its rows and columns are in another order."""
    rows, columns = np.arange(len(of.ids)), np.arange(len(of.pool))
    if seed is not None:
        rng = np.random.default_rng(seed)
        rows, columns = rng.permutation(rows), rng.permutation(columns)
    queries = Ids((of.ids[row] for row in rows), what="query")
    return Scores(Given(table[np.ix_(rows, columns)]), queries, Ids((of.pool[c] for c in columns), what="item"), name)


def hit_and_rank(row: npt.NDArray[np.floating], right: int, k: int) -> tuple[float, float]:
    """Expected over the orders of ties."""
    above, tied = int((row > row[right]).sum()), int((row == row[right]).sum())
    return min(max(k - above, 0), tied) / tied, above + (tied + 1) / 2


def ranks(hits: dict[int, Sequence[float]], first: Sequence[float]) -> Ranks:
    return Ranks({k: np.array(values, float) for k, values in hits.items()}, np.array(first, float), 0)


def evaluation(of: Captions, first: Sequence[float], name: str = "model") -> Evaluation:
    """A model whose captions have these ranks, in one direction."""
    array = np.array(first, float)
    return Evaluation(name, of, Ranks({k: (array <= k).astype(float) for k in (1, 5, 10)}, array, 0))
