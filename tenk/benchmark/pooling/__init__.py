"""Models' first items in, pairs to judge out; judgements in, repaired labels and what they change out (FIRE).

pairs.py                     runs or scores -> pairs to judge, each once (lines.py reads and writes JSON lines)
judgements.py                files of labels by people or models -> records
verdicts.py agreement.py     judgements -> majorities, what is left to judge, Krippendorff's alpha
repaired.py counts.py        Tables 1 and 2
overlap.py leave_out.py      Tables 3 and 4
textual_overlap.py           Table 7
sample_size.py               Figures 4, 9 and 10
lengths.py outcomes.py positives.py   the other figures, by the bins of binned.py
fire_compat.py               average precision as the released code has it

Rodriguez et al., Fighting FIRe with FIRE: Assessing the Validity of Text-to-Video Retrieval Benchmarks (2023).
"""

from __future__ import annotations
