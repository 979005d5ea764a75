"""A Report in, what is printed and written of it out: tables, one table of all numbers, JSON, and a row a query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tenk.benchmark.protocol.compare import headline
from tenk.benchmark.protocol.evaluate import Evaluation, Ranks
from tenk.benchmark.protocol.measures import MEASURES
from tenk.benchmark.protocol.report import TO_TEXT, TO_VIDEO, Differences, Fusion, Number, Report
from tenk.benchmark.tables import Cell, Table, exact

Sense = Literal["highest", "lowest"]
"""Of the numbers of a column, which one is the best."""

SAME = {"f": "Full", "p": "Partial"}
"""Codes that are a group of their own: tables show them once."""


def by_name(report: Report) -> Iterator[tuple[str, Table]]:
    """Names of files, and tables: a measure in a direction, with its intervals and tests; what expansion gives."""
    columns = headline(report.captions.codes)
    tables: dict[tuple[str, str], list[Number]] = {}
    for one in report.numbers:
        tables.setdefault((one.direction, one.measure), []).append(one)
    for (direction, measure), found in tables.items():
        name = f"{_slug(measure)}-{_slug(direction)}"
        title = f"{measure}{' (%)' if MEASURES[measure].percent else ''}, {direction}, {report.of}"
        shown = [one for one in found if one.column not in SAME]
        sense: Sense = "highest" if MEASURES[measure].percent else "lowest"
        yield name, _pivoted(title, "Model", ((one.model, one.column, one.value) for one in shown), sense)
        bounded = [one for one in found if one.low is not None and one.column in columns]
        if bounded:
            cells = ((one.model, one.column, _bounds(one)) for one in bounded)
            yield f"{name}-intervals", _pivoted(f"{title}: 95 % intervals, videos drawn anew", "Model", cells)
        for tested in report.differences:
            if (tested.direction, tested.measure) == (direction, measure):
                yield f"{name}-differences", _differences(title, tested)
    if report.fusions:
        yield "expansion", _expansion(report.fusions, report.of)


def all_numbers(report: Report) -> Table:
    """A row a number, with all digits: model, direction, measure, column (group or code), value, low, high."""
    rows = [(one.model, one.direction, one.measure, one.column, one.value, one.low, one.high) for one in report.numbers]
    return Table(report.of, ("model", "direction", "measure", "column", "value", "low", "high"), tuple(rows))


def as_object(report: Report) -> dict[str, Any]:
    """All of it, for JSON: what `tenk evaluate --format json` prints."""
    return {
        "dataset": report.of,
        "videos": len(report.captions.pool),
        "captions": len(report.captions.ids),
        "ties": report.ties,
        "notes": list(report.notes),
        "numbers": [_exact(vars(one)) for one in report.numbers],
        "differences": [
            {"direction": tested.direction, "measure": tested.measure, "tests": len(tested.found), **_exact(vars(one))}
            for tested in report.differences
            for one in tested.found
        ],
        "expansion": [
            _exact(vars(one)) | {"variants": list(one.variants), "values": _exact(one.values)} for one in report.fusions
        ],
    }


def _exact(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: exact(value) for name, value in fields.items()}


def each_query(evaluations: Iterable[Evaluation]) -> Iterator[dict[str, Any]]:
    """A row a query: a caption that ranks videos, or a video that ranks the captions of a code.

    `rank` is None where it stands deeper than the ranking goes; `hit@K` is between 0 and 1 where ties leave it open.
    """
    for each in evaluations:
        for direction, ranks in ((TO_VIDEO, each.to_video), (TO_TEXT, each.to_text)):
            if ranks is not None:
                yield from _queries(each, direction, ranks)


def _queries(evaluation: Evaluation, direction: str, ranks: Ranks) -> Iterator[dict[str, Any]]:
    captions = evaluation.captions
    for place, (video, code) in enumerate(zip(captions.videos, captions.codes, strict=True)):
        rank = float(ranks.first[place])
        yield {
            "model": evaluation.model,
            "direction": direction,
            "video": video,
            "code": code,
            "rank": None if np.isnan(rank) else rank,
        } | {f"hit@{k}": float(hits[place]) for k, hits in ranks.hits.items()}


def _pivoted(title: str, first: str, cells: Iterable[tuple[str, str, Cell]], best: Sense | None = None) -> Table:
    rows: dict[str, dict[str, Cell]] = {}
    for row, column, cell in cells:
        rows.setdefault(row, {})[column] = cell
    columns = tuple(dict.fromkeys(column for own in rows.values() for column in own))
    body = tuple((row, *(own.get(column) for column in columns)) for row, own in rows.items())
    return Table(title, (first, *columns), body, best=dict.fromkeys(columns, best) if best else {})


def _bounds(one: Number) -> str:
    return f"{one.low:.1f} to {one.high:.1f}"


def _differences(title: str, tested: Differences) -> Table:
    return _pivoted(
        f"{title}: differences, with p of a paired permutation test, corrected (Holm) for {_tests(len(tested.found))}",
        "Models",
        (
            (f"{one.one} - {one.other}", one.column, f"{one.difference:+.1f} (p {_p(one.corrected)})")
            for one in tested.found
        ),
    )


def _expansion(fusions: Sequence[Fusion], of: str) -> Table:
    """One row for each variant alone, one for them fused."""
    tests = sum(one.p is not None for one in fusions)
    rows: list[tuple[Cell, ...]] = []
    columns: Mapping[str, float] = {}
    for one in fusions:
        columns = one.values
        label = f"{one.model}, {one.how} of {', '.join(one.variants)}" if one.how else f"{one.model}, {one.variants[0]}"
        difference = None if one.difference is None else f"{one.difference:+.1f}"
        p = None if one.corrected is None else _p(one.corrected)
        rows.append((label, *one.values.values(), difference, p))
    return Table(
        f"Query expansion, text to video, {of}: captions of a video alone, and fused (R@1 against the first one alone, "
        f"with p of a paired permutation test, corrected (Holm) for {_tests(tests)})",
        ("Queries", *columns, "Difference", "p"),
        tuple(rows),
    )


def _tests(count: int) -> str:
    return f"the {count} tests of this table" if count > 1 else "the one test of this table"


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.001 else "< 0.001"


def _slug(name: str) -> str:
    """`Avg. R` as `avg-r`."""
    return "-".join("".join(each if each.isalnum() else " " for each in name.lower()).split())
