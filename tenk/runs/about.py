"""What a run is: the part of its configuration that a person asks for first. No secret is in it, and no URL."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field

from tenk.process import Process
from tenk.records import Record


class About(Record):
    """What stands in the first line of a run's events.

    `process` runs it on `machine`; `host` is the provider's. `requests` are those to be asked or replayed at first.
    `max_cost` is the cap on the split in US dollars, and `spent_before` what counted against it when the run began.
    `versions` are of tenk and of what it runs on.
    """

    dataset: str
    split: str
    writer: str
    model: str = ""
    host: str = ""
    videos: int = 0
    requests: int = 0
    max_cost: float | None = None
    spent_before: float = 0.0
    versions: dict[str, str] = Field(default_factory=dict)
    machine: str = ""
    process: Process


def host_of(url: str) -> str:
    """`api.example.org:8000` of a base URL; what else is in it may be secret, or name an account."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}:{parts.port}" if parts.port else parts.hostname or ""
