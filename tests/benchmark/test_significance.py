"""Intervals and tests against plain transcriptions, known standard errors, exact enumeration and SciPy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tenk.benchmark import significance as sig
from tenk.errors import BenchmarkError

NAN = float("nan")
_64 = 2**64 - 1


def mixed(state: int) -> int:
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _64
    state = (state ^ state >> 27) * 0x94D049BB133111EB & _64
    return state ^ state >> 31


def bits(seed: int, resample: int) -> Iterator[int]:
    """SplitMix64 in whole numbers of Python."""
    step = 0x9E3779B97F4A7C15
    state = mixed(mixed(seed + step & _64) + resample * step & _64)
    while True:
        state = state + step & _64
        yield mixed(state)


def draws(seed: int, resamples: int, count: int, size: int) -> list[list[int]]:
    """Two of each number: of its upper half, then of its lower."""
    halves = (
        (half for each in bits(seed, one) for half in (each >> 32, each & 0xFFFFFFFF)) for one in range(resamples)
    )
    return [[half * size >> 32 for half in itertools.islice(each, count)] for each in halves]


def test_splitmix_is_that_of_its_authors() -> None:
    """The first numbers of java.util.SplittableRandom's mixer from state 1234567, as published with it."""
    state, found = 1234567, []
    for _ in range(3):
        state = state + 0x9E3779B97F4A7C15 & _64
        found.append(mixed(state))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


TABLES = st.integers(1, 12).flatmap(
    lambda rows: st.tuples(
        st.lists(
            st.lists(st.one_of(st.just(NAN), st.floats(-5, 5)), min_size=2, max_size=2), min_size=rows, max_size=rows
        ),
        st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=rows, max_size=rows),
    )
)


@given(table=TABLES, seed=st.integers(-(2**70), 2**70), count=st.integers(1, 9))
@settings(max_examples=60)
def test_means_and_medians_of_resamples_are_those_of_a_plain_transcription(
    table: tuple[list[list[float]], list[str]], seed: int, count: int
) -> None:
    values, clusters = np.array(table[0]), table[1]
    if np.isnan(values).all(axis=0).any():
        with pytest.raises(BenchmarkError, match="without a single value"):
            sig.Clusters.of(values, clusters)
        return
    for metric in range(2):
        column = values[:, metric]
        ours = sig.bootstrap_medians(column, clusters, draws=count, resamples=7, seed=seed)
        order = list(dict.fromkeys(clusters))
        members = [[v for n, v in zip(clusters, column, strict=True) if n == name and v == v] for name in order]
        members = [each for each in members if each]
        drawn = draws(seed % 2**64, 7, count, len(members))
        assert ours == pytest.approx([np.median(np.concatenate([members[i] for i in each])) for each in drawn])
        means = sig.bootstrap_means(sig.Clusters.of(column, clusters), draws=count, resamples=7, seed=seed)[:, 0]
        assert means == pytest.approx([np.mean(np.concatenate([members[i] for i in each])) for each in drawn])


def test_several_metrics_are_drawn_together_and_a_resample_without_values_is_nan() -> None:
    values = np.array([[1.0, NAN], [2.0, 5.0], [3.0, NAN]])
    drawn = sig.bootstrap_means(sig.Clusters.of(values), resamples=300, seed=4)
    alone = sig.bootstrap_means(sig.Clusters.of(values[:, 0]), resamples=300, seed=4)
    assert (drawn[:, 0] == alone[:, 0]).all()
    without = np.isnan(drawn[:, 1])
    assert without.mean() == pytest.approx((2 / 3) ** 3, abs=0.09)
    assert (drawn[~without, 1] == 5).all()
    assert sig.intervals(sig.Clusters.of(values))[1] == sig.Interval(5, 5, 5)


def test_the_spread_of_means_is_the_standard_error() -> None:
    values = np.random.default_rng(1).exponential(2.0, 400)
    drawn = sig.bootstrap_means(sig.Clusters.of(values))[:, 0]
    assert drawn.std() == pytest.approx(values.std() / 20, rel=0.03)
    assert drawn.mean() == pytest.approx(values.mean(), abs=3 * values.std() / 20 / 100)
    fewer = sig.bootstrap_means(sig.Clusters.of(values), draws=100)[:, 0]
    assert fewer.std() == pytest.approx(values.std() / 10, rel=0.03)
    found = sig.interval(values)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(2))
    assert found.mean == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.01)
    narrow = sig.interval(values, level=0.5)
    assert found.low < narrow.low < narrow.high < found.high


def test_medians_of_many_values_are_spread_as_scipy_has_it() -> None:
    values = np.random.default_rng(1).exponential(2.0, 400)
    found = sig.median_interval(values)
    theirs = stats.bootstrap((values,), np.median, n_resamples=4000, method="percentile", rng=np.random.default_rng(2))
    assert found.mean == np.median(values)
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.06)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(3)
    held = 0
    for seed in range(400):
        cluster = random.normal(size=(60, 1)) + random.normal(size=(60, 5))
        sums = sig.Clusters.of(cluster.ravel(), np.repeat(np.arange(60), 5))
        found = sig.intervals(sums, resamples=1000, seed=seed)[0]
        held += found.low <= 0 <= found.high
    assert 0.91 <= held / 400 <= 0.975


def test_clusters_are_wider_where_their_captions_are_alike() -> None:
    random = np.random.default_rng(5)
    videos = np.repeat(np.arange(100), 10)
    values = random.normal(size=100)[videos] + 0.3 * random.normal(size=1000)
    naive, clustered = sig.interval(values), sig.interval(values, videos)
    assert naive.mean == pytest.approx(clustered.mean)
    assert clustered.high - clustered.low > 2 * (naive.high - naive.low)
    naive, clustered = sig.median_interval(values), sig.median_interval(values, videos)
    assert clustered.high - clustered.low > 2 * (naive.high - naive.low)
    same = random.normal(size=1000)
    ratio = sig.interval(same, videos).high - sig.interval(same, videos).low
    assert ratio == pytest.approx(sig.interval(same).high - sig.interval(same).low, rel=0.25)


def test_names_of_clusters_are_only_names() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, NAN])
    one = sig.interval(values, ["a:b", "c\n", "a:b", "日本", "left out"])
    assert one == sig.interval(values, [7, 8, 7, 9, 0])
    assert one == sig.interval(values[:4], [7, 8, 7, 9])


def test_values_that_are_not_there_change_nothing() -> None:
    random = np.random.default_rng(8)
    one, other = random.normal(size=50), random.normal(size=50)
    gaps = np.insert(one, [0, 20, 50], NAN), np.insert(other, [0, 20, 50], [1.0, NAN, 2.0])
    assert sig.permutation_p(*gaps) == sig.permutation_p(one, other)
    assert sig.interval(gaps[0]) == sig.interval(one)
    assert sig.median_interval(gaps[0]) == sig.median_interval(one)


def exact(sums: np.ndarray) -> float:
    totals = [abs(np.dot(signs, sums)) for signs in itertools.product((1, -1), repeat=len(sums))]
    return float(np.mean(np.array(totals) >= abs(sums.sum()) - 1e-9))


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=14),
    st.integers(0, 1000),
)
@settings(max_examples=30)
def test_the_chance_of_a_difference_is_that_of_all_swaps(rows: list[tuple[int, int]], seed: int) -> None:
    difference, clusters = np.array([row[0] for row in rows], float), [row[1] for row in rows]
    base = np.linspace(0, 1, len(rows))
    sums = np.array([difference[np.array(clusters) == name].sum() for name in set(clusters)])
    truth = exact(sums)
    found = sig.permutation_p(base + difference, base, clusters, seed=seed)
    assert found == pytest.approx(truth, abs=5 * np.sqrt(truth * (1 - truth) / 10_000) + 2e-4)


def test_the_chance_of_a_difference_is_that_of_scipy() -> None:
    random = np.random.default_rng(6)
    for shift in (0.0, 0.1, 0.25):
        one = random.normal(size=200)
        other = one + random.normal(shift, 1, 200)
        theirs = stats.permutation_test(
            (one, other), lambda a, b, axis: (a - b).mean(axis), permutation_type="samples", vectorized=True,
            n_resamples=9999, rng=np.random.default_rng(1),
        ).pvalue  # fmt: skip
        assert sig.permutation_p(one, other) == pytest.approx(theirs, abs=0.02)
        assert sig.permutation_p(one, other) == sig.permutation_p(other, one)


def test_chances_of_models_that_do_not_differ_are_uniform() -> None:
    random = np.random.default_rng(9)
    videos = np.repeat(np.arange(40), 4)
    chances = [
        sig.permutation_p(*(random.normal(size=(2, 40))[:, videos] + random.normal(size=(2, 160))), videos, seed=seed)
        for seed in range(300)
    ]
    assert stats.kstest(chances, "uniform").pvalue > 0.01


def test_the_least_chance_is_not_zero() -> None:
    assert sig.permutation_p(np.full(100, 2.0), np.full(100, 1.0)) == 1 / 10_001


@pytest.mark.parametrize("queries", [1, 63, 64, 65, 130])
def test_equal_models_do_not_differ(queries: int) -> None:
    values = np.random.default_rng(1).normal(size=queries)
    assert sig.permutation_p(values, values) == 1
    found = sig.compare({"a": values, "b": values.copy()})[0]
    assert (found.difference.mean, found.p, found.corrected) == (0, 1, 1)


def holm_as_written(p_values: list[float], level: float) -> list[bool]:
    """Step down: the smallest against level / m, the next against level / (m - 1), until one is not rejected."""
    rejected = [False] * len(p_values)
    for done, index in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        if p_values[index] > level / (len(p_values) - done):
            break
        rejected[index] = True
    return rejected


@given(
    st.lists(st.integers(0, 1000).map(lambda each: each / 1000), max_size=8), st.sampled_from([0.013, 0.0507, 0.1003])
)
def test_holm_rejects_what_its_steps_reject(p_values: list[float], level: float) -> None:
    corrected = sig.holm(p_values)
    assert [each <= level for each in corrected] == holm_as_written(p_values, level)
    assert all(p <= each <= 1 for p, each in zip(p_values, corrected, strict=True))


def test_holm_by_hand() -> None:
    assert sig.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert sig.holm([0.9, 0.8]) == [1.0, 1.0]
    assert sig.holm([]) == []


def test_every_pair_of_models_is_compared() -> None:
    random = np.random.default_rng(2)
    base = random.normal(size=(60, 1)).repeat(3, axis=1).ravel()
    videos = np.repeat([f"v{number}" for number in range(60)], 3)
    models = {"a": base, "b": base + random.normal(0.3, 0.4, 180), "c": base + random.normal(0, 0.4, 180)}
    models["c"][5] = NAN
    found = sig.compare(models, videos.tolist(), seed=3)
    assert [(each.one, each.other) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.p for each in found] == [
        sig.permutation_p(models[each.one], models[each.other], videos.tolist(), seed=3) for each in found
    ]
    assert [each.corrected for each in found] == sig.holm([each.p for each in found])
    assert found[0].difference == sig.interval(models["a"] - models["b"], videos.tolist(), seed=3)
    assert found[0].difference.high < 0
    assert found[0].corrected < 0.01 < found[1].corrected
    assert sig.compare({"a": base}) == []


def test_threads_and_repeats_change_nothing_and_seeds_do() -> None:
    random = np.random.default_rng(4)
    values, other, videos = random.normal(size=500), random.normal(size=500), np.repeat(np.arange(100), 5)

    def all_of_it(seed: int) -> bytes:
        return b"".join([
            sig.bootstrap_means(sig.Clusters.of(values, videos), resamples=500, seed=seed).tobytes(),
            sig.bootstrap_medians(values, videos, resamples=500, seed=seed).tobytes(),
            np.float64(sig.permutation_p(values, other, videos, seed=seed)).tobytes(),
        ])  # fmt: skip

    before, threads = all_of_it(1), numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        assert all_of_it(1) == before
    finally:
        numba.set_num_threads(threads)
    assert all_of_it(1) == before
    assert all_of_it(2) != before
    fewer = sig.bootstrap_means(sig.Clusters.of(values, videos), resamples=100, seed=1)
    assert (fewer == sig.bootstrap_means(sig.Clusters.of(values, videos), resamples=500, seed=1)[:100]).all()


def test_draws_are_even_and_resamples_and_seeds_have_nothing_to_do_with_one_another() -> None:
    size, count, resamples = 53, 500, 600
    first, second = (np.array(draws(seed, resamples, count, size)) for seed in (0, 1))
    for one in (first, second):
        assert stats.chisquare(np.bincount(one.ravel(), minlength=size)).pvalue > 0.001
        pairs = one[:, :-1] * size + one[:, 1:]
        assert stats.chisquare(np.bincount(pairs.ravel(), minlength=size**2)).pvalue > 0.001
        scaled = (one.mean(1) - (size - 1) / 2) / np.sqrt((size**2 - 1) / 12 / count)
        assert stats.kstest(scaled, "norm").pvalue > 0.001
    for one, other in [(first[:-1], first[1:]), (first, second), (first[1:], second[:-1])]:
        apart = stats.zscore(one, axis=1), stats.zscore(other, axis=1)
        correlations = (apart[0] * apart[1]).mean(1) * np.sqrt(count)
        assert stats.kstest(correlations, "norm").pvalue > 0.001
        assert (one == other).mean() == pytest.approx(1 / size, rel=0.05)


def test_what_makes_no_sense_is_refused() -> None:
    values = np.array([1.0, 2.0])
    with pytest.raises(BenchmarkError, match="2 queries and the clusters of 3"):
        sig.interval(values, ["a", "b", "c"])
    with pytest.raises(BenchmarkError, match="2 queries and the clusters of 3"):
        sig.bootstrap_medians(values, ["a", "b", "c"])
    for empty in (np.array([]), np.array([NAN, NAN])):
        with pytest.raises(BenchmarkError, match="without a single value"):
            sig.interval(empty)
        with pytest.raises(BenchmarkError, match="no value"):
            sig.median_interval(empty)
    with pytest.raises(BenchmarkError, match="infinite"):
        sig.interval(np.array([1.0, float("inf")]))
    with pytest.raises(BenchmarkError, match="infinite"):
        sig.permutation_p(np.array([float("inf")]), np.array([float("inf")]))
    with pytest.raises(BenchmarkError, match="2 queries and the other 1"):
        sig.permutation_p(values, values[:1])
    with pytest.raises(BenchmarkError, match="'a' has 2, 'b' has 1"):
        sig.compare({"a": values, "b": values[:1]})
    with pytest.raises(BenchmarkError, match="both 'a' and 'b'"):
        sig.compare({"a": np.array([1.0, NAN]), "b": np.array([NAN, 1.0])})
    with pytest.raises(BenchmarkError, match="at least one"):
        sig.bootstrap_means(sig.Clusters.of(values), draws=0)
    with pytest.raises(BenchmarkError, match="at least one"):
        sig.bootstrap_medians(values, resamples=0)
    with pytest.raises(BenchmarkError, match="between 0 and 1"):
        sig.interval(values, level=95)


def test_one_cluster_says_nothing_of_how_far_off_it_is() -> None:
    for found in (
        sig.interval(np.array([1.0, 3.0]), ["v", "v"]),
        sig.median_interval(np.array([1.0, 3.0]), ["v", "v"]),
        sig.interval(np.array([2.0, NAN]), ["v", "w"]),
        sig.median_interval(np.array([2.0, NAN]), ["v", "w"]),
    ):
        assert found.mean == 2
        assert np.isnan([found.low, found.high]).all()
    assert sig.permutation_p(np.array([1.0, 3.0]), np.array([0.0, 0.0]), ["v", "v"]) == 1


def test_equal_values_have_an_interval_of_no_width() -> None:
    values = np.full(30, 0.1)
    for found in (sig.interval(values), sig.median_interval(values)):
        assert (found.mean, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1), rel=1e-12)


def test_infinite_values_have_no_median_interval() -> None:
    """Half of two infinities apart would be a bound that is no number."""
    with pytest.raises(BenchmarkError, match="There is an infinite value"):
        sig.median_interval(np.array([1.0, 2.0, np.inf, np.inf]))
