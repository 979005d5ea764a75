"""An Augmented video in, its caption rows and its video row out, under explicit Arrow schemas.

The schemas do not depend on the data: a split whose lists are all empty has the features of any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from tenk.records import Augmented, Caption, Measures, ReplyCost

_WORDS = pa.list_(pa.string())

CAPTIONS = pa.schema(
    {
        "video_id": pa.string(),
        "code": pa.string(),
        "axis": pa.string(),
        "text": pa.string(),
        "words": pa.int32(),
        "words_asked": pa.int32(),
        "word_count_ok": pa.bool_(),
        "flags": _WORDS,
        "model": pa.string(),
        "template": pa.string(),
        "journal_key": pa.string(),
        "attempt": pa.int32(),
        "start": pa.float64(),
        "end": pa.float64(),
        "events": pa.list_(pa.int32()),
        "nouns": pa.int32(),
        "verbs": pa.int32(),
        "delta_nouns": pa.int32(),
        "delta_verbs": pa.int32(),
        "new_nouns": _WORDS,
        "new_verbs": _WORDS,
        "new_words": pa.int32(),
        "word_length": pa.float64(),
        "grade": pa.float64(),
    }
)

VIDEOS = pa.schema(
    {
        "id": pa.string(),
        "source_id": pa.string(),
        "split": pa.string(),
        "duration": pa.float64(),
        "events": pa.list_(pa.struct({"start": pa.float64(), "end": pa.float64(), "text": pa.string()})),
        "captions": pa.list_(pa.struct({"code": pa.string(), "text": pa.string()})),
        "cost": pa.float64(),
    }
)

COLUMNS = {
    "captions": {
        "video_id": "id of the video, as in the `videos` configuration",
        "code": "which of the captions it is, see above",
        "axis": "how it differs from the ground truth: the axis of its prompt",
        "text": "the caption",
        "words": "words written, a word being a run of characters between whitespace",
        "words_asked": "words asked for, null for captions of the source",
        "word_count_ok": "false where no attempt came close enough and the closest was kept",
        "flags": "what is not as asked: `word_count`, `copied` (equal to the source but for case and punctuation)",
        "model": "the model that wrote it, `source` for captions of the source",
        "template": "SHA-256 of the prompt template, see `provenance.json`",
        "journal_key": "SHA-256 of the request, the key of the raw reply in the journal",
        "attempt": "0 for the first answer, 1 and 2 for answers to feedback",
        "start": "start in seconds of what it covers, null where the source has no times",
        "end": "end in seconds of what it covers",
        "events": "indices of the events it covers",
        "nouns": "unique nouns (lemmas)",
        "verbs": "unique verbs (lemmas)",
        "delta_nouns": "unique nouns minus those of the full caption",
        "delta_verbs": "unique verbs minus those of the full caption",
        "new_nouns": "nouns that the full caption has under no part of speech: hallucination candidates",
        "new_verbs": "verbs that the full caption has under no part of speech",
        "new_words": "number of unique words that the full caption lacks",
        "word_length": "mean characters a word, punctuation included",
        "grade": "Flesch-Kincaid grade",
    },
    "videos": {
        "id": "id of the video",
        "source_id": "id as the source gives it",
        "split": "split of the source",
        "duration": "seconds, null where the source does not say",
        "events": "the captioned segments in time order: start, end, text",
        "captions": "all captions: code, text",
        "cost": "US dollars paid for its captions, null where a price is not known",
    },
}
"""What the columns hold, for the card."""


def caption_rows(item: Augmented) -> Iterator[dict[str, Any]]:
    """A row a caption, in the order of `item.captions`."""
    for caption, measures in zip(item.captions, item.measures, strict=True):
        yield _caption_row(caption, measures)


def video_row(item: Augmented) -> dict[str, Any]:
    """The row of the video."""
    video = item.video
    return {
        "id": video.id,
        "source_id": video.source_id,
        "split": video.split,
        "duration": video.duration,
        "events": [{"start": event.start, "end": event.end, "text": event.text} for event in video.events],
        "captions": [{"code": caption.code, "text": caption.text} for caption in item.captions],
        "cost": total_cost(item.replies),
    }


def total_cost(replies: tuple[ReplyCost, ...]) -> float | None:
    """US dollars; None where the price of a reply is not known."""
    costs = [reply.cost for reply in replies]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _caption_row(caption: Caption, measures: Measures) -> dict[str, Any]:
    return {
        "video_id": caption.video_id,
        "code": caption.code,
        "axis": caption.axis,
        "text": caption.text,
        "words": caption.words,
        "words_asked": caption.words_asked,
        "word_count_ok": "word_count" not in caption.flags,
        "flags": caption.flags,
        "model": caption.model,
        "template": caption.template,
        "journal_key": caption.journal_key,
        "attempt": caption.attempt,
        "start": caption.start,
        "end": caption.end,
        "events": caption.events,
        "nouns": measures.nouns,
        "verbs": measures.verbs,
        "delta_nouns": measures.delta_nouns,
        "delta_verbs": measures.delta_verbs,
        "new_nouns": measures.new_nouns,
        "new_verbs": measures.new_verbs,
        "new_words": measures.new_words,
        "word_length": measures.word_length,
        "grade": measures.grade,
    }
