"""Labels of every format read back as they were written, and files that do not say what is relevant."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tenk.benchmark.reading.relevance import read_relevance
from tenk.errors import BenchmarkError

LABELS = {"v 1\tf": {"a:b": 1.0, "ü,\u2028\n": 0.5}, '"q"': {"a:b": 0.0}, "7": {"8": 3.0}}
TRIPLES = [(query, item, gain) for query, items in LABELS.items() for item, gain in items.items()]


def table(delimiter: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows([("gain", "query", "note", "item")])
    csv.writer(out, delimiter=delimiter).writerows((gain, query, "x", item) for query, item, gain in TRIPLES)
    return out.getvalue()


def lines(end: str) -> str:
    return "".join(json.dumps(dict(zip(("query", "item", "gain"), each, strict=True))) + end for each in TRIPLES)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.json", json.dumps(LABELS)),
        ("r.jsonl", lines("\n")),
        ("r.jsonl", lines("\r\n\n")),
        ("r.csv", table(",")),
        ("r.tsv", table("\t")),
    ],
)
def test_odd_ids_in_every_format(name: str, content: str, mark: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((mark + content).encode())
    assert read_relevance(tmp_path / name) == LABELS


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("r.json", '{"q": ["a", "b"], "p": [], "o": "a"}', {"q": {"a": 1, "b": 1}, "p": {}, "o": {"a": 1}}),
        ("r.json", '{"38": [179765], "40": 7}', {"38": {"179765": 1}, "40": {"7": 1}}),
        ("r.jsonl", '{"query": 1, "item": "a"}', {"1": {"a": 1}}),
        ("r.tsv", "query\titem\nq\ta\nq\tb\n", {"q": {"a": 1, "b": 1}}),
        ("r.qrels", "q 0 a 2\r\n\r\nq\t0\t b\u00a0 0.5 \n", {"q": {"a": 2, "b\u00a0": 0.5}}),
    ],
)
def test_forms(name: str, content: str, wanted: dict[str, dict[str, float]], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert read_relevance(tmp_path / name) == wanted


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("r.json", b"[]", r"\{query: \[items\]\} or \{query: \{item: gain\}\} is wanted"),
        ("r.json", b'{"q": ["a"], "q": ["b"]}', "the key 'q' is there twice"),
        ("r.json", b'{"q": ["a", "a"]}', "'q': the relevance of 'a' to 'q' is given twice"),
        ("r.json", b'{"q": ["5", 5]}', "'q': the relevance of '5' to 'q' is given twice"),
        ("r.json", b'{"q": [["a"]]}', r"'q': an id is wanted, a string or an integer, not \['a'\]"),
        ("r.json", b'{"q": {"a": "1"}}', "'a' to 'q' is '1', no number"),
        ("r.json", b'{"q": {"a": true}}', "'a' to 'q' is True, no number"),
        ("r.json", b'{"q": {"a": NaN}}', "'a' to 'q' is nan: it must be a finite number, 0 or above"),
        ("r.json", b'{"q": {"a": -1}}', "'a' to 'q' is -1: it must be"),
        ("r.json", b'{"q": {"a": 1' + b"0" * 400 + b"}}", "must be a finite number"),
        ("r.json", b'{"q": [], "p": {"a": 0}}', "says of nothing that it is relevant"),
        ("r.jsonl", b'\n{"query": "q"}', "line 2: no JSON object with 'query' and 'item'"),
        ("r.jsonl", b'{"query": "q", "item": "a", "gain": null}', "line 1: the relevance of 'a' to 'q' is None"),
        ("r.jsonl", b'{"query": "q", "item": "a"}\n' * 2, "line 2: the relevance of 'a' to 'q' is given twice"),
        ("r.csv", b"a,b\n", "no column 'query'; its columns are 'a', 'b'"),
        ("r.csv", b"query,item,gain\nq,a,\n", "line 2: the relevance '' is no number"),
        ("r.csv", b"query,item\nq,a,b\n", "line 2 has 3 cells under 2 columns"),
        ("r.qrels", b"q 0 a 1\nq a 1\n", "line 2 has 3 fields, not `query 0 item gain`"),
        ("r.qrels", b"q 0 a x\n", "line 1: the relevance 'x' is no number"),
        ("r.qrels", b"q 0 a inf\n", "line 1: the relevance of 'a' to 'q' is inf: it must be a finite number"),
        ("r.qrels", b"", "says of nothing that it is relevant"),
    ],
)
def test_what_is_no_file_of_labels(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BenchmarkError, match=rf"{name}.*{says}"):
        read_relevance(tmp_path / name)


@pytest.mark.real_data
def test_real_labels(real_data: Path) -> None:
    found = read_relevance(real_data / "eccv_caption" / "eccv_caption_to_image.json")
    assert len(found) == 1332
    assert sum(map(len, found.values())) / 1332 == pytest.approx(8.47, abs=0.005)
