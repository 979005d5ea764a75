"""Requests in, rule-based drafts out. Sentences are read by rules over tags; the parse is asked what attaches to what.

reading     atom, atoms, kinds, tags, mend, fuse    parsed text -> whitespace words with their part in a clause
            cursor, nouns, modifiers, complements, predicates, grammar (by keep, verbs)    words -> clauses as trees
            phrasing, pictures, tenses    clauses -> as anybody would put them ("is seen V-ing")
            pronouns, people, numbers    clauses -> who and what is meant
shortening  tree    clause -> its best shortened form of every size
            informative, choose, compress    clauses -> those taken for a number of words
            assemble, shorten    clauses taken -> the text of a summary
retelling   surface, clauses, openings, relatives, adjuncts, splits, joins, mends    sentences -> sentences
            lexicon, match, inflect (lexicon.yaml)    words -> words of a register
            rewrite    paragraph -> all of it retold, plainly or for readers of another age
writing     language, version, writer    requests -> drafts, or why not
"""

from __future__ import annotations

from tenk.llm.offline.writer import OfflineWriter

__all__ = ["OfflineWriter"]
