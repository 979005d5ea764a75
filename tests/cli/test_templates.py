"""Prompts are files: an edited one re-asks its axis alone, a new one adds an axis, a malformed one stops at load."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, rejections, sample_videos
from rich.console import Console

import tenk as library
from tenk.cli import console

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
    assert both["rejections"] == {"a": {}, "b": {}}
    done = tenk("prompts", "compare", "a", "title.jinja", "-n", 1, "--source", "sample")
    assert "  A not asked for\n" in done.out
    assert done.out.endswith(
        "A a: 9 captions, none missing, $0.0000\nB title.jinja: 1 caption, none missing, $0.0000\n"
    )


def test_what_a_version_fails_to_give_is_shown_with_its_reason_and_counted(tenk: Tenk, tmp_path: Path) -> None:
    (tmp_path / "good.jinja").write_text(TITLES % ", register: plain")
    (tmp_path / "bad.jinja").write_text(TITLES % "")
    compare = ("prompts", "compare", "good.jinja", "bad.jinja", "-n", 2, "--source", "sample")
    both = tenk(*compare, "--json").json
    assert both["rejections"] == {"a": {}, "b": {"register": 2}}
    assert [row["b"]["reason"] for row in both["rows"]] == ["register"] * 2
    done = tenk(*compare)
    assert done.out.count("  B rejected: register (") == 2
    assert "B bad.jinja: 0 captions, 2 missing (register 2), " in done.out


def test_on_a_wide_terminal_two_versions_stand_side_by_side(
    tenk: Tenk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.jinja").write_text(TITLES % ", register: plain")
    (tmp_path / "bad.jinja").write_text(TITLES % "")
    compare = ("prompts", "compare", "good.jinja", "bad.jinja", "-n", 1, "--source", "sample")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    for columns, together in (("120", True), ("90", False)):
        monkeypatch.setenv("COLUMNS", columns)
        # A console may have taken its width from the environment of whichever test came first.
        monkeypatch.setattr(console, "out", Console(color_system=None, highlight=False, soft_wrap=True))
        lines = tenk(*compare).out.splitlines()
        assert any("A good.jinja" in line and "B bad.jinja" in line for line in lines) == together
        assert any("rejected: register" in line and line.count("│") == 4 for line in lines) == together
        assert all(len(line) <= 120 for line in lines) or not together
