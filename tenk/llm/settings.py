"""What a user may say about the writer: one strict record, with no secret in it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator, model_validator

from tenk.errors import UsageError
from tenk.llm.scrub import is_secret
from tenk.records import Record

OPENAI_URL = "https://api.openai.com/v1"

ASKED_OF_PROVIDER = ("temperature", "top_p", "seed", "reasoning_effort", "max_output_tokens")
"""Settings that are sent to a provider and are part of the journal key where given."""


class Prices(Record):
    """US dollars for a million tokens, for models that genai-prices does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class WriterSettings(Record):
    """Which writer, and how to talk to it. Times are in seconds.

    Replies depend on the fields above `concurrency`, which are in the journal key; the others change how a run goes
    and re-ask nothing. The API key is not here: `api_key_variable` names the environment variable that holds it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    name: Literal["offline", "openai", "openai-batch"] = Field(
        default="offline", description="offline, openai, or openai-batch (half the price, within a day)"
    )
    model: str | None = Field(default=None, min_length=1, description="model name as the provider knows it")
    base_url: str | None = Field(default=None, description="by default OPENAI_BASE_URL, else OpenAI's")
    temperature: float | None = Field(default=None, ge=0, le=2, description="by default the provider's")
    top_p: float | None = Field(default=None, gt=0, le=1, description="by default the provider's")
    seed: int | None = Field(default=None, description="sampling seed, for providers that take one")
    reasoning_effort: str | None = Field(default=None, min_length=1, description="low, medium, high, ...")
    max_output_tokens: int | None = Field(default=None, ge=1, description="by default from the words asked for")
    structured: bool = Field(default=False, description="ask for JSON by schema instead of labelled text")

    concurrency: int = Field(default=32, ge=1, description="requests in flight at most")
    requests_per_minute: float | None = Field(default=None, gt=0, description="by default what the provider says")
    tokens_per_minute: float | None = Field(default=None, gt=0, description="by default what the provider says")
    sharers: int = Field(default=1, ge=1, description="runs that share the limits which the provider tells of")
    timeout: float = Field(default=300.0, gt=0, description="for one attempt at a request")
    deadline: float = Field(default=900.0, gt=0, description="for a request with all its retries")
    first_wait: float = Field(default=1.0, gt=0, description="before the first retry; doubles with each")
    longest_wait: float = Field(default=60.0, gt=0, description="between two attempts, unless the provider says more")
    give_up_after: int = Field(default=20, ge=1, description="requests that fail alike before the run stops")
    reasoning: bool | None = Field(default=None, description="the model thinks before it answers; by default by name")
    prices: Prices | None = Field(default=None, description="US dollars for a million tokens")
    batch_enqueued_tokens: int | None = Field(
        default=None, ge=1, description="prompt tokens that open batches may hold; by default what the provider says"
    )
    batch_poll: float = Field(default=30.0, gt=0, description="between two looks at a batch at first; grows")
    batch_grace: float = Field(default=60.0, ge=0, description="that the provider's list of batches may lag behind")
    api_key_variable: str = Field(default="OPENAI_API_KEY", min_length=1, description="variable that holds the key")

    @field_validator("base_url")
    @classmethod
    def _base_url_is_one(cls, url: str | None) -> str | None:
        if url is not None and (wrong := _wrong_with(url)):
            raise ValueError(wrong)
        return url

    @model_validator(mode="after")
    def _openai_needs_a_model(self) -> WriterSettings:
        if self.name != "offline" and self.model is None:
            raise ValueError(f"the {self.name} writer needs a model: name the one to ask (for example gpt-4.1-mini)")
        return self

    def shared(self, slots: int) -> WriterSettings:
        """These settings for one of `slots` that send at the same time: together they never exceed the budget of one.

        Raises UsageError where there are more slots than requests may be in flight.
        """
        if self.name == "offline" or slots == 1:
            return self
        if self.concurrency < slots:
            raise UsageError(
                f"writer.concurrency is {self.concurrency}, too little for {slots} that send at the same time. "
                f"Raise it to {slots} or more, or use fewer workers."
            )
        return self.model_copy(
            update={
                "concurrency": self.concurrency // slots,
                "requests_per_minute": _part(self.requests_per_minute, slots),
                "tokens_per_minute": _part(self.tokens_per_minute, slots),
                "sharers": self.sharers * slots,
            }
        )

    def endpoint(self, environment: Mapping[str, str] = os.environ) -> str:
        """The base URL that requests go to, without a slash at its end. Raises UsageError for one that is none."""
        url = (self.base_url or environment.get("OPENAI_BASE_URL") or OPENAI_URL).strip().rstrip("/")
        if wrong := _wrong_with(url):
            raise UsageError(f"OPENAI_BASE_URL: {wrong}.")
        key = environment.get(self.api_key_variable, "").strip()
        if is_secret(key) and key in url:
            raise UsageError(f"The base URL holds the key of {self.api_key_variable}. Leave it out: it is sent anyway.")
        return url

    def identity(self, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
        """All that replies depend on besides the request, as plain JSON values; parts of a run are named by it.

        For the offline writer, that is the versions of its rules, its lexicon and its pipeline (the bundled one).
        """
        if self.name == "offline":
            from tenk.llm.offline.version import version

            return {"name": self.name, **version()}
        given = {key: getattr(self, key) for key in ASKED_OF_PROVIDER if getattr(self, key) is not None}
        # However a request travels, it is the same request: what a batch answered is not asked again one by one.
        where = {"name": "openai", "base_url": self.endpoint(environment), "model": self.model}
        return {**where, "structured": self.structured, **given}


def _part(budget: float | None, slots: int) -> float | None:
    if budget is None:
        return None
    part = budget / slots
    return part if Fraction(part) * slots <= Fraction(budget) else math.nextafter(part, 0.0)


def _wrong_with(url: str) -> str | None:
    """What is wrong with a base URL; the URL itself is not in it, since it may hold a secret."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "a base URL starts with http:// or https:// and names a host"
    if "@" in parts.netloc or parts.query:
        return (
            "the base URL holds a password or key, or a query (after a `?`) that may hold one, which would end up "
            "in the journal; leave it out and set the key's variable instead"
        )
    return None
