"""What is compiled is kept until any source of a compiled function changes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tenk.benchmark import compiled

SOURCE = """
from tenk.benchmark.compiled import compiled

@compiled()
def more(number):
    return number + 1
"""


def test_kept_until_another_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.py"
    path.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "cache"))
    assert not _was_there(path)
    assert _was_there(path)
    monkeypatch.setattr(compiled, "sources", lambda: "of a changed source")
    assert not _was_there(path)
    assert _was_there(path)


def test_a_numba_that_keeps_it_otherwise_is_left_as_it_is() -> None:
    compiled.stamp(object())


def _was_there(path: Path) -> bool:
    """Whether the function of a fresh process would come from the cache."""
    spec = importlib.util.spec_from_file_location("kept", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.more(1) == 2
    stats = module.more.stats
    assert sum(stats.cache_hits.values()) + sum(stats.cache_misses.values()) == 1
    return bool(stats.cache_hits)
