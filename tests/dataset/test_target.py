"""What is found out before a run begins: folders that nobody could read from, and splits of somebody else's making."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tenk.dataset import About, publish
from tenk.dataset.frontmatter import END
from tenk.dataset.target import check_folder, check_origin, check_texts, remember
from tenk.errors import DatasetError, UsageError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]

CHANGED = "f" * 64


@pytest.fixture
def folder(tmp_path: Path, videos: Make, about: About) -> Path:
    """A split `val` of the source `garden` by the offline writer, from annotations at `here`."""
    publish(tmp_path / "Garden10k", "Garden10k", "val", videos("val"), about)
    remember(tmp_path / "origin.json", "here")
    return tmp_path / "Garden10k"


@pytest.mark.parametrize("name", ["a[1]", "a*", "what?", "a::b", "[x"])
def test_a_folder_that_datasets_takes_for_a_pattern(tmp_path: Path, videos: Make, about: About, name: str) -> None:
    with pytest.raises(UsageError, match=r"takes .* for a pattern and would not find the dataset. Name --outputs"):
        check_folder(tmp_path / name / "Garden10k")
    with pytest.raises(UsageError, match="for a pattern"):
        publish(tmp_path / name / "Garden10k", "Garden10k", "val", videos("val"), about)
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_pattern_is_one(tmp_path: Path) -> None:
    (tmp_path / "a[1]").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a[1]")
    with pytest.raises(UsageError, match="for a pattern"):
        check_folder(tmp_path / "link" / "Garden10k")


@pytest.mark.parametrize("name", ["we ird", "a]b", "{a,b}", "é!", "a:b", "~", "a#b%20"])
def test_other_odd_folders_are_read(tmp_path: Path, videos: Make, about: About, name: str) -> None:
    import datasets

    publish(tmp_path / name, "Garden10k", "val", videos("val"), about)
    assert datasets.load_dataset(str(tmp_path / name), "videos", split="val").num_rows == 3


@pytest.mark.parametrize(
    ("change", "annotations"),
    [
        ({}, "here"),
        ({"source_hash": CHANGED}, "here"),
        ({}, "moved"),
        ({"model": "another", "prompts": (), "limit": 3, "seed": 8, "reasks": 0}, "here"),
    ],
)
def test_the_same_writer_and_source_go_on(
    folder: Path, about: About, change: dict[str, object], annotations: str
) -> None:
    new = about.model_copy(update=change)
    check_origin(folder, "val", new, annotations=annotations, origin=folder.parent / "origin.json")


@pytest.mark.parametrize(
    ("change", "annotations", "said"),
    [
        ({"writer": "openai", "model": "m"}, "here", r"from garden \(here\) by the openai writer \(m\)\."),
        ({"source": "meadow"}, "here", r"from meadow \(here\) by the offline writer \(tenk-offline\)\."),
        ({"source_hash": CHANGED}, "elsewhere", r"from garden \(elsewhere\) by the offline writer \(tenk-offline\)\."),
    ],
)
def test_another_writer_or_source_is_named_with_the_mend(
    folder: Path, about: About, change: dict[str, object], annotations: str, said: str
) -> None:
    made = r"Garden10k has the split 'val' already, made from garden \(here\) by the offline writer \(tenk-offline\)\."
    with pytest.raises(
        UsageError, match=rf"{made} This run would replace it by one made {said} Pass --yes .*replace: "
    ):
        new = about.model_copy(update=change)
        check_origin(folder, "val", new, annotations=annotations, origin=folder.parent / "origin.json")


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"annotations"'])
def test_where_nobody_knows_the_old_place_the_videos_decide(folder: Path, about: About, text: str | None) -> None:
    origin = folder.parent / "origin.json"
    origin.unlink() if text is None else origin.write_text(text)
    check_origin(folder, "val", about, annotations="here", origin=origin)
    with pytest.raises(UsageError, match=r"made from garden \(garden\.json\) by"):
        check_origin(
            folder, "val", about.model_copy(update={"source_hash": CHANGED}), annotations="here", origin=origin
        )


def test_other_splits_and_new_folders_are_nobodys(folder: Path, tmp_path: Path, about: About) -> None:
    other = about.model_copy(update={"writer": "openai"})
    check_origin(folder, "train", other, annotations="here", origin=tmp_path / "none")
    check_origin(tmp_path / "new", "val", other, annotations="here", origin=tmp_path / "none")
    check_texts(tmp_path / "new")


@pytest.mark.parametrize(
    ("file", "spoilt", "said"),
    [
        ("README.md", lambda text: text.replace(END, ""), r"README\.md:\d+: the generated part"),
        ("README.md", lambda text: text.replace("license:", "license: ["), r"README\.md:\d+: "),
        ("provenance.json", lambda _: "{}", r"provenance\.json: name"),
        ("rejections.jsonl", lambda text: "x\n" + text, r"rejections\.jsonl:1: not a line"),
    ],
)
def test_what_cannot_be_added_to(folder: Path, file: str, spoilt: Callable[[str], str], said: str) -> None:
    check_texts(folder)
    (folder / file).write_text(spoilt((folder / file).read_text()))
    with pytest.raises(DatasetError, match=said):
        check_texts(folder)
