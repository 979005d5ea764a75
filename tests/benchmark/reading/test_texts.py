"""Captions of any characters read back as they were written, and files that would lose some refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenk.benchmark.reading.texts import read_texts
from tenk.errors import BenchmarkError

ODD = {
    "v_1": ('He said: "go",\tand\r\nwent.', "a\u2028b\x85c\x0bd", "  spaces  "),
    "v:2\t": ("naïve 北京 🎥", ""),
    " ü ": ("\ufeff", "| # * _ \\ & % $ { } ~ ^ <b>", "NaN", "null"),
}
PAIRS = [(name, text) for name, texts in ODD.items() for text in texts]


def as_csv(pairs: list[tuple[str, str]], delimiter: str = ",", end: str = "\r\n") -> str:
    out = io.StringIO(newline="")
    rows = csv.writer(out, delimiter=delimiter, lineterminator=end)
    rows.writerows([("id", "text"), *pairs])
    return out.getvalue()


def as_lines(pairs: list[tuple[str, str]], end: str = "\n") -> str:
    return "".join(json.dumps({"id": name, "text": text}, ensure_ascii=False) + end for name, text in pairs)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.json", json.dumps(ODD, ensure_ascii=False)),
        ("t.JSONL", as_lines(PAIRS)),
        ("t.jsonl", as_lines(PAIRS, "\r\n\r\n")),
        ("t.csv", as_csv(PAIRS)),
        ("t.csv", as_csv(PAIRS, end="\n")),
        ("t.tsv", as_csv(PAIRS, "\t")),
    ],
)
def test_odd_captions_in_every_format(name: str, content: str, mark: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((mark + content).encode())
    found = read_texts(tmp_path / name)
    assert found == ODD
    assert list(found) == list(ODD), "in the order of the file"


plain = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(plain, plain), min_size=1))
@settings(max_examples=80)
def test_any_text_survives(pairs: list[tuple[str, str]]) -> None:
    import tempfile

    wanted: dict[str, tuple[str, ...]] = {}
    for name, text in pairs:
        wanted[name] = (*wanted.get(name, ()), text)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("t.csv", as_csv(pairs)), ("t.tsv", as_csv(pairs, "\t")), ("t.jsonl", as_lines(pairs))):
            path = Path(folder) / name
            path.write_bytes(content.encode())
            assert read_texts(path) == wanted


def test_other_columns_and_one_text_an_id(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('key,video_id,sentence\nret0,video7020,a "quoted" word\n', encoding="utf-8")
    assert read_texts(tmp_path / "t.csv", ("video_id", "sentence")) == {"video7020": ('a "quoted" word',)}
    (tmp_path / "t.json").write_text('{"7": "one", "8": ["one", "one"]}', encoding="utf-8")
    assert read_texts(tmp_path / "t.json") == {"7": ("one",), "8": ("one", "one")}
    (tmp_path / "t.jsonl").write_text('{"id": 7, "text": "one"}', encoding="utf-8")
    assert read_texts(tmp_path / "t.jsonl") == {"7": ("one",)}


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.txt", b"a", "no format of texts that is known. There are: .json, .jsonl, .csv, .tsv"),
        ("t.json", b"[]", r"\{id: text\} or \{id: \[texts\]\} is wanted, not a list"),
        ("t.json", b"{}", "holds no text"),
        ("t.json", b'{"a": "x", "a": "y"}', "the key 'a' is there twice"),
        ("t.json", b'{"a": [], "b": "x"}', "'a' has no text"),
        ("t.json", b'{"a": [1]}', "'a': a text is wanted, not 1"),
        ("t.json", b'{"a": null}', "'a': a text is wanted, not None"),
        ("t.json", b'{"": "x"}', "an id is wanted, a string or an integer, not ''"),
        ("t.json", b'{"a": "\\ud83c"}', "half of a surrogate pair"),
        ("t.json", b"[" * 100_000, "nested too deeply"),
        ("t.json", b'{"a": "\xff"}', "no UTF-8 text: byte 7 is invalid start byte"),
        ("t.jsonl", b'{"id": "a", "text": "x"}\n\n{"id": "a"}\n', "line 3: no JSON object with 'id' and 'text'"),
        ("t.jsonl", b'["id", "text"]', "line 1: no JSON object with 'id' and 'text'"),
        ("t.jsonl", b'{"id": "a", "text": "x"', "line 1: no JSON"),
        ("t.jsonl", b'{"id": true, "text": "x"}', "line 1: an id is wanted, a string or an integer, not True"),
        ("t.csv", b"", "no column 'id'; its columns are none"),
        ("t.csv", b"id,text\n", "holds no text"),
        ("t.csv", b"id,caption\na,x\n", "no column 'text'; its columns are 'id', 'caption'"),
        ("t.csv", b"id,text,text\na,x,y\n", "more than one column 'text'"),
        ("t.csv", b"id,text\na,x\nb,a man, running\n", "line 3 has 3 cells under 2 columns. Put texts"),
        ("t.csv", b"id,text\na\n", "line 2 has 1 cells under 2 columns"),
        ("t.csv", b'id,text\na,"Go" he says\n', "line 2: .*A cell that begins with a double quote must end with one"),
        ("t.tsv", b'id\ttext\na\t"Go\nb\tx\n', "line 3: .*A cell that begins with a double quote must end with one"),
    ],
)
def test_what_is_no_file_of_texts(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BenchmarkError, match=rf"{name}.*{says}"):
        read_texts(tmp_path / name)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"nowhere.json: No such file"):
        read_texts(tmp_path / "nowhere.json")


@pytest.mark.real_data
def test_real_captions(real_data: Path) -> None:
    msrvtt = read_texts(real_data / "msrvtt" / "MSRVTT_JSFUSION_test.csv", ("video_id", "sentence"))
    assert (len(msrvtt), len(set(msrvtt.values()))) == (1000, 995)
    msvd = read_texts(real_data / "msvd" / "captions_msvd.json")
    assert (len(msvd), sum(map(len, msvd.values()))) == (1970, 80_827)


def test_a_message_shows_little_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"train": {f"v{n}": ["x" * 80] for n in range(500)}, "k" * 900: 1}))
    with pytest.raises(BenchmarkError) as told:
        read_texts(tmp_path / "t.json")
    assert str(told.value).endswith(
        "'train': a text is wanted, not a mapping with the keys 'v0', 'v1', 'v2' and 497 more. Take one of them, and "
        "give {id: text}."
    )
    (tmp_path / "t.json").write_text(json.dumps({"k" * 900: [[1] * 9000]}))
    with pytest.raises(BenchmarkError) as told:
        read_texts(tmp_path / "t.json")
    assert len(str(told.value)) < 200 + len(str(tmp_path))
