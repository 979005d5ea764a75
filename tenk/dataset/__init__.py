"""Captions in, a dataset on disk or on the hub out, and back: nothing heavy is imported before it is used.

about.py        what a publisher says about a split, and what it gets back
target.py       what must be right before a run begins
write.py        publish: Augmented videos -> folder
rows.py shards.py swap.py provenance.py rejections.py
                its parts: rows, parquet files, the atomic swap, what it was made from, what is missing
card.py frontmatter.py markdown.py
                the card, and how it leaves alone what people wrote into it
load.py         folder or repository -> `datasets`
hub.py          folder -> Hugging Face hub
exports/        dataset -> annotation files of other code bases
"""

from __future__ import annotations

from tenk.dataset.about import About, Prompt, Published, Spending, package_versions
from tenk.dataset.load import describe, load
from tenk.dataset.write import check_split, publish

__all__ = [
    "About",
    "Prompt",
    "Published",
    "Spending",
    "check_split",
    "describe",
    "load",
    "package_versions",
    "publish",
]
