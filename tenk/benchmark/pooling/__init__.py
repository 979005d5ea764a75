"""Models' first items in, pairs to judge out; judgements in, repaired labels and what they change out (FIRE).

pairs.py                     runs or scores -> pairs to judge, each once (lines.py reads and writes JSON lines)
judgements.py                files of labels by people or models -> records
verdicts.py agreement.py     judgements -> majorities, what is left to judge, Krippendorff's alpha
study.py                     models, original and repaired labels -> what all below is made from
repaired.py counts.py        Tables 1 and 2
overlap.py leave_out.py      Tables 3 and 4
textual_overlap.py           Table 7
sample_size.py               Figures 4, 9 and 10
lengths.py outcomes.py positives.py   the other figures, by the bins of binned.py
fire_compat.py               average precision as the released code has it
report.py                    a study -> all tables and figures that it allows, and a folder of them

    found = pool([read_model("clip.npz"), read_model("ssb.trec")], k=10, original=original)
    judged = read_judgements(["judgements.jsonl"], pooled({pair.key for pair in found.pairs}))
    report = Report(study(models, original, repaired(original, verdicts(judged))), judged)
    print(text(report.tables["table1"]))

Rodriguez et al., Fighting FIRe with FIRE: Assessing the Validity of Text-to-Video Retrieval Benchmarks (2023).
"""

from __future__ import annotations

from tenk.benchmark.pooling.agreement import Agreement, agreement
from tenk.benchmark.pooling.judgements import Judgement, pooled, read_judgements
from tenk.benchmark.pooling.pairs import Pair, Pool, pool, read_pairs
from tenk.benchmark.pooling.report import Report, write_report
from tenk.benchmark.pooling.study import Study, study
from tenk.benchmark.pooling.verdicts import Verdict, repaired, todo, verdicts

__all__ = [
    "Agreement",
    "Judgement",
    "Pair",
    "Pool",
    "Report",
    "Study",
    "Verdict",
    "agreement",
    "pool",
    "pooled",
    "read_judgements",
    "read_pairs",
    "repaired",
    "study",
    "todo",
    "verdicts",
    "write_report",
]
