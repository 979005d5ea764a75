"""What two templates made of the same videos in, one row a video and output out: `tenk prompts compare`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tenk.records import Caption, Record, Reply, Video

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Cell(Record):
    """One caption as it is compared; `new_words` lists the words that its video's paragraph lacks, in lower case."""

    text: str
    words: int
    words_asked: int | None
    flags: tuple[str, ...]
    new_words: tuple[str, ...]


class Row(Record):
    """One output of one video under both templates; None where a template gave none."""

    video_id: str
    code: str
    a: Cell | None
    b: Cell | None


def new_words(text: str, paragraph: str) -> tuple[str, ...]:
    """The distinct words of `text` that `paragraph` lacks, compared without case and punctuation, in order."""
    known = set(_WORD.findall(paragraph.casefold()))
    return tuple(word for word in dict.fromkeys(_WORD.findall(text.casefold())) if word not in known)


def compare_rows(videos: Sequence[Video], a: Iterable[Caption], b: Iterable[Caption]) -> tuple[Row, ...]:
    """A row for every video and code that either side has, aligned by ids; videos in order, codes in that of `a`."""
    left = {(caption.video_id, caption.code): caption for caption in a}
    right = {(caption.video_id, caption.code): caption for caption in b}
    keys = list(dict.fromkeys([*left, *right]))
    rows = []
    for video in videos:
        for key in (key for key in keys if key[0] == video.id):
            cells = (_cell(side.get(key), video) for side in (left, right))
            rows.append(Row(video_id=video.id, code=key[1], a=next(cells), b=next(cells)))
    return tuple(rows)


def total_cost(replies: Iterable[Reply]) -> float | None:
    """US dollars that `replies` cost together; None where the cost of any of them is unknown."""
    costs = [reply.cost for reply in replies]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _cell(caption: Caption | None, video: Video) -> Cell | None:
    if caption is None:
        return None
    return Cell(
        text=caption.text,
        words=caption.words,
        words_asked=caption.words_asked,
        flags=caption.flags,
        new_words=new_words(caption.text, video.paragraph),
    )
