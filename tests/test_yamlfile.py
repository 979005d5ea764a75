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
        (
            "name: x\ninner: {words: 2024-13-45}\n",
            r"file.yaml:2: '2024-13-45' is no timestamp \(month must be in 1..12\)",
        ),
        (f"name: x\ninner:\n  words: {'9' * 5000}\n", r"file.yaml:3: '9+\.\.\. is no int .*5000 digits\)"),
        ("name: x\ninner: {words: !!int a}\n", r"file.yaml:2: 'a' is no int"),
        ("name: x\ninner: !!timestamp a\n", r"file.yaml:2: 'a' is no timestamp"),
        ("name: x\nmany: &a\n- *a\n", r"file.yaml:3: \*a holds itself"),
        ("name: x\ninner: &a {words: *a}\n", r"file.yaml:2: \*a holds itself"),
        ("name: x\ninner: &a {<<: *a}\n", r"file.yaml:2: \*a holds itself"),
        ("name: x\n? [a, b]\n: 1\n", r"file.yaml:2: found unhashable key"),
        ("name: !!python/object/apply:os.system [ls]\n", r"file.yaml:1: could not determine a constructor"),
    ],
)
def test_errors_name_file_line_and_mend(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read(text)


def test_lines_count_from_where_the_text_starts() -> None:
    with pytest.raises(ConfigError, match=r"file.yaml:12: unknown key 'b'"):
        read("name: x\nb: 1\n", first_line=11)


@pytest.mark.parametrize("text", [f"many: {'[' * 50_000}", "- " * 50_000 + "x", "many: " + "{a: " * 50_000])
def test_collections_in_collections_do_not_end_the_process(text: str) -> None:
    with pytest.raises(ConfigError, match=r"file.yaml:1: nested too deep"):
        read(text)


def test_aliases_that_multiply_are_walked_once() -> None:
    lists = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 30))
    with pytest.raises(ConfigError, match=r"file.yaml:2: unknown key 'l0'"):
        read(f"name: x\nl0: &l0 [y]\n{lists}")


def test_a_key_may_win_over_the_mapping_that_is_merged() -> None:
    text = "name: x\ninner: &a {words: 1}\nmany:\n- *a\n- {<<: *a, words: 2}\n"
    assert read(text).many == (Inner(words=1), Inner(words=2))
