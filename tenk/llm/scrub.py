"""A text and a secret in, the text without the secret out; used on all that a provider says before it is shown."""

from __future__ import annotations

import re

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
