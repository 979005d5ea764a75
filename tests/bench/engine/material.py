"""A number of requests in, the videos that they are rendered from out, for the three axes of the shipped templates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.videos import videos
from tenk.llm.settings import Prices, WriterSettings
from tenk.prompting import Template, load_templates, render
from tenk.records import Request, Video

SHARD = 256
"""Videos, as in a run."""

MODEL = "bench-model"


@cache
def templates() -> tuple[Template, ...]:
    return load_templates(Path(__file__).resolve().parents[3] / "prompts")


def shards(count: int, first: int) -> Iterator[tuple[Video, ...]]:
    """The videos of `count` requests, rounded up to whole videos, from number `first` on."""
    end = first - (-count // len(templates()))
    for start in range(first, end, SHARD):
        yield videos(min(SHARD, end - start), first=start)


def requests(count: int, first: int = 0) -> Iterator[Request]:
    """The first round of `shards`."""
    return (render(each, video) for shard in shards(count, first) for video in shard for each in templates())


def settings(url: str, concurrency: int) -> WriterSettings:
    """Of our writer; with prices, so that every request is claimed, priced and counted against a cap."""
    prices = Prices(input=1.0, output=4.0)
    return WriterSettings(name="openai", model=MODEL, base_url=url, concurrency=concurrency, prices=prices)
