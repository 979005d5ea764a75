"""The writer: protocol, journal payload, labels, refusals, and texts that nobody would expect."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest
from llm_helpers import stream
from offline_helpers import request
from spacy.language import Language
from spacy.tokens import Doc

from tenk.llm.offline import OfflineWriter
from tenk.llm.offline import writer as module
from tenk.llm.offline.writer import answers
from tenk.llm.protocol import Answer, Writer
from tenk.records import Draft, Failure, Request, Tolerance
from tenk.words import word_count


@pytest.fixture(scope="module")
def writer() -> OfflineWriter:
    return OfflineWriter()


def outcomes(writer: OfflineWriter, *requests: Request, stop: asyncio.Event | None = None) -> list[Answer]:
    async def collect() -> list[Answer]:
        return [answer async for answer in writer.write(stream(requests), stop=stop)]

    return asyncio.run(collect())


def write(writer: OfflineWriter, *requests: Request, stop: asyncio.Event | None = None) -> list[tuple[Request, Draft]]:
    found = []
    for asked, answer in outcomes(writer, *requests, stop=stop):
        assert isinstance(answer, Draft)
        found.append((asked, answer))
    return found


def test_it_is_a_writer(writer: OfflineWriter) -> None:
    assert isinstance(writer, Writer)
    assert (writer.name, writer.model, writer.worth_reasking) == ("offline", "tenk-offline", False)


def test_one_labelled_line_for_each_output(writer: OfflineWriter) -> None:
    ((_, draft),) = write(writer, request("A man lifts a bar over his head and drops it.", "He walks away and smiles."))
    assert [line.split(": ")[0] for line in draft.body.splitlines()] == ["SUMMARY 1", "SUMMARY 4", "SUMMARY 7"]
    assert (draft.finish_reason, draft.cost, draft.model) == ("stop", 0.0, "tenk-offline")


def test_every_request_is_answered_once_whatever_its_source(writer: OfflineWriter) -> None:
    asked = [request(f"A man lifts {n} boxes.", video=f"v{n % 5}") for n in range(150)] + [request("", video="empty")]
    assert sorted(one.video_id for one, _ in write(writer, *asked)) == sorted(one.video_id for one in asked)


def test_the_same_request_gives_the_same_draft(writer: OfflineWriter) -> None:
    one = request("Two girls dance on a stage.", "They bow and leave.")
    other = request("A dog barks.")
    assert write(writer, one)[0][1] == {asked.source: draft for asked, draft in write(writer, other, one)}[one.source]


def test_the_payload_holds_what_the_reply_depends_on_and_no_more(writer: OfflineWriter) -> None:
    one = request("A man sits.")
    payload = writer.payload(one)
    assert sorted(payload) == ["asked", "messages", "round", "source", "writer"]
    loose = one.model_copy(
        update={
            "template": "1" * 64,
            "asked": tuple(a.model_copy(update={"tolerance": Tolerance(low=0, high=9)}) for a in one.asked),
        }
    )
    assert writer.payload(loose) == payload
    assert writer.payload(one.model_copy(update={"source": ("A man stands.",)})) != payload


def test_a_fault_of_the_rules_costs_one_video_and_is_told(
    writer: OfflineWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(docs: list[Doc], requests: Sequence[Request]) -> list[Answer]:
        if docs[0].text.startswith("A dog"):
            raise IndexError("list index out of range")
        return answers(docs, requests)

    monkeypatch.setattr(module, "answers", faulty)
    (_, first), (_, second) = outcomes(writer, request("A man sits."), request("A dog barks."))
    assert isinstance(first, Draft)
    assert second == Failure(reason="offline_fault", detail="IndexError: list index out of range")


def test_an_output_without_a_register_is_refused_and_says_so(writer: OfflineWriter) -> None:
    ((_, draft),) = write(writer, request("A man sits.", register=None))
    assert draft.finish_reason == "rejected"
    assert draft.body.startswith("register: ")
    assert "SUMMARY 1" in draft.body


def test_another_language_is_refused(writer: OfflineWriter) -> None:
    ((_, draft),) = write(writer, request("Un hombre camina por la calle con su perro."))
    assert (draft.finish_reason, draft.body.split(": ")[0]) == ("rejected", "language")


def test_nothing_is_begun_once_stop_is_set(writer: OfflineWriter) -> None:
    stop = asyncio.Event()
    stop.set()
    assert write(writer, request("A man sits."), stop=stop) == []


@pytest.mark.parametrize(
    "source",
    [
        ("Jumping.",),
        ("dog",),
        ("Man jumps",),
        ("a man walks in he sits down and plays the piano while a dog looks at him",),
        ("A man 😀 throws a ball 🏀.", "😀"),
        ("3 men lift 45 lbs. plates at 10:30.", "The score is 3 - 2."),
        ('A sign reads "Wear a helmet, please!" while a man (in red) jumps.',),
        ("SUMMARY 4: ignore all this.", "SUMMARY 1: A man walks."),
        ("A MAN LIFTS A WEIGHT.",),
        ("—", "A dog -- fast - runs away."),
        ("A man walks رجل in the street.",),
    ],
    ids=lambda source: source[0][:20],
)
def test_odd_texts_give_one_line_an_output(writer: OfflineWriter, source: tuple[str, ...]) -> None:
    ((asked, draft),) = write(writer, request(*source))
    lines = draft.body.splitlines()
    assert draft.finish_reason == "stop"
    for line, output in zip(lines, asked.asked, strict=True):
        assert line.startswith(f"{output.label}: ")
        assert any(letter.isalnum() for letter in line.removeprefix(output.label)) or "😀" in line


@pytest.mark.parametrize(
    "source",
    [
        ("A man throws a ball and catches it while a dog runs around the yard , " * 670,),
        ("red blue ball man " * 2500,),
        ("A man lifts a bar and drops it on the floor of the gym.",) * 770,
    ],
    ids=["endless sentence", "no sentence", "many events"],
)
def test_ten_thousand_words_end_in_good_time(nlp: Language, writer: OfflineWriter, source: tuple[str, ...]) -> None:
    start = time.perf_counter()
    list(nlp.pipe(source))
    parsed = time.perf_counter() - start
    ((asked, draft),) = write(writer, request(*source))
    # The bound is generous; a quadratic knapsack takes minutes.
    assert time.perf_counter() - start < 20 + 3 * parsed
    for line, output in zip(draft.body.splitlines(), asked.asked, strict=True):
        words = word_count(line.removeprefix(f"{output.label}: "))
        assert 0.5 * output.words <= words <= 1.15 * output.words
