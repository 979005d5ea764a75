"""What is reported of ranks, against plain formulas."""

from __future__ import annotations

import numpy as np
import pytest
import small_split as split

from tenk.benchmark.protocol.measures import MEASURES, a_caption, measured, named
from tenk.errors import BenchmarkError


def test_measures_of_groups_and_codes() -> None:
    of = split.captions(30)
    rng = np.random.default_rng(0)
    first = rng.integers(1, 25, len(of.ids)).astype(float)
    ranks, codes = split.evaluation(of, first).to_video, np.array(of.codes)

    def recall(members: list[str], k: int) -> float:
        return float(np.mean([100 * np.mean(first[codes == code] <= k) for code in members]))

    short = ["s", "s+e", "s+i", "s+u"]
    every = ["p", *short, "l", "e", "i", "u"]
    for column, members in (("Short", short), ("All", every), ("m", ["m"])):
        of_three = [recall(members, k) for k in (1, 5, 10)]
        wanted = {
            "R@5": of_three[1],
            "Avg. R": np.mean(of_three),
            "R@sum": np.sum(of_three),
            "GeoMean": np.prod(of_three) ** (1 / 3),
            "MedR": np.median(first[np.isin(codes, members)]),
            "MeanR": np.mean([first[codes == code].mean() for code in members]),
        }
        assert {name: measured(of.codes, ranks, name)[column] for name in wanted} == pytest.approx(wanted)
    assert list(measured(of.codes, ranks, "MedR")) == list(measured(of.codes, ranks, "R@1"))


@pytest.mark.parametrize("name", [name for name, measure in MEASURES.items() if measure.linear])
def test_a_linear_measure_is_the_mean_of_its_captions(name: str) -> None:
    of = split.captions(9, ("f",))
    ranks = split.evaluation(of, np.arange(1.0, 19.0, 2)).to_video
    assert a_caption(ranks, MEASURES[name]).mean() == pytest.approx(measured(of.codes, ranks, name)["f"])


def test_names() -> None:
    assert named("r@1,AvgR, Avg. R,MEDR") == ("R@1", "Avg. R", "MedR")
    assert named("all") == tuple(MEASURES)
    assert named("hit@1,correct@5,average_recall,rsum,gm,median_rank,mean_rank") == (
        "R@1",
        "R@5",
        "Avg. R",
        "R@sum",
        "GeoMean",
        "MedR",
        "MeanR",
    ), "names of tenk measure"
    with pytest.raises(BenchmarkError, match=r"no metric 'R@3'. There are: R@1, R@5"):
        named("R@1,R@3")
