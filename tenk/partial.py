"""A video in, its partial caption out: a seeded random run of consecutive events, never all of them.

Source: 10k Words, section 2.1, duration axis: events i to j, contiguous. Each of the n (n + 1) / 2 - 1 proper runs of
n events is equally likely.
"""

from __future__ import annotations

import hashlib

from tenk.records import Caption, Rejection, Video
from tenk.words import word_count

CODE, AXIS = "p", "duration"


def partial_caption(video: Video, seed: int) -> Caption | Rejection:
    """The caption `p` of the video, with its events' indices and span in seconds; a Rejection for a single event."""
    number = len(video.events)
    if number == 1:
        return Rejection(
            video_id=video.id,
            code=CODE,
            axis=AXIS,
            reason="single_event",
            detail="the video has one event, and so no proper part",
        )
    first, last = draw_run(number, video.id, seed)
    events = range(first, last + 1)
    text = " ".join(video.events[index].text for index in events)
    start, end = video.span(events)
    return Caption(
        video_id=video.id,
        code=CODE,
        axis=AXIS,
        text=text,
        words=word_count(text),
        model="source",
        start=start,
        end=end,
        events=tuple(events),
    )


def draw_run(number: int, video_id: str, seed: int) -> tuple[int, int]:
    """First and last index of the run drawn for a video of `number` >= 2 events; depends on nothing else.

    A 256-bit number modulo the number of runs: uniform to within 2^-240.
    """
    digest = hashlib.sha256(f"partial\0{seed}\0{video_id}".encode()).digest()
    rank = int.from_bytes(digest, "big") % (number * (number + 1) // 2 - 1)
    length = 1
    while rank > number - length:
        rank -= number - length + 1
        length += 1
    return rank, rank + length - 1
