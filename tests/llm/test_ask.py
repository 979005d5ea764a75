import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from pathlib import Path

import pytest
from llm_helpers import FakeWriter, make_draft, make_request

from tenk.errors import BudgetError, JournalError, UsageError, WriterError
from tenk.llm.ask import Outcome, ask
from tenk.llm.budget import Budget
from tenk.llm.journal import Entry, Journal
from tenk.llm.journal.lines import import_lines
from tenk.llm.keys import canonical_json, hash_json
from tenk.llm.protocol import Account, Answer
from tenk.progress import Report, Tick, ignore
from tenk.records import Failure, Reply, Request


async def collect(
    requests: Sequence[Request], writer: FakeWriter, journal: Journal, budget: Budget, **given: object
) -> list[Outcome]:
    return [outcome async for outcome in ask(requests, writer, journal, budget, **given)]  # type: ignore[arg-type]


def entry(writer: FakeWriter, request: Request, number: int) -> Entry:
    payload = canonical_json(writer.payload(request))
    return Entry(key=hash_json(payload), payload=payload, round=request.round, draft=make_draft(number))


async def test_everything_is_asked_once_and_never_again(journal: Journal, budget: Budget) -> None:
    requests = [make_request(n) for n in range(300)]
    writer = FakeWriter()
    first = await collect(requests, writer, journal, budget)
    assert len(writer.asked) == 300
    again = await collect(requests, writer, journal, budget)
    assert len(writer.asked) == 300
    assert [request for request, _ in again] == requests
    assert {r.video_id: reply for r, reply in first} == {r.video_id: reply for r, reply in again}
    for request, reply in first:
        assert isinstance(reply, Reply)
        assert reply.body.endswith(f"Man {request.video_id.removeprefix('video-')}.")


async def test_only_what_is_missing_is_asked(journal: Journal, budget: Budget) -> None:
    requests = [make_request(n) for n in range(10)]
    writer = FakeWriter()
    journal.put_many([entry(writer, requests[n], n) for n in (2, 5)])
    outcomes = await collect(requests, writer, journal, budget)
    assert [request.video_id for request, _ in outcomes[:2]] == ["video-2", "video-5"]
    assert sorted(writer.asked) == sorted(f"video-{n}" for n in range(10) if n not in {2, 5})


async def test_a_reply_is_in_the_journal_before_it_is_given_out(journal: Journal, budget: Budget) -> None:
    async for _, reply in ask([make_request(n) for n in range(50)], FakeWriter(), journal, budget):
        assert isinstance(reply, Reply)
        assert journal.get_many([reply.key]) == {reply.key: reply}


async def test_replies_come_while_others_are_still_asked(journal: Journal, budget: Budget) -> None:
    writer = FakeWriter(pause=0.02)
    async for _ in ask([make_request(n) for n in range(50)], writer, journal, budget):
        assert len(writer.asked) < 10
        break


async def test_a_writer_that_never_waits_does_not_hold_back_the_journal(journal: Journal, budget: Budget) -> None:
    class Computing(FakeWriter):
        async def write(self, requests, *, stop=None, **given):  # type: ignore[no-untyped-def]
            async for request in requests:
                self.asked.append(request.video_id)
                time.sleep(0.01)  # noqa: ASYNC251 (computes)
                yield request, make_draft()

    writer = Computing()
    async for _ in ask([make_request(n) for n in range(100)], writer, journal, budget):
        assert len(writer.asked) < 50
        break


async def test_requests_that_are_the_same_are_asked_once_and_answered_each(journal: Journal, budget: Budget) -> None:
    one = make_request(1)
    twin = one.model_copy(update={"video_id": "video-2"})
    writer = FakeWriter()
    ticks: list[Tick] = []
    outcomes = await collect([one, twin, one], writer, journal, budget, report=ticks.append)
    assert writer.asked == ["video-1"]
    assert [request.video_id for request, _ in outcomes] == ["video-1", "video-2", "video-1"]
    assert len({reply.key for _, reply in outcomes if isinstance(reply, Reply)}) == 1
    assert [(tick.kind, tick.cost) for tick in ticks] == [("answered", 0.25), ("replayed", 0.0), ("replayed", 0.0)]


async def test_the_round_is_part_of_the_request(journal: Journal, budget: Budget) -> None:
    writer = FakeWriter()
    await collect([make_request(1), make_request(1, round=1)], writer, journal, budget)
    assert len(writer.asked) == 2
    assert sorted(row.round for row in journal.rows()) == [0, 1]


async def test_failures_are_given_out_and_asked_again(journal: Journal, budget: Budget) -> None:
    requests = [make_request(n) for n in range(3)]
    ticks: list[Tick] = []
    outcomes = await collect(requests, FakeWriter(failing=["video-1"]), journal, budget, report=ticks.append)
    failed = [request.video_id for request, outcome in outcomes if isinstance(outcome, Failure)]
    assert failed == ["video-1"]
    assert sorted((tick.kind, tick.reason) for tick in ticks) == [
        ("answered", ""),
        ("answered", ""),
        ("failed", "bad_request"),
    ]
    writer = FakeWriter()
    await collect(requests, writer, journal, budget)
    assert writer.asked == ["video-1"]


async def test_another_runs_reply_counts_if_it_was_first(journal: Journal, budget: Budget) -> None:
    request = make_request(1)

    class Overtaken(FakeWriter):
        async def write(self, requests, *, stop=None, **given):  # type: ignore[no-untyped-def]
            journal.put_many([entry(self, request, 77)])
            async for answer in super().write(requests, stop=stop, **given):
                yield answer

    ((_, reply),) = await collect([request], Overtaken(), journal, budget)
    assert isinstance(reply, Reply)
    assert reply.body == make_draft(77).body


async def test_a_writer_that_dies_loses_no_answer(journal: Journal, budget: Budget) -> None:
    ticks: list[Tick] = []
    with pytest.raises(WriterError, match="told to die"):
        await collect(
            [make_request(n) for n in range(10)], FakeWriter(dies_after=4), journal, budget, report=ticks.append
        )
    assert [tick.kind for tick in ticks].count("answered") == len(list(journal.rows())) == 4
    assert [(tick.kind, tick.reason, tick.cost) for tick in ticks[4:]] == [("spent", "abandoned", 1.0)]


async def test_a_journal_that_fails_stops_the_writer_and_loses_no_reply(
    journal: Journal, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, requests = FakeWriter(pause=0.01), [make_request(n) for n in range(50)]
    with monkeypatch.context() as broken:
        broken.setattr(budget.session, "put", full)
        with pytest.raises(JournalError, match=r"disk is full\. Replies .* are in .*`tenk journal import") as failed:
            await collect(requests, writer, journal, budget)
    asked = len(writer.asked)
    assert 0 < asked < 10
    assert list(journal.rows()) == []
    (file,) = Path(journal.where).parent.glob("tenk-unsaved-*.jsonl")
    assert str(file) in str(failed.value)
    assert import_lines(journal, file).added == asked
    again = FakeWriter()
    await collect([request for request in requests if request.video_id in writer.asked], again, journal, budget)
    assert again.asked == []


async def test_replies_that_wait_for_the_journal_do_not_pile_up(
    journal: Journal, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[asyncio.Future[Reply]] = []

    def slow(_: object) -> asyncio.Future[Reply]:
        waiting.append(asyncio.get_running_loop().create_future())
        return waiting[-1]

    monkeypatch.setattr(budget.session, "put", slow)
    writer = FakeWriter()
    writer.claims = 2
    asking = asyncio.create_task(collect([make_request(n) for n in range(50)], writer, journal, budget))
    await asyncio.sleep(0.3)
    assert len(writer.asked) == len(waiting) == 8
    asking.cancel()
    for future in waiting:
        future.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_stop_finishes_and_sends_no_more(journal: Journal, budget: Budget) -> None:
    stop = asyncio.Event()
    writer = FakeWriter(pause=0.005)
    outcomes = []
    async for outcome in ask([make_request(n) for n in range(50)], writer, journal, budget, stop=stop):
        outcomes.append(outcome)
        stop.set()
    assert 0 < len(outcomes) == len(writer.asked) == len(list(journal.rows())) < 10


async def test_stopped_before_it_began(journal: Journal, budget: Budget) -> None:
    stop = asyncio.Event()
    stop.set()
    writer = FakeWriter()
    assert await collect([make_request()], writer, journal, budget, stop=stop) == []
    assert writer.asked == []


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_whoever_leaves_loses_no_answer_that_had_come(journal: Journal, budget: Budget, how: str) -> None:
    writer = FakeWriter(pause=0.005)
    outcomes = ask([make_request(n) for n in range(50)], writer, journal, budget)
    if how == "close":
        await anext(outcomes)
        await outcomes.aclose()
    else:

        async def take() -> None:
            async for _ in outcomes:
                await asyncio.sleep(3600)

        task = asyncio.create_task(take())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await outcomes.aclose()
    asked = len(writer.asked)
    assert asked - 1 <= len(list(journal.rows())) <= asked < 50
    assert len(asyncio.all_tasks()) == 1


async def test_two_runs_at_once_ask_for_nothing_twice(journal: Journal) -> None:
    requests = [make_request(n) for n in range(300)]
    writers = [FakeWriter(pause=0.0005), FakeWriter(pause=0.0005)]

    async def run(writer: FakeWriter) -> list[Outcome]:
        async with journal.session(campaign="Test10k/val_1", cap=None) as session:
            return await collect(requests, writer, journal, Budget(session, cap=None))

    first, second = await asyncio.gather(*map(run, writers))
    assert sorted(writers[0].asked + writers[1].asked) == sorted(request.video_id for request in requests)
    assert all(writer.asked for writer in writers)
    assert {r.video_id: reply for r, reply in first} == {r.video_id: reply for r, reply in second}


async def test_the_cap_is_kept_to_and_what_fits_is_answered(journal: Journal) -> None:
    # Each may cost a dollar and costs a quarter: of 3 dollars, nine are answered and a dollar's room is left for none.
    async with journal.session(campaign="Test10k/val_1", cap=3.0) as session:
        writer, outcomes = FakeWriter(), []
        with pytest.raises(BudgetError, match=r"The cap of \$3\.00 is reached: \$2\.25 are spent"):
            async for outcome in ask([make_request(n) for n in range(50)], writer, journal, Budget(session, cap=3.0)):
                outcomes.append(outcome)
        assert len(outcomes) == len(writer.asked) == 9
        assert (await session.spent()).total == 2.25
    async with journal.session(campaign="Test10k/val_1", cap=100.0) as session:
        again = await collect([make_request(n) for n in range(50)], writer, journal, Budget(session, cap=100.0))
    assert len(again) == len(writer.asked) == 50


async def test_a_cap_needs_a_price(journal: Journal) -> None:
    class Priceless(FakeWriter):
        def worst_cost(self, request: Request) -> float | None:
            return None

    async with journal.session(campaign="Test10k/val_1", cap=3.0) as session:
        with pytest.raises(UsageError, match=r"needs the price of the model.*Set writer.prices"):
            await collect([make_request()], Priceless(), journal, Budget(session, cap=3.0))


async def test_whoever_leaves_pays_for_what_was_in_flight_and_not_for_the_rest(journal: Journal) -> None:
    async with journal.session(campaign="Test10k/val_1", cap=None) as session:
        writer = FakeWriter(pause=0.01)
        outcomes = ask([make_request(n) for n in range(50)], writer, journal, Budget(session, cap=None))
        await anext(outcomes)
        await outcomes.aclose()
        spending = await session.spent()
        rows = len(list(journal.rows()))
        assert spending.answered == 0.25 * rows
        assert spending.other.get("abandoned", 0.0) == len(writer.asked) - rows <= 1
    async with journal.session(campaign="Test10k/val_1", cap=None) as session:
        assert (await session.spent()).reserved == 0


def full(_: object) -> asyncio.Future[Reply]:
    """As `Session.put` on a full disk."""
    future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    future.set_exception(JournalError("the disk is full."))
    return future


async def test_a_provider_that_ends_the_run_hides_no_journal_that_failed(
    journal: Journal, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are told, with the exit code of what ended the run, and what was paid for is saved."""
    monkeypatch.setattr(budget.session, "put", full)
    with pytest.raises(WriterError, match=r"told to die here.*disk is full\. Replies .* `tenk journal import"):
        await collect([make_request(n) for n in range(4)], InBursts(dies_late=True), journal, budget)
    (file,) = Path(journal.where).parent.glob("tenk-unsaved-*.jsonl")
    assert import_lines(journal, file).added == 4


async def test_whoever_leaves_a_journal_that_failed_loses_no_reply(
    journal: Journal, budget: Budget, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(budget.session, "put", full)
    running = asyncio.create_task(collect([make_request(n) for n in range(50)], InBursts(), journal, budget))
    await asyncio.sleep(0.2)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    (file,) = Path(journal.where).parent.glob("tenk-unsaved-*.jsonl")
    assert import_lines(journal, file).added >= 1
    assert "disk is full. Replies" in caplog.text


async def test_replies_after_the_journal_failed_count_as_spent(journal: Journal) -> None:
    """It takes in what comes later, so that nothing else says that they were paid for."""
    async with journal.session(campaign="Test10k/val_1", cap=None) as session:
        put, failed = session.put, list[Entry]()

        def once(entry: Entry) -> asyncio.Future[Reply]:
            failed.append(entry)
            return full(entry) if len(failed) == 1 else put(entry)

        session.put = once  # type: ignore[method-assign]
        with pytest.raises(JournalError):
            await collect([make_request(n) for n in range(6)], InBursts(), journal, Budget(session, cap=None))
    (file,) = Path(journal.where).parent.glob("tenk-unsaved-*.jsonl")
    saved = import_lines(journal, file).added
    assert saved == 6
    # The first never reached the session, which on a real disk takes note of it itself.
    spending = journal.spending("Test10k/val_1")
    assert spending.total - spending.reserved == 0.25 * (saved - len(failed))


class InBursts(FakeWriter):
    """Has all its answers before it gives out the first, and may die after the last."""

    def __init__(self, *, dies_late: bool = False) -> None:
        super().__init__()
        self._dies_late = dies_late

    async def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        for answer in [answer async for answer in super().write(requests)]:
            yield answer
            await asyncio.sleep(0.02)
        if self._dies_late:
            raise WriterError("told to die here")


async def test_claims_that_were_never_handed_out_end_with_the_ask(journal: Journal) -> None:
    async with journal.session(campaign="Test10k/val_1", cap=None) as session:
        budget, requests = Budget(session, cap=None), [make_request(n) for n in range(300)]
        outcomes = ask(requests, FakeWriter(pause=0.01), journal, budget)
        await anext(outcomes)
        await outcomes.aclose()
        assert (await session.spent()).reserved == 0
        async with asyncio.timeout(10):
            assert len(await collect(requests, FakeWriter(), journal, budget)) == 300
