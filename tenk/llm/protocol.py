"""What every writer is: requests in, answers out, in any order, each as soon as it is there.

A writer neither journals nor parses: `tenk.llm.ask` puts the journal in front of it, and `tenk.replies` reads what
comes out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol, runtime_checkable

from tenk.records import Draft, Failure, Request

Answer = tuple[Request, Draft | Failure]


@runtime_checkable
class Writer(Protocol):
    """A source of replies. `name` is how `--writer` calls it, `model` what it was told to use."""

    name: str
    model: str

    def payload(self, request: Request) -> dict[str, Any]:
        """The canonical request as plain JSON values: all that the reply may depend on, and nothing else.

        Its SHA-256 is the journal key. For a provider: base URL, model, messages, sampling parameters, response
        format and re-ask round. For the offline writer also its version and those of its lexicon and pipeline.
        """
        ...

    def write(self, requests: Sequence[Request]) -> AsyncIterator[Answer]:
        """Answers to `requests`, each exactly once, in any order.

        Raises `tenk.errors.WriterError` where going on makes no sense (wrong key, quota gone); what concerns one
        request alone is a `Failure` in its answer.
        """
        ...
