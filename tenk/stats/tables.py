"""A Summary in, tables out: the 10k Words paper's Table 2 and one of everything that is measured, as pandas frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tenk.stats.summary import Summary, in_order

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "f": "Source",
    "s": "Short",
    "m": "Medium",
    "l": "Full Length",
    "e": "Primary",
    "i": "Secondary",
    "u": "University",
    "s+e": "S and P",
    "s+i": "S and S",
    "s+u": "S and U",
}
"""The columns of Table 2, under the paper's names: summarization, simplification, both. Partial captions have none."""

ROWS = {
    "Δ Nouns": "delta_nouns",
    "Δ Verbs": "delta_verbs",
    "Word Count": "words",
    "Word Length": "word_length",
}

EVERYTHING = {
    "captions": "Captions",
    "words": "Words",
    "longest": "Longest",
    "word_length": "Word length",
    "delta_nouns": "Δ nouns",
    "delta_verbs": "Δ verbs",
    "new_nouns": "New nouns",
    "new_verbs": "New verbs",
    "new_words": "New words",
    "grade": "Grade",
}


def table2(summary: Summary) -> pandas.DataFrame:
    """Table 2 of 10k Words: unique nouns and verbs against the source, words and word length, means over captions.

    A column that the dataset has no captions for is NaN; so are the deltas of the source. Word length is in characters
    of a whitespace word, punctuation included. Captions of axes that the paper does not have follow under their codes.
    """
    import pandas

    others = {code: code for code in summary.codes if code not in COLUMNS and code != "p"}
    columns = {
        name: [
            math.nan if (code == "f" and field.startswith("delta")) else _value(summary, code, field)
            for field in ROWS.values()
        ]
        for code, name in (COLUMNS | others).items()
    }
    frame = pandas.DataFrame(columns, index=list(ROWS))
    frame.index.name = "Metric"
    return frame


def everything(summary: Summary) -> pandas.DataFrame:
    """A row a code, partial captions included: captions, words, deltas, new words and Flesch-Kincaid grade (means)."""
    import pandas

    codes = in_order(summary.codes)
    rows = {name: [_value(summary, code, field) for code in codes] for field, name in EVERYTHING.items()}
    frame = pandas.DataFrame(rows, index=codes)
    frame.index.name = "Code"
    return frame


def text(frame: pandas.DataFrame) -> str:
    """The frame with aligned columns, for a terminal; Table 2 is 105 characters wide."""
    table = _cells(frame)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        first, *rest = row
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def markdown(frame: pandas.DataFrame) -> str:
    """The frame as a GitHub-flavoured markdown table."""
    head, *body = _cells(frame)
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *body])


def _value(summary: Summary, code: str, field: str) -> float:
    return getattr(summary.codes[code], field) if code in summary.codes else math.nan


def _cells(frame: pandas.DataFrame) -> list[list[str]]:
    rows = [[str(frame.index.name), *map(str, frame.columns)]]
    for name, values in zip(frame.index, frame.to_numpy().tolist(), strict=True):
        rows.append([str(name), *(_number(value, column) for value, column in zip(values, frame.columns, strict=True))])
    return rows


def _number(value: float, column: object) -> str:
    if math.isnan(value):
        return ""
    return f"{value:,.0f}" if column in {"Captions", "Longest"} else f"{value:.2f}"
