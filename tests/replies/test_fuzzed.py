"""Any replies at all, to any of the shipped templates and to their re-asks, come to an end with each output settled."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.prompting import Template, load_templates, render
from tenk.records import Event, Reply, Request, Video
from tenk.replies import MAX_REASKS, needs, settle

TEMPLATES = load_templates(Path(__file__).resolve().parents[2] / "prompts")
EVENTS = ("A man lifts a weight over his head.", "Then he drops it and smiles.", "He bows to the crowd.")
VIDEO = Video(id="v", source_id="v", split="s", events=tuple(Event(text=text) for text in EVENTS))
ENDINGS = ("stop", "length", "content_filter", "context_length", "tool_calls", "rejected")

scraps = st.one_of(
    st.sampled_from([output.label for template in TEMPLATES for output in template.outputs]),
    st.sampled_from(
        [*EVENTS, ": ", "\n", "**", '"', '{"', '": "', '"}', "(9 words)", "I'm sorry, but I can't do that."]
    ),
    st.sampled_from(["<think>", "</think>", "```json\n", "| ", "Note: ", "\\n", "\u2028", "- ", "1. "]),
    st.text(max_size=12),
)
bodies = st.lists(scraps, max_size=24).map("".join)


@st.composite
def faithful(draw: st.DrawFn, template: Template) -> str:
    """A reply with every label, and under it as many words of the video as were asked for, or nearly so."""
    words = VIDEO.paragraph.split()
    asked = render(template, VIDEO).asked
    counts = [max(1, output.words + draw(st.integers(-1, 1))) for output in asked]
    return "\n\n".join(
        f"{output.label}: {' '.join((words[::-1] * 2)[:count])}" for output, count in zip(asked, counts, strict=True)
    )


def _converse(template: Template, replies: list[tuple[str, str]], *, recheck: bool) -> list[tuple[Request, Reply]]:
    rounds: list[tuple[Request, Reply]] = []
    while (request := needs(template, VIDEO, rounds, recheck=recheck)) is not None and replies:
        body, ending = replies.pop(0)
        rounds.append((request, Reply(key=str(len(rounds)), body=body, finish_reason=ending, model="m")))
    return rounds


@given(
    st.sampled_from(TEMPLATES),
    st.lists(st.tuples(bodies, st.sampled_from(ENDINGS)), min_size=1, max_size=5),
    st.booleans(),
    st.booleans(),
)
def test_each_output_is_settled_once(
    template: Template, replies: list[tuple[str, str]], recheck: bool, keep_copies: bool
) -> None:
    rounds = _converse(template, replies, recheck=recheck)
    assert len(rounds) <= 1 + MAX_REASKS
    for (before, _), (request, _) in pairwise(rounds):
        assert request.round == before.round + 1
        assert set(request.asked) <= set(before.asked)
    captions, rejections = settle(template, VIDEO, rounds, keep_copies=keep_copies)
    settled = sorted([caption.code for caption in captions] + [rejection.code for rejection in rejections])
    assert settled == sorted(output.code for output in template.outputs)
    for caption in captions:
        assert caption.text == " ".join(caption.text.split()) != ""
        assert caption.words == len(caption.text.split())
        assert caption.journal_key in {reply.key for _, reply in rounds}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.axis)
@given(st.data(), st.lists(bodies, max_size=2))
def test_a_good_reply_ends_it_whatever_came_before(template: Template, data: st.DataObject, before: list[str]) -> None:
    good = data.draw(faithful(template))
    rounds = _converse(template, [*((body, "stop") for body in before), (good, "stop")], recheck=False)
    captions, rejections = settle(template, VIDEO, rounds)
    if rounds and rounds[-1][1].body == good:
        assert needs(template, VIDEO, rounds) is None
        assert not rejections
        assert {caption.code for caption in captions} == {output.code for output in template.outputs}
