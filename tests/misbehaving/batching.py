"""How the server's Batch API behaves: one record, a part of the Model."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

End = Literal["completed", "expired", "cancelled", "invalid", "queue_full", "out_of_credit", "unexplained"]
Creation = Literal["created", "lost", "unheard", "500", "429"]


class Batching(BaseModel):
    """How batches go. A batch is over when it has been looked at `looks` times.

    `ends` says how the first batches end, in the order of their creation, and `creations` how the first attempts to
    create one go: `lost` breaks the connection before, `unheard` after the batch is created. `share` of the requests
    of a batch that expires or is called off is worked on. Of all lines of output, `twice` and `broken` are the shares
    that come twice and that are no JSON, `left_out` those that do not come, and `errors` (by names of faults.ERRORS)
    those that say that the request failed. `strange` lines name requests of nobody. `lag` is how many times a batch is
    left out of the list. Above `enqueued_tokens` of prompts in batches that are not over, a batch fails.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    looks: int = Field(1, ge=1)
    ends: tuple[End, ...] = ()
    creations: tuple[Creation, ...] = ()
    share: float = Field(0.5, ge=0, le=1)
    twice: float = 0.0
    broken: float = 0.0
    left_out: float = 0.0
    errors: dict[str, float] = {}
    strange: int = 0
    lag: int = 0
    enqueued_tokens: int | None = None
    price: float = Field(0.5, description="of that of a request that is sent by itself")
