"""A treebank in, the tables of a rule lemmatizer out: WordNet's lists, with what they get wrong as exceptions.

spaCy's rules and WordNet's lists know nouns, verbs, adjectives and adverbs. Pronouns, auxiliaries, contractions and the
treebank's own conventions (`an` -> `a`, `n't` -> `not`, `them` -> `they`) are learned here: a form whose commonest
lemma in the treebank is not what the rules say becomes an exception of its part of speech.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from tenk.nlp.training.conllu import Sentence

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.lookups import Lookups

_TABLES = ("lemma_rules", "lemma_exc", "lemma_index")
_OPEN = frozenset({"ADJ", "NOUN", "PROPN", "VERB"})
_CONFIG = {"mode": "rule", "overwrite": True}


class _Use(NamedTuple):
    form: str
    feats: str
    lemma: str


def add_lemmatizer(nlp: Language, sentences: Iterable[Sentence], *, before: str) -> int:
    """Put a lemmatizer with learned exceptions in front of the component `before`; returns the number learned."""
    from spacy.lookups import load_lookups

    lookups = load_lookups("en", list(_TABLES))
    learned = _exceptions(lookups, sentences)
    table = lookups.get_table("lemma_exc")
    for pos, exceptions in learned.items():
        table[pos] = {**table.get(pos, {}), **exceptions}
    nlp.add_pipe("lemmatizer", before=before, config=_CONFIG).initialize(lookups=lookups)  # type: ignore[attr-defined]
    return sum(map(len, learned.values()))


def _exceptions(lookups: Lookups, sentences: Iterable[Sentence]) -> dict[str, dict[str, list[str]]]:
    """The exceptions by part of speech (in lower case) and lower-case form.

    Of the closed classes every form is listed: once a part of speech has exceptions, spaCy leaves a form that is not
    among them as it is (`The`).
    """
    import spacy
    from spacy.tokens import Doc

    rules = spacy.blank("en")
    rules.add_pipe("lemmatizer", config=_CONFIG).initialize(lookups=lookups)  # type: ignore[attr-defined]
    uses: defaultdict[tuple[str, str], Counter[_Use]] = defaultdict(Counter)
    for sentence in sentences:
        for word in sentence.words:
            uses[word.upos, word.form.lower()][_Use(word.form, word.feats, word.lemma)] += 1
    found: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for (upos, lower), counts in uses.items():
        lemmas: Counter[str] = Counter()
        for use, count in counts.items():
            lemmas[use.lemma] += count
        lemma = lemmas.most_common(1)[0][0]
        for use in counts:
            doc = Doc(rules.vocab, words=[use.form], pos=[upos], morphs=[use.feats])
            if upos not in _OPEN or (use.lemma == lemma and rules(doc)[0].lemma_ != lemma):
                found[upos.lower()][lower] = [lemma]
    return dict(found)
