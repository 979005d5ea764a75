"""Ids that were written another way are recognised, and the message says the mend; others are only listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import small_split as split

from tenk.benchmark.hints import hint
from tenk.benchmark.ids import Ids
from tenk.benchmark.protocol.evaluate import evaluate, evaluate_run
from tenk.benchmark.runs import from_lists
from tenk.benchmark.scores import Given, Scores
from tenk.errors import BenchmarkError

PLAIN = split.captions(5, ("f", "s"))
OF = replace(PLAIN, sources={video: f"source {number}" for number, video in enumerate(PLAIN.pool)})


def made(queries: list[str], items: list[str]) -> Scores:
    return Scores(Given(np.eye(len(queries), len(items))), Ids(queries, what="query"), Ids(items, what="item"), "m")


def source(name: str) -> str:
    video, tab, code = name.rpartition("\t") if name in OF.ids else (name, "", "")
    return f"{OF.sources[video]}{tab}{code}"


WAYS: list[tuple[Callable[[str], str], str]] = [
    (lambda name: f"{name}.MP4", "leave these out"),
    (lambda name: "/".join(name.rsplit("\t", 1)), "They have '/' between video and code: write a tab"),
    (lambda name: "_".join(name.rsplit("\t", 1)), "They have '_' between"),
    (source, "They are source_ids"),
    (lambda name: name.rpartition("\t")[0], "They are ids of videos: write VIDEO<tab>CODE"),
    (lambda name: f"x{name}", "A caption's id is VIDEO<tab>CODE"),
]


@pytest.mark.parametrize(("way", "said"), WAYS)
def test_ids_of_captions_are_recognised(way: Callable[[str], str], said: str) -> None:
    queries = list(dict.fromkeys(map(way, OF.ids)))
    with pytest.raises(BenchmarkError) as told:
        evaluate(OF, made(queries, list(OF.pool)))
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("way", "said"),
    [(lambda name: f"{name}.webm", "leave these out"), (source, "They are source_ids"), (lambda _: "", "all videos")],
)
def test_ids_of_videos_are_recognised(way: Callable[[str], str], said: str) -> None:
    with pytest.raises(BenchmarkError) as told:
        evaluate(OF, made(list(OF.ids), list(dict.fromkeys(map(way, OF.pool)))))
    assert said in str(told.value)
    run = from_lists({each: [way(video) for video in OF.pool[:1]] for each in OF.ids})
    with pytest.raises(BenchmarkError, match="it ranks 1 items that are no videos"):
        evaluate_run(OF, run)


def test_a_matrix_that_was_turned_is_recognised() -> None:
    with pytest.raises(BenchmarkError, match="it looks transposed"):
        evaluate(OF, made(list(OF.pool), list(OF.ids)))


def test_nothing_is_guessed() -> None:
    assert hint(["a.mp4", "b", "c"], ["a", "x", "y"]) == ""
    assert hint([], ["a"]) == ""
