"""Judgements and runs in few words."""

from __future__ import annotations

from typing import Any

import pytest

from tenk.benchmark import runs
from tenk.benchmark.pooling.judgements import Judgement
from tenk.benchmark.runs import Run

ODD = ["a:b", "a\tb", "a\nb", 'a"b', "ä, ö", "<b>&", " ", "a\u2028b", "a:b:c", "{{ x }}", "日本"]
"""Ids with which joined strings, tables and markup go wrong."""


def judged(query: str, item: str, annotator: str, label: str, number: int = 1, **fields: Any) -> Judgement:
    return Judgement.model_validate(
        {"query": query, "item": item, "annotator": annotator, "label": label, "round": number, **fields}
    )


def run(name: str, lists: dict[str, Any]) -> Run:
    return runs.from_lists(lists, name)


def close(value: Any, **tolerance: Any) -> Any:
    return pytest.approx(value, nan_ok=True, **tolerance)
