"""A model and tokens in, US dollars out: from the settings, else from genai-prices' own table (no network)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping

from tenk.llm.settings import WriterSettings
from tenk.records import Usage

log = logging.getLogger(__name__)

Price = Callable[[str, Usage, int], float | None]
"""(model, usage, prompt tokens among it that came from the provider's cache) -> US dollars; None where unknown."""


def pricing(settings: WriterSettings, environment: Mapping[str, str] = os.environ) -> Price:
    """How to price the replies of the writer that `settings` describe; the offline writer costs nothing.

    A price is looked up only for a provider known by its base URL: a model of the same name on one's own machine
    costs something else.
    """
    if settings.name == "offline":
        return lambda model, usage, cached: 0.0
    if (prices := settings.prices) is not None:
        return lambda model, usage, cached: (
            (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / 1_000_000
        )
    url = settings.endpoint(environment)
    return lambda model, usage, cached: _listed(url, model, usage, cached)


def _listed(url: str, model: str, usage: Usage, cached: int) -> float | None:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    if not usage.prompt_tokens and not usage.completion_tokens:
        return None
    tokens = Tokens(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=min(cached, usage.prompt_tokens),
    )
    try:
        return float(calc_price(tokens, model, provider_api_url=url).total_price)
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


_said_unknown: set[str] = set()
