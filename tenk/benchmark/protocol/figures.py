"""Evaluations in, the paper's Figures 2 and 3 out: what rewording costs, and how often each video is found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure, Series
from tenk.benchmark.protocol.evaluate import Evaluation
from tenk.benchmark.protocol.groups import in_order
from tenk.benchmark.protocol.measures import measured


def difference_to_full(evaluations: Sequence[Evaluation], of: str) -> Figure | None:
    """Figure 2: how far R@1 of each code is from that of the full caption, in percent of the latter.

    `of` names the dataset. Models whose R@1 of the full caption is 0 or unknown are left out; None where there is
    nothing to see.
    """
    series = []
    for each in _with_first(evaluations):
        ones = measured(each.captions.codes, each.to_video, "R@1")
        codes = [code for code in in_order(each.captions.codes) if code != "f"]
        if codes and (full := ones.get("f", 0.0)):
            series.append(Series(each.model, tuple(codes), tuple(100 * (ones[code] - full) / full for code in codes)))
    if not series:
        return None
    title = f"R@1 against that of the full caption, {of}"
    return Figure(
        "difference-to-full", title, "bar", "Caption", "Change of R@1 relative to Full (%)", tuple(series), by="Model"
    )


def found_by(evaluations: Sequence[Evaluation]) -> tuple[npt.NDArray[np.int64], int]:
    """In how many of the pairs of a model and a code each video of the pool is the first result; the number of pairs.

    Partial captions are left out. A video that shares the first place counts as often as chance would have it there,
    to the nearest whole number.
    """
    first = evaluations[0].captions
    places = {video: place for place, video in enumerate(first.pool)}
    codes = set(first.codes) - {"p"}
    counted = np.array([code in codes for code in first.codes])
    own = np.array([places[video] for video in first.videos])[counted]
    found = np.zeros(len(places))
    for each in evaluations:
        found += np.bincount(own, each.to_video.hits[1][counted], len(places))
    return np.rint(found).astype(np.int64), len(codes) * len(evaluations)


def difficulty(evaluations: Sequence[Evaluation], of: str) -> tuple[Figure, ...]:
    """Figure 3: how many videos are the first result of how many model-caption pairs, and of at least as many.

    None of models whose first places are not known.
    """
    evaluations = _with_first(evaluations)
    if not evaluations:
        return ()
    found, pairs = found_by(evaluations)
    counts = np.bincount(found, minlength=pairs + 1)
    at_least = np.cumsum(counts[::-1])[::-1]
    models = ", ".join(each.model for each in evaluations)
    shown = (
        ("difficulty", "by the number of pairs that find them first", counts),
        ("difficulty-cumulative", "that at least so many pairs find first", at_least),
    )
    first, second = (
        Figure(
            name,
            f"Videos {how}, {of}",
            "bar",
            "Pairs of a model and a caption",
            "Videos",
            (_line(of, numbers),),
            by="Dataset",
            note=f"Models: {models}. Captions: all but the partial one.",
        )
        for name, how, numbers in shown
    )
    return first, second


def _with_first(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Those of which the first place of every caption is known: a ranked list may be empty."""
    return [each for each in evaluations if 1 in each.to_video.hits]


def _line(name: str, counts: npt.NDArray[np.int64]) -> Series:
    return Series(name, tuple(range(len(counts))), tuple(counts.tolist()))
