"""Files as they come: missing, folders, other encodings, broken JSON. Every error names the place and the mend."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import SourceError
from tenk.sources import read
from tenk.sources.files import json_lines, locate, read_json, read_text

GOOD = '{"v_a": {"duration": 9, "timestamps": [[0, 5]], "sentences": ["A cat naps."]}}'


def test_locate_takes_the_first_name_there(tmp_path: Path) -> None:
    (tmp_path / "b.json").touch()
    assert locate(tmp_path, ["a.json", "b.json"]) == tmp_path / "b.json"
    assert locate(tmp_path / "b.json", ["a.json"]) == tmp_path / "b.json"


def test_a_folder_named_like_the_file_is_not_the_file(tmp_path: Path) -> None:
    (tmp_path / "train.json").mkdir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(
        SourceError, match=r"looked for: train.json, anet_ret_train.json. There: notes.txt, train.json/\."
    ):
        read("activitynet", tmp_path, "train")


def test_long_listings_are_cut(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.txt").touch()
    with pytest.raises(SourceError, match=r"There: 00.txt, .*07.txt, \.\.\.\. Name"):
        locate(tmp_path, ["train.json"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": the file is empty. Download it again"),
        (b" \n\n", ": the file is empty. Download it again"),
        (b'{"v_a": [1,\n 2,,]}', ":2: not JSON (Expecting value, column 4). Mend it there"),
        (b'{"v_a": 1}\n{"v_b": 2}\n', "If every line is a JSON value, name the file .jsonl."),
        (b"[" * 100_000, ": nested too deep for JSON annotations."),
        (b'{"v_a": ' + b"1" * 5000 + b"}", ": not usable as JSON (Exceeds the limit"),
        ('{"v_a": 1,\n "v_é": 2}'.encode("latin-1"), ":2: not UTF-8. Save it as UTF-8"),
        ('{"v_a": 1}'.encode("utf-16"), ":1: not UTF-8. Save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n", ":1: not UTF-8."),
        (b'{"v_a": 1, "v_b": 2, "v_a": 3}', ": the key 'v_a' is given twice. Keep one of them."),
        (b'{"v_a": {"s": 1, "s": 2}}', ": the key 's' is given twice in 'v_a'. Keep one of them."),
        (b'{"v_a": {"s": 1, "s": 2}, "v_a": 3}', ": the key 's' is given twice. Keep one of them."),
        (b'{"x": [{"y": {"s": 1, "s": 2}}]}', ": the key 's' is given twice in 'x' > 1 > 'y'. Keep one of them."),
    ],
)
def test_json_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "train.json"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read("activitynet", path, "train")
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "train.json"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert read("activitynet", path, "train").counts["videos"] == 1
    (tmp_path / "lines.jsonl").write_text('{"a": 1}\n', encoding="utf-8-sig")
    assert list(json_lines(tmp_path / "lines.jsonl")) == [(1, {"a": 1})]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1}\n\n{"a": 1,}\n', ":3: not JSON ("),
        (b'{"a": 1}\nnull\n', ":2: null is no entry. Remove the line."),
        (b'{"a": 1}\n{"a": "\xe9"}\n', ":2: not UTF-8."),
        (b'{"a": 1}\n{"a": {"b": 1, "b": 2}}\n', ":2: the key 'b' is given twice in 'a'. Keep one of them."),
    ],
)
def test_json_lines_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        list(json_lines(path))
    assert str(caught.value).startswith(f"{path}{message}")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_explanation(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(content)
    for attempt in (read_json, read_text, lambda path: list(json_lines(path))):
        message = str(path)
        try:
            attempt(path)
        except SourceError as problem:
            message = str(problem)
        assert message.startswith(str(path))


def test_what_the_system_cannot_read_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "train.json"
    path.write_text(GOOD)

    def broken(self: Path) -> bytes:
        raise OSError(5, "Input/output error", str(self))

    monkeypatch.setattr(Path, "read_bytes", broken)
    with pytest.raises(SourceError, match=r"train.json: Input/output error. Name files that can be read."):
        read("activitynet", path, "train")
