"""Models that read words, not videos, and real benchmarks for them: what the README's tables of measuring are made of.

    python tests/bench/lexical_models.py 10k FOLDER/ActivityNet10k OUT
    python tests/bench/lexical_models.py msrvtt DATA OUT       DATA is the folder of real annotations
    python tests/bench/lexical_models.py msvd DATA OUT

No video model is to be had without weights and videos. So what stands for a video here is text about it that the query
was not made from, or not only: each model has embeddings of both, of 256 dimensions.

    words      TF-IDF of words
    letters    TF-IDF of runs of 3 to 5 letters within words

    10k        queries are all captions; a video is every other event of its paragraph, from the first on
    msrvtt     queries are the 1,000 test sentences of 1k-A; a video is its other captions
    msvd       queries are half of the captions of the 670 test videos, as seeded by the video's id; a video is the
               other half. Two label files: original.json, a caption's own video, and repaired.json, all videos that
               any annotator gave the same caption (the same words, whatever their case)
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

DIMENSIONS = 256
MODELS = {"words": {"analyzer": "word"}, "letters": {"analyzer": "char_wb", "ngram_range": (3, 5)}}

Texts = Mapping[str, str]


def ten_thousand(dataset: Path, out: Path) -> tuple[Texts, Texts]:
    from tenk.dataset.load import rows, splits

    queries: dict[str, str] = {}
    videos: dict[str, str] = {}
    for split in splits(dataset):
        queries |= {f"{row['video_id']}\t{row['code']}": row["text"] for row in rows(dataset, "captions", split)}
        for row in rows(dataset, "videos", split):
            events = sorted(row["events"], key=lambda event: event["start"])
            videos[row["id"]] = " ".join(event["text"] for event in events[::2])
    return queries, videos


def msrvtt(data: Path, out: Path) -> tuple[Texts, Texts]:
    with (data / "msrvtt/MSRVTT_JSFUSION_test.csv").open(encoding="utf-8", newline="") as file:
        queries = {row["video_id"]: row["sentence"] for row in csv.DictReader(file)}
    captions = json.loads((data / "msrvtt/test_info_1kA_20caps.json").read_text())["video_to_sentence_mapping"]
    others = {video: [text for text in captions[video] if text != query] for video, query in queries.items()}
    write(out / "captions.json", {video: captions[video] for video in queries})
    write(out / "queries.json", queries)
    return queries, {video: " ".join(texts) for video, texts in others.items()}


def msvd(data: Path, out: Path) -> tuple[Texts, Texts]:
    captions = json.loads((data / "msvd/captions_msvd.json").read_text())
    split = {name: (data / f"msvd/{name}_list.txt").read_text().split() for name in ("train", "test")}
    queries, videos, of = {}, {}, {}
    having: dict[str, set[str]] = defaultdict(set)
    for video in split["test"]:
        order = list(range(len(captions[video])))
        random.Random(video).shuffle(order)
        half = len(order) // 2
        for number in sorted(order[:half]):
            queries[f"{video} {number}"] = captions[video][number]
            of[f"{video} {number}"] = video
        videos[video] = " ".join(captions[video][number] for number in sorted(order[half:]))
        for text in captions[video]:
            having[same(text)].add(video)
    write(out / "queries.json", queries)
    write(out / "training.json", {video: captions[video] for video in split["train"]})
    write(out / "original.json", {query: [video] for query, video in of.items()})
    write(out / "repaired.json", {query: sorted(having[same(text)]) for query, text in queries.items()})
    return queries, videos


def same(text: str) -> str:
    return " ".join(text.lower().split())


def embed(queries: Texts, videos: Texts, options: Mapping[str, object]) -> tuple[np.ndarray, np.ndarray]:
    """Shapes [queries, DIMENSIONS] and [videos, DIMENSIONS], each row of length 1."""
    weigh = TfidfVectorizer(sublinear_tf=True, **options)
    of_videos = weigh.fit_transform(videos.values())
    narrow = TruncatedSVD(DIMENSIONS, random_state=0).fit(of_videos)
    return tuple(
        normalize(narrow.transform(each)).astype(np.float32) for each in (weigh.transform(queries.values()), of_videos)
    )


def write(path: Path, content: Mapping[str, str | Sequence[str]]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


BENCHMARKS = {"10k": ten_thousand, "msrvtt": msrvtt, "msvd": msvd}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", choices=BENCHMARKS)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    queries, videos = BENCHMARKS[given.benchmark](given.data, given.out)
    for name, options in MODELS.items():
        of_queries, of_videos = embed(queries, videos, options)
        ids = {"query_ids": list(queries), "item_ids": list(videos)}
        np.savez(given.out / f"{name}.npz", queries=of_queries, items=of_videos, **ids)
        print(f"{given.out / name}.npz: {len(queries):,} queries, {len(videos):,} videos")


if __name__ == "__main__":
    main()
