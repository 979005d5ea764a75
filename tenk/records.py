"""The nouns of the data flow: Video -> Request -> Reply -> Caption | Rejection. Frozen, unknown fields forbidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

CODES = ("f", "p", "s", "m", "l", "e", "i", "u", "s+e", "s+i", "s+u")
"""The 11 captions of the 10k Words scheme, in the order in which they are listed everywhere."""


class Record(BaseModel):
    """Base of all records: immutable, compared by value, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Event(Record):
    """One captioned segment of a video; times in seconds from its start, None where the source has none."""

    text: str
    start: float | None = None
    end: float | None = None


class Video(Record):
    """One video with its events in time order. `id` is normalised by the source's rule, `source_id` is as given."""

    id: str
    source_id: str
    split: str
    duration: float | None = None
    events: tuple[Event, ...] = Field(min_length=1)

    @property
    def paragraph(self) -> str:
        """The full ground-truth caption (`f`): the events' texts in time order, joined by one space."""
        return " ".join(event.text for event in self.events)

    def span(self, events: Sequence[int]) -> tuple[float | None, float | None]:
        """First start and last end, in seconds, of the events with these indices; None where there are no times."""
        starts = [start for index in events if (start := self.events[index].start) is not None]
        ends = [end for index in events if (end := self.events[index].end) is not None]
        return min(starts, default=None), max(ends, default=None)


class Tolerance(Record):
    """The words accepted for an output, as shares of the words asked for; one word off is always accepted."""

    low: float = Field(ge=0, le=1)
    high: float = Field(ge=1)

    def accepts(self, words: int, asked: int) -> bool:
        return min(asked - 1, asked * self.low) <= words <= max(asked + 1, asked * self.high)


class Asked(Record):
    """One output that a request asks for: `label` is how the reply must name it.

    `register_name` (the template's `register`: plain, primary, secondary or university) is what the offline writer
    goes by; None leaves the output to a language model.
    """

    code: str
    label: str
    words: int = Field(ge=1)
    register_name: str | None = None
    tolerance: Tolerance


class Message(Record):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


class Request(Record):
    """One prompt for one video: rendered chat messages and what they ask for.

    `template` is the SHA-256 of the template file; `source` the events' texts in time order; `round` 0 for the first
    ask, 1 and 2 for re-asks, which ask only for the outputs that failed.
    """

    video_id: str
    axis: str
    template: str
    round: int = 0
    source: tuple[str, ...]
    asked: tuple[Asked, ...]
    messages: tuple[Message, ...]


class Usage(Record):
    """Tokens that a reply was charged for."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class Draft(Record):
    """What a writer gave back for a request, before it has a journal key.

    `finish_reason` is the provider's (stop, length, content_filter, ...); the offline writer uses `rejected`, with the
    reason as the body, for what it has no rules for. Without a body, `content_filter` and `context_length` mean that
    the provider declined the request. `latency` is in seconds, `cost` in US dollars (None: unknown),
    `attempts` the times it was sent, transport failures included.
    """

    body: str
    finish_reason: str
    model: str
    usage: Usage = Usage()
    cost: float | None = None
    latency: float = 0.0
    attempts: int = 1


class Reply(Record):
    """A journaled answer to a request: the part of it that later stages may depend on (nothing of wall time)."""

    key: str
    body: str
    finish_reason: str
    model: str
    usage: Usage = Usage()
    cost: float | None = None


class Failure(Record):
    """A request that got no reply at all; it is not journaled and is asked again by the next run."""

    reason: str
    detail: str


class Caption(Record):
    """One description of one video. `events` are the indices of the events it covers, `start` and `end` its span.

    `model` is `source` for ground truth (`f`, `p`). `attempt` is the re-ask round it came from. `flags` names what is
    not as asked: `word_count` (closest attempt kept), `copied` (equal to the source but for case and punctuation).
    """

    video_id: str
    code: str
    axis: str
    text: str
    words: int
    words_asked: int | None = None
    model: str
    template: str | None = None
    journal_key: str | None = None
    attempt: int = 0
    start: float | None = None
    end: float | None = None
    events: tuple[int, ...]
    flags: tuple[str, ...] = ()


class Measures(Record):
    """Statistics of one caption against its video's paragraph (10k Words, Table 2 and section 2.2.2).

    Nouns and verbs are unique lemmas in lower case; deltas are the caption's minus the paragraph's; `new_*` lists
    those that the paragraph lacks (hallucination candidates). `grade` is the Flesch-Kincaid grade.
    """

    code: str
    nouns: int
    verbs: int
    delta_nouns: int
    delta_verbs: int
    new_nouns: tuple[str, ...] = ()
    new_verbs: tuple[str, ...] = ()
    new_words: int = 0
    word_length: float
    grade: float


class Rejection(Record):
    """A caption that a video does not have, and why. `reason` is one short word-like code, counted in the summary."""

    video_id: str
    code: str
    axis: str
    reason: str
    detail: str


class ReplyCost(Record):
    """What one journaled reply that was used for a video cost."""

    key: str
    model: str
    usage: Usage
    cost: float | None


class Augmented(Record):
    """One video with everything made of it: the line that a shard's part holds and that a dataset is published from.

    `measures` runs parallel to `captions`.
    """

    video: Video
    captions: tuple[Caption, ...]
    measures: tuple[Measures, ...]
    rejections: tuple[Rejection, ...]
    replies: tuple[ReplyCost, ...]
