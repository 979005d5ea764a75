"""The rule for ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.sources.ids import normalise

names = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="-_"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("given_id", "prefix", "expected"),
    [
        ("v_QOabc", "v_", "QOabc"),
        ("v_QOabc.mp4", "v_", "QOabc"),
        (" v_QOabc.MKV\n", "v_", "QOabc"),
        ("v_v_abc", "v_", "v_abc"),
        ("video--6rP", "video-", "-6rP"),
        ("video-a.b.webm", "video-", "a.b"),
        ("v_abc", "", "v_abc"),
        ("abc.1", "", "abc.1"),
        ("a.mp4.mp4", "", "a.mp4"),
        ("v_", "v_", ""),
        (".mp4", "", ""),
    ],
)
def test_cases(given_id: str, prefix: str, expected: str) -> None:
    assert normalise(given_id, prefix) == expected


@given(names, st.sampled_from(["", "v_", "video-"]), st.sampled_from(["", ".mp4", ".WebM"]), st.sampled_from(["", " "]))
def test_all_spellings_of_a_name_are_one(name: str, prefix: str, extension: str, space: str) -> None:
    assert normalise(f"{space}{prefix}{name}{extension}{space}", prefix) == normalise(f"{prefix}{name}", prefix) == name
