"""The proxies of SVR, whole, on MSVD's 670 test videos and MSR-VTT's 1k-A: what relevance is like, and their time.

    python tests/bench/svr_real.py [--data ../shared/data] [--proxies bow pos syn meteor]

With all captions of a video on both sides (about 41 and 20: a word counts if a quarter of them hold it; METEOR is
many-to-many), and for 1k-A also the one caption that is its query against all of a video's. The paper's random nDCG on
MSR-VTT (34.0, 30.0, 11.6 and 80.4 by bow, pos, syn and meteor) is of its 2,990 test videos, which are others.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path

from tenk.benchmark.relevance import baseline, correlation, thresholds
from tenk.benchmark.relevance.assembly import Captions
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.relevance.recipe import NAMES, Recipe, make

BARS = (0.2, 0.5, 0.8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--proxies", nargs="+", choices=NAMES, default=list(NAMES))
    given = parser.parse_args()
    sets = {"MSVD": msvd(given.data / "msvd"), **msrvtt(given.data / "msrvtt")}
    recipe = Recipe()
    head = ("above 0", *(f"S >= {bar}" for bar in BARS), "random nDCG", "left out", "s")
    print(("{:22}{:8}" + "{:>13}" * len(head)).format("", "proxy", *head))
    for name, (texts, videos) in sets.items():
        several = []
        for proxy in given.proxies:
            start = time.perf_counter()
            relevance = make(proxy, texts, videos, recipe)
            seconds = time.perf_counter() - start
            several.append(relevance)
            show(name, relevance, seconds)
        if len(several) > 1:
            pairs = correlation.correlations(several)
            print("  agreement:", ", ".join(f"{one.one} {one.other} {one.mean:.2f}" for one in pairs), flush=True)


def msvd(folder: Path) -> tuple[Captions, Captions]:
    wanted = (folder / "test_list.txt").read_text(encoding="utf-8").split()
    captions = json.loads((folder / "captions_msvd.json").read_text(encoding="utf-8"))
    some = {video: captions[video] for video in wanted}
    return some, some


def msrvtt(folder: Path) -> dict[str, tuple[Captions, Captions]]:
    captions = json.loads((folder / "test_info_1kA_20caps.json").read_text(encoding="utf-8"))[
        "video_to_sentence_mapping"
    ]
    with (folder / "MSRVTT_JSFUSION_test.csv").open(encoding="utf-8", newline="") as file:
        queries = {row["video_id"]: (row["sentence"],) for row in csv.DictReader(file)}
    videos = {video: captions[video] for video in queries}
    return {"MSR-VTT 1k-A": (videos, videos), "MSR-VTT 1k-A, queries": (queries, videos)}


def show(name: str, relevance: Relevance, seconds: float) -> None:
    filled = len(relevance.qrels.items) / (len(relevance.queries) * len(relevance.items))
    counts = "".join(f"{count:13.2f}" for count in thresholds.relevant(relevance, BARS))
    random = baseline.expected(relevance).graded
    print(
        f"{name:22}{relevance.name:8}{filled:13.1%}{counts}{100 * random.mean:13.2f}"
        f"{'{} + {}'.format(*random.left_out):>13}{seconds:13.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
