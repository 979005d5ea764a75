"""Fused scores against what fusing row by row gives."""

from __future__ import annotations

import numpy as np
import pytest
import small_split as split
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol import expand as module
from tenk.benchmark.protocol.evaluate import evaluate
from tenk.benchmark.protocol.expand import How, expand
from tenk.benchmark.scores import Products, Scores
from tenk.errors import BenchmarkError


def fused(rows: np.ndarray, how: How) -> np.ndarray:
    """Of one video's captions, [variants, videos]; exact where it matters: whole numbers, and rounded sums."""
    if how == "rrf":
        return sum((1 / (60 + rankdata(-row)) for row in rows), np.zeros(rows.shape[1])).round(12)
    return rows.sum(axis=0) if how == "mean" else rows.max(axis=0)


@settings(max_examples=25)
@given(st.sampled_from(["mean", "max", "rrf"]), st.integers(0, 10**6), st.booleans())
def test_each_video_is_ranked_by_what_its_captions_make_together(how: How, seed: int, strips: bool) -> None:
    of = split.captions(9, ("f", "s", "e", "p"), [(2, "s"), (4, "p")])
    table = split.matrix(of, seed)
    variants = ["s", "f", "e"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "STRIP", 2 if strips else 256)
        found = expand(of, split.scores(of, table, seed=seed), how, variants)
    assert found.videos == tuple(video for number, video in enumerate(of.pool) if number != 2)
    assert found.left_out == 1
    for place, video in enumerate(found.videos):
        rows = [
            n for n, own in enumerate(zip(of.videos, of.codes, strict=True)) if own[0] == video and own[1] in variants
        ]
        whole = fused(table[rows], how)
        for k in (1, 5, 10):
            hit, rank = split.hit_and_rank(whole, of.pool.index(video), k)
            assert (found.ranks.hits[k][place], found.ranks.first[place]) == pytest.approx((hit, rank))


@pytest.mark.parametrize("how", ["mean", "max", "rrf"])
def test_twice_the_same_is_no_expansion(how: How) -> None:
    of = split.captions(9, ("f", "s"))
    table = split.matrix(of)
    table[1::2] = table[::2]
    model = split.scores(of, table)
    assert np.array_equal(expand(of, model, how, ["f", "s"]).ranks.first, evaluate(of, model).to_video.first[::2])


def test_of_embeddings() -> None:
    of = split.captions(7, ("f", "s"))
    rng = np.random.default_rng(0)
    texts, videos = rng.integers(-3, 4, (14, 8)), rng.integers(-3, 4, (7, 8))
    products = Products(texts.astype(np.float32), videos.astype(np.float32))
    model = Scores(products, Ids(of.ids, what="query"), Ids(of.pool, what="item"))
    plain = split.scores(of, (texts @ videos.T).astype(np.float32))
    for how in module.WAYS:
        found, wanted = expand(of, model, how, ["f", "s"]), expand(of, plain, how, ["f", "s"])
        assert np.array_equal(found.ranks.first, wanted.ranks.first)


@pytest.mark.parametrize("how", ["mean", "max", "rrf"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_not_fused_away(how: How, wrong: float) -> None:
    of = split.captions(4, ("f", "s"))
    table = split.matrix(of)
    table[3, 0] = wrong
    with pytest.raises(BenchmarkError, match="scores must be finite"):
        expand(of, split.scores(of, table), how, ["f", "s"])


def test_what_cannot_be_fused() -> None:
    of = split.captions(2, ("f", "s", "e"), [(0, "s"), (1, "e")])
    model = split.scores(of, split.matrix(of))
    with pytest.raises(BenchmarkError, match=r"two different variants or more, not f\."):
        expand(of, model, "mean", ["f"])
    with pytest.raises(BenchmarkError, match=r"two different variants or more, not f,f\."):
        expand(of, model, "mean", ["f", "f"])
    with pytest.raises(BenchmarkError, match=r"no captions with the code 'zz'\. There are: f, s, e"):
        expand(of, model, "mean", ["f", "zz"])
    with pytest.raises(BenchmarkError, match="No video has all of the captions s, e"):
        expand(of, model, "mean", ["s", "e"])
    with pytest.raises(BenchmarkError, match=r"no expansion 'sum'\. There are: mean, max, rrf"):
        expand(of, model, "sum", ["f", "s"])  # type: ignore[arg-type]
