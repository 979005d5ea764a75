"""What may come of sending a request, besides a draft.

Transient   no answer, or no usable one: the same request may succeed later
Refused     this request will never be answered; others may
WriterError no request will be answered as things are (CredentialsError for the key)
"""

from __future__ import annotations

from tenk.records import Failure


class Transient(Exception):  # noqa: N818 (a state of the provider, not an error of ours)
    """`retry_after` is in seconds, None where the provider did not say."""

    def __init__(self, reason: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(reason, detail)
        self.failure = Failure(reason=reason, detail=detail)
        self.retry_after = retry_after


class Refused(Exception):  # noqa: N818
    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.failure = Failure(reason=reason, detail=detail)
