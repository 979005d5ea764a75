"""Krippendorff's alpha against the package of that name, and what has none."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pooling_helpers import close, judged

from tenk.benchmark.pooling.agreement import agreement, by_count, of_labels

LABELS = ["relevant", "irrelevant", "unsure"]


@settings(max_examples=300)
@given(st.lists(st.lists(st.sampled_from(LABELS), max_size=4), min_size=1, max_size=12))
def test_alpha_is_that_of_the_package(units: list[list[str]]) -> None:
    found = of_labels(units)
    several = [unit for unit in units if len(unit) > 1]
    values = {label for unit in several for label in unit}
    if len(values) < 2:
        assert found.alpha is None
        assert found.reason == (f"all labels are {min(values)!r}" if values else "no pair has two labels")
        return
    counts = np.array([[unit.count(label) for label in LABELS] for unit in units])
    assert found.alpha == close(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    assert (found.pairs, found.labels) == (len(several), sum(map(len, several)))
    assert found.rate == close(fmean(fmean(a == b for a, b in combinations(unit, 2)) for unit in several))


def test_random_data_of_a_large_study() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(3000) < 0.12
    flips = rng.random((3, 3000)) < 0.04
    labels = np.where(truth ^ flips, "relevant", "irrelevant")
    kept = rng.integers(1, 4, 3000)
    units = [list(labels[:many, unit]) for unit, many in enumerate(kept)]
    data = [[(value == "relevant") * 1.0 for value in labels[row]] for row in range(3)]
    for unit, many in enumerate(kept):
        for row in range(many, 3):
            data[row][unit] = np.nan
    assert of_labels(units).alpha == close(krippendorff.alpha(np.array(data), level_of_measurement="nominal"))


def test_a_third_label_that_was_called_for_is_left_out() -> None:
    given = [judged("q", item, "x", "relevant") for item in "abcd"]
    given += [judged("q", item, "y", "relevant" if item in "ab" else "irrelevant", 2) for item in "abcd"]
    planned = agreement(given)
    given += [judged("q", item, "z", "irrelevant", 3) for item in "cd"]
    assert agreement(given) == planned
    assert planned.rate == 0.5
    everything = agreement(given, rounds=(1, 2, 3))
    assert everything.alpha is not None
    assert planned.alpha is not None
    assert everything.alpha > planned.alpha
    assert everything.labels == 10


def test_agreement_by_the_number_of_labels() -> None:
    given = [judged("q", "a", name, "relevant") for name in "xyz"] + [judged("q", "b", "x", "relevant")]
    given += [judged("q", "c", "x", "relevant"), judged("q", "c", "y", "irrelevant", 2)]
    given += [judged("q", "d", "x", "relevant"), judged("q", "d", "y", "relevant", 2)]
    assert {count: found.rate for count, found in by_count(given).items()} == {2: 0.5, 3: 1.0}


@pytest.mark.parametrize("units", [[], [["relevant"]], [["relevant", "relevant"], ["relevant"]]])
def test_degenerate_data_has_no_alpha_and_a_reason(units: list[list[str]]) -> None:
    found = of_labels(units)
    assert found.alpha is None
    assert found.reason
