"""Pickles: what captions need is read, everything else is refused before it is imported or called."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import OrderedDict, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import SourceError
from tenk.sources.pickles import read_pickle


class Attack:
    def __init__(self, function: object, *arguments: object) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_captions_need(tmp_path: Path, protocol: int) -> None:
    value = defaultdict(list, {"video-é": [[0, 1.5], [-0.1, 2]]})
    path = tmp_path / "times.pkl"
    path.write_bytes(pickle.dumps(value, protocol))
    assert read_pickle(path) == value


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Attack(os.system, "touch pwned"), f"{os.name}.system"),
        (Attack(eval, "open('pwned', 'w')"), "builtins.eval"),
        (Attack(subprocess.check_output, ["touch", "pwned"]), "subprocess.check_output"),
        (Attack(getattr, [], "append"), "builtins.getattr"),
        (defaultdict(set), "builtins.set"),
        (OrderedDict(a=1), "collections.OrderedDict"),
        (Path("x"), "pathlib"),
        ({"nested": [Attack(exec, "open('pwned', 'w')")]}, "builtins.exec"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_globals_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: object, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "times.pkl"
    path.write_bytes(pickle.dumps(value))
    with pytest.raises(SourceError) as caught:
        read_pickle(path)
    assert str(caught.value).startswith(f"{path}: the pickle asks for '{name}")
    assert "Do not load it" in str(caught.value)
    assert not (tmp_path / "pwned").exists()


def test_modules_are_not_imported_to_be_refused(tmp_path: Path) -> None:
    path = tmp_path / "times.pkl"
    path.write_bytes(b"cantigravity\nfly\n.")
    with pytest.raises(SourceError, match=r"asks for 'antigravity.fly'"):
        read_pickle(path)
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize(
    "content", [b"", b"not a pickle", pickle.dumps({"a": [1, 2, 3]})[:-4], b"\x80\xff.", b"(.", b"."]
)
def test_broken_pickles_are_explained(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "times.pkl"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"not a sound pickle \(.*Download it again"):
        read_pickle(path)


@given(st.binary(max_size=60), st.integers(0, 60))
def test_any_bytes_are_a_value_or_an_explanation(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, cut: int
) -> None:
    """Junk in the place of part of a sound pickle."""
    path = tmp_path_factory.getbasetemp() / "any.pkl"
    sound = pickle.dumps(defaultdict(list, {"video": [[0, 1.5], [2, 3.5]]}), 3)
    path.write_bytes(sound[:cut] + junk + sound[cut + len(junk) :])
    message = str(path)
    try:
        read_pickle(path)
    except SourceError as problem:
        message = str(problem)
    assert message.startswith(str(path))
