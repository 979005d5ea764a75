"""Orders that people gave and relevance in, how often a proxy orders two captions as they do out: Table 2.

A file of judgements is JSON lines, one an item and annotator, the most relevant caption first:

    {"item": "video 1", "captions": ["caption 7", "caption 2", ...], "annotator": "A"}

with the ids that relevance has. All annotators of an item order the same captions. Two of them make a consistent pair
where all annotators put the same one first; of consistent pairs the proxy orders some the same, some the other way
round, and some it cannot tell apart, which are counted on their own. Chance is 50 % of those that it tells apart.

Supplement A of SVR.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from pydantic import ValidationError

from tenk.benchmark.ids import listed
from tenk.benchmark.relevance.matrix import Relevance
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError
from tenk.records import Record

Pair = tuple[str, str]


class Order(Record):
    """The captions of an item as one annotator ordered them, the most relevant first."""

    item: str
    captions: tuple[str, ...]
    annotator: str


@dataclass(frozen=True)
class Consistent:
    """What annotators agree on: `pairs` of each item, the more relevant caption first, out of `all` that they ordered.

    `alone` are the items that a single annotator ordered, whose pairs cannot but be consistent.
    """

    pairs: Mapping[str, tuple[Pair, ...]]
    all: int
    annotators: int
    alone: tuple[str, ...]

    @property
    def count(self) -> int:
        return sum(map(len, self.pairs.values()))

    @property
    def share(self) -> float:
        """Of all pairs, 0 to 1."""
        return self.count / self.all


@dataclass(frozen=True)
class Agreement:
    """How a proxy orders the consistent pairs: `same` as people, `tied`, the others the other way round."""

    proxy: str
    same: int
    tied: int
    count: int

    @property
    def share(self) -> float:
        """Human-to-proxy agreement, as the paper has it: ordered the same out of all consistent pairs, 0 to 1."""
        return self.same / self.count


def read_orders(path: str | Path) -> list[Order]:
    """Raises BenchmarkError, which names the file and the line."""
    path = Path(path)
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BenchmarkError(f"{path}: {problem}.") from None
    orders = []
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            orders.append(Order.model_validate(json.loads(line)))
        except ValidationError as problem:
            first = problem.errors()[0]
            raise BenchmarkError(
                f"{path}, line {number}: {'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}. A line is "
                '{"item": ..., "captions": [best, ..., worst], "annotator": ...}.'
            ) from None
        except ValueError as problem:
            raise BenchmarkError(f"{path}, line {number}: no JSON object: {problem}.") from None
    try:
        consistent(orders)
    except BenchmarkError as problem:
        raise BenchmarkError(f"{path}: {problem}") from None
    return orders


def consistent(orders: Iterable[Order]) -> Consistent:
    """Raises BenchmarkError for an annotator who orders an item twice, a caption that is given twice or alone, and
    annotators of an item who order different captions."""
    by_item: dict[str, dict[str, Order]] = {}
    for order in orders:
        _refuse_odd(order)
        own = by_item.setdefault(order.item, {})
        if order.annotator in own:
            raise BenchmarkError(f"{order.annotator!r} orders the captions of {order.item!r} twice. Keep one.")
        other = next(iter(own.values()), order)
        if set(other.captions) != set(order.captions):
            differing = sorted(set(other.captions) ^ set(order.captions))
            raise BenchmarkError(
                f"{order.annotator!r} and {other.annotator!r} do not order the same captions of {order.item!r}: "
                f"{listed(differing)}. All annotators of an item order the same."
            )
        own[order.annotator] = order
    if not by_item:
        raise BenchmarkError("There is no judgement at all.")
    pairs = {item: _agreed([order.captions for order in own.values()]) for item, own in sorted(by_item.items())}
    sizes = [len(next(iter(own.values())).captions) for own in by_item.values()]
    return Consistent(
        pairs,
        sum(size * (size - 1) // 2 for size in sizes),
        len({annotator for own in by_item.values() for annotator in own}),
        tuple(sorted(item for item, own in by_item.items() if len(own) == 1)),
    )


def agreement(found: Consistent, relevance: Relevance) -> Agreement:
    """Raises BenchmarkError for items and captions that `relevance` lacks, and where no pair is consistent."""
    if not found.count:
        raise BenchmarkError("Annotators agree on no pair of captions: there is nothing to compare a proxy with.")
    same = tied = 0
    for item, pairs in found.pairs.items():
        column = relevance.items.position(item)
        values = relevance.columns(column, column + 1)[0]
        for better, worse in pairs:
            one, other = values[relevance.queries.positions([better, worse])]
            same += bool(one > other)
            tied += bool(one == other)
    return Agreement(relevance.name, same, tied, found.count)


def table(found: Consistent, several: Sequence[Agreement]) -> Table:
    """Table 2: a row a proxy, in percent."""
    columns = ("proxy", "consistent pairs", "of pairs", "% consistent", "% same", "% tied", "% same of untied")
    rows = []
    for one in several:
        untied = one.count - one.tied
        shares = (found.share, one.share, one.tied / one.count, one.same / untied if untied else None)
        cells = (None if share is None else 100 * share for share in shares)
        rows.append((one.proxy, found.count, found.all, *cells))
    title = f"Agreement of {found.annotators} annotators on {len(found.pairs)} items with proxies (chance is 50 %)"
    return Table(title, columns, tuple(rows))


def _refuse_odd(order: Order) -> None:
    twice = sorted({caption for caption in order.captions if order.captions.count(caption) > 1})
    if twice:
        raise BenchmarkError(f"{order.annotator!r} gives {listed(twice)} of {order.item!r} more than once.")
    if len(order.captions) < 2:
        raise BenchmarkError(f"{order.annotator!r} orders fewer than two captions of {order.item!r}.")


def _agreed(orders: Sequence[Sequence[str]]) -> tuple[Pair, ...]:
    """Pairs that all of `orders` have the same way round."""
    places = [{caption: place for place, caption in enumerate(order)} for order in orders]
    return tuple(
        (better, worse)
        for better, worse in combinations(orders[0], 2)
        if all(place[better] < place[worse] for place in places)
    )
