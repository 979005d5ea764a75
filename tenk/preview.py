"""A few videos and templates in, what would be made of them out: no part, no dataset, but the journal, as in a run.

What is asked here is in the journal, so a later run with the same template does not pay for it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext

from tenk.config import RunConfig
from tenk.pipeline import ask_all, keeps_copies
from tenk.progress import Report, ignore
from tenk.prompting import Template
from tenk.records import Caption, Record, Rejection, Reply, Video
from tenk.run import locked
from tenk.sources import read


class Preview(Record):
    """Captions and rejections by video and template, in order, and the replies that they came from."""

    captions: tuple[Caption, ...]
    rejections: tuple[Rejection, ...]
    replies: tuple[Reply, ...]


def read_videos(config: RunConfig, count: int | None = None) -> tuple[Video, ...]:
    """The first `count` videos of the configured source; all of them for None."""
    return read(config.source, config.annotations, config.split, options=config.options).videos[:count]


def preview(
    config: RunConfig, templates: Sequence[Template], videos: Sequence[Video], *, report: Report = ignore
) -> Preview:
    """Asks `templates` for `videos` with all re-asks; answers that the journal has are not asked for.

    Raises LockedError where a run is writing to the same outputs and the writer costs money: both would pay.
    """
    with nullcontext() if config.writer.name == "offline" else locked(config):
        exchanges = asyncio.run(ask_all(config, templates, videos, report=report))
    captions: list[Caption] = []
    rejections: list[Rejection] = []
    replies: dict[str, Reply] = {}
    for video in videos:
        for template in templates:
            talk = exchanges[video.id, template.axis]
            settled, missing = talk.settle(keep_copies=keeps_copies(config))
            captions += settled
            rejections += missing
            replies |= {reply.key: reply for _, reply in talk.rounds}
    return Preview(captions=tuple(captions), rejections=tuple(rejections), replies=tuple(replies.values()))
