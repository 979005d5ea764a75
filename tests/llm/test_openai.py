"""The openai writer over real HTTP, through the openai package, against a server that misbehaves on purpose."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Sequence

import httpx2
import pytest
from llm_helpers import make_request, make_settings, stream
from openai_server import Model, Server

from tenk.errors import CredentialsError, UsageError, WriterError
from tenk.llm import dialect, dispatch, endpoint, outlook
from tenk.llm.faults import Transient
from tenk.llm.openai import OpenAIWriter
from tenk.llm.protocol import Unaccounted
from tenk.llm.settings import Prices, WriterSettings
from tenk.progress import ignore
from tenk.records import Draft, Failure, Request, Usage

KEY = "sk-planted-0123456789abcdefghij"


async def write(
    requests: Sequence[Request] | int, settings: WriterSettings | None = None
) -> dict[str, Draft | Failure]:
    """Answers by video id; each request must be answered exactly once."""
    if isinstance(requests, int):
        requests = [make_request(n) for n in range(requests)]
    async with OpenAIWriter(settings or make_settings()) as writer:
        answers = [answer async for answer in writer.write(stream(requests))]
    assert sorted(request.video_id for request, _ in answers) == sorted(request.video_id for request in requests)
    return {request.video_id: answer for request, answer in answers}


async def write_one(settings: WriterSettings | None = None) -> Draft | Failure:
    (answer,) = (await write(1, settings)).values()
    return answer


async def test_a_reply(openai_server: Server) -> None:
    draft = await write_one()
    assert isinstance(draft, Draft)
    assert draft.body.startswith("SUMMARY 1: ")
    assert (draft.finish_reason, draft.model, draft.attempts) == ("stop", "test-model-served", 1)
    assert draft.usage.prompt_tokens > 0 < draft.usage.completion_tokens
    assert draft.cost is None
    assert 0 < draft.latency < 2
    (body,) = openai_server.bodies
    assert body.keys() == {"model", "messages", "max_tokens"}
    assert body["messages"] == [message.model_dump() for message in make_request(0).messages]
    assert openai_server.headers[0]["Authorization"] == "Bearer sk-test-0123456789abcdef"


async def test_many_at_a_time_and_never_more_than_allowed(openai_server: Server) -> None:
    openai_server.model = Model(latency=0.02)
    drafts = await write(60, make_settings(concurrency=7))
    assert all(isinstance(draft, Draft) for draft in drafts.values())
    assert openai_server.most_in_flight == 7
    assert openai_server.counts["requests"] == 60


@pytest.mark.parametrize(
    "fault",
    ["429", "429_date", "429_ms", "429_bare", "408", "409", "500", "503", "reset", "half_body", "invalid_json",
     "no_choices", "error_200", "slow"],
)  # fmt: skip
async def test_what_may_pass_is_tried_again(openai_server: Server, fault: str) -> None:
    openai_server.model = Model(slow=0.3)
    openai_server.script.extend([fault, fault])
    draft = await write_one(make_settings(timeout=0.15))
    assert isinstance(draft, Draft)
    assert draft.attempts == 3
    assert openai_server.counts["requests"] == 3
    assert openai_server.bodies[0] == openai_server.bodies[2]


@pytest.mark.parametrize("fault", ["429", "429_ms"])
async def test_retry_after_is_waited_for(openai_server: Server, fault: str) -> None:
    openai_server.model = Model(retry_after=0.4)
    openai_server.script.append(fault)
    started = time.monotonic()
    await write_one()
    assert 0.4 <= time.monotonic() - started < 1.5


async def test_retry_after_holds_everybody_back(openai_server: Server) -> None:
    openai_server.model = Model(retry_after=0.4)
    openai_server.script.append("429")
    await write(20, make_settings(concurrency=1))
    assert openai_server.counts["requests"] == 21
    assert openai_server.times[1] - openai_server.times[0] >= 0.4


async def test_who_waits_holds_no_slot(openai_server: Server) -> None:
    openai_server.script.extend(["500"] * 4)
    started = time.monotonic()
    drafts = await write(12, make_settings(concurrency=1, first_wait=1.0, longest_wait=1.0))
    order = list(drafts)
    assert {*order[-4:]} == {f"video-{n}" for n in range(4)}, "the others went on while the first four waited"
    assert time.monotonic() - started < 3, "and they waited at the same time"


async def test_a_wait_beyond_the_deadline_is_not_sat_out(openai_server: Server) -> None:
    openai_server.model = Model(retry_after=3600)
    openai_server.script.append("429")
    async with asyncio.timeout(5):
        answers = await write(3, make_settings(concurrency=1))
    detail = "tried once: Error code: 429 - Rate limit reached"
    assert answers["video-0"] == Failure(reason="rate_limit", detail=detail)
    assert [type(answer) for answer in answers.values()] == [Failure, Draft, Draft]


async def test_the_deadline_ends_retries(openai_server: Server) -> None:
    openai_server.model = Model(faults={"500": 1.0})
    failure = await write_one(make_settings(deadline=0.3))
    assert isinstance(failure, Failure)
    assert failure.reason == "server_error"
    assert failure.detail.startswith(f"tried {openai_server.counts['requests']} times, the last time: ")
    assert openai_server.counts["requests"] > 1


async def test_a_request_that_is_refused_is_set_aside(openai_server: Server) -> None:
    openai_server.script.append("bad_request")
    answers = await write(3, make_settings(concurrency=1))
    assert [type(answer) for answer in answers.values()] == [Failure, Draft, Draft]
    failure = answers["video-0"]
    assert isinstance(failure, Failure)
    assert failure.reason == "bad_request"
    assert openai_server.counts["requests"] == 3


@pytest.mark.parametrize("fault", ["context_length", "content_filter"])
async def test_a_request_that_is_declined_is_answered(openai_server: Server, fault: str) -> None:
    openai_server.script.append(fault)
    answers = await write(3, make_settings(concurrency=1, prices=Prices(input=2.0, output=10.0)))
    draft = answers["video-0"]
    assert isinstance(draft, Draft)
    assert draft.model_copy(update={"latency": 0.0}) == Draft(
        body="", finish_reason=fault, model="test-model", usage=Usage(), cost=0.0
    )
    assert openai_server.counts["requests"] == 3


async def test_however_many_are_declined_the_run_goes_on(openai_server: Server) -> None:
    openai_server.model = Model(declines={"content_filter": 1.0})
    answers = await write(50)
    assert {answer.finish_reason for answer in answers.values() if isinstance(answer, Draft)} == {"content_filter"}
    assert len(answers) == 50


async def test_a_declined_request_breaks_a_row_of_failures(openai_server: Server) -> None:
    openai_server.script.extend([*["bad_request"] * 19, "context_length", *["bad_request"] * 30])
    answers = await write(50, make_settings(concurrency=1))
    assert sum(isinstance(answer, Failure) for answer in answers.values()) == 49


@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        ("401", CredentialsError, "Set OPENAI_API_KEY to a valid key"),
        ("403", CredentialsError, "does not allow this key to use test-model"),
        ("402", WriterError, "no quota or credit left"),
        ("quota", WriterError, "no quota or credit left"),
        ("404", WriterError, "does not know the model 'test-model'"),
    ],
)
async def test_what_no_request_can_pass_stops_at_once(
    openai_server: Server, fault: str, kind: type[WriterError], says: str
) -> None:
    openai_server.script.extend([fault] * 100)
    with pytest.raises(kind, match=says) as caught:
        await write(50, make_settings(concurrency=4))
    assert type(caught.value) is kind
    assert openai_server.counts["requests"] <= 4


async def test_what_was_in_flight_at_a_stop_is_answered(openai_server: Server) -> None:
    openai_server.model = Model(latency=0.1)
    openai_server.script.extend([None, "401", None, None])
    answers = []

    async def take() -> None:
        async with OpenAIWriter(make_settings(concurrency=4)) as writer:
            async for answer in writer.write(stream([make_request(n) for n in range(50)])):
                answers.append(answer)

    with pytest.raises(CredentialsError):
        await take()
    assert 3 <= len(answers) == openai_server.counts["requests"] - 1 < 10


@pytest.mark.parametrize("fault", ["bad_request", "500"])
async def test_when_all_fail_alike_it_stops_and_says_why(openai_server: Server, fault: str) -> None:
    openai_server.model = Model(faults={fault: 1.0})
    reason = {"500": "server_error"}.get(fault, fault)
    with pytest.raises(WriterError, match=rf"20 requests in a row failed alike .*: {reason} \("):
        await write(200, make_settings(concurrency=5, deadline=0.05))
    assert openai_server.counts["requests"] < 200


async def test_refusals_among_answers_stop_nothing(openai_server: Server) -> None:
    openai_server.script.extend([None] + ["bad_request"] * 30)
    answers = await write(40, make_settings(concurrency=1))
    assert sum(isinstance(answer, Failure) for answer in answers.values()) == 30


async def test_a_third_of_all_attempts_faulty(openai_server: Server) -> None:
    faults = ["429", "429_bare", "500", "503", "reset", "half_body", "invalid_json", "no_choices"]
    openai_server.model = Model(seed=7, faults=dict.fromkeys(faults, 0.3 / len(faults)), retry_after=0.02)
    faulty = await write(150)
    assert all(isinstance(draft, Draft) for draft in faulty.values())
    assert openai_server.counts["requests"] > 180
    openai_server.reset()
    openai_server.model = Model(seed=7)
    good = await write(150)
    assert {k: d.body for k, d in faulty.items() if isinstance(d, Draft)} == {
        k: d.body for k, d in good.items() if isinstance(d, Draft)
    }


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"])
async def test_nobody_there(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "REACH_SECONDS", 0.2)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(WriterError, match=rf"Cannot connect to {url} .*Check that the server runs"):
        await write(40)


async def test_a_timeout_is_no_sign_of_somebody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "REACH_SECONDS", 0.1)
    faults = [Transient("timeout", "slow")] + [Transient("connection", "refused")] * 1000

    async def send(request: Request) -> dispatch.Sent:
        raise faults.pop(0)

    dispatcher = dispatch.Dispatcher(
        send, where="http://test", settings=make_settings(), tokens=lambda request: 1, rng=random.Random(0)
    )
    with pytest.raises(WriterError, match="Cannot connect to http://test"):
        [answer async for answer in dispatcher.answers(stream([make_request()]), Unaccounted(), ignore, None)]


async def test_a_server_that_goes_away_for_a_moment(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "REACH_SECONDS", 0.01)
    openai_server.script.extend([None, "reset", "reset"])
    drafts = await write(5, make_settings(concurrency=1, first_wait=0.05))
    assert all(isinstance(draft, Draft) for draft in drafts.values())


@pytest.mark.parametrize(("refuses", "sent"), [("max_tokens", "max_completion_tokens"), ("temperature", "max_tokens")])
async def test_what_a_model_does_not_take_is_learnt_once(
    openai_server: Server, caplog: pytest.LogCaptureFixture, refuses: str, sent: str
) -> None:
    dialect.dialect_of.cache_clear()
    openai_server.model = Model(refuses=frozenset({refuses}))
    settings = make_settings(temperature=0.5, concurrency=1)
    drafts = await write(5, settings)
    assert {d.attempts for d in drafts.values() if isinstance(d, Draft)} == {1}
    assert openai_server.counts["refused_parameter"] == 1
    await write(5, settings)
    assert openai_server.counts["refused_parameter"] == 1, "a second writer of this process knows"
    assert sent in openai_server.bodies[-1]
    assert refuses not in openai_server.bodies[-1]
    said = [record for record in caplog.records if "takes no temperature" in record.message]
    assert len(said) == (refuses == "temperature")
    dialect.dialect_of.cache_clear()


async def test_the_key_does_not_depend_on_what_was_learnt(openai_server: Server) -> None:
    dialect.dialect_of.cache_clear()
    settings = make_settings(temperature=0.5)
    before = OpenAIWriter(settings).payload(make_request(0))
    openai_server.model = Model(refuses=frozenset({"temperature", "max_tokens"}))
    await write(3, settings)
    assert OpenAIWriter(settings).payload(make_request(0)) == before
    dialect.dialect_of.cache_clear()


async def test_known_families_are_spoken_to_rightly(openai_server: Server) -> None:
    await write_one(make_settings(model="gpt-5-mini", temperature=0.7, reasoning_effort="low"))
    (body,) = openai_server.bodies
    assert body["max_completion_tokens"] > 20_000
    assert body["reasoning_effort"] == "low"
    assert not body.keys() & {"temperature", "max_tokens"}


async def test_structured_output(openai_server: Server) -> None:
    draft = await write_one(make_settings(structured=True))
    assert isinstance(draft, Draft)
    assert draft.body.startswith('{"SUMMARY 1": "')
    form = openai_server.bodies[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert set(form["json_schema"]["schema"]["required"]) == {"SUMMARY 1", "SUMMARY 7"}


async def test_a_server_without_structured_output_stops_at_once_with_the_mend(openai_server: Server) -> None:
    openai_server.model = Model(refuses=frozenset({"response_format"}))
    with pytest.raises(WriterError, match=r"takes no JSON schema for test-model \(.*Set `structured: false`"):
        await write(50, make_settings(structured=True, concurrency=4))
    assert openai_server.counts["requests"] <= 4


@pytest.mark.parametrize(("structured", "named"), [(True, True), (False, False)])
async def test_a_refusal_that_may_be_the_schemas_fault_says_so(
    openai_server: Server, structured: bool, named: bool
) -> None:
    openai_server.model = Model(declines={"bad_request": 1.0})
    with pytest.raises(WriterError, match="20 requests in a row failed alike") as caught:
        await write(50, make_settings(structured=structured))
    assert ("set `structured: false`" in str(caught.value)) == named


async def test_a_limit_of_the_users_own_is_sent_and_is_in_the_key(openai_server: Server) -> None:
    settings = make_settings(max_output_tokens=77)
    await write_one(settings)
    assert openai_server.bodies[0]["max_tokens"] == 77
    assert OpenAIWriter(settings).payload(make_request())["max_output_tokens"] == 77
    assert "max_output_tokens" not in OpenAIWriter(make_settings()).payload(make_request())


async def test_prices_of_the_users_own(openai_server: Server) -> None:
    draft = await write_one(make_settings(prices=Prices(input=2.0, output=10.0)))
    assert isinstance(draft, Draft)
    assert draft.cost == pytest.approx((draft.usage.prompt_tokens * 2 + draft.usage.completion_tokens * 10) / 1e6)


async def test_a_refusal_in_its_own_field(openai_server: Server) -> None:
    openai_server.model = Model(flaws={"null": 1.0})
    draft = await write_one()
    assert isinstance(draft, Draft)
    assert (draft.body, draft.finish_reason) == ("I'm sorry, I cannot help with that.", "refusal")


async def test_stop_lets_what_is_in_flight_finish(openai_server: Server) -> None:
    openai_server.model = Model(latency=0.1)
    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(0.15, stop.set)
    async with OpenAIWriter(make_settings(concurrency=5)) as writer:
        answers = [answer async for answer in writer.write(stream([make_request(n) for n in range(100)]), stop=stop)]
    assert 5 <= len(answers) == openai_server.counts["requests"] < 50
    assert len(asyncio.all_tasks()) == 1


async def test_stop_does_not_wait_for_retries(openai_server: Server) -> None:
    openai_server.model = Model(faults={"429": 1.0}, retry_after=4.0)
    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(0.2, stop.set)
    started = time.monotonic()
    async with OpenAIWriter(make_settings(concurrency=5)) as writer:
        answers = [answer async for answer in writer.write(stream([make_request(n) for n in range(100)]), stop=stop)]
    assert answers == []
    assert time.monotonic() - started < 3


async def test_whoever_leaves_gets_the_slots_back(openai_server: Server) -> None:
    openai_server.model = Model(latency=0.05)
    async with OpenAIWriter(make_settings(concurrency=2)) as writer:
        first = writer.write(stream([make_request(n) for n in range(20)]))
        await anext(first)
        await first.aclose()
        again = [answer async for answer in writer.write(stream([make_request(n) for n in range(4)]))]
    assert len(again) == 4
    assert len(asyncio.all_tasks()) == 1


def test_a_writer_serves_one_event_loop_after_the_other(openai_server: Server) -> None:
    writer = OpenAIWriter(make_settings())

    async def use() -> int:
        async with writer:
            return len([answer async for answer in writer.write(stream([make_request(n) for n in range(40)]))])

    assert [asyncio.run(use()), asyncio.run(use())] == [40, 40]


async def test_nothing_is_needed_before_there_is_something_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    async with OpenAIWriter(make_settings()) as writer:
        assert writer.payload(make_request())["base_url"] == "https://api.openai.com/v1"
        with pytest.raises(CredentialsError, match="OPENAI_API_KEY is not set"):
            [answer async for answer in writer.write(stream([make_request()]))]


async def test_a_key_of_ones_own_variable(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTER_KEY", f" {KEY}\n")
    openai_server.model = Model(key=KEY)
    assert isinstance(await write_one(make_settings(api_key_variable="ROUTER_KEY")), Draft)
    with pytest.raises(CredentialsError, match="Set OPENAI_API_KEY"):
        await write_one()


async def test_a_server_of_ones_own_needs_no_key(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert isinstance(await write_one(), Draft)


async def test_no_secret_anywhere(
    openai_server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    writer = OpenAIWriter(make_settings())
    seen = [repr(writer), repr(vars(writer)), str(writer.payload(make_request()))]
    assert isinstance(await write_one(), Draft)
    openai_server.script.append("error_200")
    failure = await write_one(make_settings(deadline=0.001))
    assert isinstance(failure, Failure)
    assert failure.detail.endswith("(upstream is overloaded, key [key])")
    seen.append(repr(failure))
    openai_server.model = Model(key="another")
    with pytest.raises(CredentialsError) as caught:
        await write_one()
    assert "Incorrect API key provided: [key]" in str(caught.value)
    seen += [str(caught.value), repr(caught.value), caplog.text]
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\nX-Other: header")
    with pytest.raises(CredentialsError, match="characters that no key has") as caught:
        await write_one()
    seen += [str(caught.value)]
    assert not [text for text in seen if KEY[:12] in text]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("localhost:8000/v1", "http://"),
        (f"https://me:{KEY}@gateway.example/v1", "holds a password or key"),
        (f"https://gateway.example/v1?api_key={KEY}", "holds a password or key"),
    ],
)
def test_a_base_url_that_is_none(url: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(UsageError, match=says) as caught:
        OpenAIWriter(make_settings())
    assert KEY not in str(caught.value)


def test_an_error_of_any_depth_is_an_error() -> None:
    response = httpx2.Response(500, content=b"[" * 200_000, request=httpx2.Request("POST", "http://test"))
    assert endpoint._status_error(response).status_code == 500
