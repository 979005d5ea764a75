"""A pipeline and gold sentences in, accuracies out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tenk.nlp.training.conllu import Sentence, to_docs

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_SENTENCES_PER_DOC = 10


def evaluate(nlp: Language, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Scores from 0 to 1, on gold tokens and (names ending in `_own_tokens`) on the pipeline's own.

    On gold tokens: `upos`, `xpos`, `lemma` (exact) and `lemma_lower` are accuracies; `noun_f1` and `verb_f1` the F1 of
    the tags NOUN and VERB; `uas` and `las` attachment without punctuation, the sentences as the parser finds them. On
    own tokens the same as F1 over tokens that agree in span: a token that is cut otherwise counts as wrong.
    """
    gold = list(to_docs(sentences, nlp.vocab, per_doc=_SENTENCES_PER_DOC))
    on_gold = [run(nlp, _bare(doc, nlp)) for doc in gold]
    on_own = list(nlp.pipe(doc.text for doc in gold))
    scores = {name: _accuracy(gold, on_gold, key) for name, key in _TOKEN_KEYS.items()}
    scores |= {f"{tag.lower()}_f1": _tag_f1(gold, on_gold, tag) for tag in ("NOUN", "VERB")}
    scores |= {f"{tag.lower()}_f1_own_tokens": _tag_f1(gold, on_own, tag) for tag in ("NOUN", "VERB")}
    scores["upos_own_tokens"] = _span_f1(gold, on_own, lambda doc: ((t.pos_,) for t in doc))
    if "parser" in nlp.pipe_names:
        scores |= _attachment(gold, on_gold, on_own)
    return {name: round(value, 4) for name, value in scores.items()}


def run(nlp: Language, doc: Doc) -> Doc:
    """`doc`, whose tokens are given, through the components."""
    for _, component in nlp.pipeline:
        doc = component(doc)
    return doc


_TOKEN_KEYS: dict[str, Callable[[Doc], Sequence[str]]] = {
    "upos": lambda doc: [token.pos_ for token in doc],
    "xpos": lambda doc: [token.tag_ for token in doc],
    "lemma": lambda doc: [token.lemma_ for token in doc],
    "lemma_lower": lambda doc: [token.lemma_.lower() for token in doc],
}


def _bare(doc: Doc, nlp: Language) -> Doc:
    from spacy.tokens import Doc

    return Doc(nlp.vocab, words=[token.text for token in doc], spaces=[bool(token.whitespace_) for token in doc])


def _accuracy(gold: Sequence[Doc], found: Sequence[Doc], key: Callable[[Doc], Sequence[str]]) -> float:
    pairs = [pair for g, f in zip(gold, found, strict=True) for pair in zip(key(g), key(f), strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)


def _tag_f1(gold: Sequence[Doc], found: Sequence[Doc], tag: str) -> float:
    return _f1(
        ((i, t.idx, len(t)) for i, doc in enumerate(gold) for t in doc if t.pos_ == tag),
        ((i, t.idx, len(t)) for i, doc in enumerate(found) for t in doc if t.pos_ == tag),
    )


def _span_f1(gold: Sequence[Doc], found: Sequence[Doc], labels: Callable[[Doc], Iterable[tuple[object, ...]]]) -> float:
    def items(docs: Sequence[Doc]) -> Iterable[tuple[object, ...]]:
        for i, doc in enumerate(docs):
            for token, label in zip(doc, labels(doc), strict=True):
                if not token.is_space:
                    yield i, token.idx, len(token), *label

    return _f1(items(gold), items(found))


def _attachment(gold: Sequence[Doc], on_gold: Sequence[Doc], on_own: Sequence[Doc]) -> dict[str, float]:
    tokens = [
        (g, f)
        for one, other in zip(gold, on_gold, strict=True)
        for g, f in zip(one, other, strict=True)
        if g.dep_ != "punct"
    ]
    right = [(g.dep_ == f.dep_) for g, f in tokens if g.head.i == f.head.i]
    return {
        "uas": len(right) / len(tokens),
        "las": sum(right) / len(tokens),
        "las_own_tokens": _span_f1(gold, on_own, lambda doc: ((t.head.idx, t.dep_) for t in doc)),
        "sentences_f1_own_tokens": _f1(
            ((i, s.start_char, s.end_char) for i, doc in enumerate(gold) for s in doc.sents),
            ((i, s.start_char, s.end_char) for i, doc in enumerate(on_own) for s in doc.sents),
        ),
    }


def _f1(gold: Iterable[tuple[object, ...]], found: Iterable[tuple[object, ...]]) -> float:
    expected, given = Counter(gold), Counter(found)
    both = (expected & given).total()
    return 2 * both / (expected.total() + given.total()) if both else 0.0
