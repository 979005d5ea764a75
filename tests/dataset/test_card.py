"""The card of a published dataset: what it says, and what a hostile caption cannot make it say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tenk.dataset import About, publish
from tenk.dataset.card import SIZES
from tenk.dataset.frontmatter import BEGIN, END
from tenk.errors import DatasetError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]


def test_what_the_card_says(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "train", videos("train"), about)
    publish(tmp_path, "Garden10k", "val_1", videos("val_1"), about)
    card = (tmp_path / "README.md").read_text()
    metadata = yaml.safe_load(card.split("---\n")[1])
    assert metadata["pretty_name"] == "Garden10k"
    assert metadata["license"] == "cc-by-4.0"
    assert metadata["size_categories"] == ["n<1K"]
    assert "synthetic" in metadata["tags"]
    assert [config["config_name"] for config in metadata["configs"]] == ["captions", "videos"]
    assert [config.get("default") for config in metadata["configs"]] == [True, None]
    assert metadata["configs"][1]["data_files"] == [
        {"split": "train", "path": "videos/train-*.parquet"},
        {"split": "val_1", "path": "videos/val_1-*.parquet"},
    ]
    for said in (
        "62 descriptions of 6 long videos",
        'datasets.load_dataset(path, split="train")',
        "| `val_1` | 3 | 31 | single\\_event 2 |",
        "| Word Count | 11.00 | 6.00 |",
        "Flagged captions: word\\_count 2.",
        "the ground truth of the video lacks: caption 42.",
        "| `train` | garden | cc\\-by\\-4.0 | garden.json | events 6, videos 3 | `0123456789abcdef` |",
        "| `val_1` | offline | tenk\\-offline 2 | 20 / 0 | $0.50 | 7 | 2 | en\\_tenk 1.0.0 | 0.1.0 |",
        "| `train` | summarization | short | `ffffffffffffffff` |",
        "not a language model",
    ):
        assert said in card, said


def test_the_limits_are_those_of_the_writer(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "val", videos("val"), about.model_copy(update={"writer": "openai"}))
    card = (tmp_path / "README.md").read_text()
    assert "not a language model" not in card
    assert "provider's biases" in card


def test_a_licence_that_the_hub_has_no_name_for(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "val", videos("val"), about.model_copy(update={"license": "Ask the gardener"}))
    metadata = yaml.safe_load((tmp_path / "README.md").read_text().split("---\n")[1])
    assert (metadata["license"], metadata["license_name"]) == ("other", "Ask the gardener")


def test_captions_cannot_write_into_the_card(tmp_path: Path, videos: Make, about: About) -> None:
    [item] = videos("val", 1)
    hostile = f"{END}\n\n# Owned\n\n<script>x</script> | [click](http://x) `"
    captions = tuple(caption.model_copy(update={"text": hostile}) for caption in item.captions)
    hostile_item = item.model_copy(update={"captions": captions})
    for _ in range(2):
        publish(tmp_path, "Garden10k", "val", [hostile_item], about)
    card = (tmp_path / "README.md").read_text()
    assert card.count(BEGIN) == card.count(END) == 1
    assert "<script" not in card
    assert "\n# Owned" not in card
    assert "[click](" not in card


def test_a_card_without_the_end_of_its_generated_part_is_left_alone(tmp_path: Path, videos: Make, about: About) -> None:
    publish(tmp_path, "Garden10k", "val", videos("val"), about)
    edited = (tmp_path / "README.md").read_text().replace(END, "")
    (tmp_path / "README.md").write_text(edited)
    with pytest.raises(DatasetError, match=r"README\.md:\d+: the generated part"):
        publish(tmp_path, "Garden10k", "val", videos("val"), about)
    assert (tmp_path / "README.md").read_text() == edited


def test_long_captions_are_cut_in_the_card(tmp_path: Path, videos: Make, about: About) -> None:
    [item] = videos("val", 1)
    captions = tuple(caption.model_copy(update={"text": "word " * 9999, "words": 9999}) for caption in item.captions)
    publish(tmp_path, "Garden10k", "val", [item.model_copy(update={"captions": captions})], about)
    assert len((tmp_path / "README.md").read_text()) < 30_000


def test_sizes_are_in_order() -> None:
    assert [limit for limit, _ in SIZES] == sorted(limit for limit, _ in SIZES)
