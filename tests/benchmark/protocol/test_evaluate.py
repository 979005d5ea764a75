"""Ranks of captions and videos against those worked out one by one; ids in any order; what does not fit is named."""

from __future__ import annotations

import numpy as np
import pytest
import small_split as split
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol.evaluate import CUTS, evaluate, evaluate_run
from tenk.benchmark.protocol.measures import measured
from tenk.benchmark.runs import from_lists
from tenk.benchmark.scores import Given, Products, Scores
from tenk.benchmark.ties import Rule
from tenk.errors import BenchmarkError


@settings(max_examples=30)
@given(
    st.integers(1, 9),
    st.integers(0, 10**6),
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["p", "s", "u"])), max_size=6),
)
def test_both_directions_are_what_counting_gives(videos: int, seed: int, without: list[tuple[int, str]]) -> None:
    of = split.captions(videos, ("f", "p", "s", "u"), without)
    table = split.matrix(of, seed)
    found = evaluate(of, split.scores(of, table, seed=seed))
    assert found.to_text is not None
    for place, (video, code) in enumerate(zip(of.videos, of.codes, strict=True)):
        right = of.pool.index(video)
        same = [other for other, each in enumerate(of.codes) if each == code]
        for k in CUTS:
            hit, rank = split.hit_and_rank(table[place], right, k)
            assert (found.to_video.hits[k][place], found.to_video.first[place]) == pytest.approx((hit, rank))
            hit, rank = split.hit_and_rank(table[same, right], same.index(place), k)
            assert (found.to_text.hits[k][place], found.to_text.first[place]) == pytest.approx((hit, rank))


def test_the_order_of_rows_and_columns_changes_nothing() -> None:
    of = split.captions(12)
    table = split.matrix(of)
    wanted = evaluate(of, split.scores(of, table))
    for seed in range(3):
        found = evaluate(of, split.scores(of, table, seed=seed))
        for one, other in ((wanted.to_video, found.to_video), (wanted.to_text, found.to_text)):
            assert one is not None
            assert other is not None
            assert one.tied == other.tied > 0
            assert np.array_equal(one.first, other.first)
            assert all(np.array_equal(one.hits[k], other.hits[k]) for k in CUTS)


@pytest.mark.parametrize("rule", ["optimistic", "pessimistic"])
def test_ties_by_rule(rule: Rule) -> None:
    of = split.captions(5, ("f",))
    found = evaluate(of, split.scores(of, np.zeros((5, 5), np.float32)), ties=rule)
    for ranks in (found.to_video, found.to_text):
        assert ranks is not None
        assert set(ranks.first) == {1.0 if rule == "optimistic" else 5.0}
        assert set(ranks.hits[1]) == {1.0 if rule == "optimistic" else 0.0}
        assert ranks.tied == 5


def test_a_perfect_model_and_a_constant_one() -> None:
    of = split.captions(20)
    right = np.array([[video == each for each in of.pool] for video in of.videos])
    perfect = evaluate(of, split.scores(of, right.astype(np.float32)))
    constant = evaluate(of, split.scores(of, np.zeros(right.shape, np.float32)))
    for ranks in (perfect.to_video, perfect.to_text):
        assert ranks is not None
        assert set(measured(of.codes, ranks, "R@1").values()) == {100.0}
    assert measured(of.codes, constant.to_video, "R@1")["All"] == pytest.approx(5.0)
    assert measured(of.codes, constant.to_video, "MedR")["All"] == 10.5


def test_embeddings_are_scores() -> None:
    of = split.captions(9)
    rng = np.random.default_rng(0)
    texts, videos = rng.integers(-3, 4, (len(of.ids), 8)), rng.integers(-3, 4, (len(of.pool), 8))
    table = Products(texts.astype(np.float32), videos.astype(np.float32))
    found = evaluate(of, Scores(table, Ids(of.ids, what="query"), Ids(of.pool, what="item")))
    wanted = evaluate(of, split.scores(of, (texts @ videos.T).astype(np.float32)))
    assert np.array_equal(found.to_video.first, wanted.to_video.first)


def test_some_codes_of_a_file_that_has_all() -> None:
    whole = split.captions(6)
    table = split.matrix(whole)
    some = whole.of(["s", "f"])
    assert set(some.codes) == {"f", "s"}
    found = evaluate(some, split.scores(whole, table, seed=1), whole=whole)
    wanted = evaluate(whole, split.scores(whole, table))
    own = [code in ("f", "s") for code in whole.codes]
    assert np.array_equal(found.to_video.first, wanted.to_video.first[own])
    with pytest.raises(BenchmarkError, match=r"no captions with the code 'zz'. There are: f, p, s, m"):
        whole.of(["f", "zz"])


def test_one_code_by_the_ids_of_videos() -> None:
    whole = split.captions(6)
    full = whole.of(["f"])
    table = split.matrix(full)
    model = Scores(Given(table), Ids(whole.pool, what="query"), Ids(whole.pool, what="item"))
    found = evaluate(full, model, whole=whole)
    assert np.array_equal(found.to_video.first, evaluate(full, split.scores(full, table)).to_video.first)
    with pytest.raises(BenchmarkError, match="66 of 66 are missing"):
        evaluate(whole, model)


def test_what_does_not_fit_is_named() -> None:
    whole = split.captions(4, ("f", "s"))
    table = split.matrix(whole)

    def model(queries: list[str], items: list[str]) -> Scores:
        shape = (len(queries), len(items))
        return Scores(Given(np.zeros(shape)), Ids(queries, what="query"), Ids(items, what="item"), "mine")

    ids, pool = list(whole.ids), list(whole.pool)
    with pytest.raises(BenchmarkError, match=r"mine: its query ids .* 1 of 8 are missing: 'v:0\\té\\n0\\ts'"):
        evaluate(whole, model([ids[0], *ids[2:]], pool))
    with pytest.raises(BenchmarkError, match=r"1 are not in the dataset: 'x'. A caption's id is VIDEO<tab>CODE"):
        evaluate(whole, model([*ids, "x"], pool))
    with pytest.raises(BenchmarkError, match=r"4 of 8 are missing: .* name their codes: --codes f$"):
        evaluate(whole, model(ids[::2], pool))
    with pytest.raises(BenchmarkError, match=r"its item ids are not .* 1 of 4 are missing.*ranked against all videos"):
        evaluate(whole, model(ids, pool[:3]))
    with pytest.raises(BenchmarkError, match=r"item ids .* 1 are not in the dataset: 'w'"):
        evaluate(whole, model(ids, [*pool, "w"]))
    with pytest.raises(BenchmarkError, match=r"The query id .* is given more than once"):
        model([*ids, ids[0]], pool)
    for wrong in (np.nan, np.inf):
        table[2, 1] = wrong
        with pytest.raises(BenchmarkError, match=r"for query 'v:1\\té\\n1\\tf' is (nan|inf): scores must be finite"):
            evaluate(whole, split.scores(whole, table, seed=3))


def test_one_video_is_no_problem() -> None:
    of = split.captions(1)
    found = evaluate(of, split.scores(of, split.matrix(of)))
    assert set(found.to_video.first) == {1.0}


def as_run(of: split.Captions, table: np.ndarray, k: int) -> dict[str, dict[str, float]]:
    order = np.argsort(-table, axis=1, kind="stable")[:, :k]
    return {id: {of.pool[item]: float(table[place, item]) for item in order[place]} for place, id in enumerate(of.ids)}


def test_a_whole_run_is_as_good_as_scores_one_way() -> None:
    of = split.captions(14)
    table = split.matrix(of)
    found, wanted = evaluate_run(of, from_lists(as_run(of, table, 14))), evaluate(of, split.scores(of, table))
    assert found.to_text is None
    assert np.array_equal(found.to_video.first, wanted.to_video.first)
    assert found.notes == ("run: a ranked list says nothing of video to text.",)


def test_a_run_that_is_cut_off_is_known_as_far_as_it_goes() -> None:
    of = split.captions(14)
    table = split.matrix(of, levels=1000)
    found, wanted = evaluate_run(of, from_lists(as_run(of, table, 5))), evaluate(of, split.scores(of, table))
    assert list(found.to_video.hits) == [1, 5]
    assert np.array_equal(found.to_video.hits[5], wanted.to_video.hits[5])
    inside = wanted.to_video.first <= 5
    assert np.array_equal(found.to_video.first[inside], wanted.to_video.first[inside])
    assert np.isnan(found.to_video.first[~inside]).all()
    assert measured(of.codes, found.to_video, "R@5") == measured(of.codes, wanted.to_video, "R@5")
    for name in ("Avg. R", "MedR", "R@10"):
        with pytest.raises(BenchmarkError, match=rf"{name} needs .* only the first 5 are known. Give the scores"):
            measured(of.codes, found.to_video, name)
    assert any("first 5 places" in note for note in found.notes)


def test_ties_where_a_run_is_cut_off_are_told() -> None:
    of = split.captions(3, ("f",))
    run = from_lists({id: {of.pool[0]: 2.0, of.pool[1]: 1.0, of.pool[2]: 1.0} for id in of.ids})
    assert not any("amid equal scores" in note for note in evaluate_run(of, run).notes)
    short = from_lists({id: {of.pool[0]: 1.0, of.pool[1]: 1.0} for id in of.ids})
    assert "run: 3 lists are cut off amid equal scores" in " ".join(evaluate_run(of, short).notes)
    with pytest.raises(BenchmarkError, match="run: its query ids are not those of the dataset; 2 of 3 are missing"):
        evaluate_run(of, from_lists({of.ids[0]: [of.pool[0]]}))


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_dual_softmax_is_among_the_captions_of_a_code(temperature: float) -> None:
    of = split.captions(9, ("f", "s"), [(2, "s")])
    table = split.matrix(of, levels=1000).astype(np.float64) / 100
    found = evaluate(of, split.scores(of, table, seed=1), rerank=temperature)
    assert found.model.startswith("model + dual softmax")
    assert "do not compare these numbers" in " ".join(found.notes)
    assert found.to_text is not None
    for code in ("f", "s"):
        own = np.array([place for place, each in enumerate(of.codes) if each == code])
        block = table[own] / temperature
        over_texts = table[own] * np.exp(block) / np.exp(block).sum(axis=0)
        over_videos = table[own] * np.exp(block) / np.exp(block).sum(axis=1, keepdims=True)
        for row, place in enumerate(own.tolist()):
            right = of.pool.index(of.videos[place])
            assert found.to_video.first[place] == split.hit_and_rank(over_texts[row], right, 1)[1]
            assert found.to_text.first[place] == split.hit_and_rank(over_videos[:, right], row, 1)[1]


def test_a_temperature_of_0_is_refused() -> None:
    """It was taken for none, and what was not reranked was called so."""
    of = split.captions(2)
    with pytest.raises(BenchmarkError, match="temperature of dual softmax is 0"):
        evaluate(of, split.scores(of, split.matrix(of)), rerank=0.0)
