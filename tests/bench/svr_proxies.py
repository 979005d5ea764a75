"""Captions in, how long SVR's proxies between all of them take out, METEOR beside NLTK's in the same run, and memory.

    python tests/bench/svr_proxies.py [--data ../shared/data] [--sample 2000] [--whole]

The captions are ActivityNet's paragraphs of val_1, 4,917 x 4,917; without the data, those of the bundled sample. IoU
is timed from sets of words as numbers; tags and Lesk, which come before it, are timed apart. NLTK scores a sample
of pairs, which must be equal to the last bit. Peak memory is that of a process of its own, over what it had after its
imports and a first small call, as a multiple of the matrix. `--whole` adds MSVD's test captions, MSR-VTT 1k-A with 20
captions a video, and EPIC-KITCHENS-100 with its tables of classes.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np
from nltk.translate.meteor_score import single_meteor_score

from tenk.benchmark.relevance import proxies
from tenk.benchmark.relevance.classes import Classes, read_classes
from tenk.benchmark.relevance.overlap import Sets, number, overlap
from tenk.benchmark.relevance.senses import Senses
from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet
from tenk.benchmark.relevance.words import Captions, Tagger, meant, part_sets, word_sets, written
from tenk.memory import give_back
from tenk.nlp import stop_words
from tenk.sources import read

FEW = [["A man rides a horse."], ["Dogs are playing.", "A hound plays."]]
Result = TypeVar("Result")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of real annotations")
    parser.add_argument("--sample", type=int, default=2000, help="pairs that NLTK scores")
    parser.add_argument("--whole", action="store_true", help="MSVD, MSR-VTT and EPIC-KITCHENS too")
    arguments = parser.parse_args()

    captions = paragraphs(arguments.data)
    print(f"{len(captions):,} paragraphs; a matrix is {len(captions) ** 2 * 8 / 1e6:.0f} MB")
    # In processes of their own, started before this one has grown.
    for name in proxies.PROXIES:
        print(f"{name}: peak memory {peak(name, captions):.2f} times the matrix (at most 1.5)")
    for proxy in proxies.PROXIES.values():
        proxy(FEW, FEW)
    wordnet, seconds = timed(open_wordnet)
    print(f"opening WordNet {wordnet.get_version()}: {seconds:.1f} s")
    overlaps(captions, wordnet)
    meteors(captions, wordnet, arguments.sample)
    if arguments.whole:
        others(arguments.data, wordnet)


def paragraphs(data: Path) -> Captions:
    there = (data / "activitynet").is_dir()
    reading = read("activitynet", data / "activitynet", "val_1") if there else read("sample", None, "val_1")
    return [[video.paragraph] for video in reading.videos]


def overlaps(captions: Captions, wordnet: WordNet) -> None:
    tagger, senses = Tagger(), Senses(wordnet)
    tags, seconds = timed(lambda: tagger.tag(text for some in captions for text in some))
    print(f"tags: {seconds:.1f} s")
    find = meant(tags, senses, lower=True)
    synsets, first = timed(lambda: part_sets(captions, find, 0.25))
    _, again = timed(lambda: part_sets(captions, find, 0.25))
    print(f"Lesk: {first:.1f} s, and {again:.2f} s when all is known")
    words = word_sets(captions, stop_words=stop_words(), lower=True, how="spaces", share=0.25)
    verbs_and_nouns = part_sets(captions, written(tags, lower=True), 0.25)
    for name, parts in (("bow", [words]), ("pos", verbs_and_nouns), ("syn", synsets)):
        numbers = [number(sets)[0] for sets in parts]
        seconds = statistics.median(timed(lambda numbers=numbers: iou(numbers))[1] for _ in range(7))
        print(f"{name}: {seconds:.2f} s for the IoU of all pairs (under 1)")


def iou(parts: list[Sets]) -> None:
    out = np.zeros((len(parts[0]), len(parts[0])))
    for sets in parts:
        overlap(sets, sets, weight=1 / len(parts), out=out)


def meteors(captions: Captions, wordnet: WordNet, sample: int) -> None:
    times = []
    for _ in range(3):
        matrix, seconds = timed(lambda: proxies.meteor(captions, captions, wordnet=wordnet))
        times.append(seconds)
    ours = statistics.median(times)
    pairs = np.random.default_rng(0).integers(0, len(captions), (sample, 2)).tolist()
    words = [some[0].split() for some in captions]
    wanted, seconds = timed(lambda: [single_meteor_score(words[i], words[j], wordnet=wordnet) for i, j in pairs])
    equal = sum(matrix[i, j] == score for (i, j), score in zip(pairs, wanted, strict=True))
    theirs = seconds / sample * len(captions) ** 2
    print(f"METEOR: {ours:.1f} s for all pairs, words to numbers included (under 60), median of {len(times)}")
    print(f"NLTK: {sample / seconds:,.0f} pairs a second, {theirs / 3600:.1f} h for all pairs")
    print(f"ratio: {theirs / ours:,.0f} (at least 400)")
    print(f"equal to the last bit: {equal:,} of {sample:,}")


def peak(name: str, captions: Captions) -> float:
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_peak, (name, captions))


def _peak(name: str, captions: Captions) -> float:
    proxy = proxies.PROXIES[name]
    proxy(FEW, FEW)
    gc.collect()
    give_back()
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    matrix = proxy(captions, captions)
    return (memory("VmHWM") - before) / matrix.nbytes


def memory(what: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(what))


def others(data: Path, wordnet: WordNet) -> None:
    tagger, senses = Tagger(), Senses(wordnet)
    epic = data / "epic100"
    classes = Classes(*(read_classes(epic / f"EPIC_100_{kind}_classes.csv") for kind in ("verb", "noun")), wordnet)
    msvd = json.loads((data / "msvd" / "captions_msvd.json").read_text(encoding="utf-8"))
    test = [msvd[name] for name in (data / "msvd" / "test_list.txt").read_text(encoding="utf-8").split()]
    msrvtt = json.loads((data / "msrvtt" / "test_info_1kA_20caps.json").read_text(encoding="utf-8"))
    videos = list(msrvtt["video_to_sentence_mapping"].values())
    with (epic / "EPIC_100_retrieval_test.csv").open(encoding="utf-8", newline="") as file:
        narrations = [row["narration"] for row in csv.DictReader(file)]
    for title, rows, columns, meanings in (
        ("MSVD test, videos x captions", test, [[caption] for some in test for caption in some], senses),
        ("MSR-VTT 1k-A, videos x videos", videos, videos, senses),
        ("EPIC-KITCHENS-100 test, clips x sentences", alone(narrations), alone(dict.fromkeys(narrations)), classes),
    ):
        print(f"{title}, {len(rows):,} x {len(columns):,}")
        show("bow", proxies.bow, rows, columns)
        show("pos", proxies.pos, rows, columns, tagger=tagger)
        show("syn", proxies.syn, rows, columns, tagger=tagger, meanings=meanings)
        show("meteor", proxies.meteor, rows, columns, wordnet=wordnet)


def show(name: str, proxy: Callable[..., proxies.Matrix], *given: Captions, **options: object) -> None:
    matrix, seconds = timed(lambda: proxy(*given, **options))
    above = np.count_nonzero(matrix) / matrix.size
    print(f"  {name}: {seconds:.1f} s, mean {matrix.mean():.4f}, highest {matrix.max():.4f}, {above:.1%} above 0")


def alone(captions: Iterable[str]) -> Captions:
    return [[caption] for caption in captions]


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


if __name__ == "__main__":
    main()
