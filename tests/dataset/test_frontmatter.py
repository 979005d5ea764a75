"""A card that people edited is extended, not replaced."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tenk.dataset.frontmatter import BEGIN, END, extend
from tenk.errors import DatasetError

OURS = {
    "pretty_name": "Garden10k",
    "license": "cc-by-4.0",
    "language": ["en"],
    "size_categories": ["n<1K"],
    "tags": ["synthetic", "video"],
    "configs": [
        {
            "config_name": "captions",
            "default": True,
            "data_files": [{"split": "val", "path": "captions/val-*.parquet"}],
        },
        {"config_name": "videos", "data_files": [{"split": "val", "path": "videos/val-*.parquet"}]},
    ],
}


def front(card: str) -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load(card.split("---\n")[1])
    return loaded


def test_a_new_card_is_all_ours() -> None:
    card = extend(None, OURS, "# Garden10k", "README.md")
    assert front(card) == OURS
    assert card.endswith(f"---\n\n{BEGIN}\n\n# Garden10k\n\n{END}\n")


def test_what_people_wrote_around_the_generated_part_stays() -> None:
    first = extend(None, OURS, "old", "README.md")
    edited = first.replace(BEGIN, f"# By hand\n\nAbove.\n\n{BEGIN}") + "\nBelow, with a \\1 and \\g<0>.\n"
    second = extend(edited, OURS, "new \\1", "README.md")
    assert second == edited.replace("old", "new \\1")


def test_without_the_markers_the_generated_part_goes_to_the_end() -> None:
    card = extend("# Mine\n\nText.\n", OURS, "body", "README.md")
    assert front(card) == OURS
    assert card.endswith(f"# Mine\n\nText.\n\n{BEGIN}\n\nbody\n\n{END}\n")
    assert extend(card, OURS, "body", "README.md") == card


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (END, "", 5),
        (BEGIN, "", 9),
        (END, f"{END}\n{END}", 10),
        (END, f"{END}\n\n{BEGIN}\n{END}", 11),
        (END, f"{BEGIN}\n{END}", 5),
    ],
)
def test_markers_that_do_not_pair_up_are_refused_with_their_line(old: str, new: str, line: int) -> None:
    card = extend(None, {"license": "mit"}, "# Garden10k", "README.md").replace(old, new)
    with pytest.raises(DatasetError, match=rf"README\.md:{line}: the generated part cannot be told from yours. Keep"):
        extend(card, OURS, "body", "README.md")


def test_keys_of_others_are_kept_and_ours_brought_up_to_date() -> None:
    theirs = {
        "license": "mit",
        "pretty_name": "Our garden",
        "size_categories": ["1M<n<10M"],
        "tags": ["gardening", "video"],
        "annotations_creators": ["expert-generated"],
        "configs": [
            {"config_name": "videos", "data_files": "old"},
            {"config_name": "extra", "data_files": "extra.csv"},
        ],
    }
    card = f"---\n{yaml.safe_dump(theirs)}---\nText\n"
    merged = front(extend(card, OURS | {"license_name": "x"}, "body", "README.md"))
    assert merged["license"] == "mit"
    assert "license_name" not in merged
    assert merged["pretty_name"] == "Our garden"
    assert merged["size_categories"] == ["n<1K"]
    assert merged["tags"] == ["gardening", "video", "synthetic"]
    assert merged["annotations_creators"] == ["expert-generated"]
    assert merged["configs"] == [*OURS["configs"], {"config_name": "extra", "data_files": "extra.csv"}]


def test_an_unknown_licence_is_filled_in() -> None:
    card = extend(None, OURS | {"license": "unknown"}, "body", "README.md")
    assert front(extend(card, OURS, "body", "README.md"))["license"] == "cc-by-4.0"


def test_comments_in_the_yaml_stay_where_nothing_changed() -> None:
    card = extend(None, OURS, "body", "README.md").replace("language:", "# of the captions\nlanguage:")
    assert extend(card, OURS, "body", "README.md") == card


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    card = extend(None, OURS, "body", "README.md").replace("\n", "\r\n")
    assert extend("\ufeff" + card, OURS, "body", "README.md") == card.replace("\r\n", "\n")


def test_a_rule_in_the_text_is_no_front_matter() -> None:
    card = extend("Text\n\n---\n\nMore: [unclosed\n\n---\n", OURS, "body", "README.md")
    assert front(card) == OURS
    assert "More: [unclosed" in card


@pytest.mark.parametrize(
    ("yaml_text", "said"),
    [
        ("a: b\nc: [d\n", "4: did not find expected"),
        ("- a\n- b\n", "2: expected a mapping"),
        ("a: b\ndate: 2024-13-45\n", "3: '2024-13-45' is no timestamp"),
        ("a: &a [*a]\n", "2: *a holds itself"),
        ("a: 1\na: 2\n", "3: the key 'a' is given twice"),
    ],
)
def test_broken_yaml_is_named_with_its_line(yaml_text: str, said: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(f"README.md:{said}")):
        extend(f"---\n{yaml_text}---\nText\n", OURS, "body", "README.md")


@given(before=st.text(st.characters(exclude_characters="\r\0\ufeff", exclude_categories=["Cs"])), after=st.text())
def test_extending_twice_changes_nothing(before: str, after: str) -> None:
    if before.startswith("---"):
        return
    once = extend(f"{before}\n{BEGIN}\nold\n{END}\n{after}", OURS, "body", "README.md")
    assert extend(once, OURS, "body", "README.md") == once
    assert before.strip() in once
