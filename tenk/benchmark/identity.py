"""Ids of queries and items in, the item that each query has by its own id out: what `identity` means."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from tenk.benchmark.ids import Ids


def identity(queries: Iterable[str], items: Ids | AbstractSet[str]) -> dict[str, str]:
    """A query's item has the query's id, or is the VIDEO of its `VIDEO<tab>CODE`; queries with neither are left out."""
    found: dict[str, str] = {}
    for query in queries:
        video, tab, _ = query.rpartition("\t")
        if query in items:
            found[query] = query
        elif tab and video in items:
            found[query] = video
    return found
