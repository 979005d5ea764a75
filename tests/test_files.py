from __future__ import annotations

import os
from pathlib import Path

import pytest

from tenk.errors import DatasetError
from tenk.files import replacing


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "made" / "a.txt"
    for text in ("first", "second שלום"):
        with replacing(path, error=DatasetError) as file:
            file.write(text)
        assert path.read_text(encoding="utf-8") == text
    assert os.listdir(path.parent) == ["a.txt"]


def test_what_goes_wrong_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(path, error=DatasetError) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(DatasetError, match=r"file.*a\.txt: .*"),
        replacing(tmp_path / "file" / "a.txt", error=DatasetError),
    ):
        pass
