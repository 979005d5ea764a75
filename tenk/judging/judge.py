"""Pairs and the texts of queries and items in, a model's judgements out, each request through the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tenk.benchmark.ids import listed
from tenk.benchmark.pooling.judgements import Judgement
from tenk.benchmark.pooling.pairs import Pair
from tenk.errors import BenchmarkError, UsageError
from tenk.judging.prompt import JudgePrompt, render
from tenk.judging.reply import read_verdict
from tenk.llm.ask import ask
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.protocol import Writer
from tenk.llm.settings import WriterSettings
from tenk.llm.writers import make_writer
from tenk.progress import Report, ignore
from tenk.records import Failure, Request

CAMPAIGN = "judge"
"""What a cap on the cost holds for: all that judging has cost, in whatever run with the same journal."""

Texts = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Judged:
    """`unread` counts replies without a verdict by why they ended, `failures` pairs without a reply by reason.

    The former are final, the latter are asked again by the next call.
    """

    judgements: tuple[Judgement, ...]
    unread: Counter[str]
    failures: Counter[str]


def requests(prompt: JudgePrompt, pairs: Sequence[Pair], queries: Texts, items: Texts) -> list[Request]:
    """One a pair, in their order. Raises BenchmarkError for a query or an item without a text, or a query with two."""
    for what, ids, texts in (
        ("query", {pair.query for pair in pairs}, queries),
        ("item", {pair.item for pair in pairs}, items),
    ):
        if missing := sorted(name for name in ids if not texts.get(name)):
            raise BenchmarkError(f"{len(missing)} {what} ids of the pairs have no text: {listed(missing)}.")
    if several := sorted(query for query in {pair.query for pair in pairs} if len(queries[query]) > 1):
        raise BenchmarkError(f"{len(several)} queries have more than one text: {listed(several)}.")
    return [render(prompt, queries[pair.query][0], items[pair.item], about=pair.item) for pair in pairs]


async def judge(
    pairs: Sequence[Pair],
    asked: Sequence[Request],
    settings: WriterSettings,
    journal: Journal,
    *,
    cap: float | None = None,
    report: Report = ignore,
) -> Judged:
    """Asks what the journal lacks; `asked` are the `requests` of `pairs`, and `cap` is in US dollars.

    Raises UsageError for the offline writer, which has no judgement, and WriterError, BudgetError, JournalError.
    """
    must_judge(settings)
    pair_of = {id(request): pair for request, pair in zip(asked, pairs, strict=True)}
    found: dict[int, Judgement] = {}
    unread: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    async with (
        journal.session(campaign=CAMPAIGN, cap=cap) as session,
        make_writer(settings, pipeline=None, journal=journal, session=session) as writer,
    ):
        async for request, outcome in ask(asked, writer, journal, Budget(session, cap=cap), report=report):
            if isinstance(outcome, Failure):
                failures[outcome.reason] += 1
            elif (label := read_verdict(outcome.body)) is None:
                unread[outcome.finish_reason] += 1
            else:
                found[id(request)] = _judgement(pair_of[id(request)], writer, outcome.model, label)
    return Judged(tuple(found[id(request)] for request in asked if id(request) in found), unread, failures)


def must_judge(settings: WriterSettings) -> None:
    """Raises UsageError for a writer that cannot judge."""
    if settings.name == "offline":
        raise UsageError(
            "The offline writer shortens and simplifies by rules; it has no judgement of what a caption means. Name a "
            "model: --writer openai --model MODEL (and --base-url for a server of your own)."
        )
    if settings.structured:
        raise UsageError("A judge answers in one line of text: leave writer.structured off.")


def _judgement(pair: Pair, writer: Writer, model: str, label: str) -> Judgement:
    given = {"query": pair.query, "item": pair.item, "annotator": writer.model, "label": label}
    return Judgement.model_validate({**given, "kind": "llm", "model": model})
