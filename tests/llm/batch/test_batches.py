"""The openai-batch writer over real HTTP, against a provider whose batches go as badly as they can."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

import pytest
from batch_helpers import batch_settings, behave, claimed_and_spent, open_batches, requests, write
from llm_helpers import make_request
from openai_server import Model, Server

from tenk.errors import CredentialsError, UsageError, WriterError
from tenk.llm.batch.packing import Limits
from tenk.llm.batch.store import Store
from tenk.llm.batch.writer import BatchWriter
from tenk.llm.journal import Journal
from tenk.llm.keys import journal_key
from tenk.llm.openai import OpenAIWriter
from tenk.progress import Tick
from tenk.records import Draft, Failure, Reply

Answers = Mapping[str, Reply | Draft | Failure]


def all_replied(answers: Answers, count: int) -> bool:
    return len(answers) == count and all(isinstance(answer, Reply) for answer in answers.values())


def reasons(answers: Answers) -> Counter[str]:
    return Counter(answer.reason for answer in answers.values() if isinstance(answer, Failure))


def paid_once(server: Server) -> bool:
    return all(charge.times == 1 for charge in server.batches.ledger.charges.values())


def test_it_asks_for_what_the_openai_writer_asks_for(server: Server) -> None:
    settings = batch_settings(temperature=0.5, max_output_tokens=9)
    one = OpenAIWriter(settings.model_copy(update={"name": "openai"}))
    batched = BatchWriter(settings)
    assert batched.payload(make_request(1, round=1)) == one.payload(make_request(1, round=1))
    assert batched.name == settings.name


def test_prices_that_are_listed_are_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    settings = batch_settings(model="gpt-4.1-mini", prices=None)
    one = OpenAIWriter(settings.model_copy(update={"name": "openai"})).worst_cost(make_request(1))
    batched = BatchWriter(settings).worst_cost(make_request(1))
    assert one is not None
    assert batched == pytest.approx(one / 2)


async def test_all_that_arrives_goes_into_one_batch(server: Server, journal: Journal) -> None:
    behave(server, looks=3)
    ticks: list[Tick] = []
    answers = await write(journal, requests(5), report=ticks.append)
    assert all_replied(answers, 5)
    (batch,) = server.batches.batches.values()
    assert list(batch.lines) == sorted(batch.lines)
    writer = BatchWriter(batch_settings())
    assert set(batch.lines) == {journal_key(writer.payload(request)) for request in requests(5)}
    assert batch.metadata["run"] == "run-1"
    (row,) = Store(journal).all()
    assert batch.metadata == {"tenk_batch": row.batch, "run": "run-1", "shards_hash": row.shards_hash}
    assert (row.state, row.worst, row.requests) == ("collected", 0.0, 5)
    assert row.detail.ending is not None
    assert row.detail.ending.answered == 5
    assert [(tick.kind, tick.n) for tick in ticks] == [("asked", 5), ("batch", 5), ("batch", 5)]
    assert await claimed_and_spent(journal) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_shards_that_ask_at_the_same_time_share_a_batch(server: Server, journal: Journal) -> None:
    behave(server)
    writer = BatchWriter(batch_settings(), journal=journal, quiet=0.1)

    async def shard(first: int) -> int:
        async def given():  # type: ignore[no-untyped-def]
            for number in range(first, first + 3):
                await asyncio.sleep(0.02)
                yield make_request(number)

        return len([answer async for answer in writer.write(given())])

    async with writer:
        # The last two are asked by both.
        assert await asyncio.gather(shard(0), shard(1)) == [3, 3]
    (batch,) = server.batches.batches.values()
    assert len(batch.lines) == 4


async def test_what_the_journal_has_is_not_sent(server: Server, journal: Journal) -> None:
    behave(server)
    await write(journal, requests(3))
    assert all_replied(await write(journal, requests(5)), 5)
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [3, 2]
    assert paid_once(server)


async def test_output_twice_and_for_strangers(server: Server, journal: Journal) -> None:
    behave(server, twice=0.5, strange=3)
    assert all_replied(await write(journal, requests(30)), 30)
    (row,) = Store(journal).all()
    ending = row.detail.ending
    assert ending is not None
    assert ending.answered == 30
    assert ending.unknown == 3
    assert ending.duplicates > 5
    assert await claimed_and_spent(journal) == pytest.approx((0.0, server.batches.ledger.total.cost))


@pytest.mark.parametrize("flaw", ["broken", "left_out"])
async def test_lines_that_are_no_use_are_asked_for_again(server: Server, journal: Journal, flaw: str) -> None:
    behave(server, **{flaw: 0.15})
    assert all_replied(await write(journal, requests(30)), 30)
    sizes = [len(batch.lines) for batch in server.batches.batches.values()]
    assert sizes[0] == 30
    assert 0 < sizes[1] < 20
    # They may have been charged, and were: what is counted is at least that.
    _, spent = await claimed_and_spent(journal)
    assert spent >= server.batches.ledger.total.cost


async def test_what_never_comes_is_set_aside(server: Server, journal: Journal) -> None:
    behave(server, left_out=1.0)
    answers = await write(journal, requests(3))
    assert reasons(answers) == {"batch_unanswered": 3}
    assert len(server.batches.batches) == 4


@pytest.mark.parametrize("end", ["expired", "cancelled"])
async def test_only_what_is_missing_is_sent_again(server: Server, journal: Journal, end: str) -> None:
    behave(server, ends=[end, end])
    assert all_replied(await write(journal, requests(10)), 10)
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [10, 5, 3]
    assert paid_once(server)
    states = ["cancelled" if end == "cancelled" else "collected"] * 2
    assert [row.state for row in Store(journal).all()] == [*states, "collected"]
    assert await claimed_and_spent(journal) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_a_bad_line_of_the_input_is_set_aside(server: Server, journal: Journal) -> None:
    behave(server, ends=["invalid"])
    answers = await write(journal, requests(4))
    assert reasons(answers) == {"bad_request": 1}
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [4, 3]


@pytest.mark.parametrize(
    ("end", "says"), [("out_of_credit", "no quota or credit left"), ("unexplained", "does not say")]
)
async def test_a_batch_that_fails_stops_the_run(server: Server, journal: Journal, end: str, says: str) -> None:
    behave(server, ends=[end])
    with pytest.raises(WriterError, match=says):
        await write(journal, requests(4))
    assert open_batches(journal) == []
    assert await claimed_and_spent(journal) == (0.0, 0.0)
    assert all_replied(await write(journal, requests(4)), 4)


async def test_a_full_queue_is_waited_for(server: Server, journal: Journal) -> None:
    behave(server, ends=["queue_full", "queue_full"])
    assert all_replied(await write(journal, requests(4)), 4)
    assert paid_once(server)


async def test_batches_are_no_more_than_the_queue_takes(server: Server, journal: Journal) -> None:
    behave(server, enqueued_tokens=400, looks=2)
    assert all_replied(await write(journal, requests(12), batch_settings(batch_enqueued_tokens=400)), 12)
    assert len(server.batches.batches) > 2
    assert not any(batch.complaint for batch in server.batches.batches.values())


async def test_a_limit_of_the_queue_is_learnt(server: Server, journal: Journal) -> None:
    behave(server, enqueued_tokens=400, looks=2)
    assert all_replied(await write(journal, requests(12)), 12)
    failed = [batch for batch in server.batches.batches.values() if batch.complaint]
    assert 1 <= len(failed) <= 2


async def test_limits_of_a_file(server: Server, journal: Journal) -> None:
    behave(server)
    assert all_replied(await write(journal, requests(7), limits=Limits(lines=3)), 7)
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [3, 3, 1]
    longest = max(len(content) for file, content in server.batches.files.items() if "input" in file)
    server.reset()
    assert all_replied(await write(journal, requests(14)[7:], limits=Limits(bytes=longest - 10)), 7)
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [2, 2, 2, 1]


async def test_errors_of_lines_are_those_of_http(server: Server, journal: Journal) -> None:
    behave(server, errors={"500": 0.2, "context_length": 0.2, "content_filter": 0.2, "bad_request": 0.2})
    answers = await write(journal, requests(40))
    found = Counter(
        answer.reason if isinstance(answer, Failure) else answer.finish_reason for answer in answers.values()
    )
    assert found.keys() == {"stop", "context_length", "content_filter", "bad_request"}
    assert paid_once(server)


@pytest.mark.parametrize(("fault", "error"), [("quota", WriterError), ("401", CredentialsError)])
async def test_errors_of_lines_that_end_the_run(
    server: Server, journal: Journal, fault: str, error: type[WriterError]
) -> None:
    behave(server, errors={fault: 0.5})
    with pytest.raises(error):
        await write(journal, requests(10))
    behave(server)
    assert all_replied(await write(journal, requests(10)), 10)
    assert paid_once(server)


async def test_when_all_lines_fail_alike_it_says_why(server: Server, journal: Journal) -> None:
    behave(server, errors={"bad_request": 1.0})
    with pytest.raises(WriterError, match=r"All 10 requests of a batch failed alike.*Invalid value for messages"):
        await write(journal, requests(10), batch_settings(give_up_after=10))
    assert len(server.batches.batches) == 1


async def test_ctrl_c_leaves_batches_that_the_next_run_finds(
    server: Server, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    behave(server, looks=1000)
    stop = asyncio.Event()

    def stop_when_sent(tick: Tick) -> None:
        if tick.kind == "batch":
            stop.set()

    assert await write(journal, requests(5), report=stop_when_sent, stop=stop) == {}
    assert "1 batches go on" in caplog.text
    reserved, _ = await claimed_and_spent(journal)
    (row,) = open_batches(journal)
    assert reserved == row.worst > 0
    behave(server)
    assert all_replied(await write(journal, requests(7)), 7)
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [5, 2]
    assert paid_once(server)
    assert await claimed_and_spent(journal) == pytest.approx((0.0, server.batches.ledger.total.cost))


async def test_what_the_next_run_finds_needs_no_room_under_the_cap(server: Server, journal: Journal) -> None:
    behave(server)
    await write(journal, requests(5), leave=True)
    (row,) = open_batches(journal)
    assert all_replied(await write(journal, requests(5), cap=row.worst), 5)


async def test_a_run_may_leave_what_it_sent(server: Server, journal: Journal) -> None:
    behave(server, looks=3)
    answers = await write(journal, requests(5), leave=True)
    assert reasons(answers) == {"in_batch": 5}
    answers = await write(journal, requests(6), leave=True)
    assert reasons(answers) == {"in_batch": 6}
    assert [len(batch.lines) for batch in server.batches.batches.values()] == [5, 1]


async def test_without_room_in_the_queue_some_wait(server: Server, journal: Journal) -> None:
    behave(server)
    answers = await write(journal, requests(12), batch_settings(batch_enqueued_tokens=400), leave=True)
    assert reasons(answers).keys() == {"in_batch", "no_room"}
    assert len(server.batches.batches) == 1


async def test_a_cap_is_kept(server: Server, journal: Journal) -> None:
    behave(server)
    worst = BatchWriter(batch_settings()).worst_cost(make_request(0)) or 0.0
    answers = await write(journal, requests(5), cap=2.5 * worst)
    assert len(answers) == 2
    assert server.batches.ledger.total.cost < 2.5 * worst


async def test_without_a_journal_nothing_is_sent(server: Server) -> None:
    async def given():  # type: ignore[no-untyped-def]
        yield make_request(0)

    async with BatchWriter(batch_settings()) as writer:
        with pytest.raises(UsageError, match="needs a journal"):
            [answer async for answer in writer.write(given())]


async def test_a_provider_without_batches(server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url + "/elsewhere")
    with pytest.raises(WriterError, match="no Batch API"):
        await write(journal, requests(1))
    assert open_batches(journal) == []


async def test_no_key_in_what_is_kept(server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    server.model = Model(key="sk-other")
    with pytest.raises(CredentialsError) as raised:
        await write(journal, requests(1))
    assert "planted" not in str(raised.value)
    behave(server)
    await write(journal, requests(1))
    assert "planted" not in "".join(row.model_dump_json() for row in Store(journal).all())
