"""Captions come from outside: a card shows them and does nothing with them."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.dataset.frontmatter import BEGIN, END
from tenk.dataset.markdown import code, escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A man | a dog", r"A man \| a dog"),
        ("<script>alert(1)</script>", r"&lt;script&gt;alert\(1\)&lt;/script&gt;"),
        ("[here](http://x.org) ![x](y)", r"\[here\]\(http\://x.org\) \!\[x\]\(y\)"),
        ("# no heading\n\n- no list", r"\# no heading \- no list"),
        ("**bold** `code` $x$ www.x.org a@b.c", r"\*\*bold\*\* \`code\` \$x\$ www\.x.org a\@b.c"),
        ("Tom & Jerry &amp; co", "Tom &amp; Jerry &amp;amp; co"),
        ("a\u202eb\x00c", r"a\\u202eb\\u0000c"),
        ("שלום 🙂 ünï", "שלום 🙂 ünï"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.text())
def test_nothing_of_a_text_is_left_bare(text: str) -> None:
    shown = escape(text)
    assert "\n" not in shown
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]|<>]", shown)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"])))
def test_a_reader_sees_the_text(text: str) -> None:
    seen = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escape(text)))
    assert seen == " ".join(text.split())


@pytest.mark.parametrize("marker", [BEGIN, END])
def test_the_markers_of_the_generated_part_cannot_be_forged(marker: str) -> None:
    assert marker not in escape(marker)


def test_code_spans_end_where_they_should() -> None:
    assert code("s+e") == "`s+e`"
    assert code("a`b|c") == r"`ab\|c`"
