"""FIRE's tables on real labels and captions. Prints; deterministic but for the seconds.

    python tests/bench/fire_tables.py [--data ../shared/data] [--queries N] [--figures FOLDER]

ECCV Caption: 1,332 captions of COCO with one original image each, and the images that people (ECCV and CxC) found to
match as well. There are no texts and no model's scores in it: the models are SIMULATED, with noise that is seeded by
ids, and so are the annotators of Table 2. What is real is how positives are spread.

MSVD's test split: captions with even numbers look for the video that the captions with odd numbers describe, by TF-IDF
and BM25 over words. The original positive is the caption's own video; the repaired ones are all videos that somebody
described with the very same words. Table 7 is of its captions against those of the training split; the paper's is of
MSR-VTT, whose training captions are not at hand.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np

from tenk.benchmark.identify import lexical
from tenk.benchmark.ids import Ids
from tenk.benchmark.pooling.judgements import Judgement
from tenk.benchmark.pooling.lines import write_lines
from tenk.benchmark.pooling.pairs import Pool, pool
from tenk.benchmark.pooling.report import Report, rendered, write_report
from tenk.benchmark.pooling.study import Study, study
from tenk.benchmark.pooling.textual_overlap import table7, textual_overlap
from tenk.benchmark.pooling.verdicts import repaired, todo, verdicts
from tenk.benchmark.scores import Given, Scores
from tenk.benchmark.tables import text
from tenk.report.plots import write_figures

Positives = dict[str, set[str]]

ERRORS = 0.03
"""How often a simulated annotator is wrong."""

MODELS = {"generalist": (2.6, 2.4), "specialist": (2.6, 0.6), "its sister": (2.5, 0.6)}
"""SIMULATED: what the scores of an original positive and of others are raised by, in standard deviations of noise."""

SHARED = {"its sister": "specialist"}
"""Whose noise a model has half of."""


def positives(path: Path) -> Positives:
    found = json.loads(path.read_text(encoding="utf-8"))
    return {query: set(map(str, items)) for query, items in found.items()}


def eccv(data: Path) -> tuple[Positives, Positives, list[str]]:
    """Of the 1,332 captions: original and found positives; and the 5,000 images."""
    folder = data / "eccv_caption"
    every = positives(folder / "original_caption_to_image.json")
    eccv, cxc = (positives(folder / f"{name}_caption_to_image.json") for name in ("eccv", "cxc"))
    original = {query: every[query] for query in eccv}
    found = {query: eccv[query] | cxc.get(query, set()) for query in eccv}
    return original, found, sorted({item for items in every.values() for item in items})


def simulated(original: Positives, found: Positives, items: list[str]) -> list[Scores]:
    """A model each of MODELS, no more than noise around what is relevant."""
    queries = sorted(original)
    places = {item: place for place, item in enumerate(items)}
    out = []
    for name, (first, others) in MODELS.items():
        table = np.empty((len(queries), len(items)), np.float32)
        for row, query in enumerate(queries):
            table[row] = _noise(name, query, len(items))
            if name in SHARED:
                table[row] = (table[row] + _noise(SHARED[name], query, len(items))) / np.sqrt(2)
            table[row, [places[item] for item in sorted(found[query] - original[query])]] += others
            table[row, [places[item] for item in sorted(original[query])]] += first
        out.append(Scores(Given(table), Ids(queries, what="query"), Ids(items, what="item"), f"simulated {name}"))
    return out


def judged(pairs: Pool, found: Positives) -> list[Judgement]:
    """SIMULATED: people who are right but for ERRORS, asked for all that `todo` wants."""
    given: list[Judgement] = []
    for annotator in ("first", "second", "third"):
        asked = {(each.query, each.item): each for each in reversed(list(todo(pairs.pairs, given)))}
        for key in sorted(asked):
            right = asked[key].item in found[asked[key].query]
            wrong = Random(json.dumps([annotator, *key])).random() < ERRORS
            label = "relevant" if right != wrong else "irrelevant"
            one = {"query": key[0], "item": key[1], "annotator": annotator, "label": label, "round": asked[key].round}
            given.append(Judgement.model_validate(one))
    return given


def msvd(data: Path, most: int | None) -> tuple[list[Scores], Positives, Positives, dict[str, str], list[str]]:
    """Models, original and repaired positives, the texts of the queries, and training captions."""
    folder = data / "msvd"
    captions = json.loads((folder / "captions_msvd.json").read_text(encoding="utf-8"))
    test, train = ((folder / f"{name}_list.txt").read_text(encoding="utf-8").split() for name in ("test", "train"))
    texts = {f"{video}/{n}": captions[video][n] for video in test for n in range(0, len(captions[video]), 2)}
    chosen = dict(list(texts.items())[:most])
    described: dict[str, set[str]] = {}
    for video in test:
        for caption in captions[video]:
            described.setdefault(caption, set()).add(video)
    original = {query: {query.rpartition("/")[0]} for query in chosen}
    same = {query: described[caption] for query, caption in chosen.items()}
    documents = [" ".join(captions[video][1::2]) for video in test]
    queries, items = Ids(chosen, what="query"), Ids(test, what="item")
    models = lexical.scores(queries, list(chosen.values()), items, documents)
    return models, original, same, chosen, [caption for video in train for caption in captions[video]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--queries", type=int, help="only the first N captions of MSVD")
    parser.add_argument("--figures", type=Path, help="folder for tables and figures")
    arguments = parser.parse_args()

    with heading("ECCV Caption: simulated models, real multi-positives"):
        original, found, items = eccv(arguments.data)
        models = simulated(original, found, items)
        share = np.mean([len(found[query] | original[query]) for query in original])
        print(f"{len(original):,} captions, {len(items):,} images, {share:.2f} positives a caption\n")
        report(study(models, original, found), arguments.figures, "eccv")
    with heading("ECCV Caption: pooled, judged by simulated annotators"):
        pairs = pool(models, original=original)
        labels = judged(pairs, found)
        write_if(arguments.figures, lambda folder: write_lines(folder / "eccv-pairs.jsonl", pairs.pairs))
        print(f"{len(pairs.pairs):,} pairs of the first 10, {pairs.left_out:,} original ones left out\n")
        new = study(models, original, repaired(original, verdicts(labels)))
        report(new, arguments.figures, "eccv-judged", judgements=labels, pairs=len(pairs.pairs))
    with heading("MSVD: captions by their words, repaired by captions of the same words"):
        models, original, same, texts, training = msvd(arguments.data, arguments.queries)
        found_ = study(models, original, same)
        ordered = [texts[query] for query in found_.queries.names]
        print(f"{len(texts):,} queries, {len(found_.items):,} videos\n")
        report(found_, arguments.figures, "msvd", texts=ordered)
    with heading("MSVD: textual overlap with the training split"):
        print(f"{len(ordered):,} captions against {len(training):,}\n")
        for analysis in ("paper", "code"):
            with seconds(f"n-grams as in the {analysis}"):
                overlap = textual_overlap(ordered, training, analysis)
            print(f"mean overlap {overlap.mean():.3f}, {np.mean(overlap > 0.99):.1%} above 0.99")
            print(text(table7(overlap, ordered)))
        print("published for MSR-VTT: words -0.419 -0.296, characters -0.479 0.334 (probably -0.334)")


def report(found: Study, folder: Path | None, name: str, **given: object) -> None:
    made = Report(found, **given)  # type: ignore[arg-type]
    print(rendered(made, "text"))
    write_if(folder, lambda folder: (write_report(made, folder / name), write_figures(folder / name, made.figures())))


def write_if(folder: Path | None, write: Callable[[Path], object]) -> None:
    if folder is not None:
        write(folder)


@contextmanager
def heading(title: str) -> Iterator[None]:
    print(f"== {title}\n")
    with seconds("this took"):
        yield


@contextmanager
def seconds(what: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - begun:.1f} s\n", flush=True)


def _noise(model: str, query: str, items: int) -> np.ndarray:
    seed = hashlib.sha256(json.dumps([model, query]).encode()).digest()
    return np.random.default_rng(list(seed)).standard_normal(items, np.float32)


if __name__ == "__main__":
    sys.exit(main())
