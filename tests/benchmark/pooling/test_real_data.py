"""ECCV Caption's real multi-positives, and MSVD's real captions, through the tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.fire_tables import eccv, judged, msvd, simulated

from tenk.benchmark.pooling.agreement import agreement
from tenk.benchmark.pooling.leave_out import table4
from tenk.benchmark.pooling.overlap import table3
from tenk.benchmark.pooling.pairs import pool
from tenk.benchmark.pooling.positives import positives_per_query
from tenk.benchmark.pooling.repaired import mean, table1
from tenk.benchmark.pooling.study import Study, study
from tenk.benchmark.pooling.textual_overlap import table7, textual_overlap
from tenk.benchmark.pooling.verdicts import repaired, verdicts

pytestmark = pytest.mark.real_data

GENERALIST, SISTER, SPECIALIST = (f"simulated {name}" for name in ("generalist", "its sister", "specialist"))


@pytest.fixture(scope="module")
def eccv_study(real_data: Path) -> Study:
    original, found, items = eccv(real_data)
    return study(simulated(original, found, items), original, found)


def test_positives_are_those_of_the_files(eccv_study: Study) -> None:
    assert (len(eccv_study.queries), len(eccv_study.items), eccv_study.left_out) == (1332, 5000, 0)
    assert np.mean([len(own) for own in eccv_study.repaired.values()]) == pytest.approx(8.47, abs=0.005)
    assert all(own <= eccv_study.repaired[query] for query, own in eccv_study.original.items())
    assert sum(positives_per_query(eccv_study).series[0].y) == 1332


def test_who_finds_what_was_not_labelled_gains_most(eccv_study: Study) -> None:
    for k in ("C@1", "C@5", "C@10"):
        gains = {m: mean(eccv_study.after[m][k]) - mean(eccv_study.before[m][k]) for m in eccv_study.models}
        assert gains[GENERALIST] > 0.4
        assert all(0 < gains[model] < 0.1 for model in (SISTER, SPECIALIST))
    # AP of a model that finds the original only falls: there is more to find.
    assert mean(eccv_study.after[SPECIALIST]["AP"]) < mean(eccv_study.before[SPECIALIST]["AP"])
    assert [row[0] for row in table1(eccv_study).rows] == ["C@1", "C@5", "C@10", "AP"]


def test_models_that_overlap_share_what_they_find(eccv_study: Study) -> None:
    overlaps = {str(row[0]): float(row[1] or 0) for row in table3(eccv_study).rows}
    assert overlaps[f"{SISTER} & {SPECIALIST}"] == max(overlaps.values())
    lost = {row[0]: row[2] for row in table4(eccv_study).rows if row[1] == "without its own"}
    assert max(lost, key=lambda name: lost[name] or 0) == GENERALIST


def test_judging_the_pool_finds_what_the_models_have(real_data: Path, eccv_study: Study) -> None:
    original, found, items = eccv(real_data)
    pairs = pool(simulated(original, found, items), original=original)
    labels = judged(pairs, found)
    planned = agreement(labels)
    assert planned.pairs == sum(pair.planned == 2 for pair in pairs.pairs)
    assert planned.pairs / len(pairs.pairs) == pytest.approx(0.1, abs=0.01)
    # Two who are wrong 3 times in 100 differ 5.82 times in 100.
    assert planned.rate == pytest.approx(1 - 2 * 0.03 * 0.97, abs=0.02)
    new = study(list(eccv_study.models.values()), original, repaired(original, verdicts(labels)))
    for model in new.models:
        assert mean(new.after[model]["C@10"]) == pytest.approx(mean(eccv_study.after[model]["C@10"]), abs=0.2)


def test_short_captions_of_msvd_overlap_more_with_training(real_data: Path) -> None:
    models, original, same, texts, training = msvd(real_data, 700)
    found = study(models, original, same)
    assert all(mean(found.after[model]["C@1"]) > mean(found.before[model]["C@1"]) for model in found.models)
    ordered = [texts[query] for query in found.queries.names]
    overlap = textual_overlap(ordered, training[:6000])
    rows = table7(overlap, ordered).rows
    assert all(isinstance(cell, float) and cell < -0.2 for row in rows for cell in row[1:])
