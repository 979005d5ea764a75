"""What every plot looks like: colours, dashes, sizes, and settings that no user's machine can change.

Colours are those of Okabe and Ito (2008), which people with any colour vision tell apart, without the yellow that
vanishes on white; dashes, markers and hatches say the same again for print in grey.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tenk.errors import BenchmarkError

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

INK = "#222222"
PALE = "#d9d9d9"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6b6b6b")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1.5)), (0, (8, 2)), (0, (1, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx")

WIDTH, WIDE = 331.0, 504.0
"""In points. At the 237 points of a paper's column text of 9 points is 6.4 points high; 504 is the whole page."""
HEIGHT = 165.0
BODY, SMALL, TITLE = 9.0, 8.0, 10.0

_SETTINGS = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.labelsize": BODY,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": BODY,
    "figure.constrained_layout.h_pad": 3 / 72,
    "figure.constrained_layout.w_pad": 3 / 72,
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": BODY,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "hatch.color": "white",
    "hatch.linewidth": 0.8,
    "legend.fontsize": SMALL,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.0,
    "svg.fonttype": "none",
    "svg.hashsalt": "tenk",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": "#555555",
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": "#555555",
    "ytick.labelcolor": INK,
    "ytick.labelsize": SMALL,
}


@contextmanager
def drawing() -> Iterator[None]:
    """Within it matplotlib has its own defaults and these settings, whatever its user's are, and keeps quiet.

    It would speak of its font cache, of a home folder that it may not write to, and of letters that its own font lacks:
    the font of who looks at the picture counts. Raises BenchmarkError where it is not installed.
    """
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        import matplotlib
        import matplotlib.font_manager

        settings: dict[Any, Any] = {**matplotlib.rcParamsDefault, **_SETTINGS}
        settings = {key: value for key, value in settings.items() if not key.startswith("backend")}
        with matplotlib.rc_context(settings), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
            yield
    except ModuleNotFoundError as problem:
        raise BenchmarkError(
            f"Plots need a package that is not installed ({problem.name}): pip install 'tenk[benchmark]'."
        ) from None
    finally:
        logger.setLevel(level)


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def again(number: int) -> int:
    """How many times all colours were used before the series of this number: what else has to tell it apart."""
    return number // len(COLOURS)


def colours(count: int, *, diverging: bool) -> Colormap:
    """From white to dark blue; diverging, from orange over white, which is 0, to blue."""
    from matplotlib.colors import LinearSegmentedColormap

    blues = ["#f3f7fb", "#b9d6ea", "#5ea3cf", "#0072B2", "#083a63"]
    oranges = ["#7a3200", "#D55E00", "#f0a26b", "#fbe0cd"]
    return LinearSegmentedColormap.from_list("tenk", [*oranges, *blues] if diverging else blues, N=count)
