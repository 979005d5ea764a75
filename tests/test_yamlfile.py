from __future__ import annotations

from pathlib import Path

import pytest

from tenk.errors import ConfigError
from tenk.records import Record
from tenk.yamlfile import load


class Inner(Record):
    words: int = 0


class Outer(Record):
    name: str
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()


def read(text: str, first_line: int = 1) -> Outer:
    return load(text, Outer, path=Path("file.yaml"), error=ConfigError, first_line=first_line)


def test_a_good_file() -> None:
    assert read("name: x\nmany:\n- words: 3\n") == Outer(name="x", many=(Inner(words=3),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\ninner: {words: 1}\nnmae: y\n", r"file.yaml:3: unknown key 'nmae'.*Known keys: inner, many, name"),
        ("name: x\nmany:\n- words: 1\n- words: many\n", r"file.yaml:4: many.1.words: .*integer"),
        ("inner:\n  words: 2\n", r"file.yaml:1: the key 'name' is missing"),
        ("name: x\nname: y\n", r"file.yaml:2: the key 'name' is given twice"),
        ("name: [x\n", r"file.yaml:2: "),
        ("- a\n- b\n", r"file.yaml:1: expected a mapping"),
        ("", r"file.yaml:1: expected a mapping"),
        ("name: !!python/object/apply:os.system [ls]\n", r"file.yaml:1: could not determine a constructor"),
    ],
)
def test_errors_name_file_line_and_mend(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read(text)


def test_lines_count_from_where_the_text_starts() -> None:
    with pytest.raises(ConfigError, match=r"file.yaml:12: unknown key 'b'"):
        read("name: x\nb: 1\n", first_line=11)
