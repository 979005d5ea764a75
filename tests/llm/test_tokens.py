from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenk.llm.tokens import by_length, token_counter

tiktoken = pytest.importorskip("tiktoken")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """An empty cache of vocabularies, nothing loaded before, and no network."""

    def connect(*given: object) -> None:
        raise AssertionError("a network was asked for")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    monkeypatch.setattr("socket.socket.connect", connect)
    token_counter.cache_clear()
    yield
    token_counter.cache_clear()


@pytest.mark.parametrize("model", ["gpt-4.1-mini", "openai/gpt-4o", "qwen3-32b", "gpt-4o-mini-2024-07-18", ""])
def test_nothing_is_downloaded(model: str) -> None:
    counter = token_counter(model)
    assert (counter.tokens, counter.name) == (by_length, "")
    assert counter.tokens("eight ch") == 2.0


def test_a_broken_vocabulary_is_none(tmp_path: Path) -> None:
    place = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    (tmp_path / hashlib.sha1(place.encode()).hexdigest()).write_text("half of it")
    assert token_counter("gpt-4.1-mini").name == ""


def test_a_vocabulary_at_hand_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_alone = tiktoken.Encoding(
        "o200k_base",
        pat_str=r"\S+|\s+",
        mergeable_ranks={bytes([value]): value for value in range(256)} | {b"ca": 256, b"cat": 257},
        special_tokens={"<|endoftext|>": 258},
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "o200k_base", bytes_alone)
    counter = token_counter("gpt-4.1-mini")
    assert counter.name == "o200k_base"
    assert counter.tokens("a cat") == 3
    assert counter.tokens("<|endoftext|>") == 13, "what a caption says is text"
