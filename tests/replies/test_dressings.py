"""Replies as language models dress the outputs of the shipped prompts, and the remarks that they add: dressings.yaml.

Either all three texts come out clean, or an output is a fault, which is counted and asked for again: no remark gets
into a caption. What only looks like a remark or a label, because the video shows it, stays as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tenk.prompting import find_folder, load_templates
from tenk.records import Asked, Tolerance
from tenk.replies import parse

SOURCE = (
    "In a park, a man in a blue shirt puts a red ball on the grass and takes three steps back. He runs up and kicks "
    "the ball hard over a tall wooden fence. Two boys behind him laugh and clap, and a small dog runs after the ball."
)
TEXTS = {
    "①": "A man kicks a ball over a fence.",
    "②": "A man in blue kicks a red ball over a tall fence while two boys laugh and clap.",
    "③": "A man in a blue shirt puts a red ball on the grass in a park, steps back, and kicks it hard over a tall "
    "wooden fence. Two boys laugh and clap, and a small dog chases the ball.",
}
ONE, TWO, THREE = TEXTS.values()
DRESSINGS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("dressings.yaml").read_text(encoding="utf-8"))
LOOSE = Tolerance(low=0.0, high=1000.0)
TEMPLATES = {template.axis: template for template in load_templates(find_folder(None, Path(__file__).parent))}


def asked(axis: str) -> list[Asked]:
    return [Asked(code=each.code, label=each.label, words=9, tolerance=LOOSE) for each in TEMPLATES[axis].outputs]


def given(axis: str, reply: str, source: str = SOURCE) -> tuple[list[str | None], set[str]]:
    """The text of each output or None, and the reasons of all problems; each output has one of the two."""
    outputs = asked(axis)
    parsed = parse(reply, "stop", outputs, source)
    problems = {problem.code: problem.reason for problem in parsed.problems}
    assert set(parsed.texts) ^ set(problems) == {output.code for output in outputs}
    texts = [parsed.texts[each.code].text if each.code in parsed.texts else None for each in outputs]
    return texts, set(problems.values())


def filled(reply: str) -> str:
    for mark, text in TEXTS.items():
        reply = reply.replace(mark, text)
    return reply


def plain(axis: str, texts: list[str]) -> str:
    return "\n\n".join(f"{output.label}: {text}" for output, text in zip(asked(axis), texts, strict=True))


def named(kind: str) -> Any:
    return pytest.mark.parametrize("dressing", [pytest.param(each, id=each["name"]) for each in DRESSINGS[kind]])


@named("read")
def test_all_three_texts_come_out_clean(dressing: dict[str, Any]) -> None:
    assert given(dressing["axis"], filled(dressing["reply"])) == ([ONE, TWO, THREE], set())


@named("faulty")
def test_what_is_in_doubt_is_asked_for_again(dressing: dict[str, Any]) -> None:
    texts = [text if mark in dressing["texts"] else None for mark, text in TEXTS.items()]
    assert given(dressing["axis"], filled(dressing["reply"])) == (texts, set(dressing["reasons"]))


@pytest.mark.parametrize("remark", DRESSINGS["remarks"])
@pytest.mark.parametrize("axis", TEMPLATES)
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["line", "paragraph"])
def test_no_remark_gets_into_a_caption(remark: str, axis: str, gap: str) -> None:
    texts, reasons = given(axis, plain(axis, [ONE, TWO, THREE]) + gap + remark)
    assert texts[:2] in ([ONE, TWO], [None, TWO], [ONE, None], [None, None])
    assert texts[2] in {THREE, None}
    assert (None in texts) == bool(reasons)


@pytest.mark.parametrize("preamble", DRESSINGS["preambles"])
def test_no_preamble_gets_into_a_caption_without_a_label(preamble: str) -> None:
    first, second, third = asked("summarization")
    for gap in ("\n\n", "\n", " " if preamble[-1] in ".:!" else "\n"):
        parsed = parse(preamble + gap + TWO, "stop", [second], SOURCE, others=[first, third])
        assert [text.text for text in parsed.texts.values()] in ([TWO], [])
        assert bool(parsed.texts) != bool(parsed.problems)


@pytest.mark.parametrize("text", DRESSINGS["kept"])
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("axis", TEMPLATES)
def test_a_caption_that_holds_such_words_stays_as_it_is(text: str, place: int, axis: str) -> None:
    texts = [ONE, TWO, THREE]
    texts[place] = text
    for source in (SOURCE, f"{SOURCE} {text}"):
        assert given(axis, plain(axis, texts), source) == (texts, set())


@pytest.mark.parametrize("text", DRESSINGS["kept"])
def test_such_a_sentence_within_a_caption_stays_where_the_video_shows_it(text: str) -> None:
    for told in (f"{ONE} {text}", f"{text} {ONE}", f"{ONE} {text} {TWO}"):
        reply = plain("summarization", [ONE, TWO, told])
        assert given("summarization", reply, f"{SOURCE} {text}") == ([ONE, TWO, told], set())


def test_a_re_ask_that_is_answered_with_all_outputs_and_a_note_gives_its_own() -> None:
    first, second, third = asked("simplification")
    reply = plain("simplification", [ONE, TWO, THREE]) + "\n\nNote: I kept the order."
    parsed = parse(reply, "stop", [third], SOURCE, others=[first, second])
    assert [text.text for text in parsed.texts.values()] == [THREE]
