"""Prompts are files: an edited one re-asks its axis alone, a new one adds an axis, a malformed one stops at load."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, rejections, sample_videos

import tenk as library

VIDEOS = 3
TITLES = """---
axis: title
outputs:
  - {code: t, label: TITLE, share: 1/7%s}
---
Write a title of {{ outputs[0].words }} words for this scene.

PARAGRAPH: {{ paragraph }}
"""


@pytest.fixture
def run(tenk: Tenk, tmp_path: Path) -> tuple[object, ...]:
    """The arguments of a run over a few videos, which was done once, with templates in ./prompts."""
    annotate(tmp_path, sample_videos(VIDEOS))
    assert tenk("prompts", "init").code == 0
    arguments = ("run", "--source", "activitynet", "--annotations", "val_1.json", "--jobs", 1, "--json")
    assert tenk(*arguments).json["asked"] == 3 * VIDEOS
    return arguments


def test_an_edited_template_asks_for_its_axis_alone(tenk: Tenk, run: tuple[object, ...], tmp_path: Path) -> None:
    template = tmp_path / "prompts" / "joint.jinja"
    template.write_text(template.read_text() + "\nBe kind to your readers.\n")
    again = tenk(*run).json
    assert (again["asked"], again["replayed"]) == (VIDEOS, 2 * VIDEOS)


def test_an_edited_tolerance_asks_nothing(tenk: Tenk, run: tuple[object, ...], tmp_path: Path) -> None:
    template = tmp_path / "prompts" / "joint.jinja"
    edited = template.read_text().replace("high: 1.3", "high: 1.29")
    assert edited != template.read_text()
    template.write_text(edited)
    again = tenk(*run).json
    assert (again["asked"], again["replayed"]) == (0, 3 * VIDEOS)


def test_a_fourth_template_adds_an_axis(tenk: Tenk, run: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "prompts" / "title.jinja").write_text(TITLES % ", register: plain")
    again = tenk(*run).json
    assert (again["asked"], again["replayed"]) == (VIDEOS, 3 * VIDEOS)
    captions = library.load("outputs/datasets/ActivityNet10k", split="val_1")
    assert len([row for row in captions if (row["axis"], row["code"]) == ("title", "t")]) == VIDEOS


def test_the_offline_writer_says_that_an_axis_has_no_register(
    tenk: Tenk, run: tuple[object, ...], tmp_path: Path
) -> None:
    (tmp_path / "prompts" / "title.jinja").write_text(TITLES % "")
    done = tenk(*run)
    assert done.code == 0
    assert f"{VIDEOS} captions missing (register {VIDEOS})" in done.err
    listed = rejections(tmp_path / "outputs" / "datasets" / "ActivityNet10k")
    assert {(each["code"], each["reason"]) for each in listed} == {("t", "register")}
    assert "Set `register` in the template" in listed[0]["detail"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (TITLES % ", registre: plain", 4, "registre"),
        ((TITLES % "").replace("1/7", "7"), 4, "share"),
        ((TITLES % "").replace("paragraph", "paragraf"), 8, "paragraf"),
        ("axis: title\n", 1, "---"),
    ],
)
def test_a_malformed_template_stops_the_run_at_its_line(
    tenk: Tenk, run: tuple[object, ...], tmp_path: Path, text: str, line: int, said: str
) -> None:
    (tmp_path / "prompts" / "title.jinja").write_text(text)
    done = tenk(*run)
    assert (done.code, done.out) == (1, "")
    assert f"prompts/title.jinja:{line}: " in done.err
    assert said in done.err


def test_prompts_are_listed_shown_and_copied_once(tenk: Tenk, run: tuple[object, ...]) -> None:
    listed = tenk("prompts", "list", "--json").json
    assert [each["axis"] for each in listed] == ["joint", "simplification", "summarization"]
    assert "SUMMARY 4" in tenk("prompts", "list").out
    sent = tenk("prompts", "show", "clay-wheel7", "--source", "sample", "--axis", "summarization")
    assert "PARAGRAPH" in sent.out
    assert "VERSION" not in sent.out
    assert tenk("prompts", "show", "nobody", "--source", "sample").code == 2
    again = tenk("prompts", "init")
    assert (again.code, "is there already" in again.err) == (2, True)
    unknown = tenk("prompts", "try", "--source", "sample", "--axis", "haiku")
    assert (unknown.code, "There are: joint" in unknown.err) == (2, True)


def test_what_was_tried_is_not_asked_again(tenk: Tenk, tmp_path: Path) -> None:
    annotate(tmp_path, sample_videos(VIDEOS))
    few = ("--source", "activitynet", "--annotations", "val_1.json")
    tried = tenk("prompts", "try", "-n", 2, "--axis", "joint", *few, "--json").json
    assert [each["code"] for each in tried["captions"]] == ["s+e", "s+i", "s+u"] * 2
    done = tenk("run", *few, "--jobs", 1, "--json").json
    assert (done["asked"], done["replayed"]) == (3 * VIDEOS - 2, 2)
    assert "rejected" not in tenk("prompts", "try", "-n", 1, *few).out


def test_two_versions_are_compared_side_by_side(tenk: Tenk, tmp_path: Path) -> None:
    assert tenk("prompts", "init", "a").code == 0
    (tmp_path / "title.jinja").write_text(TITLES % ", register: plain")
    both = tenk("prompts", "compare", "a", "title.jinja", "-n", 1, "--source", "sample", "--json").json
    assert [row["code"] for row in both["rows"]][-1] == "t"
    assert both["rows"][-1]["a"] is None
    assert both["rows"][-1]["b"]["words_asked"] >= 1
    shown = tenk("prompts", "compare", "a", "title.jinja", "-n", 1, "--source", "sample").out
    assert "words" in shown
    assert shown.endswith("A a: $0.0000\nB title.jinja: $0.0000\n")
