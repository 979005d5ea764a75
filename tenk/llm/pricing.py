"""A model and tokens in, US dollars out: from the settings, else from genai-prices' own table (no network)."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple, Protocol

from tenk.llm.settings import WriterSettings
from tenk.records import Usage

log = logging.getLogger(__name__)

Price = Callable[[str, Usage, int], float | None]
"""(model, usage, prompt tokens among it that came from the provider's cache) -> US dollars; None where unknown."""

MESSAGE_TOKENS = 16
"""What a chat format puts around a message, at most."""

REQUEST_TOKENS = 128
"""What it adds to a request: the opening of the reply, and a line or two of a system prompt of the provider's own."""

BATCH_FACTOR = 0.5
"""What a request costs in a batch, of what it costs by itself."""

RATES_SECONDS = 60.0
"""How long a rate that was looked up holds: some providers charge by the time of day."""


class Tariff(Protocol):
    """What requests to one provider cost, in US dollars; None where that is not known."""

    def price(self, model: str, usage: Usage, cached: int) -> float | None:
        """Of a reply that `model` wrote; `cached` of its prompt tokens came from the provider's cache."""
        ...

    def worst(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """The most that a request with so many tokens, or fewer, may cost within the next day."""
        ...


class Rates(NamedTuple):
    """US dollars a request and a token, for requests of up to `limit` prompt tokens; longer ones cost otherwise."""

    request: float
    prompt: float
    cached: float
    completion: float
    limit: float = math.inf

    def price(self, usage: Usage, cached: int) -> float:
        fresh = usage.prompt_tokens - cached
        return self.request + fresh * self.prompt + cached * self.cached + usage.completion_tokens * self.completion


def tariff(settings: WriterSettings, environment: Mapping[str, str] = os.environ, *, factor: float = 1.0) -> Tariff:
    """What the requests of the writer that `settings` describe cost; the offline writer's cost nothing.

    A price is looked up only for a provider known by its base URL: a model of the same name on one's own machine
    costs something else. `factor` is BATCH_FACTOR for requests that travel in a batch.
    """
    if settings.name == "offline":
        return _Fixed(Rates(0.0, 0.0, 0.0, 0.0))
    if (prices := settings.prices) is not None:
        prompt, completion = (factor * price / 1_000_000 for price in (prices.input, prices.output))
        return _Fixed(Rates(0.0, prompt, prompt, completion))
    return _Listed(settings.endpoint(environment), settings.model or "", factor)


def pricing(settings: WriterSettings, environment: Mapping[str, str] = os.environ, *, factor: float = 1.0) -> Price:
    """How to price the replies of the writer that `settings` describe; see `tariff`."""
    return tariff(settings, environment, factor=factor).price


def most_prompt_tokens(size: int, messages: int) -> int:
    """Tokens that `messages` messages of `size` bytes of UTF-8 in all can have at most: no token is under a byte.

    A JSON schema that goes with them is charged as well and counts to `size`.
    """
    return size + MESSAGE_TOKENS * messages + REQUEST_TOKENS


class _Fixed:
    """The same rates whatever the model."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates

    def price(self, model: str, usage: Usage, cached: int) -> float | None:
        # A server that does not count tokens has not said that there were none.
        unknown = not (usage.prompt_tokens or usage.completion_tokens) and any(self._rates[:4])
        return None if unknown else self._rates.price(usage, 0)

    def worst(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        return self._rates.price(Usage(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens), 0)


class _Listed:
    """The prices of genai-prices for the provider at `url`.

    Looking one up takes some 60 microseconds, so it is done once a minute for each model; below the first tier of a
    price, what a request costs is linear in its tokens.
    """

    def __init__(self, url: str, model: str, factor: float, *, clock: Callable[[], float] = time.time) -> None:
        self._url = url
        self._model = model
        self._factor = factor
        self._clock = clock
        self._rates: dict[str, tuple[float, Rates | None]] = {}
        self._day: tuple[float, dict[Rates, datetime]] = (-math.inf, {})

    def price(self, model: str, usage: Usage, cached: int) -> float | None:
        if not usage.prompt_tokens and not usage.completion_tokens:
            return None
        cached = min(cached, usage.prompt_tokens)
        now = self._clock()
        until, rates = self._rates.get(model, (-math.inf, None))
        if now >= until:
            rates = _look_up(self._url, model, _moment(now))
            self._rates[model] = now + RATES_SECONDS, rates
        if rates is None:
            return None
        if usage.prompt_tokens > rates.limit:
            return self._factor * float(_listed(self._url, model, usage, cached, _moment(now)))
        return self._factor * rates.price(usage, cached)

    def worst(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        now = self._clock()
        if now >= self._day[0]:
            moments = [_moment(now) + timedelta(minutes=30 * half) for half in range(49)]
            found = {_look_up(self._url, self._model, moment): moment for moment in moments}
            self._day = now + RATES_SECONDS, {rates: moment for rates, moment in found.items() if rates is not None}
        most = Usage(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
        costs = [
            rates.price(most, cached)
            if prompt_tokens <= rates.limit
            else float(_listed(self._url, self._model, most, cached, moment))
            for rates, moment in self._day[1].items()
            for cached in (0, prompt_tokens)
        ]
        return self._factor * max(costs) if costs else None


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _look_up(url: str, model: str, moment: datetime) -> Rates | None:
    """The rates of `model` at `moment`; None, said once for each URL, where none are known."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price
    from genai_prices.types import TieredPrices

    try:
        nothing = calc_price(Tokens(), model, provider_api_url=url, genai_request_timestamp=moment)
    except LookupError:
        if url not in _said_unknown:
            _said_unknown.add(url)
            log.warning(
                "No price is known for %s at %s: costs are shown as unknown. "
                "Set writer.prices (US dollars a million tokens).",
                model,
                url,
            )
        return None
    # What one token adds, as exact decimals: prices that depend on more than its kind begin far above it.
    prompt, cached, completion = (
        float(_listed(url, model, usage, cached, moment) - nothing.total_price)
        for usage, cached in ((Usage(prompt_tokens=1), 0), (Usage(prompt_tokens=1), 1), (Usage(completion_tokens=1), 0))
    )
    tiers = [price.tiers for price in vars(nothing.model_price).values() if isinstance(price, TieredPrices)]
    limit = min((tier[0].start for tier in tiers if tier), default=math.inf)
    return Rates(float(nothing.total_price), prompt, cached, completion, limit)


def _listed(url: str, model: str, usage: Usage, cached: int, moment: datetime) -> Decimal:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens, cache_read_tokens=cached)
    return calc_price(tokens, model, provider_api_url=url, genai_request_timestamp=moment).total_price


_said_unknown: set[str] = set()
