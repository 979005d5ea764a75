"""Replies that were computed in, what they cost, and which of them were paid for more than once, out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Charge:
    """What the replies to one request were charged: `times`, tokens, US dollars."""

    times: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


class Ledger:
    """By the key of a request (`replies.request_key`); in memory, as long as the server lives."""

    def __init__(self) -> None:
        self.charges: dict[str, Charge] = {}
        self.total = Charge()

    def charge(self, key: str, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        for charge in (self.charges.setdefault(key, Charge()), self.total):
            charge.times += 1
            charge.prompt_tokens += prompt_tokens
            charge.completion_tokens += completion_tokens
            charge.cost += cost

    def statement(self, *, requests: bool) -> dict[str, Any]:
        """The totals, and with `requests` how many times each was charged."""
        return {
            "charged": self.total.times,
            "distinct": len(self.charges),
            "prompt_tokens": self.total.prompt_tokens,
            "completion_tokens": self.total.completion_tokens,
            "cost": self.total.cost,
            "times": {key: charge.times for key, charge in self.charges.items()} if requests else {},
        }
