"""Numbers in, bins with names out; a figure in, its series as a table out: one mechanism for tables and plots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tenk.benchmark.figure import Figure
from tenk.benchmark.tables import Cell, Table
from tenk.errors import BenchmarkError


@dataclass(frozen=True)
class Bins:
    """`names` of the bins in their order, those in between that hold nothing too; `of` is the bin of each value."""

    names: tuple[str, ...]
    of: npt.NDArray[np.int64]

    def sums(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Of the `values` in each bin."""
        return np.bincount(self.of, np.asarray(values, np.float64), len(self.names)).astype(np.float64)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        return np.bincount(self.of, minlength=len(self.names))


def by_width(values: npt.ArrayLike, width: float, most: float | None = None) -> Bins:
    """From multiples of `width` up to, and without, the next: `0-20`, `20-40`, ...

    `most`, the highest value that there can be, belongs to the bin that ends there.
    """
    given = np.asarray(values, np.float64)
    if not width > 0 or not math.isfinite(width):
        raise BenchmarkError(f"Bins of a width of {width} hold nothing: give a width above 0.")
    # A value on an edge that cannot be written exactly (0.3 / 0.1) belongs to the bin that begins there.
    places = np.floor(given / width + 1e-9).astype(np.int64)
    if most is not None:
        places = np.minimum(places, max(0, round(most / width) - 1))
    first, last = int(places.min()), int(places.max())
    edges = [f"{number * width:.10g}" for number in range(first, last + 2)]
    return Bins(tuple(f"{low}-{high}" for low, high in pairwise(edges)), places - first)


def by_count(values: npt.ArrayLike, most: int, least: int = 0) -> Bins:
    """A bin a whole number from `least` up; the last one, `20+`, holds `most` and more, if any has more."""
    given = np.asarray(values, np.int64)
    last = min(int(given.max()), most)
    names = [str(number) for number in range(least, last + 1)]
    if given.max() > most:
        names[-1] += "+"
    return Bins(tuple(names), np.minimum(given, last) - least)


def as_table(figure: Figure, digits: int = 1) -> Table:
    """The numbers of a figure: a row a place on its x axis, a column a series, with its panel where it has one."""
    places = list(dict.fromkeys(x for one in figure.series for x in one.x))
    if not any(isinstance(x, str) for x in places):
        places.sort()
    names, columns = [], []
    for one in figure.series:
        names.append(", ".join(part for part in (one.panel, one.name) if part))
        columns.append(dict(zip(one.x, one.y, strict=True)))
    rows: list[tuple[Cell, ...]] = [(str(x), *(column.get(x) for column in columns)) for x in places]
    return Table(figure.title, (figure.x, *names), tuple(rows), digits)
