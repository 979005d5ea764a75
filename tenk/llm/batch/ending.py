"""A batch that has ended at the provider in; its replies in the journal, and what became of the rest, out."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

import httpx2
import openai

from tenk.errors import TenkError, WriterError
from tenk.llm.batch.output import Fault, Outcomes, read_files
from tenk.llm.batch.provider import NotThereError, Provider
from tenk.llm.batch.records import Batch, Ending
from tenk.llm.batch.remote import Complaint, Remote
from tenk.llm.batch.store import Store
from tenk.llm.chat import Chat
from tenk.llm.faults import Refused, Transient

QUEUE_FULL = "token_limit_exceeded"
"""The code of a batch that failed because open ones, with it, hold more prompt tokens than the account may have."""

_LIMIT = re.compile(r"limit:\s*([\d,]+)", re.I)
_MONEY = re.compile(r"quota|billing|credit|balance", re.I)


class IncompleteError(WriterError):
    """A batch has ended, and its files hold fewer results than the provider says that there are."""


@dataclass
class Ended:
    """What came of a batch, besides the replies, which are in the journal.

    `faults` by key: of each request that got no reply though a line, or the whole batch, says why. `problem` is why
    the run cannot go on. `queue_full` where the batch has to wait for others; `allowed` is then the limit in tokens,
    as far as the provider told it.
    """

    ending: Ending | None = None
    faults: dict[str, Fault] = field(default_factory=dict)
    problem: TenkError | None = None
    queue_full: bool = False
    allowed: int | None = None


class Collector:
    """Takes in batches that have ended. `alike` is how many requests must fail alike before that is hopeless."""

    def __init__(self, provider: Provider, store: Store, chat: Chat, *, alike: int) -> None:
        self._provider = provider
        self._store = store
        self._chat = chat
        self._alike = alike

    async def collect(self, batch: Batch, remote: Remote) -> Ended:
        """Journals what `batch` left, and closes it. Done again after a crash, it does only what is left to do.

        Raises WriterError where its files cannot be had, and has then changed nothing. Raises IncompleteError where
        they lack results that the provider counts; those that are there are then in the journal.
        """
        known = await asyncio.to_thread(self._store.keys, batch.batch)
        files = [await self._download(batch, file) for file in (remote.output_file_id, remote.error_file_id) if file]
        outcomes = await asyncio.to_thread(read_files, files, known, self._chat)
        if (completed := remote.request_counts.completed) > outcomes.lines:
            await asyncio.to_thread(self._store.settle, batch, outcomes.drafts, {})
            raise IncompleteError(
                f"{batch.place} says that {completed:,} requests of batch {batch.batch} ({remote.status}) are done, "
                f"and shows results of {outcomes.lines:,}. Collect again later; or give it up with `tenk batch cancel "
                f"{batch.batch} --abandon`, which counts what is missing as spent, and lets it be sent again."
            )
        missing = known - outcomes.drafts.keys() - outcomes.faults.keys()
        ending = Ending(
            status=remote.status,
            answered=len(outcomes.drafts),
            failed=len(outcomes.faults),
            missing=len(missing),
            duplicates=outcomes.duplicates,
            unknown=outcomes.unknown,
            bad=outcomes.bad,
        )
        charged = _charged(outcomes)
        if remote.status == "completed":
            # All of it was worked on: a request without a line, or with one that cannot be read, may be charged for.
            charged |= dict.fromkeys(missing, "no_line")
        await asyncio.to_thread(self._store.collect, batch, outcomes.drafts, charged, ending)
        ended = Ended(ending=ending, faults=outcomes.faults, problem=self._hopeless(outcomes))
        if remote.status == "failed" and ended.problem is None:
            _complain(ended, remote, known, self._chat)
        return ended

    async def _download(self, batch: Batch, file: str) -> bytes:
        try:
            return await self._provider.download(file)
        except NotThereError as problem:
            raise WriterError(
                f"The results of batch {batch.batch} are not there any more: {problem} `tenk batch cancel "
                f"{batch.batch} --abandon` counts it as spent, and lets its requests be sent again."
            ) from None

    def _hopeless(self, outcomes: Outcomes) -> TenkError | None:
        """Why going on makes no sense: the key or the quota, or that all requests failed alike."""
        for fault in outcomes.faults.values():
            if isinstance(fault, TenkError):
                return fault
        refusals = [fault.failure for fault in outcomes.faults.values() if isinstance(fault, Refused)]
        all_alike = len({failure.reason for failure in refusals}) == 1 and len(refusals) == len(outcomes.faults)
        if outcomes.drafts or not all_alike or len(refusals) < self._alike:
            return None
        return WriterError(
            f"All {len(refusals):,} requests of a batch failed alike at {self._chat.url}: {refusals[0].reason} "
            f"({refusals[0].detail}). Mend that, then run again: replies so far are in the journal."
        )


def _charged(outcomes: Outcomes) -> dict[str, str]:
    """Why those requests without a reply, by key, may be charged for that may be."""
    return {
        key: fault.failure.reason
        for key, fault in outcomes.faults.items()
        if isinstance(fault, Transient) and fault.charged
    }


def _complain(ended: Ended, remote: Remote, known: set[str], chat: Chat) -> None:
    """What a batch that failed before it began says of itself. Nothing of it was worked on, or charged."""
    if full := next((each for each in remote.errors if each.code == QUEUE_FULL), None):
        limit = _LIMIT.search(full.message or "")
        ended.queue_full, ended.allowed = True, int(limit[1].replace(",", "")) if limit else None
        return
    # The input file holds its requests in the order of their keys.
    lines = sorted(known)
    for each in remote.errors:
        if each.line is not None and 1 <= each.line <= len(lines):
            ended.faults[lines[each.line - 1]] = Refused("bad_request", _said(each, chat))
    if not ended.faults:
        ended.problem = _failure(remote, chat)


def _failure(remote: Remote, chat: Chat) -> TenkError:
    first = remote.errors[0] if remote.errors else Complaint()
    status = 429 if _MONEY.search(f"{first.code} {first.message}") else 404 if first.code == "model_not_found" else 400
    # Of the request, the exception wants only that there is one.
    response = httpx2.Response(status, request=httpx2.Request("POST", chat.url))
    body = {"code": first.code or "insufficient_quota" if status == 429 else first.code, "message": first.message}
    explained = chat.explain(openai.APIStatusError(str(first.message), response=response, body=body))
    if isinstance(explained, TenkError):
        return explained
    return WriterError(
        f"{chat.url} failed batch {remote.id} before it began ({_said(first, chat)}). Nothing of it was charged. Mend "
        "that, then run again."
    )


def _said(complaint: Complaint, chat: Chat) -> str:
    said = ": ".join(filter(None, (complaint.code, complaint.message)))
    return chat.scrub(said or "it does not say why")
