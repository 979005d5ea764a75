"""The nouns of batches: what is asked of one, and what the journal knows of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tenk.records import Record

State = Literal["intent", "submitted", "collected", "cancelled", "abandoned"]
"""intent      written down before anything is sent; whether it was sent is not known yet
submitted   created at the provider, whose id is known
collected   ended, and all that it holds is in the journal
cancelled   the same, after it was called off
abandoned   taken for never sent, or given up; what it may have cost is spent
"""


class Wanted(Record):
    """A request on its way into a batch: its journal key with the payload that this hashes, and its worst cost."""

    key: str
    payload: str
    round: int
    worst: float


class Ending(Record):
    """How a batch ended: the provider's `status`, and requests by what came of them.

    `missing` have no line in its files. `duplicates`, `unknown` and `bad` are lines that are of no use.
    """

    status: str
    answered: int = 0
    failed: int = 0
    missing: int = 0
    duplicates: int = 0
    unknown: int = 0
    bad: int = 0


class Detail(Record):
    """What is known of a batch besides its row's columns.

    `owner` is the session that made it; `settings` are those that its lines are to be read and priced with; `tokens`
    what its prompts take of those that an account may have enqueued; `file` its input, once that is uploaded.
    """

    owner: str = ""
    settings: Mapping[str, Any] = {}
    tokens: int = 0
    file: str | None = None
    ending: Ending | None = None


class Batch(Record):
    """A row of tenk_batches. `worst` is what it may still cost, in US dollars; `place` the base URL of its provider."""

    batch: str
    campaign: str
    run: str
    place: str
    shards_hash: str = ""
    provider_id: str | None = None
    state: State = "intent"
    worst: float = 0.0
    requests: int = 0
    detail: Detail
    created: str

    @property
    def is_open(self) -> bool:
        """Whether it may still cost what it reserves."""
        return self.state in ("intent", "submitted")


class Intended(Record):
    """What was written down of a batch: the requests that it holds, and those that are `riding` in open ones already,
    by key. `unpaid` were claimed at no cost, since they rode when that was done, and ride no more: they are left out.
    `batch` is None where nothing was left for it.
    """

    batch: Batch | None = None
    keys: frozenset[str] = frozenset()
    riding: Mapping[str, str] = {}
    unpaid: frozenset[str] = frozenset()
