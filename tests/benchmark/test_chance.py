"""Distances taken for scores are noticed; random scores, ties and lists that are cut off are not."""

from __future__ import annotations

import numpy as np
import pytest
import small_split as split

from tenk.benchmark import runs
from tenk.benchmark.chance import worse_than_chance
from tenk.benchmark.ids import Ids
from tenk.benchmark.measure import measure
from tenk.benchmark.protocol.evaluate import evaluate
from tenk.benchmark.protocol.report import report
from tenk.benchmark.scores import Given, Scores

SAID = "Are these distances? Higher must be better"


def model(sign: int, count: int = 40) -> Scores:
    names = [f"v{number}" for number in range(count)]
    table = sign * (np.eye(count) + np.random.default_rng(0).random((count, count)) / 2)
    return Scores(Given(table), Ids(names, what="query"), Ids(names, what="item"))


@pytest.mark.parametrize(("sign", "told"), [(1, False), (-1, True)])
def test_distances_are_noticed(sign: int, told: bool) -> None:
    for one in measure(model(sign), None, "hit@1", directions=("t2v", "v2t")):
        assert any(SAID in note for note in one.notes) == told
    of = split.captions(40, "f")
    table = sign * split.matrix(of, levels=2)
    said = report("Toy10k, val_1", [evaluate(of, split.scores(of, table))]).notes
    assert any(note.startswith("model, text to video: worse than chance") for note in said) == told


def test_chance_is_seldom_taken_for_worse() -> None:
    rng = np.random.default_rng(1)
    told = sum(bool(worse_than_chance(rng.integers(1, 1001, 1000).astype(float), 1000)) for _ in range(300))
    assert told <= 3
    assert not worse_than_chance(np.full(40, 20.5), 40), "all scores equal"
    assert not worse_than_chance(np.array([np.nan]), 40)


def test_lists_that_are_cut_off_say_little() -> None:
    assert not worse_than_chance(np.full(40, np.inf), 40, 10)
    assert worse_than_chance(np.full(40, np.inf), 40, 38)
    names = [f"v{number}" for number in range(40)]
    ranked = {name: [other for other in names if other != name][:3] for name in names}
    (found,) = measure(runs.from_lists(ranked), None, "hit@1")
    assert not any(SAID in note for note in found.notes)
