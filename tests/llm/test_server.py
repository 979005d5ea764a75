"""The test server itself: it reads the shipped prompts rightly, and can be repeated exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from misbehaving.model import Model
from misbehaving.replies import REPLY_FAULTS, completion, read_prompt

from tenk.prompting import load_templates, reask, render
from tenk.records import Event, Request, Video
from tenk.replies import json_schema, parse

TEMPLATES = load_templates(Path(__file__).resolve().parents[2] / "prompts")
VIDEO = Video(
    id="v1",
    source_id="v1",
    split="test",
    events=(
        Event(text="A potter wedges a lump of grey clay on a bench."),
        Event(text="She throws it on the wheel, and 2 tall walls rise between her wet hands."),
        Event(text="The bowl is set on a shelf to dry."),
    ),
)


def body(request: Request, *, structured: bool = False) -> dict[str, Any]:
    sent: dict[str, Any] = {"model": "m", "messages": [message.model_dump() for message in request.messages]}
    if structured:
        sent["response_format"] = {"json_schema": {"schema": json_schema(request.asked)}}
    return sent


def content(request: Request, model: Model, *, structured: bool = False) -> tuple[str, str]:
    (choice,) = completion(body(request, structured=structured), model)["choices"]
    return choice["message"]["content"] or "", choice["finish_reason"]


@pytest.mark.parametrize("structured", [False, True])
@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.axis)
def test_shipped_prompts_and_their_reasks(template: Any, structured: bool) -> None:
    first = render(template, VIDEO)
    again = reask(first, {first.asked[1].code: f"{first.asked[1].label} has 99 words; write fewer."}, "SUMMARY 1: no")
    unheard = reask(first, {first.asked[2].code: f"{first.asked[2].label} is missing."}, "")
    for request in (first, again, unheard):
        asked, source = read_prompt(body(request, structured=structured))
        assert asked == [(output.label, output.words) for output in request.asked]
        assert source == VIDEO.paragraph
        reply, finish = content(request, Model(), structured=structured)
        parsed = parse(reply, finish, request.asked, VIDEO.paragraph)
        assert not parsed.problems
        assert {code: text.words for code, text in parsed.texts.items()} == {o.code: o.words for o in request.asked}


@pytest.mark.parametrize("flaw", sorted({*REPLY_FAULTS} - {"markdown", "preamble", "copy"}))
def test_flaws_are_flaws(flaw: str) -> None:
    request = render(TEMPLATES[0], VIDEO)
    reply, finish = content(request, Model(flaws={flaw: 1.0}))
    assert parse(reply, finish, request.asked, VIDEO.paragraph).problems


def test_a_function_of_seed_and_request() -> None:
    request = render(TEMPLATES[0], VIDEO)
    assert content(request, Model(seed=1)) == content(request, Model(seed=1))
    assert content(request, Model(seed=1)) != content(request, Model(seed=2))
