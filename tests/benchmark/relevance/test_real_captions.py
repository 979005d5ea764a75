"""Slices of the data that SVR's rules are for: several captions a video, and classes by table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tenk.benchmark.relevance.classes import Classes, read_classes
from tenk.benchmark.relevance.proxies import PROXIES, bow, meteor, of_sets, pos, syn
from tenk.benchmark.relevance.senses import Senses
from tenk.benchmark.relevance.wordnet import WordNet
from tenk.benchmark.relevance.words import Tagger
from tenk.nlp import stop_words

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def videos(real_data: Path) -> list[list[str]]:
    read = json.loads((real_data / "msrvtt" / "test_info_1kA_20caps.json").read_text(encoding="utf-8"))
    return list(read["video_to_sentence_mapping"].values())


def test_msrvtt_with_twenty_captions_a_video(videos: list[list[str]], tagger: Tagger, wordnet: WordNet) -> None:
    assert len(videos) == 1000
    some = videos[:12]
    options = {
        "bow": {},
        "pos": {"tagger": tagger},
        "syn": {"tagger": tagger, "meanings": Senses(wordnet)},
        "meteor": {"wordnet": wordnet},
    }
    for name, proxy in PROXIES.items():
        matrix = proxy(some, some, **options[name])
        others = matrix[~np.eye(len(some), dtype=bool)]
        assert matrix.shape == (12, 12)
        assert (matrix >= 0).all()
        assert (matrix <= 1).all()
        assert matrix.diagonal().min() > others.max() * 0.9, name
        assert others.mean() < 0.5 * matrix.diagonal().mean(), name


def test_words_of_a_quarter_of_twenty_captions(videos: list[list[str]]) -> None:
    """Counted by hand: five of twenty is a quarter."""
    captions = videos[0]
    assert len(captions) == 20
    words = {word for caption in captions for word in caption.split()} - stop_words()
    kept = {word for word in words if sum(word in caption.split() for caption in captions) >= 5}
    assert kept
    assert bow([captions], [[" ".join(sorted(kept))]]).item() == 1
    assert bow([captions], [[" ".join(sorted(words))]]).item() == len(kept) / len(words)


def test_captions_of_msvd_against_videos(real_data: Path, wordnet: WordNet) -> None:
    """A video against its own captions: each is the best of all with itself."""
    captions = json.loads((real_data / "msvd" / "captions_msvd.json").read_text(encoding="utf-8"))
    some = [captions[name] for name in (real_data / "msvd" / "test_list.txt").read_text().split()[:8]]
    columns = [[caption] for caption in some[0][:10] + some[5][:10]]
    found = meteor(some, columns, wordnet=wordnet)
    assert found.shape == (8, 20)
    assert (found[0, :10].mean() > found[1:, :10].mean(axis=1)).all()
    assert (found[5, 10:].mean() > np.delete(found, 5, 0)[:, 10:].mean(axis=1)).all()


def test_classes_of_epic_kitchens(real_data: Path, tagger: Tagger, wordnet: WordNet) -> None:
    """Tables and the words found by a tagger, against the classes that annotators gave."""
    folder = real_data / "epic100"
    with (folder / "EPIC_100_retrieval_test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9668
    some = rows[::200]
    annotated = of_sets(
        [
            ([{row["verb_class"]} for row in some],) * 2,
            ([set(json.loads(row["all_noun_classes"])) for row in some],) * 2,
        ]
    )
    tables = [read_classes(folder / f"EPIC_100_{kind}_classes.csv") for kind in ("verb", "noun")]
    narrations = [["I " + row["narration"]] for row in some]
    found = syn(narrations, narrations, tagger=tagger, meanings=Classes(tables[0], tables[1], wordnet))
    written = pos(narrations, narrations, tagger=tagger)
    assert annotated.diagonal().min() == 1
    assert found.mean() > written.mean()
    assert np.corrcoef(found.ravel(), annotated.ravel())[0, 1] > np.corrcoef(written.ravel(), annotated.ravel())[0, 1]
