"""A batch as the provider tells of it in, a checked record out."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from tenk.llm.faults import Transient

ENDED = ("completed", "failed", "expired", "cancelled")
"""States in which nothing more is done; the others are validating, in_progress, finalizing and cancelling."""

METADATA_ID = "tenk_batch"
"""The key of a batch's metadata that holds the id that we gave it before it was sent."""


class Counts(BaseModel):
    """Requests of a batch, as far as they have got."""

    model_config = ConfigDict(frozen=True)

    total: int = 0
    completed: int = 0
    failed: int = 0


class Complaint(BaseModel):
    """What is wrong with a batch as a whole, or with one `line` of its input (counted from 1)."""

    model_config = ConfigDict(frozen=True)

    code: str | None = None
    message: str | None = None
    line: int | None = None


class Remote(BaseModel):
    """One batch; of what the provider says beside this, nothing is needed."""

    model_config = ConfigDict(frozen=True)

    id: str
    status: str
    input_file_id: str | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: Counts = Counts()
    errors: tuple[Complaint, ...] = ()
    metadata: dict[str, Any] = {}

    @field_validator("errors", mode="before")
    @classmethod
    def _unwrapped(cls, errors: Any) -> Any:
        """`{"object": "list", "data": [...]}`, or nothing."""
        return (errors.get("data") or ()) if isinstance(errors, dict) else errors or ()

    @field_validator("metadata", "request_counts", mode="before")
    @classmethod
    def _given(cls, value: Any) -> Any:
        return value or {}

    @property
    def ended(self) -> bool:
        return self.status in ENDED


def read_remote(document: Any) -> Remote:
    """Raises Transient for what is no batch."""
    try:
        return Remote.model_validate(document)
    except ValidationError as problem:
        fault = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise Transient("invalid_json", f"the provider's answer is no batch ({place}: {fault['msg']})") from None
