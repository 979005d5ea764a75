"""Whether a provider is worth going on with: what it has answered so far, and what failed alike."""

from __future__ import annotations

from collections.abc import Callable

from tenk.errors import WriterError
from tenk.llm.settings import WriterSettings
from tenk.records import Failure

REACH_SECONDS = 30.0
"""How long to try to connect to a provider that has never answered before the run stops."""

NO_ANSWER = frozenset({"connection", "timeout"})
"""Reasons of failures that do not show that anybody is there."""


class Outlook:
    """Of all requests to the provider that `where` names in messages."""

    def __init__(self, where: str, settings: WriterSettings, *, monotonic: Callable[[], float]) -> None:
        self._where = where
        self._deadline = settings.deadline
        self._give_up_after = settings.give_up_after
        self._monotonic = monotonic
        self._reached = False
        self._answered = False
        self._silent_since: float | None = None
        self._alike = ("", 0)

    def heard(self, reason: str = "") -> None:
        """Something came back, if only an attempt's failure for `reason`."""
        if reason not in NO_ANSWER:
            self._reached = True

    def answered(self) -> None:
        """A reply came, which makes everything before it no reason to stop."""
        self._reached, self._answered, self._silent_since, self._alike = True, True, None, ("", 0)

    def deadline(self, reason: str) -> float:
        """Seconds that a request may take whose attempts fail for `reason`."""
        if not self._reached and reason == "connection":
            return min(self._deadline, REACH_SECONDS)
        return self._deadline

    def silent(self) -> bool:
        """Whether it has only said to wait for a whole deadline; called wherever it says so."""
        now = self._monotonic()
        if self._silent_since is None:
            self._silent_since = now
        return now - self._silent_since >= self._deadline

    def refused(self, failure: Failure) -> WriterError | None:
        """Why to stop now that a request failed for what is in it: no reason once anything has been answered."""
        self._reached = True
        return None if self._answered else self.failed(failure)

    def failed(self, failure: Failure) -> WriterError | None:
        """Why to stop now that a request failed for good, where it leaves no hope."""
        if not self._reached and failure.reason == "connection":
            return WriterError(
                f"Cannot connect to {self._where} ({failure.detail}). "
                "Check that the server runs and that the base URL (OPENAI_BASE_URL) is right."
            )
        reason, count = self._alike
        self._alike = (failure.reason, count + 1 if failure.reason == reason else 1)
        if self._alike[1] < self._give_up_after:
            return None
        return WriterError(
            f"{self._alike[1]} requests in a row failed alike at {self._where}: {failure.reason} "
            f"({failure.detail}). Mend that, then run again: replies so far are in the journal."
        )
