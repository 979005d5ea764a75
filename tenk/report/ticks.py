"""An axis in, its ticks and their labels on it: names that do not run into one another, numbers that people read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenk.report import style
from tenk.report.svg import clipped

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_LETTER = 0.6
"""Mean width of a letter, in its size."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def category_ticks(axis: Axis, names: Sequence[float | str], room: float) -> None:
    """A label a place, over `room` points: turned where they are too long, and some of them where they are too many."""
    labels = [clipped(f"{name:g}" if not isinstance(name, str) else name, 28) for name in names]
    pitch = room / max(1, len(labels))
    longest = max(map(len, labels), default=0) * _LETTER * style.SMALL
    flat = axis.axis_name == "y" or longest + 4 <= pitch or all(not isinstance(name, str) for name in names)
    needed = style.SMALL + 2 if axis.axis_name == "y" or not flat else longest + 4
    every = max(1, math.ceil(needed / pitch))
    axis.set_ticks(range(0, len(labels), every), labels[::every])
    axis.set_tick_params(length=0)
    if not flat:
        for label in axis.get_ticklabels():
            label.set(rotation=35, ha="right", va="top", rotation_mode="anchor")


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
