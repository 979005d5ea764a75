"""A request in, its Chat Completions body and journal payload out; a completion or an error in, its meaning out.

What every way of asking the same provider shares, so that a reply is the same reply however it travelled: one by one
(`openai`), or in a batch (`batch`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import SecretStr

from tenk.errors import CredentialsError, WriterError
from tenk.llm.classify import classify
from tenk.llm.completion import read_completion
from tenk.llm.dialect import dialect_of, output_limit
from tenk.llm.faults import Refused, Transient
from tenk.llm.keys import canonical_json
from tenk.llm.pricing import most_prompt_tokens, tariff
from tenk.llm.scrub import scrub, withheld
from tenk.llm.settings import OPENAI_URL, WriterSettings
from tenk.records import Draft, Request

NO_KEY = "none"
"""Sent to servers of one's own, most of which ask for no key but want the header."""


class Chat:
    """How to speak to `settings.model` at `settings.endpoint()`; the key comes from the environment."""

    def __init__(
        self,
        settings: WriterSettings,
        environment: Mapping[str, str] = os.environ,
        *,
        factor: float = 1.0,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """`factor` is what a request costs, of what it costs by itself. Raises UsageError for a base URL that is none;
        the key is looked for only when there is something to ask.
        """
        self.model = settings.model or ""
        self.url = settings.endpoint(environment)
        self.dialect = dialect_of(self.url, self.model)
        self._settings = settings
        self._key = SecretStr(environment.get(settings.api_key_variable, "").strip())
        self._reasons = self.dialect.reasons if settings.reasoning is None else settings.reasoning
        self._tariff = tariff(settings, environment, factor=factor)
        self._wall_clock = wall_clock

    def payload(self, request: Request) -> dict[str, Any]:
        """What is requested. Parameters that the model turns out not to take are in it; the output limit only if set.

        A limit worked out from the words asked for is no wish of the user's: a better formula re-pays nothing.
        """
        wished = {"max_output_tokens": limit} if (limit := self._settings.max_output_tokens) else {}
        # However a request travels, it is the same request: what a batch answered is not asked again one by one.
        where = {"writer": "openai", "base_url": self.url, "round": request.round}
        return {**where, **self._parameters(request), **wished}

    def body(self, request: Request) -> dict[str, Any]:
        """What is sent, as the model takes it by what is known of it now."""
        return self.dialect.speak(self._parameters(request), self.limit(request))

    def limit(self, request: Request) -> int:
        """The output limit that is sent with `request`, in tokens."""
        return self._settings.max_output_tokens or output_limit(request, reasons=self._reasons)

    def worst_cost(self, request: Request) -> float | None:
        """The most that one attempt at `request` can cost, in US dollars; None where the price is not known.

        UTF-8 bytes of the messages and of the schema in, the output limit out.
        """
        size = sum(len(message.content.encode()) for message in request.messages)
        if self._settings.structured:
            size += len(canonical_json(self._schema(request)))
        return self._tariff.worst(most_prompt_tokens(size, len(request.messages)), self.limit(request))

    def read(self, content: bytes, *, latency: float = 0.0) -> Draft:
        """The priced draft of a completion, without the key if it is in there. Raises Transient for what is none."""
        try:
            draft, cached = read_completion(content, model=self.model)
        except Transient as fault:
            detail = self.scrub(fault.failure.detail)
            raise Transient(fault.failure.reason, detail, charged=fault.charged) from None
        draft = withheld(draft, self._key.get_secret_value())
        cost = self._tariff.price(draft.model, draft.usage, cached)
        return draft.model_copy(update={"cost": cost, "latency": latency})

    def declined(self, reason: str) -> Draft:
        """The answer of a provider that does not take a request."""
        return Draft(body="", finish_reason=reason, model=self.model, cost=0.0)

    def explain(self, error: Exception, *, refused: str | None = None) -> Exception:
        """What to raise instead of `error`, which said that the parameter `refused` is not taken, if any."""
        fault = classify(
            error,
            model=self.model,
            url=self.url,
            variable=self._settings.api_key_variable,
            secret=self._key.get_secret_value(),
            now=self._wall_clock(),
        )
        return self._without_structure(fault, refused)

    def scrub(self, text: str) -> str:
        """What a provider said, fit to be shown."""
        return scrub(text, self._key.get_secret_value())

    def checked_key(self) -> str:
        """The key to send. Raises CredentialsError where there is none, or none that a header can hold."""
        key, variable = self._key.get_secret_value(), self._settings.api_key_variable
        if not key and self.url.startswith(OPENAI_URL):
            raise CredentialsError(
                f"No key: {variable} is not set. Set it, or OPENAI_BASE_URL to a server of your own, "
                "or use --writer offline."
            )
        if not key.isascii() or not key.isprintable():
            raise CredentialsError(f"The key in {variable} holds characters that no key has. Set it again.")
        return key or NO_KEY

    def _parameters(self, request: Request) -> dict[str, Any]:
        """What the user asked for, in Chat Completions' names."""
        names = ("temperature", "top_p", "seed", "reasoning_effort")
        given = {name: getattr(self._settings, name) for name in names}
        parameters: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            **{name: value for name, value in given.items() if value is not None},
        }
        if self._settings.structured:
            parameters["response_format"] = self._schema(request)
        return parameters

    @staticmethod
    def _schema(request: Request) -> dict[str, Any]:
        from tenk.replies import json_schema

        schema = {"name": "captions", "strict": True, "schema": json_schema(request.asked)}
        return {"type": "json_schema", "json_schema": schema}

    def _without_structure(self, fault: Exception, refused: str | None) -> Exception:
        """`fault`, with the mend where the JSON schema is, or may be, what the server does not take."""
        if not self._settings.structured or not isinstance(fault, Refused) or fault.failure.reason != "bad_request":
            return fault
        said = fault.failure.detail
        if refused == "response_format":
            return WriterError(
                f"{self.url} takes no JSON schema for {self.model} ({said}). "
                "Set `structured: false`: the same captions are then asked for as labelled text."
            )
        return Refused("bad_request", f"{said}; if the server takes no JSON schema, set `structured: false`")
