"""The pairs that a loop trains on: which captions they are drawn from, and that the draw can be repeated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tenk.errors import DatasetError
from tenk.finetune import POOLS, TenKPairs
from tenk.finetune import pairs as module

CODES = ("f", "p", "s", "m", "l", "e", "i", "u", "s+e", "s+i", "s+u")


def row(id_: str, codes: Iterable[str]) -> dict[str, Any]:
    return {"id": id_, "captions": [{"code": code, "text": f"{code} of {id_}"} for code in codes]}


@pytest.fixture(autouse=True)
def _dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve videos with all captions, one with its paragraph alone."""
    rows = [*(row(f"v{number}", CODES) for number in range(12)), row("bare", "f")]
    monkeypatch.setattr(module, "load", lambda path, config, split: rows)


def drawn(pairs: TenKPairs, epochs: int = 60) -> set[str]:
    """The codes of all captions that many epochs draw."""
    found = set()
    for epoch in range(epochs):
        pairs.set_epoch(epoch)
        found |= {text.split(" of ")[0] for _, _, text in (pairs[index] for index in range(len(pairs)))}
    return found


@pytest.mark.parametrize(
    ("pool", "codes"),
    [
        (None, set(CODES) - {"f", "p"}),
        ("joint", set(POOLS["joint"])),
        ("s", {"s"}),
        ("s+e", {"s+e"}),
        (["joint", "p", "s+e"], {*POOLS["joint"], "p"}),
        (("partial", "f"), {"p", "f"}),
    ],
)
def test_captions_are_drawn_from_the_pool_and_all_of_it(pool: Any, codes: set[str]) -> None:
    pairs = TenKPairs("somewhere", "train") if pool is None else TenKPairs("somewhere", "train", pool=pool)
    assert drawn(pairs) == codes


@pytest.mark.parametrize("pool", ["joints", "J", ["joint", "joints"], ["s", "s+x"], ""])
def test_a_name_that_the_dataset_does_not_know_is_an_error_that_names_the_known(pool: Any) -> None:
    with pytest.raises(DatasetError, match=r"summarization, simplification, joint, partial.*f, p, s, m, l") as raised:
        TenKPairs("somewhere", "train", pool=pool)
    assert repr(pool if isinstance(pool, str) else pool[-1]) in str(raised.value)


def test_an_empty_pool_is_an_error() -> None:
    with pytest.raises(DatasetError, match="an empty pool"):
        TenKPairs("somewhere", "train", pool=[])


def test_a_type_of_which_the_dataset_has_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load", lambda path, config, split: [row("v", ("f", "s"))])
    with pytest.raises(DatasetError, match="'simplification', 'joint'"):
        TenKPairs("somewhere", "train")
    assert drawn(TenKPairs("somewhere", "train", pool="summarization")) == {"s"}


def test_a_draw_depends_on_seed_epoch_and_id_alone() -> None:
    pairs = TenKPairs("somewhere", "train")
    first = [pairs[index] for index in range(len(pairs))]
    assert [pairs[index] for index in reversed(range(len(pairs)))] == first[::-1]
    assert [TenKPairs("somewhere", "train", seed=1)[index] for index in range(len(pairs))] != first
    pairs.set_epoch(1)
    assert [pairs[index] for index in range(len(pairs))] != first
    pairs.set_epoch(0)
    assert [pairs[index] for index in range(len(pairs))] == first
    assert first[0][:2] == ("v0", "f of v0")


def test_videos_without_a_caption_of_the_pool_are_listed() -> None:
    pairs = TenKPairs("somewhere", "train")
    assert (len(pairs), pairs.left_out) == (12, ["bare"])
