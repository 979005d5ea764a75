"""Words separated by spaces in, a set of them out: how this package writes its tables."""

from __future__ import annotations


def in_order(text: str) -> tuple[str, ...]:
    """The words of `text`, in their order."""
    return tuple(text.split())


def words(text: str) -> frozenset[str]:
    """The words of `text`, as a set."""
    return frozenset(text.split())
