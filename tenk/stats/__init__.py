"""Captions in, tables out: nouns and verbs against the source, lengths, new words, readability.

readability.py   the Flesch-Kincaid grade of a text
measures.py      one caption against its video's paragraph, in batches of the spaCy pipeline
summary.py       the measures of a split added up
tables.py        the paper's Table 2, and one of everything
"""

from __future__ import annotations

from tenk.stats.measures import measure
from tenk.stats.summary import Summariser, Summary, combine
from tenk.stats.tables import table2

__all__ = ["Summariser", "Summary", "combine", "measure", "table2"]
