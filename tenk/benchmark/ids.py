"""Names in, their positions out: what keeps rows, columns and relevance of several files together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tenk.benchmark.plain import brief
from tenk.errors import BenchmarkError

SHOWN = 3
"""Names that a message lists at most."""


class Ids:
    """The names of the queries or items of a table, in its order; `what` they are, for messages (`query`, `item`).

    Raises BenchmarkError where there is none, or one is given twice.
    """

    def __init__(self, names: Iterable[str], *, what: str) -> None:
        self.names: tuple[str, ...] = tuple(names)
        self.what = what
        if not self.names:
            raise BenchmarkError(f"There is no {what} id at all.")
        if len(self._positions) < len(self.names):
            seen: set[str] = set()
            twice = [name for name in self.names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
            raise BenchmarkError(f"The {what} id {listed(twice)} is given more than once. Ids must be unique.")

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ids) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self._positions

    def position(self, name: str) -> int:
        """Raises BenchmarkError for a name that is not here."""
        try:
            return self._positions[name]
        except KeyError:
            raise BenchmarkError(
                f"There is no {self.what} {brief(name)} among the {len(self)} that are known."
            ) from None

    def positions(self, names: Sequence[str]) -> npt.NDArray[np.int64]:
        """Those of `names`, in their order. Raises BenchmarkError, which lists what is not here."""
        missing = [name for name in names if name not in self._positions]
        if missing:
            raise BenchmarkError(f"{len(missing)} of {len(names)} {self.what} ids are missing: {listed(missing)}.")
        return np.fromiter((self._positions[name] for name in names), np.int64, len(names))


def listed(names: Sequence[str]) -> str:
    """`'a', 'b', 'c' and 4 more`."""
    shown = ", ".join(brief(name) for name in names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
