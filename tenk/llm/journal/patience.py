"""A database's exception in, whether it is worth trying again out."""

from __future__ import annotations

import logging
from typing import Any

import tenacity
from sqlalchemy.exc import DBAPIError, OperationalError

log = logging.getLogger(__name__)

_PASSING = (
    "08",  # the connection broke
    "40",  # transactions got in each other's way
    "53300",  # too many connections
    "57P",  # the server goes down, crashed, or comes up
)
"""Beginnings of the SQLSTATEs of what passes by itself."""


def passing(problem: BaseException) -> bool:
    """Whether the database may well do it when asked again. SQLite has waited for its lock already."""
    if not isinstance(problem, DBAPIError) or "sqlite" in type(problem.orig).__module__:
        return False
    state = getattr(problem.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_PASSING)
    return problem.connection_invalidated or isinstance(problem, OperationalError)


def patient(where: str, seconds: float) -> tenacity.Retrying:
    """Calls a function again for up to `seconds` while what it raises is `passing`; says so in the log, once."""

    def say(state: tenacity.RetryCallState) -> None:
        if state.attempt_number == 1 and state.outcome is not None:
            problem: Any = state.outcome.exception()
            reason = str(getattr(problem, "orig", problem)).splitlines()[0]
            log.warning("%s: %s. Trying again for up to %g seconds.", where, reason, seconds)

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception(passing),
        stop=tenacity.stop_after_delay(seconds),
        # Well under a lease, so that an owner shows itself alive soon after the database is back.
        wait=tenacity.wait_random_exponential(multiplier=0.1, max=3),
        before_sleep=say,
        reraise=True,
    )
