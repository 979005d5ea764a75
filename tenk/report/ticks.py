"""An axis in, its ticks and their labels on it: names that do not run into one another, numbers that people read."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from tenk.report import style
from tenk.report.svg import clipped

if TYPE_CHECKING:
    from matplotlib.axis import Axis

TURNED = 55
"""Degrees by which labels that are too long to stand side by side are turned."""
_LONGEST = 28
"""Letters of a label."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def breadth(text: str, size: float, weight: str = "normal") -> float:
    """In points, in the font it is measured with; letters of East Asia, which that font lacks, are square."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    square = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    rest = "".join(letter for letter in text if unicodedata.east_asian_width(letter) not in "WF")
    width: float = text_to_path.get_text_width_height_descent(rest, FontProperties(size=size, weight=weight), False)[0]
    return width + square * size


def below(names: Sequence[float | str], room: float) -> float:
    """By how many points turned labels of an x axis are higher than level ones."""
    longest = _longest(_labels(names))
    return 0.0 if _level(names, room) else longest * math.sin(math.radians(TURNED))


def category_ticks(axis: Axis, names: Sequence[float | str], room: float, *, across: bool = True) -> None:
    """A label a place, over `room` points: turned where they are too long, and some of them where they are too many."""
    labels = _labels(names)
    level = not across or _level(names, room)
    needed = _longest(labels) + 4 if across and level else style.SMALL + 2
    every = next(each for each in _steps() if each * room / max(1, len(labels)) >= needed)
    first = _counted_from(labels)
    shown = [place for place in range(len(labels)) if ((first or 0) + place) % every == 0]
    if first is not None and labels[-1].endswith("+") and shown[-1:] != [len(labels) - 1]:
        # What is beyond the last number is always said.
        shown = [place for place in shown if place + every < len(labels)] + [len(labels) - 1]
    axis.set_ticks(shown, [labels[place] for place in shown])
    axis.set_tick_params(length=0)
    if not level:
        for label in axis.get_ticklabels():
            label.set(rotation=TURNED, ha="right", va="top", rotation_mode="anchor")


def _labels(names: Sequence[float | str]) -> list[str]:
    return [clipped(name, _LONGEST) if isinstance(name, str) else f"{name:g}" for name in names]


def _longest(labels: Sequence[str]) -> float:
    return max((breadth(label, style.SMALL) for label in labels), default=0.0)


def _level(names: Sequence[float | str], room: float) -> bool:
    """Numbers may be left out, as the reader knows what is between; of names, each should be seen."""
    labels = _labels(names)
    numbers = not any(isinstance(name, str) for name in names) or _counted_from(labels) is not None
    return numbers or _longest(labels) + 4 <= room / len(names)


def _counted_from(labels: Sequence[str]) -> int | None:
    """The first of labels that count up by one, the last of which may be open: 0, 1, 2, 3+."""
    numbers = [*labels[:-1], *(label.removesuffix("+") for label in labels[-1:])]
    if not all(number.isascii() and number.isdigit() for number in numbers) or not numbers:
        return None
    first = int(numbers[0])
    return first if list(map(int, numbers)) == list(range(first, first + len(numbers))) else None


def _steps() -> Iterator[int]:
    return (factor * 10**power for power in count() for factor in (1, 2, 5))


def number_ticks(axis: Axis, *, log: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, ScalarFormatter, StrMethodFormatter

    low, high = sorted(axis.get_view_interval())
    if log:
        narrow = low > 0 and math.log10(high / low) < 1.5
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if narrow else (1,), numticks=8))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _power(value)))
        axis.set_minor_formatter(NullFormatter())
    elif max(-low, high) >= 10_000:
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    else:
        formatter = ScalarFormatter(useOffset=False)
        formatter.set_powerlimits((-5, 5))
        axis.set_major_formatter(formatter)


def _power(value: float) -> str:
    if 1e-3 <= value < 1e5:
        return f"{value:,g}"
    exponent = math.floor(math.log10(value) + 1e-9)
    factor = value / 10**exponent
    power = "10" + str(exponent).translate(_SUPERSCRIPTS)
    return power if abs(factor - 1) < 1e-6 else f"{factor:g}×{power}"
