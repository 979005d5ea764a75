"""What parsing a reply gives: texts that may be used, and problems that are worth asking again for."""

from __future__ import annotations

from tenk.records import Record


class Text(Record):
    """One output as it would go into the dataset. `flags` as in `tenk.records.Caption`."""

    text: str
    words: int
    flags: tuple[str, ...] = ()


class Problem(Record):
    """Why one output is not as asked. `detail` is a sentence that the model, and whoever reads rejections, can act on.

    Reasons: missing, duplicated, empty, refused, cut_off, content_filter, context_length, leaked_label, remark, copied,
    word_count, and whatever a writer rejects with.
    """

    code: str
    reason: str
    detail: str


class Parsed(Record):
    """One reply, by code. An output whose only fault is its word count is in both, flagged in `texts`."""

    texts: dict[str, Text]
    problems: tuple[Problem, ...]
