"""What two templates made of the same videos in, one row a video and output out: `tenk prompts compare`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tenk.records import Caption, Record, Rejection, Reply, Video

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Cell(Record):
    """One caption as it is compared; `new_words` lists the words that its video's paragraph lacks, in lower case."""

    text: str
    words: int
    words_asked: int | None
    flags: tuple[str, ...]
    new_words: tuple[str, ...]


class Rejected(Record):
    """Why a template gave no caption; as in `tenk.records.Rejection`."""

    reason: str
    detail: str


class Row(Record):
    """One output of one video under both templates; None where a template does not ask for it."""

    video_id: str
    code: str
    a: Cell | Rejected | None
    b: Cell | Rejected | None


def new_words(text: str, paragraph: str) -> tuple[str, ...]:
    """The distinct words of `text` that `paragraph` lacks, compared without case and punctuation, in order."""
    known = set(_WORD.findall(paragraph.casefold()))
    return tuple(word for word in dict.fromkeys(_WORD.findall(text.casefold())) if word not in known)


def compare_rows(
    videos: Sequence[Video],
    codes: Iterable[str],
    a: Iterable[Caption | Rejection],
    b: Iterable[Caption | Rejection],
) -> tuple[Row, ...]:
    """A row for every video and code that either side has, aligned by ids; videos and codes in the order given."""
    left = {(each.video_id, each.code): each for each in a}
    right = {(each.video_id, each.code): each for each in b}
    ordered = list(dict.fromkeys(codes))
    return tuple(
        Row(video_id=video.id, code=code, a=_cell(left.get(key), video), b=_cell(right.get(key), video))
        for video in videos
        for code in ordered
        if (key := (video.id, code)) in left or key in right
    )


def total_cost(replies: Iterable[Reply]) -> float | None:
    """US dollars that `replies` cost together; None where the cost of any of them is unknown."""
    costs = [reply.cost for reply in replies]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _cell(settled: Caption | Rejection | None, video: Video) -> Cell | Rejected | None:
    if settled is None:
        return None
    if isinstance(settled, Rejection):
        return Rejected(reason=settled.reason, detail=settled.detail)
    return Cell(
        text=settled.text,
        words=settled.words,
        words_asked=settled.words_asked,
        flags=settled.flags,
        new_words=new_words(settled.text, video.paragraph),
    )
