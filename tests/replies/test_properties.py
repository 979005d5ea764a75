"""Any dressing of given texts parses back to the texts; any text at all parses, and in linear time."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.records import Asked, Tolerance
from tenk.replies import json_schema, parse
from tenk.replies.remarks import holds_remark
from tenk.words import word_count

LOOSE = Tolerance(low=0, high=1000)
SUMMARIES = [Asked(code=c, label=f"SUMMARY {n}", words=9, tolerance=LOOSE) for c, n in (("s", 1), ("m", 4), ("l", 7))]
VERSIONS = [
    Asked(code=f"s+{c}", label=f"VERSION {level}", words=9, tolerance=LOOSE)
    for c, level in (("e", "primary school"), ("i", "secondary school"), ("u", "university"))
]
SOURCE = "Source of it all, one two three four five six seven eight."

letters = st.text("abcdefgmnorstuvwyzABÉßжשي字", min_size=1, max_size=9)
words = st.builds(
    "".join, st.tuples(letters, st.sampled_from(["", "", "", ",", ".", "'s", "-up", "!", ' "x"', " (y)", "…"]))
)
texts = st.lists(words, min_size=1, max_size=12).map(" ".join).filter(lambda text: not holds_remark(text, SOURCE))

HEADS = [
    "{}:",
    "{} :",
    "**{}:**",
    "**{}**:",
    "*{}*:",
    "_{}_:",
    "`{}`:",
    "### {}:",
    "1. {}:",
    "2) **{}**:",
    "- {}:",
    "• {}:",
]
HEADS += [
    "> {}:",
    '"{}":',
    "[{}]:",
    "({}):",
    "{} -",
    "{} –",
    "{} —",
    "**{}** –",
    "{}.",
    "{} (9 words):",
    "**{} (9 words):**",
]
HEADS += ["{} - short:", "**{} (9 words)**\n", "Label: {}\n", "<b>{}</b>:", "1️⃣ {}:"]
HEADS += ["{} →", "a) {}:", "# **{}**:", "{} - 9 words:", "🙂 {}:"]
WRAPS = [
    "{}",
    "{}",
    '"{}"',
    "“{}”",
    "**{}**",
    "*{}*",
    "'{}'",
    "`{}`",
    "{} (9 words)",
    "{} [word count: 9]",
    "**{}** *(9 words)*",
]
CASES = [str, str.lower, str.title, lambda label: label.replace(" ", "_"), lambda label: label.replace(" ", "-")]
BEFORE = ["", "Here are the outputs:\n\n", "Sure!\n", "---\n", "<think>SUMMARY 1: no\nSUMMARY 4: no</think>\n"]
AFTER = ["", "\n\nLet me know if you need more.", "\n---\nAll of them keep the order.", "\n\nNote: nothing is made up."]
AFTER += [
    "\n\nWord counts: 6, 10, 14.",
    "\n(Note: all word counts are exact.)",
    "\n\nDone.<|im_end|>\n<|user|>SUMMARY 1: no",
]


@st.composite
def dressed(draw: st.DrawFn) -> tuple[list[Asked], dict[str, str], str]:
    """Outputs, a text for each of them, and a reply that holds these texts."""
    outputs = draw(st.sampled_from([SUMMARIES, VERSIONS]))
    written = {output.code: draw(texts) for output in outputs}
    head, case = draw(st.sampled_from(HEADS)), draw(st.sampled_from(CASES))
    gap = draw(st.sampled_from([" ", "\n", "\n\n", "\n```\n"]))
    parts = [
        head.format(case(output.label))
        + gap
        + draw(st.sampled_from(WRAPS)).format(written[output.code])
        + gap.strip(" ")
        for output in draw(st.permutations(outputs))
    ]
    reply = draw(st.sampled_from(["\n", "\n\n", "\r\n"])).join(parts)
    return outputs, written, draw(st.sampled_from(BEFORE)) + reply + draw(st.sampled_from(AFTER))


@given(dressed())
def test_any_dressing_parses_back_to_the_texts(reply: tuple[list[Asked], dict[str, str], str]) -> None:
    outputs, written, body = reply
    parsed = parse(body, "stop", outputs, SOURCE)
    assert {code: text.text for code, text in parsed.texts.items()} == written
    assert all(text.words == word_count(text.text) for text in parsed.texts.values())
    assert parsed.problems == ()


@given(st.lists(texts, min_size=3, max_size=3), st.permutations(VERSIONS), st.sampled_from(["label", "code"]))
def test_any_json_parses_back_to_the_texts(written: list[str], outputs: list[Asked], key: str) -> None:
    names = [getattr(output, key) for output in outputs]
    expected = {output.code: text for output, text in zip(outputs, written, strict=True)}
    for value in (
        dict(zip(names, written, strict=True)),
        {"outputs": dict(zip(names, written, strict=True))},
        [{"label": name, "text": text} for name, text in zip(names, written, strict=True)],
        [{name: {"summary": text}} for name, text in zip(names, written, strict=True)],
    ):
        for body in (
            json.dumps(value),
            f"Here:\n```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```\nDone.",
        ):
            parsed = parse(body, "stop", VERSIONS, SOURCE)
            assert {code: text.text for code, text in parsed.texts.items()} == expected


pieces = st.lists(
    st.one_of(
        st.sampled_from(
            ["SUMMARY 1", "SUMMARY 4:", "summary 7", "\n", "```", "**", '"', "{", "[", "]", "}", ":", "(9 words)"]
        ),
        st.sampled_from(
            ['{"SUMMARY 1": ', "</SUMMARY 1>", "<think>", "</think>", "I'm sorry, but I can't", "| ", "\\", "> "]
        ),
        st.text(max_size=20),
    ),
    max_size=30,
)


@given(
    pieces.map("".join),
    st.sampled_from(["stop", "length", "content_filter", "context_length", "rejected", "tool_calls"]),
    st.booleans(),
)
def test_any_text_gives_each_output_a_text_or_a_problem(body: str, finish_reason: str, single: bool) -> None:
    asked = SUMMARIES[:1] if single else SUMMARIES
    parsed = parse(body, finish_reason, asked, body[:50], others=SUMMARIES[1:] if single else ())
    codes = {problem.code for problem in parsed.problems}
    assert set(parsed.texts) | codes == {output.code for output in asked}
    assert set(parsed.texts) & codes == {code for code, text in parsed.texts.items() if "word_count" in text.flags}
    for text in parsed.texts.values():
        assert text.text == " ".join(text.text.split()) != ""


HOSTILE = [
    "SUMMARY ",
    "SUMMARY 1",
    "SUMMARY 1: ",
    "SUMMARY 1:\n",
    "SUMMARY 1 (",
    "VERSION \t",
    "[",
    '{"a":',
    "[]",
    "(9 words)",
    "(",
]
HOSTILE += [
    "*",
    "**a ",
    "*a ",
    "_a ",
    "__a **",
    "`",
    '"',
    "'",
    " ",
    "1. ",
    "- ",
    "> ",
    "</",
    "sure:\n",
    "<think>",
    "</think>",
    "\\",
]
HOSTILE += [
    '{"SUMMARY 1":[',
    '"SUMMARY 1": "',
    "9 words\n",
    "9",
    "I'm sorry ",
    "\u2028",
    "é",
    "🙂",
    "|",
    "\n",
    "\r",
    "\x00",
    ":",
]
HOSTILE += [
    "(1) ",
    "1. a\n",
    "Note: ",
    "a. SUMMARY 4: ",
    "SUMMARY 2:\n",
    "words: 8\n",
    "Word count",
    "a. I hope. ",
    "very short ",
]
HOSTILE += ["<b>", "<!--", "[THINK]", "\\n", "| a ", "word ", "label: ", "## \n", "'SUMMARY 4: "]
HOSTILE += ['"a":"', '"SUMMARY 1":"\\', '"SUMMARY 1": "b", ']


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    body = unit * (100_000 // len(unit))
    start = time.process_time()
    for prefix, asked in (("", SUMMARIES), ("SUMMARY 1: ", SUMMARIES), ("", SUMMARIES[:1])):
        parse(prefix + body, "stop", asked, SOURCE)
    assert time.process_time() - start < 5  # a quadratic pattern takes minutes


def test_the_schema_asks_for_every_label_and_nothing_else() -> None:
    assert json_schema(SUMMARIES) == {
        "type": "object",
        "properties": {label: {"type": "string"} for label in ("SUMMARY 1", "SUMMARY 4", "SUMMARY 7")},
        "required": ["SUMMARY 1", "SUMMARY 4", "SUMMARY 7"],
        "additionalProperties": False,
    }
