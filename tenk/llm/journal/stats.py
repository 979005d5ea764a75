"""A journal in, what it holds out: replies, tokens and US dollars by model."""

from __future__ import annotations

from tenk.llm.journal.journal import Journal
from tenk.records import Record


class Held(Record):
    """What a journal holds of one model. `cost` is in US dollars, without the `unpriced` replies."""

    model: str
    replies: int = 0
    reasks: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0


def held(journal: Journal) -> tuple[Held, ...]:
    """What `journal` holds, a record a model, sorted by name. Raises JournalError."""
    found: dict[str, Held] = {}
    for row in journal.rows():
        before = found.get(row.model, Held(model=row.model))
        found[row.model] = before.model_copy(
            update={
                "replies": before.replies + 1,
                "reasks": before.reasks + (row.round > 0),
                "prompt_tokens": before.prompt_tokens + row.prompt_tokens,
                "completion_tokens": before.completion_tokens + row.completion_tokens,
                "cost": before.cost + (row.cost or 0.0),
                "unpriced": before.unpriced + (row.cost is None),
            }
        )
    return tuple(found[model] for model in sorted(found))
