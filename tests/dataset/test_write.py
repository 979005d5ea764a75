"""What lies on disk after publishing, and what does when it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tenk.dataset import About, publish
from tenk.dataset.rows import CAPTIONS, COLUMNS, VIDEOS
from tenk.errors import DatasetError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_layout_and_rows(tmp_path: Path, videos: Make, about: About) -> None:
    published = publish(tmp_path / "Garden10k", "Garden10k", "val_1", videos("val_1"), about)
    assert sorted(files(published.folder)) == [
        "README.md",
        "captions/val_1-00000-of-00001.parquet",
        "provenance.json",
        "rejections.jsonl",
        "videos/val_1-00000-of-00001.parquet",
    ]
    rows = pq.read_table(published.folder / "captions/val_1-00000-of-00001.parquet").to_pylist()
    assert len(rows) == published.summary.captions == 31
    flagged = next(row for row in rows if row["video_id"] == "val_11" and row["code"] == "s")
    assert flagged["word_count_ok"] is False
    assert flagged["flags"] == ["word_count"]
    assert (flagged["words"], flagged["words_asked"], flagged["attempt"]) == (6, 8, 0)
    assert (flagged["template"], flagged["journal_key"]) == ("f" * 64, f"{1:064}")
    assert flagged["new_nouns"] == ["caption"]
    [first, _, bare] = pq.read_table(published.folder / "videos/val_1-00000-of-00001.parquet").to_pylist()
    assert first["events"][1] == {"start": 4.0, "end": 7.5, "text": "She ties them to tall poles."}
    assert [caption["code"] for caption in first["captions"]][:3] == ["f", "p", "s"]
    assert (first["source_id"], first["cost"]) == ("v_val_10.mp4", 0.25)
    assert bare["duration"] is None
    [line, _] = (published.folder / "rejections.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "split": "val_1", "video_id": "val_11", "code": "p", "axis": "duration", "reason": "single_event",
        "detail": "It has one event.",
    }  # fmt: skip


def test_every_column_is_described() -> None:
    assert list(COLUMNS["captions"]) == CAPTIONS.names
    assert list(COLUMNS["videos"]) == VIDEOS.names


def test_provenance_says_what_the_split_was_made_from(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "train", videos("train", 2), about)
    known = json.loads((tmp_path / "provenance.json").read_text())["splits"]["train"]
    assert known["about"]["prompts"][0]["text"] == "Write it short.\n"
    assert known["spending"] == {
        "replies": 2, "prompt_tokens": 20, "completion_tokens": 0, "cost": 0.5, "models": {"tenk-offline": 2},
    }  # fmt: skip
    assert known["files"]["captions/train-00000-of-00001.parquet"]["rows"] == 21


def test_a_reply_without_a_price_makes_the_cost_unknown(tmp_path: Path, videos: Make, about: About) -> None:
    [item] = videos("train", 1)
    unpriced = item.model_copy(update={"replies": (item.replies[0].model_copy(update={"cost": None}),)})
    published = publish(tmp_path, "Garden10k", "train", [unpriced], about)
    assert published.spending.cost is None
    assert "cost unknown" in published.text()


def test_a_reply_that_two_videos_share_is_paid_for_once(tmp_path: Path, videos: Make, about: About) -> None:
    [item] = videos("train", 1)
    twin = item.model_copy(update={"video": item.video.model_copy(update={"id": "twin"})})
    assert publish(tmp_path, "Garden10k", "train", [item, twin], about).spending.cost == 0.25


def test_same_input_same_bytes_whatever_was_there(tmp_path: Path, videos: Make, about: About) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    publish(one, "Garden10k", "train", videos("train"), about)
    publish(one, "Garden10k", "val_1", videos("val_1"), about)
    publish(other, "Garden10k", "val_1", videos("val_1", 1), about.model_copy(update={"seed": 8}))
    publish(other, "Garden10k", "val_1", videos("val_1"), about)
    publish(other, "Garden10k", "train", videos("train"), about)
    assert files(one) == files(other)


def test_one_split_keeps_the_other_and_what_people_added(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "val", videos("val"), about)
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/plot.png").write_bytes(b"plot")
    before = files(tmp_path)
    publish(tmp_path, "Garden10k", "val_1", videos("val_1"), about)
    after = files(tmp_path)
    kept = {name for name in before if name.startswith(("captions", "videos", "figures"))}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    splits = [json.loads(line)["split"] for line in after["rejections.jsonl"].decode().splitlines()]
    assert splits == ["val", "val", "val_1", "val_1"]


def test_fewer_shards_than_before_leave_none_behind(
    tmp_path: Path, videos: Make, about: About, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenk.dataset.shards.GROUP", 10)
    monkeypatch.setattr("tenk.dataset.shards.SHARD", 20)
    publish(tmp_path, "Garden10k", "val", videos("val", 9), about)
    names = sorted(path.name for path in (tmp_path / "captions").iterdir())
    assert names == [f"val-{n:05}-of-00005.parquet" for n in range(5)]
    rows = [row for name in names for row in pq.read_table(tmp_path / "captions" / name)["video_id"].to_pylist()]
    assert rows == [caption.video_id for item in videos("val", 9) for caption in item.captions]
    publish(tmp_path, "Garden10k", "val", videos("val", 3), about)
    assert len(list((tmp_path / "captions").iterdir())) == 2


def test_schema_does_not_depend_on_the_data(tmp_path: Path, videos: Make, about: About) -> None:
    bare = [item for item in videos("bare") if not item.replies]
    for split, items in (("full", videos("full")), ("bare", bare)):
        publish(tmp_path, "Garden10k", split, items, about)
    for config, schema in (("captions", CAPTIONS), ("videos", VIDEOS)):
        for split in ("full", "bare"):
            assert pq.read_schema(tmp_path / f"{config}/{split}-00000-of-00001.parquet") == schema


@pytest.mark.parametrize(
    ("split", "better"), [("val-1", "val_1"), ("../x", "x"), ("", "train"), ("a b", "a_b"), ("All", "all_videos")]
)
def test_split_names_that_datasets_refuses(tmp_path: Path, about: About, split: str, better: str) -> None:
    with pytest.raises(DatasetError, match=f"Name it '{better}'"):
        publish(tmp_path / "x", "Garden10k", split, [], about)
    assert not (tmp_path / "x").exists()


def test_a_failing_source_leaves_the_old_dataset(tmp_path: Path, videos: Make, about: About) -> None:
    folder = tmp_path / "Garden10k"
    publish(folder, "Garden10k", "val", videos("val"), about)
    before = files(tmp_path)

    def broken() -> Iterator[Augmented]:
        yield videos("val")[0]
        raise RuntimeError("interrupted")

    with pytest.raises(RuntimeError):
        publish(folder, "Garden10k", "val", broken(), about)
    assert files(tmp_path) == before


def test_no_videos_is_an_error(tmp_path: Path, about: About) -> None:
    with pytest.raises(DatasetError, match="nothing to publish"):
        publish(tmp_path / "x", "Garden10k", "val", [], about)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, videos: Make, about: About) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatasetError, match=r"Not a directory.*--outputs"):
        publish(tmp_path / "file" / "Garden10k", "Garden10k", "val", videos("val"), about)


FULL_DISK = """
import resource, sys
from pathlib import Path
from tenk.dataset import About, publish
from tenk.errors import DatasetError
from tenk.parts import read

items, about = list(read(sys.argv[2])), About.model_validate_json(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    publish(Path(sys.argv[1]), "Garden10k", "val", items, about)
except DatasetError as error:
    print(error)
"""


def test_a_full_disk_leaves_the_old_dataset(tmp_path: Path, videos: Make, about: About) -> None:
    from tenk.parts import write

    folder = tmp_path / "Garden10k"
    publish(folder, "Garden10k", "val", videos("val"), about)
    before = files(folder)
    write(str(tmp_path / "parts" / "one"), videos("val", 50), unanswered={})
    command = [sys.executable, "-c", FULL_DISK, str(folder), str(tmp_path / "parts" / "one"), about.model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "File too large" in done.stdout
    assert "as it was" in done.stdout
    assert files(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Garden10k", "parts"]


KILLED = """
import os, sys
from pathlib import Path
from tenk.dataset import About, publish, swap
from tenk.parts import read

getattr(swap, sys.argv[4])
setattr(swap, sys.argv[4], lambda *_: os.kill(os.getpid(), 9))
publish(Path(sys.argv[1]), "Garden10k", "val", read(sys.argv[2]), About.model_validate_json(sys.argv[3]))
"""


@pytest.mark.parametrize("step", ["_link_kept", "_flush", "_exchange"])
def test_a_killed_writer_leaves_the_old_dataset_and_the_next_one_clears_up(
    tmp_path: Path, videos: Make, about: About, step: str
) -> None:
    from tenk.parts import write

    folder = tmp_path / "Garden10k"
    publish(folder, "Garden10k", "val", videos("val"), about)
    before = files(folder)
    part = str(tmp_path / "parts" / "one")
    write(part, videos("val", 5), unanswered={})
    command = [sys.executable, "-c", KILLED, str(folder), part, about.model_dump_json(), step]
    assert subprocess.run(command, check=False).returncode == -9
    assert files(folder) == before
    publish(folder, "Garden10k", "val", videos("val", 5), about)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Garden10k", "parts"]


@pytest.mark.parametrize("one_call", [True, False])
def test_the_swap_with_and_without_an_exchange(
    tmp_path: Path, videos: Make, about: About, monkeypatch: pytest.MonkeyPatch, one_call: bool
) -> None:
    if not one_call:
        monkeypatch.setattr("tenk.dataset.swap._exchange_in_one_call", lambda *_: False)
    for count in (2, 3):
        published = publish(tmp_path / "Garden10k", "Garden10k", "val", videos("val", count), about)
    assert published.summary.videos == 3
    assert [path.name for path in tmp_path.iterdir()] == ["Garden10k"]


def test_a_crash_between_two_renames_is_mended(tmp_path: Path, videos: Make, about: About) -> None:
    folder = tmp_path / "Garden10k"
    publish(folder, "Garden10k", "train", videos("train"), about)
    folder.rename(tmp_path / ".Garden10k.old")
    publish(folder, "Garden10k", "val", videos("val"), about)
    assert (folder / "captions/train-00000-of-00001.parquet").exists()


def test_a_folder_behind_a_link_stays_there(tmp_path: Path, videos: Make, about: About) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "Garden10k").symlink_to(tmp_path / "disk")
    publish(tmp_path / "Garden10k", "Garden10k", "val", videos("val"), about)
    assert (tmp_path / "Garden10k").is_symlink()
    assert (tmp_path / "disk/README.md").exists()


def test_links_are_replaced_not_written_through(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path / "Garden10k", "Garden10k", "val", videos("val"), about)
    os.link(tmp_path / "Garden10k/provenance.json", tmp_path / "copy.json")
    before = (tmp_path / "copy.json").read_bytes()
    publish(tmp_path / "Garden10k", "Garden10k", "val", videos("val", 1), about)
    assert (tmp_path / "copy.json").read_bytes() == before


def test_damaged_provenance_is_not_written_over(tmp_path: Path, videos: Make, about: About) -> None:
    (tmp_path / "provenance.json").write_text('{"format": 1, "name": "x"}')
    with pytest.raises(DatasetError, match=r"provenance\.json: splits"):
        publish(tmp_path, "Garden10k", "val", videos("val"), about)
    assert [path.name for path in tmp_path.iterdir()] == ["provenance.json"]


def test_what_is_shown_after_publishing(tmp_path: Path, videos: Make, about: About) -> None:
    published = publish(tmp_path, "Garden10k", "val", videos("val"), about)
    assert published.text().startswith("Garden10k, val: 3 videos, 31 captions\n")
    assert "Missing captions: single_event 2" in published.text()
    assert "Flagged captions: word_count 1" in published.text()
    assert "| Word Count | 11.00 | 6.00 |" in published.markdown()
    [nouns, *_] = published.table2_rows()
    assert (nouns["Metric"], nouns["Source"], nouns["Short"]) == ("Δ Nouns", None, -1.0)
    assert json.loads(published.model_dump_json())["split"] == "val"
