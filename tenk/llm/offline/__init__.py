"""Requests in, rule-based drafts out: what each module turns into what.

atoms.py        parsed text -> whitespace words with their part in a clause
grammar.py      words -> clauses as trees        keep.py, verbs.py: its tables
tree.py         tree -> best shortened form of every size
phrasing.py     clause -> the same without scenery ("is seen V-ing")
pronouns.py     clauses -> who and what is meant
informative.py  word -> how much it tells
compress.py     clauses -> those taken, for a number of words
assemble.py     clauses taken -> text
shorten.py      parsed video -> summaries of any length
rewrite.py      parsed video -> all of it retold, plainly or for readers of another age (lexicon, splits, joins)
language.py     text -> why it is not English
writer.py       requests -> drafts
"""

from __future__ import annotations

from tenk.llm.offline.writer import OfflineWriter

__all__ = ["OfflineWriter"]
