"""A model's name in, how to count the tokens of a text out: by its tokenizer where that is at hand, else by length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

CHARACTERS_A_TOKEN = 4


class TokenCounter(NamedTuple):
    """`tokens` gives those of a text; `name` is the tokenizer's, or empty where they are told by its length."""

    tokens: Callable[[str], float]
    name: str = ""


def by_length(text: str) -> float:
    """Tokens of `text` by its length."""
    return len(text) / CHARACTERS_A_TOKEN


@cache
def token_counter(model: str) -> TokenCounter:
    """tiktoken's for `model`, where tiktoken is installed, knows the model and has its vocabulary in its cache.

    Nothing is downloaded; for any other model, by length.
    """
    try:
        import tiktoken
    except ModuleNotFoundError:
        return TokenCounter(by_length)
    try:
        with _no_download():
            encoding = tiktoken.encoding_for_model(model.rpartition("/")[2])
    except (KeyError, _NotAtHandError):
        return TokenCounter(by_length)
    return TokenCounter(lambda text: len(encoding.encode_ordinary(text)), encoding.name)


class _NotAtHandError(Exception):
    """tiktoken would have had to fetch a vocabulary."""


@contextmanager
def _no_download() -> Iterator[None]:
    """tiktoken as it is where there is no network: all that it has not in its cache comes through `read_file`."""
    from tiktoken import load

    def refuse(blobpath: str) -> bytes:
        raise _NotAtHandError(blobpath)

    fetch, load.read_file = load.read_file, refuse
    try:
        yield
    finally:
        load.read_file = fetch
