"""Template files: the shipped ones, and every way in which one can be malformed."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tenk.errors import TemplateError
from tenk.prompting import load_template, load_templates
from tenk.prompting.folder import shipped

GOOD = """\
---
axis: gist
outputs:
  - {code: g, label: GIST, share: 1/3}
  - {code: h, label: HINT, share: 0.25, register: plain, tolerance: {low: 0.5, high: 2}}
system: You write for {{ outputs | length }} readers.
---
PARAGRAPH: {{ paragraph }}
{% for output in outputs %}
Write {{ output.label }} in {{ output.words }} words.
{% endfor %}
"""


def write(folder: Path, text: str, name: str = "gist.jinja") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file(tmp_path: Path) -> None:
    template = load_template(write(tmp_path, GOOD))
    assert (template.name, template.axis) == ("gist", "gist")
    assert [output.share for output in template.outputs] == [Fraction(1, 3), Fraction(1, 4)]
    assert [output.register_name for output in template.outputs] == [None, "plain"]
    assert template.outputs[1].tolerance.high == 2
    assert template.user.startswith("PARAGRAPH")


def test_line_ends_and_byte_order_marks_change_no_hash(tmp_path: Path) -> None:
    unix = load_template(write(tmp_path, GOOD))
    path = tmp_path / "windows.jinja"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_template(path).sha256 == unix.sha256
    assert load_template(write(tmp_path, GOOD + " ")).sha256 != unix.sha256


MALFORMED = {
    "no front matter": (GOOD.removeprefix("---\n"), 1, "starts with a line '---'"),
    "front matter without end": (GOOD.split("---\nPARA")[0], 7, "a second line '---' is missing"),
    "broken yaml": (GOOD.replace("[", "").replace("axis: gist", "axis: [gist"), 3, "Mend the YAML"),
    "unknown key": (GOOD.replace("system:", "sistem:"), 6, "unknown key 'sistem'"),
    "unknown key of an output": (GOOD.replace("register:", "level:"), 5, "level"),
    "missing key": (GOOD.replace("axis: gist\n", ""), 2, "the key 'axis' is missing"),
    "date that is none": (GOOD.replace("axis: gist", "axis: 2024-13-45"), 2, "'2024-13-45' is no timestamp"),
    "alias of itself": (GOOD.replace("axis: gist", "axis: &a [*a]"), 2, "*a holds itself"),
    "key given twice": (GOOD.replace("system:", "axis: other\nsystem:"), 6, "given twice"),
    "no outputs": (re.sub(r"(?s)outputs:.*?system", "outputs: []\nsystem", GOOD), 3, "outputs"),
    "share of nothing": (GOOD.replace("1/3", "0"), 4, "share"),
    "share over one": (GOOD.replace("1/3", "8/7"), 4, "share"),
    "share that is no number": (GOOD.replace("1/3", "a third"), 4, "share"),
    "share over zero": (GOOD.replace("1/3", "1/0"), 4, "share"),
    "share that is not a number": (GOOD.replace("1/3", ".nan"), 4, "share"),
    "unknown register": (GOOD.replace("register: plain", "register: slang"), 5, "register"),
    "tolerance upside down": (GOOD.replace("low: 0.5", "low: 1.5"), 5, "low"),
    "bad axis": (GOOD.replace("axis: gist", "axis: Gist 1"), 2, "axis"),
    "axis of the source": (GOOD.replace("axis: gist", "axis: ground_truth"), 2, "is the source's own paragraph"),
    "bad code": (GOOD.replace("code: g", "code: G!"), 4, "code"),
    "code of the full paragraph": (GOOD.replace("code: h", "code: f"), 5, "the code 'f' is the full paragraph"),
    "code of the partial captions": (GOOD.replace("code: g", "code: p"), 4, "the code 'p' is the partial captions"),
    "duplicate code": (GOOD.replace("code: h", "code: g"), 5, "the code 'g' is that of the output 'g' too"),
    "duplicate label": (
        GOOD.replace("label: HINT", "label: Gist"),
        5,
        "the label 'Gist' is that of the output 'g' too",
    ),
    "label that is another's code": (GOOD.replace("label: HINT", "label: G"), 5, "the label 'G' is that of"),
    "label of punctuation": (GOOD.replace("label: HINT", "label: '**'"), 5, "label"),
    "broken jinja": (GOOD.replace("{% endfor %}\n", "{% endfor\n"), 11, "Mend the Jinja"),
    "loop without end": (GOOD.replace("{% endfor %}", ""), 10, "Mend the Jinja"),
    "unknown filter": (GOOD.replace("{{ output.words }}", "{{ output.words | random }}"), 10, "random"),
    "unknown variable": (GOOD.replace("{{ paragraph }}", "{{ paragraf }}"), 8, "unknown variable 'paragraf'"),
    "unknown variable on a branch": (GOOD + "{% if length > 999 %}\n{{ lenght }}\n{% endif %}\n", 13, "lenght"),
    "unknown variable in system": (
        GOOD.replace("outputs | length }} r", "readers }} r"),
        6,
        "unknown variable 'readers'",
    ),
    "unknown field": (GOOD.replace("output.words", "output.word"), 10, "word"),
    "beyond the last event": (GOOD + "{{ events[1] }}", 12, "Mend the Jinja"),
    "type error": (GOOD + "\n{{ length + paragraph }}", 13, "Mend the Jinja"),
    "division by zero": (GOOD + "\n{{ 1 // 0 }}", 13, "Mend the Jinja"),
    "more text than memory": (GOOD + "\n{{ 'a' * 10**15 }}", 13, "more text than fits into memory"),
    "filter that asserts": (GOOD + "\n{{ paragraph | truncate(1) }}", 13, "expected length"),
    "brackets in brackets": (GOOD + "{{ " + "(" * 5000 + ")" * 5000 + " }}", 8, "nested too deep"),
    "loops in loops": (GOOD + "{% for a in events %}" * 25 + "{% endfor %}" * 25, 8, "nested too deep"),
    "macro without end": (GOOD + "{% macro a() %}{{ a() }}{% endmacro %}\n{{ a() }}", 12, "without end"),
    "number without end": (GOOD + "{{ " + "9" * 5000 + " }}", 8, "5000 digits"),
    "include": (GOOD + "{% include 'secrets' %}", 12, "Mend the Jinja"),
    "way out of the sandbox": (GOOD + "{{ paragraph.__class__.__mro__ }}", 12, "unsafe"),
    "paragraph left out": (GOOD.replace("{{ paragraph }}", "{{ events[0] }}"), 8, "does not show the whole paragraph"),
    "label left out": (GOOD.replace("{{ output.label }}", "it"), 4, "never names the label 'GIST'"),
}


@pytest.mark.parametrize(("text", "line", "message"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_file_fails_at_load_with_file_and_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TemplateError) as caught:
        load_templates(tmp_path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.jinja"
    path.write_bytes(GOOD.encode() + b"caf\xe9")
    with pytest.raises(TemplateError, match=re.escape(f"{path}:12: not UTF-8")):
        load_template(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="cannot be read"):
        load_template(tmp_path / "none.jinja")


def test_the_shipped_templates_ask_for_what_the_paper_asks_for() -> None:
    templates = load_templates(shipped())
    assert [template.axis for template in templates] == ["joint", "simplification", "summarization"]
    shares = {output.code: output.share for template in templates for output in template.outputs}
    seventh = Fraction(1, 7)
    assert shares == {
        "s": seventh, "m": 4 * seventh, "l": 1, "e": 1, "i": 1, "u": 1, "s+e": seventh, "s+i": seventh, "s+u": seventh,
    }  # fmt: skip
    labels = {output.code: output.label for template in templates for output in template.outputs}
    assert [labels[code] for code in "sml"] == ["SUMMARY 1", "SUMMARY 4", "SUMMARY 7"]
    for prefix in ("", "s+"):
        levels = ["VERSION primary school", "VERSION secondary school", "VERSION university"]
        assert [labels[prefix + code] for code in "eiu"] == levels
