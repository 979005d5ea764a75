"""Random baselines on EPIC-KITCHENS-100 beside those that SVR publishes (Table 3): nDCG in percent, by each proxy.

    python tests/bench/epic_baselines.py [--data ../shared/data/epic100]

9,668 clips x 3,842 sentences. Nothing is tuned to the table. For each proxy: what is expected of random scores (closed
form), what draws of them give (mean and standard deviation of the mean of both directions), and the released code's
linear gain. The rows below the four are what else the paper may have meant: all words; the classes that annotators
gave; no 1 for a clip and its own sentence, as in the released code.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from ast import literal_eval
from pathlib import Path
from typing import Any

from tenk.benchmark import qrels
from tenk.benchmark.ids import Ids
from tenk.benchmark.qrels import Qrels
from tenk.benchmark.relevance import baseline, proxies
from tenk.benchmark.relevance.assembly import Captions, Proxy, assemble
from tenk.benchmark.relevance.matrix import About, Relevance
from tenk.benchmark.relevance.recipe import Recipe, make

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
    print(
        f"{'proxy':28} {'published':>9} {'expected':>9} {'drawn':>15} {'linear':>7} {'above 0':>8} {'left out':>9} {'s':>6}"
    )

    recipe = Recipe(classes=(folder / "EPIC_100_verb_classes.csv", folder / "EPIC_100_noun_classes.csv"))
    for name in ("bow", "pos", "syn", "meteor"):
        start = time.perf_counter()
        relevance = make(name, texts, videos, recipe, own=own)
        show(name, PUBLISHED[name], relevance, time.perf_counter() - start)
    start = time.perf_counter()
    show(
        "bow, all words",
        None,
        make("bow", texts, videos, Recipe(stop_words="none"), own=own),
        time.perf_counter() - start,
    )
    start = time.perf_counter()
    show("syn, annotated classes", None, annotated(texts, videos, own, clips), time.perf_counter() - start)
    for name in ("syn", "meteor"):
        start = time.perf_counter()
        bare = make(name, texts, videos, Recipe(classes=recipe.classes, diagonal=False), own=own)
        show(f"{name}, no diagonal", None, bare, time.perf_counter() - start)


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


def annotated(texts: Captions, videos: Captions, own: Qrels, clips: list[dict[str, str]]) -> Relevance:
    """SYN of the verb class and the noun classes that annotators gave each clip; a sentence has those of the first clip
    that it narrates."""
    classes: dict[str, tuple[set[Any], set[Any]]] = {}
    for row in clips:
        both = {row["verb_class"]}, set(literal_eval(row["all_noun_classes"]))
        classes[row["narration_id"]] = both
        classes.setdefault(row["narration"], both)
    one, other = ([classes[name][part] for name in videos] for part in (0, 1))
    verbs, nouns = ([classes[narration][part] for (narration,) in texts.values()] for part in (0, 1))
    proxy: Proxy = lambda rows, columns: proxies.of_sets([(one, verbs), (other, nouns)])  # noqa: E731
    return assemble(texts, videos, proxy, About(proxy="annotated"), own=own)


def show(name: str, published: float | None, relevance: Relevance, seconds: float) -> None:
    expected = baseline.expected(relevance).graded
    linear = baseline.expected(relevance, gain="linear").graded
    drawn = [100 * one.mean for one in baseline.drawn(relevance, DRAWS)]
    filled = len(relevance.qrels.items) / (len(relevance.queries) * len(relevance.items))
    print(
        f"{name:28} {published if published is not None else '':>9} {100 * expected.mean:9.2f} "
        f"{statistics.mean(drawn):9.2f} ± {statistics.stdev(drawn):.2f} {100 * linear.mean:7.2f} {filled:8.1%} "
        f"{'{} + {}'.format(*expected.left_out):>9} {seconds:6.1f}"
    )


if __name__ == "__main__":
    main()
