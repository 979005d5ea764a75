"""The reference values that were computed with other people's code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import relevance, table

from tenk.benchmark import metrics, standing, tools
from tenk.benchmark.ties import by_place

FOLDER = (
    Path(os.environ.get("TENK_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")).parent / "fixtures"
)
pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="needs ../shared/fixtures (TENK_TEST_DATA)"),
]


def cases(name: str) -> list[Any]:
    """Of one file; those of an absent one are none, and its tests are skipped."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8"))["cases"] if path.is_file() else []


def numbers(values: Any) -> Any:
    """NaN is written as text there."""
    return [float(value) for value in values] if isinstance(values, list) else float(values)


@pytest.mark.parametrize("case", cases("ranks.json"), ids=lambda case: case["name"])
def test_ranks_of_other_tools(case: dict[str, Any]) -> None:
    scores = np.array(case["text_by_video_sims"])
    of = np.arange(scores.shape[0]) // case["captions_per_video"]
    there, back = standing.both(table(scores, float), relevance(of[:, None] == np.arange(scores.shape[1])))
    for name, found in (("collab_experts_t2v", there), ("collab_experts_v2t", back)):
        assert tools.summary(tools.collaborative_experts(found)) == pytest.approx(case[name])
    if "clip4clip_compute_metrics" in case:
        theirs = case["clip4clip_compute_metrics"]
        ranks = tools.clip4clip(there)
        assert ranks.tolist() == [place + 1 for place in theirs["cols"]]
        ours = tools.summary(ranks)
        assert {"R1": ours["R1"], "R5": ours["R5"], "R10": ours["R10"], "MR": ours["MedR"], "MeanR": ours["MeanR"]} == (
            pytest.approx({key: theirs[key] for key in ("R1", "R5", "R10", "MR", "MeanR")})
        )


@pytest.mark.parametrize("case", cases("ndcg.json"), ids=lambda case: case["name"])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_ndcg_of_svr(case: dict[str, Any], gain: Any) -> None:
    """Rows are videos there, and the last of tied items comes first."""
    scores, qrels = table(case["sim"], float), relevance(case["rel"])
    turned = table(np.transpose(case["sim"]), float)
    there = by_place(standing.standing(scores, qrels), scores, -np.arange(len(scores.items)))
    back = by_place(
        standing.standing(turned, relevance(np.transpose(case["rel"]))), turned, -np.arange(len(turned.items))
    )
    short = "exp" if gain == "exponential" else gain
    for found, key in ((there, f"v2t_per_query_{short}"), (back, f"t2v_per_query_{short}")):
        assert metrics.ndcg(found, "relevant", gain) == pytest.approx(numbers(case[key]), nan_ok=True)
