"""Figures in, SVG out: as text, or as files with the numbers behind each.

The same figure gives the same bytes, whatever the settings, fonts, language and time of the machine it is drawn on.
Text stays text, set in a sans-serif font of the reader's.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tenk.benchmark.figure import Figure, names
from tenk.benchmark.plain import line
from tenk.errors import BenchmarkError
from tenk.files import write_bytes
from tenk.report import svg
from tenk.report.sheet import sheet
from tenk.report.style import drawing


def draw(figure: Figure) -> str:
    """An SVG element: the contents of a file, or what an HTML page holds as it is.

    Raises BenchmarkError where matplotlib is not installed.
    """
    out = io.StringIO()
    with drawing():
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        canvas: Any = FigureCanvasSVG(sheet(figure))
        canvas.print_svg(out, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return svg.finished(out.getvalue(), line(figure.title), _description(figure))


def write_figures(folder: Path, figures: Iterable[Figure]) -> list[Path]:
    """Writes each as NAME.svg and, with the numbers behind it, NAME.csv; returns their paths.

    All are drawn before the first is written, and each file is whole or not there. Raises BenchmarkError where two have
    the same name, matplotlib is not installed or the folder cannot be written.
    """
    several = list(figures)
    # Some file systems do not tell upper case from lower case.
    for name, count in Counter(figure.name.lower() for figure in several).items():
        if count > 1:
            raise BenchmarkError(
                f"There are {count} figures named {name!r}, whose files would be the same: rename one."
            )
    bodies = {f"{figure.name}{end}": body for figure in several for end, body in _files(figure)}
    for name, body in bodies.items():
        write_bytes(folder / name, body.encode("utf-8", "backslashreplace"), error=BenchmarkError)
    return [folder / name for name in bodies]


def _files(figure: Figure) -> Iterable[tuple[str, str]]:
    return [(".svg", draw(figure)), (".csv", figure.csv())]


def _description(figure: Figure) -> str:
    """What is on the axes, for who cannot see them."""
    parts = [f"{figure.kind} plot of {line(figure.y)} against {line(figure.x)}"]
    parts.append(f"{line(figure.by)}: {', '.join(line(name) for name in names(figure.series))}")
    if any(figure.panels):
        parts.append(f"panels: {', '.join(map(line, figure.panels))}")
    return ". ".join([*parts, *([line(figure.note)] if figure.note else [])])
