"""Requests and readings that the tests of the offline writer share."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.language import Language

from tenk.llm.offline.atoms import sentences
from tenk.llm.offline.grammar import Clause, clauses
from tenk.llm.offline.phrasing import plain
from tenk.records import Asked, Message, Request, Tolerance
from tenk.words import word_count

SUMMARIES = (("s", "SUMMARY 1", 7.0), ("m", "SUMMARY 4", 1.75), ("l", "SUMMARY 7", 1.0))


def read(nlp: Language, text: str) -> list[Clause]:
    """The clauses of a text."""
    found: list[Clause] = []
    for number, sentence in enumerate(sentences(nlp(text))):
        found += plain(clauses(sentence, number))
    return found


def request(
    *source: str,
    outputs: Sequence[tuple[str, str, float]] = SUMMARIES,
    register: str | None = "plain",
    video: str = "v",
) -> Request:
    """A request for summaries of a video with these events; an output is its code, label and divisor of the words."""
    length = sum(map(word_count, source))
    return Request(
        video_id=video,
        axis="summarization",
        template="0" * 64,
        source=source,
        asked=tuple(
            Asked(
                code=code,
                label=label,
                words=max(1, int(length / divisor)),
                register_name=register,
                tolerance=Tolerance(low=0.7, high=1.3),
            )
            for code, label, divisor in outputs
        ),
        messages=(Message(role="user", content="Sum it up."),),
    )
