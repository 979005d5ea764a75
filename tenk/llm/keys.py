"""A writer's payload in, its canonical JSON and journal key out."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(payload: dict[str, Any]) -> str:
    """The one JSON text of `payload`: keys sorted, no spaces, everything beyond ASCII escaped, no NaN or infinity.

    Changing this rule would orphan every journal there is.
    """
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def hash_json(canonical: str) -> str:
    """SHA-256 of a canonical JSON text, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def journal_key(payload: dict[str, Any]) -> str:
    """The journal key of `payload`: the SHA-256 of its canonical JSON."""
    return hash_json(canonical_json(payload))
