"""CoNLL-U text in, spaCy documents with tags, features, lemmas and trees out.

Format: https://universaldependencies.org/format.html. The surface text is rebuilt exactly (`SpaceAfter=No`, multiword
tokens), since a pipeline that is trained on `do n't` reads `don't` badly.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab


@dataclass(frozen=True)
class Word:
    """One syntactic word; `head` is the index of its head in the sentence, its own for the root."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    space_after: bool = True


@dataclass(frozen=True)
class Sentence:
    """One tree. `document` tells which text it belongs to: sentences of one text may follow each other in a Doc."""

    document: str
    words: tuple[Word, ...]


def read_treebank(folder: Path, split: str) -> list[Sentence]:
    """A split (train, dev, test) of EWT, gzipped or not. Raises FileNotFoundError where it is not in `folder`."""
    path = folder / f"en_ewt-ud-{split}.conllu"
    return list(read_conllu(path if path.exists() else path.with_name(f"{path.name}.gz")))


def read_conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of one file, plain or gzip; empty nodes (`8.1`) are left out."""
    document = path.name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for blank, block in groupby(lines, key=lambda line: not line.strip()):
            if blank:
                continue
            rows = []
            for line in block:
                if line.startswith("# newdoc"):
                    document = line.partition("=")[2].strip()
                elif not line.startswith("#"):
                    rows.append(line.rstrip("\n").split("\t"))
            yield Sentence(document, tuple(_words(rows)))


def _words(rows: Iterable[list[str]]) -> Iterator[Word]:
    last_of_range, space_after_range = 0, True
    for number, form, lemma, upos, xpos, feats, head, deprel, _, misc in rows:
        spaced = "SpaceAfter=No" not in misc
        if "-" in number:
            last_of_range, space_after_range = int(number.partition("-")[2]), spaced
        elif "." not in number:
            index = int(number)
            if index < last_of_range:
                spaced = False
            elif index == last_of_range:
                spaced = space_after_range
            yield Word(
                form=form,
                lemma=lemma,
                upos=upos,
                xpos=xpos,
                feats="" if feats == "_" else feats,
                head=int(head) - 1 if head != "0" else index - 1,
                deprel="ROOT" if head == "0" else deprel,
                space_after=spaced,
            )


def to_docs(sentences: Iterable[Sentence], vocab: Vocab, *, per_doc: int) -> Iterator[Doc]:
    """Gold documents of at most `per_doc` sentences of one text each, in order.

    Several sentences share a Doc so that the parser learns where sentences end.
    """
    for _, text in groupby(sentences, key=lambda sentence: sentence.document):
        for group in _groups(text, per_doc):
            yield to_doc(group, vocab)


def _groups(sentences: Iterator[Sentence], size: int) -> Iterator[list[Sentence]]:
    while group := list(islice(sentences, size)):
        yield group


def to_doc(sentences: Iterable[Sentence], vocab: Vocab) -> Doc:
    """One gold document of the given sentences."""
    from spacy.tokens import Doc

    words: list[Word] = []
    heads: list[int] = []
    starts: list[bool | int | None] = []
    for sentence in sentences:
        heads += [word.head + len(words) for word in sentence.words]
        starts += [position == 0 for position in range(len(sentence.words))]
        words += sentence.words
    return Doc(
        vocab,
        words=[word.form for word in words],
        spaces=[word.space_after for word in words],
        tags=[word.xpos for word in words],
        pos=[word.upos for word in words],
        morphs=[word.feats for word in words],
        lemmas=[word.lemma for word in words],
        heads=heads,
        deps=[word.deprel for word in words],
        sent_starts=starts,
    )
