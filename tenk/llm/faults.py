"""What may come of sending a request, besides a draft.

Transient   no answer, or no usable one: the same request may succeed later
Declined    an answer, and it is no: the provider's filter or the model's context does not take this request
Refused     this request will not be answered as it is put, or as the account is; others may
WriterError no request will be answered as things are (CredentialsError for the key)
"""

from __future__ import annotations

from collections.abc import Mapping

from tenk.records import Failure

RATE_LIMIT = "rate_limit"
OVERLOADED = "overloaded"

NO_HEADERS: Mapping[str, str] = {}


class Transient(Exception):  # noqa: N818 (a state of the provider, not an error of ours)
    """`retry_after` is in seconds, None where the provider did not say; `headers` are those of its response.

    `charged` says whether the provider may charge for the attempt all the same: it did not say that it failed.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        retry_after: float | None = None,
        *,
        charged: bool = False,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> None:
        super().__init__(reason, detail)
        self.failure = Failure(reason=reason, detail=detail)
        self.retry_after = retry_after
        self.charged = charged
        self.headers = headers


class Declined(Exception):  # noqa: N818
    """`reason` is one of `tenk.replies.parse.DECLINED`, and the finish reason of the reply that this becomes."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason


class Refused(Exception):  # noqa: N818
    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.failure = Failure(reason=reason, detail=detail)
