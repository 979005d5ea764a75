"""How the server behaves: one record, which the control endpoint takes as JSON."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from misbehaving.batching import Batching
from misbehaving.dice import seeded
from misbehaving.faults import FAULTS
from misbehaving.replies import REPLY_FAULTS

Told = Literal["headers", "retry_after", "retry_date", "bare"]


class Model(BaseModel):
    """How the server behaves; times in seconds, prices in US dollars a million tokens.

    `faults` gives the share of attempts with each of FAULTS, `flaws` the share of replies with each of REPLY_FAULTS,
    `declines` the share of requests that get the same of FAULTS every time. `refuses` are parameters that it does not
    take, `key` the only key that it takes. `latency` is what every answer takes, the mean of a uniform distribution
    between (1 - spread) and (1 + spread) of it, or the median of a lognormal one whose sigma is `spread`.

    Above `requests_per_minute` or `tokens_per_minute` (a token bucket each, one second of burst) it answers 429 at
    once; `told` says what comes with that: OpenAI's x-ratelimit-* headers (which then come with every answer),
    Retry-After in whole seconds or as an HTTP date, or nothing. With `credit` dollars charged, the quota is exhausted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    seed: int = 0
    faults: dict[str, float] = {}
    flaws: dict[str, float] = {}
    declines: dict[str, float] = {}
    refuses: frozenset[str] = frozenset()
    key: str | None = None
    latency: float = Field(0.0, ge=0)
    jitter: Literal["constant", "uniform", "lognormal"] = "constant"
    spread: float = Field(0.5, ge=0)
    slow: float = 5.0
    retry_after: float = 0.05
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    told: Told = "headers"
    input_price: float = 1.0
    output_price: float = 4.0
    credit: float | None = None
    batching: Batching = Batching()

    @field_validator("faults", "declines")
    @classmethod
    def _known_faults(cls, shares: dict[str, float]) -> dict[str, float]:
        return _known(shares, FAULTS)

    @field_validator("flaws")
    @classmethod
    def _known_flaws(cls, shares: dict[str, float]) -> dict[str, float]:
        return _known(shares, frozenset(REPLY_FAULTS))

    def latency_of(self, key: str, seen: int) -> float:
        """Seconds that the answer to the request `key` takes when it is seen for the `seen`-th time."""
        if self.jitter == "constant" or not self.latency:
            return self.latency
        drawn = seeded(self.seed, key, seen, "latency")
        if self.jitter == "lognormal":
            return self.latency * drawn.lognormvariate(0.0, self.spread)
        return max(0.0, self.latency * drawn.uniform(1 - self.spread, 1 + self.spread))

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars."""
        return (prompt_tokens * self.input_price + completion_tokens * self.output_price) / 1e6


def _known(shares: dict[str, float], names: frozenset[str]) -> dict[str, float]:
    if strange := shares.keys() - names:
        raise ValueError(f"unknown: {sorted(strange)}; known are {sorted(names)}")
    return shares
