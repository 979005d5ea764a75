"""What every writer is: requests in, answers out, in any order, each as soon as it is there.

A writer neither journals nor parses: `tenk.llm.ask` puts the journal in front of it, and `tenk.replies` reads what
comes out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from tenk.records import Draft, Failure, Request

Answer = tuple[Request, Draft | Failure]


@runtime_checkable
class Writer(Protocol):
    """A source of replies. `name` is how `--writer` calls it, `model` what it was told to use.

    `worth_reasking` is False for a writer that answers the same request the same way however often it is asked.
    A writer is an async context manager: it may hold connections of the running event loop, which `async with` gives
    back. A class that inherits from this protocol gets a context manager that does nothing.
    """

    name: str
    model: str
    worth_reasking: bool

    def payload(self, request: Request) -> dict[str, Any]:
        """The canonical request as plain JSON values: all that the reply may depend on, and nothing else.

        Its SHA-256 is the journal key. For a provider: base URL, model, messages, sampling parameters, response
        format and re-ask round. For the offline writer also its version and those of its lexicon and pipeline.
        """
        ...

    def write(self, requests: Sequence[Request], *, stop: asyncio.Event | None = None) -> AsyncGenerator[Answer, None]:
        """Answers to `requests`, each exactly once, in any order.

        Once `stop` is set nothing more is sent: what is in flight is finished and answered, the rest is not answered
        at all. Raises `tenk.errors.WriterError` where going on makes no sense (wrong key, quota gone), after what was
        in flight is answered; what concerns one request alone is a `Failure` in its answer. A provider that declines
        a request for good has answered it: a `Draft` without a body, whose finish reason says why.
        """
        ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
