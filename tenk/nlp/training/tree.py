"""Words with dependants in, sentences with heads out: what the grammar of captions.py builds trees from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tenk.nlp.training.conllu import Sentence, Word


@dataclass
class Node:
    """A word with its dependants in front of it and behind it, in order; what it spans is always contiguous."""

    form: str
    upos: str
    xpos: str
    deprel: str
    lemma: str = ""
    left: list[Node] = field(default_factory=list)
    right: list[Node] = field(default_factory=list)

    def under(self, deprel: str) -> Node:
        self.deprel = deprel
        return self

    def before(self, *nodes: Node) -> Node:
        """Put `nodes` in front of all that is already in front."""
        self.left = [*nodes, *self.left]
        return self

    def after(self, *nodes: Node) -> Node:
        self.right += nodes
        return self

    def walk(self) -> Iterator[Node]:
        for node in self.left:
            yield from node.walk()
        yield self
        for node in self.right:
            yield from node.walk()


class Features:
    """The commonest features of a form with its tag in a treebank, else those of the tag."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for word in sentence.words:
                counts[word.upos, word.xpos][word.feats] += 1
                if word.upos not in {"NOUN", "VERB"}:
                    counts[word.upos, word.xpos, word.form.lower()][word.feats] += 1
        self._commonest = {key: counter.most_common(1)[0][0] for key, counter in counts.items()}

    def of(self, node: Node) -> str:
        match node.upos, node.xpos, node.deprel:
            case "VERB", "VBG", "ROOT":
                return "Tense=Pres|VerbForm=Part"
            case "VERB", "VBP", _:
                return "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"
        specific = (node.upos, node.xpos, node.form.lower())
        return self._commonest.get(specific) or self._commonest.get((node.upos, node.xpos), "")


def to_sentence(root: Node, document: str, features: Features) -> Sentence:
    """The tree under `root` as a sentence; no space stands in front of a comma, a full stop or `'s`."""
    nodes = list(root.walk())
    index = {id(node): position for position, node in enumerate(nodes)}
    heads = {id(root): index[id(root)]}
    for node in nodes:
        heads |= {id(child): index[id(node)] for child in node.left + node.right}
    words = tuple(
        Word(
            form=node.form,
            lemma=node.lemma or node.form.lower(),
            upos=node.upos,
            xpos=node.xpos,
            feats=features.of(node),
            head=heads[id(node)],
            deprel=node.deprel,
            space_after=not (following and following.form in {",", ".", "'s"}),
        )
        for node, following in zip(nodes, [*nodes[1:], None], strict=True)
    )
    return Sentence(document, words)
