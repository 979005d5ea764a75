"""A study with its judgements and texts in, all tables and figures that they allow out, and a folder of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

from tenk.benchmark import tables
from tenk.benchmark.figure import Figure, file_names
from tenk.benchmark.pooling import counts, fire_compat, sample_size
from tenk.benchmark.pooling.binned import as_table, by_width
from tenk.benchmark.pooling.judgements import Judgement
from tenk.benchmark.pooling.leave_out import table4
from tenk.benchmark.pooling.lengths import lengths, positives_by_length
from tenk.benchmark.pooling.outcomes import CHARACTERS, SIMILARITY, outcomes
from tenk.benchmark.pooling.overlap import PERSISTENCE, table3
from tenk.benchmark.pooling.pairs import DEPTH
from tenk.benchmark.pooling.positives import positives_per_query, ranks_of_positives
from tenk.benchmark.pooling.repaired import by_query, differences, table1
from tenk.benchmark.pooling.study import Study, Values
from tenk.benchmark.pooling.textual_overlap import Analysis, table7, textual_overlap
from tenk.benchmark.tables import Table
from tenk.errors import BenchmarkError
from tenk.files import replacing

OUTCOMES_AT = 5
"""K of the Correct@K that two models are compared by, as in Figure 8; where it is not measured, the next below."""

FILES = {"txt": "text", "md": "markdown", "tex": "latex", "json": "json"}


@dataclass(frozen=True)
class Report:
    """`judgements` are None where repaired labels came as they are; `pairs` is the size of the pool, where known.

    `texts` are those of the queries, in the study's order, and `training` captions of the training set. `k` is how many
    places Tables 3 and 4 look at, `p` the persistence of rank-biased overlap; `sizes` are those of samples.
    `released_ap` adds AP as the released code has it.
    """

    study: Study
    judgements: Sequence[Judgement] | None = None
    pairs: int | None = None
    texts: Sequence[str] | None = None
    training: Sequence[str] | None = None
    analysis: Analysis = "paper"
    k: int = DEPTH
    p: float = PERSISTENCE
    sizes: tuple[int, ...] = sample_size.SIZES
    released_ap: bool = False

    @cached_property
    def overlap(self) -> Values | None:
        """Of each query with the training captions."""
        if self.texts is None or self.training is None:
            return None
        return textual_overlap(self.texts, self.training, self.analysis)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """By the names of their files, in the paper's order."""
        found = {"table1": table1(self.study), "differences": differences(self.study)}
        if self.released_ap:
            found["fire-compat"] = fire_compat.table(self.study)
        if self.judgements is not None:
            found |= {
                "table2": counts.table2(self.judgements, self.pairs),
                "agreement": counts.agreements(self.judgements),
                "annotators": counts.annotators(self.judgements),
            }
        if len(self.study.models) > 1:
            found |= {"table3": table3(self.study, k=self.k, p=self.p), "table4": table4(self.study, k=self.k)}
        if self.overlap is not None and self.texts is not None:
            found["table7"] = table7(self.overlap, self.texts)
        found["sample-size"] = sample_size.table(self.study, self.sizes)
        return found

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Of the paper's: 2, 3, 4 (with 9 and 10), 7, 8, 11 and 12, as far as there is what they show."""
        return tuple(self._figures())

    @property
    def binned(self) -> Mapping[str, Table]:
        """The figures of bars as tables, by their names."""
        return {figure.name: as_table(figure) for figure in self.figures if figure.kind in ("bar", "stack")}

    def _figures(self) -> Iterator[Figure]:
        study, models = self.study, list(self.study.models)
        if self.judgements is not None and (figure := counts.agreement_by_labels(self.judgements)):
            yield figure
        yield positives_per_query(study)
        for model, own in zip(models, file_names(models), strict=True):
            yield ranks_of_positives(study, model, name=f"ranks-of-positives-{own}")
            yield sample_size.figure(study, model, self.sizes, name=f"sample-size-{own}")
        if self.texts is not None:
            yield positives_by_length(study, self.texts)
        metric = f"C@{max((k for k in study.cuts if k <= OUTCOMES_AT), default=min(study.cuts))}"
        pairs = list(combinations(models, 2))
        for (one, other), own in zip(pairs, file_names(["-".join(pair) for pair in pairs]), strict=True):
            if self.texts is not None:
                bins = by_width(lengths(self.texts, "characters"), CHARACTERS)
                name, axis = f"outcomes-by-length-{own}", "characters of the query"
                yield outcomes(study, (one, other), bins, metric=metric, name=name, axis=axis)
            if self.overlap is not None:
                bins = by_width(self.overlap, SIMILARITY, most=1)
                name, axis = f"outcomes-by-overlap-{own}", "textual overlap with training captions"
                yield outcomes(study, (one, other), bins, metric=metric, name=name, axis=axis)

    def notes(self) -> list[str]:
        """What was left out, and what is to be known of the numbers; a sentence each."""
        study, said = self.study, []
        if study.unranked:
            said.append(f"{study.unranked:,} queries of the labels are ranked by no model, and left out.")
        if study.left_out:
            said.append(f"{study.left_out:,} queries have no original positive, and are left out of all scores.")
        if study.depth is not None:
            said.append(f"Rankings end after {study.depth:,} places: AP counts no more of them, in all models.")
        kinds = Counter(one.kind for one in self.judgements or ())
        if kinds["llm"]:
            said.append(f"{kinds['llm']:,} labels are by language models, not by people.")
        return said


def write_report(report: Report, folder: Path) -> list[Path]:
    """All tables in one file a form, each as CSV with all digits, and a row a query, model and metric; their paths.

    The files hold the figures of bars as tables, too.

    Raises BenchmarkError where they cannot be written.
    """
    bodies = {f"tables.{ending}": rendered(report, form, binned=True) for ending, form in FILES.items()}
    bodies |= {f"{name}.csv": tables.as_csv(table) for name, table in report.tables.items()}
    bodies["per-query.jsonl"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in by_query(report.study))
    for name, body in bodies.items():
        with replacing(folder / name, error=BenchmarkError) as file:
            file.write(body)
    return [folder / name for name in bodies]


def rendered(report: Report, form: str, *, binned: bool = False) -> str:
    """All tables, with the `binned` ones if asked, in one of the forms of `tables.FORMATS`.

    The notes are below them; in CSV they are not.
    """
    return together([*report.tables.values(), *(report.binned.values() if binned else ())], report.notes(), form)


def together(several: Sequence[Table], notes: Sequence[str], form: str) -> str:
    """Tables below one another, as `rendered` has them."""
    shown = [tables.FORMATS[form](table) for table in several]
    if form == "json":
        whole = {"tables": [json.loads(table) for table in shown], "notes": list(notes)}
        return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    mark = "% " if form == "latex" else ""
    below = "" if form == "csv" else "".join(f"{mark}{note}\n" for note in notes)
    return "\n".join([*shown, below] if below else shown)
