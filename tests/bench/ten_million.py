"""A plan in figures for very many videos: what one video takes, measured here, times their number.

    python tests/bench/ten_million.py [--annotations ../shared/data/activitynet] [--limit 1000] [--videos 10000000]

Videos of a real source (by default of the bundled sample) go through the whole of `tenk run --writer openai`, against
the tests' server, which answers what it is asked for, at once, and counts a token every four characters. Measured a
video: requests, tokens, bytes of journal, parts and dataset; and, in a second run that is answered from the journal,
the CPU time of everything but HTTP. The rest is arithmetic: re-asks, failures and thoughts of a model come on top.
Prices are those of genai-prices, half of that for the Batch API; rates are given as requests/minute:tokens/minute.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from openai_server import Server

from tenk import parts
from tenk.config import RunConfig
from tenk.llm.journal import Journal
from tenk.llm.pricing import pricing
from tenk.llm.settings import Prices, WriterSettings
from tenk.nlp import load_pipeline
from tenk.pipeline import augment_shard, plan, publish
from tenk.progress import ignore
from tenk.records import Usage
from tenk.run import augment

LATENCY = 2.0
"""Seconds that a hosted model takes for such a reply; it decides how many requests are in flight at a rate."""


class PerVideo(NamedTuple):
    """What one video takes; sizes in bytes, CPU in seconds."""

    requests: float
    prompt_tokens: float
    completion_tokens: float
    journal: float
    parts: float
    dataset: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotations", type=Path)
    parser.add_argument("--source", default="activitynet")
    parser.add_argument("--split", default="val_1")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--videos", type=int, default=10_000_000)
    parser.add_argument("--model", nargs="+", default=["gpt-4.1-nano", "gpt-4.1-mini"])
    parser.add_argument("--rate", nargs="+", default=["5000:4000000", "10000:10000000", "30000:150000000"])
    arguments = parser.parse_args()
    source = {"source": arguments.source, "annotations": arguments.annotations} if arguments.annotations else {}
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        writer = WriterSettings(
            name="openai", model=arguments.model[0], base_url=server.base_url, prices=Prices(input=0, output=0)
        )
        config = RunConfig.model_validate(
            {"source": "sample", **source, "split": arguments.split, "limit": arguments.limit, "outputs": folder}
        ).model_copy(update={"writer": writer})
        videos, one = measured(config)
    print(f"measured on {videos:,} videos of {config.source}, {config.split}; a video takes")
    print(f"  requests           {one.requests:12,.2f}")
    print(f"  tokens in, out     {one.prompt_tokens:12,.0f} {one.completion_tokens:8,.0f}")
    print(f"  bytes of journal   {one.journal:12,.0f}  ({one.journal / one.requests:,.0f} a reply)")
    print(f"  bytes of parts     {one.parts:12,.0f}")
    print(f"  bytes of dataset   {one.dataset:12,.0f}")
    print(f"  CPU, without HTTP  {one.cpu * 1000:12,.1f} ms")
    print(f"{arguments.videos:,} videos take")
    for line in planned(one, config.shard_size, arguments.videos, arguments.model, arguments.rate):
        print(f"  {line}")


def measured(config: RunConfig) -> tuple[int, PerVideo]:
    """The number of videos and what each took."""
    augment(plan(config), report=ignore, stopped=lambda: False)
    again = plan(config)
    load_pipeline(config.nlp, parse=False)
    before = time.process_time()
    for shard in again.shards:
        augment_shard(config, again.templates, shard)
    published = publish(again)
    cpu = time.process_time() - before
    videos = sum(len(shard.videos) for shard in again.shards)
    with Journal.open(config.journal_url) as journal:
        rows = list(journal.rows())
    # Closed by its last user, SQLite has moved its write-ahead log into the file.
    size = Path(config.journal_url).stat().st_size
    abouts = [about for shard in again.shards if (about := parts.manifest(shard.part))]
    whole = PerVideo(
        requests=len(rows),
        prompt_tokens=sum(row.prompt_tokens for row in rows),
        completion_tokens=sum(row.completion_tokens for row in rows),
        journal=size,
        parts=sum(about.bytes for about in abouts),
        dataset=sum(path.stat().st_size for path in published.folder.rglob("*") if path.is_file()),
        cpu=cpu,
    )
    return videos, PerVideo(*(each / videos for each in whole))


def planned(one: PerVideo, shard_size: int, videos: int, models: list[str], rates: list[str]) -> list[str]:
    """The lines of the plan."""
    requests, sent, written = (videos * each for each in (one.requests, one.prompt_tokens, one.completion_tokens))
    lines = [
        f"{math.ceil(videos / shard_size):,} shards of {shard_size}, {requests / 1e6:,.1f} million requests",
        f"{sent / 1e9:,.2f} billion tokens in, {written / 1e9:,.2f} billion out",
    ]
    for model in models:
        price = pricing(WriterSettings(name="openai", model=model), {})
        usage = Usage(prompt_tokens=round(one.prompt_tokens), completion_tokens=round(one.completion_tokens))
        if (a_video := price(model, usage, 0)) is not None:
            lines.append(f"${a_video * videos:,.0f} with {model}, ${a_video * videos / 2:,.0f} as batches")
    lines.append(
        f"{one.journal * videos / 1e9:,.0f} GB of journal, {one.dataset * videos / 1e9:,.0f} GB of dataset, "
        f"{one.parts * videos / 1e9:,.0f} GB of parts, which may be removed then"
    )
    for rate in rates:
        by_requests, by_tokens = (float(each) for each in rate.split(":"))
        minutes = max(requests / by_requests, (sent + written) / by_tokens)
        a_second = requests / minutes / 60
        limit = "requests" if requests / by_requests >= (sent + written) / by_tokens else "tokens"
        lines.append(
            f"{minutes / 60:,.0f} hours at {by_requests:,.0f} requests and {by_tokens / 1e6:,.1f} million tokens a "
            f"minute ({limit} decide): {a_second:,.0f} requests/s, {a_second * LATENCY:,.0f} in flight at {LATENCY:g} s"
        )
    lines.append(f"{one.cpu * videos / 3600:,.0f} core hours of everything but HTTP")
    return lines


if __name__ == "__main__":
    main()
