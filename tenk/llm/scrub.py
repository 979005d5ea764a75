"""What a provider says and a secret in, the same without the secret out: before it is shown, and before it is kept."""

from __future__ import annotations

import re

from tenk.records import Draft

SHORTEST = 12
"""Characters of a key that can be told from a word: `none`, `ollama` and the like are no secrets."""

LONGEST = 400
"""Characters of a provider's message that are kept."""

_LOOKS_LIKE_A_KEY = re.compile(r"\b(sk|rk|pk|gsk|hf|xai|AIza)[-_][\w*.\-]{6,}|(?i:bearer)\s+\S+")


def scrub(text: str, secret: str | None) -> str:
    """`text` on one line, cut to LONGEST, without `secret` and without anything else that looks like an API key.

    Providers echo keys in part ("sk-abc***xyz"), so that removing the whole key alone is not enough.
    """
    if secret:
        text = text.replace(secret, "[key]")
    text = " ".join(_LOOKS_LIKE_A_KEY.sub("[key]", text).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def is_secret(key: str) -> bool:
    return len(key) >= SHORTEST


def withheld(draft: Draft, key: str) -> Draft:
    """`draft` without `key`: what a provider sends back is journaled raw and published, but no key with it.

    A reply is otherwise left exactly as it is: what merely looks like a key may be what the model was asked about.
    """
    texts = {name: getattr(draft, name) for name in ("body", "finish_reason", "model")}
    if not is_secret(key) or not any(key in text for text in texts.values()):
        return draft
    return draft.model_copy(update={name: text.replace(key, "[key]") for name, text in texts.items()})
