"""Finding WordNet, reading it as NLTK does, and what is said where there is none."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import nltk
import pytest

from tenk.benchmark.relevance import wordnet as room
from tenk.benchmark.relevance.wordnet import WordNet, find, lexnames, open_wordnet
from tenk.errors import BenchmarkError


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(room, "DEBIAN", tmp_path / "absent")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "absent")])
    monkeypatch.delenv(room.VARIABLE, raising=False)


@pytest.mark.usefixtures("nowhere")
def test_where_there_is_none_the_mend_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BenchmarkError, match=r"not on this machine.*apt-get install.*nltk\.downloader.*TENK_WORDNET"):
        open_wordnet()
    with pytest.raises(BenchmarkError, match=r"holds no WordNet.*apt-get"):
        open_wordnet(tmp_path)
    monkeypatch.setenv(room.VARIABLE, str(tmp_path / "typo"))
    with pytest.raises(BenchmarkError, match="typo holds no WordNet"):
        open_wordnet()
    (tmp_path / "broken.zip").write_bytes(b"PK")
    with pytest.raises(BenchmarkError, match=r"broken\.zip holds no WordNet"):
        open_wordnet(tmp_path / "broken.zip")


@pytest.mark.usefixtures("nowhere")
def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for kind in ("adj", "adv", "noun", "verb"):
        for name in (f"data.{kind}", f"index.{kind}", f"{kind}.exc"):
            (tmp_path / name).write_text("nonsense x y\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=f"{tmp_path}: WordNet cannot be read"):
        open_wordnet(tmp_path)


def test_as_a_folder_and_as_an_archive_of_nltk(
    wordnet: WordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the downloader leaves it: corpora/wordnet.zip, or the folder that comes of it."""
    if not wordnet.place.is_dir():
        pytest.skip("needs WordNet as a folder")
    archive = tmp_path / "data" / "corpora" / "wordnet.zip"
    archive.parent.mkdir(parents=True)
    with ZipFile(archive, "w") as packed:
        for file in wordnet.place.iterdir():
            if file.is_file():
                packed.write(file, f"wordnet/{file.name}")
    monkeypatch.setattr(room, "DEBIAN", tmp_path / "absent")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "data")])
    monkeypatch.delenv(room.VARIABLE, raising=False)
    packed_one = open_wordnet()
    assert packed_one.place == archive
    shutil.unpack_archive(archive, archive.parent)
    assert find() == archive.with_suffix("")
    for word in ("dogs", "plays", "put", "Paris", "better"):
        assert [str(synset) for synset in packed_one.synsets(word)] == [str(synset) for synset in wordnet.synsets(word)]


def test_it_is_that_of_nltk(wordnet: WordNet) -> None:
    synset = wordnet.synset("bank.n.02")
    assert wordnet.get_version() in {"3.0", "3.1"}
    assert synset.name() == "depository_financial_institution.n.01"
    assert synset.lexname() == "noun.group"
    assert "accepts deposits" in synset.definition()
    assert synset in wordnet.synset("bank.n.02").hypernyms()[0].hyponyms()


def test_nothing_about_nltk_is_changed(wordnet: WordNet) -> None:
    assert str(wordnet.place) not in nltk.data.path or wordnet.place.parent.name == "corpora"


def test_names_of_lexicographer_files() -> None:
    lines = [line.split("\t") for line in lexnames().splitlines()]
    assert len(lines) == 45
    assert lines[3] == ["03", "noun.Tops", "1"]
    assert lines[29] == ["29", "verb.body", "2"]
    assert lines[44] == ["44", "adj.ppl", "3"]
