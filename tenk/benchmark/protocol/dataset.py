"""A published dataset and the scores of some models in, the Report of the 10k protocol out: all of it in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence

from tenk.benchmark.protocol.captions import load, only_split, titled
from tenk.benchmark.protocol.evaluate import Evaluation, evaluate, evaluate_run
from tenk.benchmark.protocol.expand import Expansion, How, expand
from tenk.benchmark.protocol.report import Report, report
from tenk.benchmark.runs import Run
from tenk.benchmark.scores import Scores
from tenk.benchmark.ties import Rule
from tenk.errors import BenchmarkError


def evaluate_dataset(
    dataset: str | os.PathLike[str],
    models: Iterable[Scores | Run],
    *,
    split: str | None = None,
    codes: Collection[str] = (),
    measures: Sequence[str] | None = None,
    ties: Rule = "expected",
    rerank: float | None = None,
    how: How | None = None,
    variants: Sequence[str] = (),
    said: Callable[[str], None] = lambda line: None,
) -> Report:
    """Tables 8 and 9 of A Video is Worth 10,000 Words, for these models.

    Args:
        dataset: a folder, or `owner/name` on the Hugging Face hub.
        models: scores or ranked lists, whose queries are captions (`VIDEO<tab>CODE`) and whose items are videos; taken
            one at a time, so that a generator holds one of them at a time.
        split: needed where the dataset has several.
        codes: of the captions that are measured; all where none is named.
        measures: names of MEASURES; by default R@1 and average recall.
        ties: what equal scores are worth.
        rerank: temperature of dual softmax, among the captions of each code; with a note, as it uses all of them.
        how: query expansion, of the captions with the codes `variants`, the first of which it is compared with.
        said: is told what is done, line by line.

    Raises:
        BenchmarkError: for whatever does not fit together.
        DatasetError: the dataset cannot be read.
    """
    split = split or only_split(dataset)
    whole = load(dataset, split, texts=False)
    captions = whole.of(codes) if codes else whole
    if outside := [code for code in variants if code not in captions.codes]:
        raise BenchmarkError(f"The captions {', '.join(outside)}, which are to be fused, are not among those measured.")
    if how is not None and rerank is not None:
        raise BenchmarkError("Query expansion and reranking do not go together: choose one of them.")
    evaluations: list[Evaluation] = []
    expansions: list[Expansion] = []
    for model in models:
        said(f"{model.name}: {len(captions.ids):,} captions, {len(captions.pool):,} videos")
        if isinstance(model, Run):
            if how is not None or rerank is not None:
                wanted = "query expansion" if how is not None else "reranking"
                raise BenchmarkError(f"{model.name}: {wanted} needs scores, and this is a ranked list.")
            evaluations.append(evaluate_run(captions, model, whole=whole, ties=ties))
        else:
            evaluations.append(evaluate(captions, model, whole=whole, ties=ties, rerank=rerank))
            if how is not None:
                expansions.append(expand(whole, model, how, variants, ties=ties))
    said("Intervals and tests: the videos are drawn anew 10,000 times")
    return report(titled(dataset, split), evaluations, measures=measures, expansions=expansions, ties=ties)
