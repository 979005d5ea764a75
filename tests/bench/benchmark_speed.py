"""What ranks, metrics and resamples cost, as ratios to one parallel reading of the scores and to other people's tools.

    python tests/bench/benchmark_speed.py [--texts 49170] [--videos 4917] [--repeats 5] [--only NAME ...]

All in one process, on the cores that there are. Before and after each measured call the matrix is read once by all
threads (its bits, combined); what is printed is the median of the ratios, the time, and the bytes of it a second.
What is compiled at a first call is left out and printed at the end of its line. Relevance, ids and the other tools'
dicts and tensors are made apart, and not timed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np

from tenk.benchmark import metrics, qrels, significance, standing
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.scores import Given, Products, Scores

SAMPLE = 1000
"""Rows that the other tools are measured on."""

Work = Callable[[], Any]


@numba.njit(parallel=True, nogil=True)
def read(matrix: np.ndarray) -> int:
    """One parallel reading: all bits of all rows, added up."""
    total = 0
    for row in numba.prange(len(matrix)):
        bits, part = matrix[row].view(np.int32), np.int32(0)
        for column in range(len(bits)):
            part ^= bits[column]
        total += part
    return total


def seconds(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Bench:
    """Measures against a reading of `matrix`."""

    def __init__(self, matrix: np.ndarray, repeats: int, only: list[str]) -> None:
        self.matrix, self.repeats, self.only = matrix, repeats, only
        read(matrix)

    def against_reading(self, name: str, bound: float, work: Work) -> None:
        if not self._wanted(name):
            return
        first, times, ratios = seconds(work), [], []
        for _ in range(self.repeats):
            before = seconds(lambda: read(self.matrix))
            taken = seconds(work)
            times.append(taken)
            ratios.append(taken / ((before + seconds(lambda: read(self.matrix))) / 2))
        own, speed = median(ratios), self.matrix.nbytes / median(times) / 1e9
        print(
            f"{name:58s} {own:7.2f} x one reading (at most {bound:g})  {1e3 * median(times):8.1f} ms"
            f"  {speed:6.2f} GB/s  best {min(ratios):.2f} x  first call {first:.1f} s",
            flush=True,
        )

    def against_tool(self, name: str, bound: float, ours: Work, theirs: Work, scale: float) -> None:
        """`theirs` is of a sample, `scale` times as small."""
        if not self._wanted(name):
            return
        ours()
        mine = median(seconds(ours) for _ in range(self.repeats))
        other = scale * median(seconds(theirs) for _ in range(min(3, self.repeats)))
        print(
            f"{name:58s} {other / mine:7.1f} times as fast (at least {bound:g})  {mine:.3f} s, {other:.1f} s",
            flush=True,
        )

    def within(self, name: str, bound: float, work: Work) -> None:
        if self._wanted(name):
            first = seconds(work)
            taken = median(seconds(work) for _ in range(self.repeats))
            print(f"{name:58s} {taken:7.2f} s (under {bound:g})  first call {first:.1f} s", flush=True)

    def _wanted(self, name: str) -> bool:
        return not self.only or any(part in name for part in self.only)


def hits(pair: tuple[Any, Any]) -> list[float]:
    """What a table of R@K and ranks shows, of both directions."""
    return [
        float(value)
        for found in pair
        for value in (
            *(np.nanmean(metrics.hit_rate(found, k)) for k in (1, 5, 10)),
            np.nanmedian(metrics.first_rank(found)),
        )
    ]


def precisions(pair: tuple[Any, Any]) -> list[float]:
    return [float(np.nanmean(metrics.average_precision(found))) for found in pair]


def some(of: Ids, among: Ids, each: int, rng: np.random.Generator, *, graded: bool) -> Qrels:
    """`each` different relevant ones for all `of`."""
    first = rng.integers(0, len(among), len(of))
    steps = rng.integers(1, max(2, len(among) // each), len(of))
    columns = (first[:, None] + steps[:, None] * np.arange(each)) % len(among)
    kept = np.ones_like(columns, bool)
    kept[:, 1:] = np.diff(np.sort(columns, axis=1), axis=1) > 0
    columns = np.sort(columns, axis=1)[kept]
    rows = np.repeat(np.arange(len(of)), kept.sum(1))
    gains = rng.integers(1, 100, len(rows)) / 100 if graded else np.ones(len(rows))
    return qrels.from_positions(of, among, rows, columns, gains)


def tables(bench: Bench, where: str, scores: Scores, own: Qrels, fire: Qrels) -> None:
    rng = np.random.default_rng(1)
    graded = some(scores.queries, scores.items, min(200, len(scores.items) // 2), rng, graded=True)
    back = some(scores.items, scores.queries, min(200, len(scores.queries) // 2), rng, graded=True)
    bench.against_reading(f"R@1/5/10, median, both ways, {where}", 4, lambda: hits(standing.first_both(scores, own)))
    bench.against_reading(
        f"MAP, both ways, 1 and 10 positives, {where}", 15, lambda: precisions(standing.both(scores, own))
    )
    bench.against_reading(
        f"MAP, texts to videos, 8 positives, {where}", 15, lambda: precisions((standing.standing(scores, fire),))
    )
    turned = fire.turned()
    bench.against_reading(
        f"MAP, videos to texts, 80 positives, {where}", 15, lambda: precisions((standing.down(scores, turned),))
    )
    bench.against_reading(
        f"nDCG@100, both ways, 200 graded positives, {where}",
        60,
        lambda: (
            metrics.ndcg(standing.standing(scores, graded, depth=100), 100),
            metrics.ndcg(standing.down(scores, back, depth=100), 100),
        ),
    )


def embeddings(bench: Bench, queries: Ids, items: Ids, own: Qrels) -> None:
    rng = np.random.default_rng(2)
    texts = rng.standard_normal((len(queries), 512), dtype=np.float32)
    videos = rng.standard_normal((len(items), 512), dtype=np.float32)
    scores = Scores(Products(texts, videos), queries, items)
    bench.against_reading(
        "R@1/5/10, median, both ways, embeddings of 512", 999, lambda: hits(standing.first_both(scores, own))
    )
    bench.against_reading("  numpy's product of the same embeddings", 999, lambda: _multiplied(texts, videos))


def _multiplied(texts: np.ndarray, videos: np.ndarray) -> None:
    for first in range(0, len(texts), 4096):
        texts[first : first + 4096] @ videos.T


def other_tools(bench: Bench, scores: Scores, fire: Qrels) -> None:
    """AP over all positives of texts, of all rows by us and of a sample by others; on it the numbers are the same."""
    rows = np.arange(min(SAMPLE, len(scores.queries)))
    sample, scale = scores.chosen(rows), len(scores.queries) / len(rows)
    until = fire.start[len(rows)]
    wanted = qrels.from_positions(
        sample.queries, sample.items, fire.of[:until], fire.items[:until], np.ones(int(until))
    )
    ours = float(np.mean(metrics.average_precision(standing.standing(sample, wanted))))
    block = scores.table.rows(0, len(rows))

    def mine() -> Any:
        return metrics.average_precision(standing.standing(scores, fire))

    import torch
    from torchmetrics.retrieval import RetrievalMAP

    lowest = float(block.min())
    relevant = wanted.dense() > 0
    # torchmetrics takes positives with scores up to 0 for not relevant.
    shown = torch.from_numpy(block - lowest + 1)
    target, index = torch.from_numpy(relevant), torch.arange(len(rows)).repeat_interleave(len(scores.items))

    def torchmetrics_map() -> float:
        return float(RetrievalMAP()(shown.flatten(), target.flatten(), index))

    _agree("torchmetrics", torchmetrics_map(), ours)
    bench.against_tool("MAP, torchmetrics", 50, mine, torchmetrics_map, scale)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ranx

        names = [scores.items.names[item] for item in range(len(scores.items))]
        run = ranx.Run(
            {
                query: dict(zip(names, map(float, row), strict=True))
                for query, row in zip(sample.queries.names, block, strict=True)
            }
        )
        truth = ranx.Qrels(
            {
                query: {names[item]: 1 for item in np.flatnonzero(row)}
                for query, row in zip(sample.queries.names, relevant, strict=True)
            }
        )

        def ranx_map() -> float:
            return float(ranx.evaluate(truth, run, "map"))

        _agree("ranx", ranx_map(), ours)
        bench.against_tool("MAP, ranx", 20, mine, ranx_map, scale)


def _agree(name: str, theirs: float, ours: float) -> None:
    if abs(theirs - ours) > 1e-5:
        raise SystemExit(f"{name} has {theirs}, and tenk {ours}: what is compared is not the same.")


def resamples(bench: Bench) -> None:
    rng = np.random.default_rng(3)
    ranks = rng.integers(1, 500, 27_763).astype(float)

    def plain() -> None:
        significance.bootstrap_means(significance.Clusters.of(ranks))
        significance.bootstrap_medians(ranks)

    table, clusters = rng.random((49_170, 12)), [number // 10 for number in range(49_170)]
    bench.within("10,000 resamples of 27,763 queries, mean and median", 2, plain)
    bench.within(
        "10,000 resamples of 12 metrics, clustered over 4,917 videos",
        2,
        lambda: significance.bootstrap_means(significance.Clusters.of(table, clusters)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=49_170)
    parser.add_argument("--videos", type=int, default=4_917)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of what is measured")
    given = parser.parse_args()
    queries, items = (
        Ids((f"{what} {number}" for number in range(count)), what=what)
        for what, count in (("query", given.texts), ("item", given.videos))
    )
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((given.texts, given.videos), dtype=np.float32)
    every = np.arange(given.texts)
    own = qrels.from_positions(queries, items, every, every * given.videos // given.texts, np.ones(given.texts))
    fire = some(queries, items, 8, rng, graded=False)
    bench = Bench(matrix, given.repeats, given.only)
    reading = median(seconds(lambda: read(matrix)) for _ in range(9))
    print(
        f"{given.texts} x {given.videos} float32, {matrix.nbytes / 1e9:.2f} GB, {numba.get_num_threads()} threads; "
        f"one reading takes {1e3 * reading:.1f} ms, {matrix.nbytes / reading / 1e9:.1f} GB/s",
        flush=True,
    )
    scores = Scores(Given(matrix), queries, items)
    tables(bench, "in memory", scores, own, fire)
    other_tools(bench, scores, fire)
    embeddings(bench, queries, items, own)
    resamples(bench)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "scores.npy", matrix)
        mapped = np.load(Path(folder) / "scores.npy", mmap_mode="r")
        tables(Bench(mapped, given.repeats, given.only), "mapped", Scores(Given(mapped), queries, items), own, fire)


if __name__ == "__main__":
    main()
