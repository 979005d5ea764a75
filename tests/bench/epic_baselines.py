"""Random baselines on EPIC-KITCHENS-100 beside those that SVR publishes (Table 3): nDCG in percent, by each proxy.

    python tests/bench/epic_baselines.py [--data ../shared/data/epic100]

9,668 clips x 3,842 sentences. Nothing is tuned to the table. For each proxy: what is expected of random scores (closed
form), what draws of them give (mean and standard deviation of the mean of both directions), and the released code's
linear gain; queries left out are sentences + clips. The rows below the four are what else the paper may have meant: all
words; the verbs, nouns and classes that annotators gave; no 1 for a clip and its own sentence, as in the released code.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance import baseline, proxies
from tenk.benchmark.relevance.assembly import Captions, assemble
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.relevance.recipe import NAMES, Recipe, make

PUBLISHED = {"bow": 11.7, "pos": 4.5, "syn": 10.7, "meteor": 13.0}
DRAWS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/epic100"))
    folder = parser.parse_args().data
    clips, sentences = (rows(folder / f"EPIC_100_retrieval_test{end}.csv") for end in ("", "_sentence"))
    texts: Captions = {row["narration_id"]: (row["narration"],) for row in sentences}
    videos: Captions = {row["narration_id"]: (row["narration"],) for row in clips}
    own = same(texts, videos)
    print(f"{len(videos):,} clips x {len(texts):,} sentences, {len(own.items):,} pairs of one narration")
    head = ("published", "expected", "drawn", "linear", "above 0", "left out", "s")
    print(("{:24}" + "{:>14}" * len(head)).format("proxy", *head))
    tables = (folder / "EPIC_100_verb_classes.csv", folder / "EPIC_100_noun_classes.csv")
    recipe, bare = Recipe(classes=tables), Recipe(classes=tables, diagonal=False)
    for name in NAMES:
        show(name, PUBLISHED[name], lambda name=name: make(name, texts, videos, recipe, own=own))
    show("bow, all words", None, lambda: make("bow", texts, videos, Recipe(stop_words="none"), own=own))
    show("pos, annotated words", None, lambda: annotated(texts, videos, own, clips, "verb", "all_nouns"))
    show("syn, annotated classes", None, lambda: annotated(texts, videos, own, clips, "verb_class", "all_noun_classes"))
    for name in NAMES:
        show(f"{name}, no diagonal", None, lambda name=name: make(name, texts, videos, bare, own=own))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def same(texts: Captions, videos: Captions) -> Qrels:
    """A sentence belongs to all clips that were narrated with it."""
    by_text: dict[str, list[str]] = {}
    for clip, (narration,) in videos.items():
        by_text.setdefault(narration, []).append(clip)
    found = [(name, clip) for name, (narration,) in texts.items() for clip in by_text[narration]]
    return qrels.from_pairs(Ids(texts, what="query"), Ids(videos, what="item"), found)


def annotated(
    texts: Captions, videos: Captions, own: Qrels, clips: list[dict[str, str]], verb: str, nouns: str
) -> Relevance:
    """By the verb and the nouns that annotators gave each clip; a sentence has those of the first clip it narrates."""
    sets: dict[str, tuple[set[Any], set[Any]]] = {}
    for row in clips:
        both = {row[verb]}, set(literal_eval(row[nouns]))
        sets[row["narration_id"]] = both
        sets.setdefault(row["narration"], both)
    parts = [
        ([sets[name][part] for name in videos], [sets[narration][part] for (narration,) in texts.values()])
        for part in (0, 1)
    ]
    return assemble(texts, videos, lambda *_: proxies.of_sets(parts), About(proxy="annotated"), own=own)


def show(name: str, published: float | None, made: Callable[[], Relevance]) -> None:
    start = time.perf_counter()
    relevance = made()
    seconds = time.perf_counter() - start
    expected = baseline.expected(relevance).graded
    linear = baseline.expected(relevance, gain="linear").graded
    drawn = [100 * one.mean for one in baseline.drawn(relevance, DRAWS)]
    filled = len(relevance.qrels.items) / (len(relevance.queries) * len(relevance.items))
    print(
        f"{name:24}{'' if published is None else published:>14}{100 * expected.mean:14.2f}"
        f"{f'{statistics.mean(drawn):.2f} ± {statistics.stdev(drawn):.2f}':>14}{100 * linear.mean:14.2f}"
        f"{filled:14.1%}{'{} + {}'.format(*expected.left_out):>14}{seconds:14.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
