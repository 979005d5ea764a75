"""A published folder reads with `datasets`, each configuration and split, streaming too, as users will."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import datasets
import pytest

import tenk
from tenk.dataset import About, describe, publish
from tenk.dataset.load import rows, splits
from tenk.dataset.rows import CAPTIONS, VIDEOS
from tenk.errors import DatasetError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]


@pytest.fixture
def folder(tmp_path: Path, videos: Make, about: About) -> Path:
    folder = tmp_path / "outputs" / "Garden10k"
    publish(folder, "Garden10k", "train", videos("train", 4), about)
    publish(folder, "Garden10k", "val_1", [item for item in videos("val_1", 3) if not item.replies], about)
    return folder


def test_load_dataset_alone_reads_the_captions_of_all_splits(folder: Path) -> None:
    loaded = datasets.load_dataset(str(folder))
    assert {name: split.num_rows for name, split in loaded.items()} == {"train": 42, "val_1": 10}
    assert loaded["train"].column_names == CAPTIONS.names
    assert loaded["train"].features == loaded["val_1"].features
    assert loaded["train"][0]["text"] == "A woman waters the bean plants. She ties them to tall poles."


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("split", ["train", "val_1"])
@pytest.mark.parametrize(("config", "schema"), [("captions", CAPTIONS), ("videos", VIDEOS)])
def test_each_configuration_and_split(
    folder: Path, videos: Make, config: str, schema: object, split: str, streaming: bool
) -> None:
    for load in (datasets.load_dataset, tenk.load):
        read = list(load(str(folder), config, split=split, streaming=streaming))
        wanted = videos(split, 4) if split == "train" else [videos(split)[2]]
        assert list(read[0]) == schema.names  # type: ignore[attr-defined]
        if config == "videos":
            assert [row["id"] for row in read] == [item.video.id for item in wanted]
            assert [[caption["text"] for caption in row["captions"]] for row in read] == [
                [caption.text for caption in item.captions] for item in wanted
            ]
        else:
            assert [(row["video_id"], row["code"], row["text"]) for row in read] == [
                (caption.video_id, caption.code, caption.text) for item in wanted for caption in item.captions
            ]


def test_tenk_load_takes_paths_and_gives_all_splits_by_default(folder: Path) -> None:
    assert sorted(tenk.load(folder, "videos")) == ["train", "val_1"]
    assert splits(folder) == ["train", "val_1"]
    assert [row["id"] for row in rows(folder, "videos", "val_1")] == ["val_12"]
    whole = [(row["code"], row["text"]) for row in rows(folder, "captions", "train")]
    assert [(row["code"], row["text"]) for row in rows(folder, "captions", "train", ("text", "code"))] == whole


def test_columns_are_those_of_the_rows(folder: Path) -> None:
    for config, names in (("captions", ("code", "text", "video_id")), ("videos", ("id", "events"))):
        for split in ("train", "val_1"):
            wanted = [tuple(row[name] for name in names) for row in rows(folder, config, split)]  # type: ignore[arg-type]
            assert [tuple(row.values()) for row in rows(folder, config, split, names)] == wanted  # type: ignore[arg-type]


def test_columns_of_files_that_are_not_as_they_were(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"no split 'test'\. There are: train, val_1"):
        list(rows(folder, "captions", "test", ("code",)))
    with pytest.raises(DatasetError, match=r"train-00000-of-00001\.parquet"):
        list(rows(folder, "captions", "train", ("nothing",)))
    (folder / "captions/train-00000-of-00001.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(DatasetError, match=r"train-00000-of-00001\.parquet"):
        list(rows(folder, "captions", "train", ("code",)))
    (folder / "captions/train-00000-of-00001.parquet").unlink()
    with pytest.raises(DatasetError, match=r"train-00000-of-00001\.parquet"):
        list(rows(folder, "captions", "train", ("code",)))


def test_columns_of_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no such folder\. Mend"):
        list(rows(tmp_path / "missing", "captions", "train", ("code",)))
    with pytest.raises(DatasetError, match="no dataset of tenk's"):
        list(rows(tmp_path, "captions", "train", ("code",)))


def test_a_new_publication_is_seen_at_once(folder: Path, videos: Make, about: About) -> None:
    assert tenk.load(folder, split="train").num_rows == 42
    publish(folder, "Garden10k", "train", videos("train", 1), about)
    assert tenk.load(folder, split="train").num_rows == 11


def test_a_folder_of_the_same_name_is_another_dataset(folder: Path, videos: Make, about: About) -> None:
    assert tenk.load(folder, "videos", split="val_1").num_rows == 1
    twin = folder.parents[1] / "elsewhere" / folder.name
    for split in ("train", "val_1"):
        publish(twin, "Garden10k", split, videos(split, 2), about)
    assert tenk.load(twin, "videos", split="val_1").num_rows == 2


def test_describe_reads_no_captions(folder: Path) -> None:
    (folder / "captions/train-00000-of-00001.parquet").unlink()
    assert describe(folder).split == "train"
    assert describe(folder, "val_1").summary.videos == 1


@pytest.mark.parametrize("streaming", [False, True])
def test_errors_name_the_mend(folder: Path, tmp_path: Path, streaming: bool) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match=r"no configuration 'captionz'. There are: captions, videos"):
        tenk.load(folder, "captionz", streaming=streaming)  # type: ignore[arg-type]
    with pytest.raises(DatasetError, match=r'Garden10k: .*"?test"?.*train'):
        tenk.load(folder, split="test", streaming=streaming)
    with pytest.raises(DatasetError, match=r"no such folder\. Mend"):
        tenk.load(tmp_path / "missing", streaming=streaming)
    with pytest.raises(DatasetError, match="not to be had from the hub"):
        tenk.load("nobody/nothing10k", streaming=streaming)
    with pytest.raises(DatasetError, match="no dataset of tenk's"):
        tenk.load(tmp_path / "empty", streaming=streaming)


def test_a_damaged_file_is_named(folder: Path) -> None:
    (folder / "captions/train-00000-of-00001.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(DatasetError, match="Garden10k"):
        tenk.load(folder, split="train")


def test_describe_errors(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no split 'test'. There are: train, val_1"):
        describe(folder, "test")
    with pytest.raises(DatasetError, match="no dataset of tenk's"):
        describe(tmp_path)


def test_texts_come_back_as_they_were(tmp_path: Path, videos: Make, about: About) -> None:
    texts = [
        "",
        " ",
        "\0",
        "a\u2028b\x85c",
        "שלום \u202ex",
        "🙂‍👩‍👧",
        "{{ 7 * 7 }}",
        '"quoted", \\n',
        "é e\u0301",
        "x" * 99_999,
        "NA",
    ]
    [item] = videos("val", 1)
    captions = tuple(
        caption.model_copy(update={"text": text}) for caption, text in zip(item.captions, texts, strict=True)
    )
    publish(tmp_path / "odd", "Odd10k", "val", [item.model_copy(update={"captions": captions})], about)
    assert tenk.load(tmp_path / "odd", split="val")["text"][:] == texts
    [row] = rows(tmp_path / "odd", "videos", "val")
    assert [caption["text"] for caption in row["captions"]] == texts
