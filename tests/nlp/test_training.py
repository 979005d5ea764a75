"""The training's parts: the treebank's reader, the made-up captions, the word table and the lemmatizer's tables."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import spacy
import yaml
from spacy.tokens import Doc

from tenk.nlp.training import wordtable
from tenk.nlp.training.captions import LEXICON, made_up_captions
from tenk.nlp.training.conllu import Sentence, Word, read_conllu, read_treebank, to_doc, to_docs
from tenk.nlp.training.inflect import Lexicon
from tenk.nlp.training.lemmas import add_lemmatizer
from tenk.nlp.training.scores import evaluate
from tenk.nlp.training.tree import Features
from tenk.nlp.training.wordtable import Morphology

CONLLU = """\
# newdoc id = first
# sent_id = 1
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	VB	VerbForm=Inf	3	aux	_	_
2	n't	not	PART	RB	_	3	advmod	_	_
3	throw	throw	VERB	VB	VerbForm=Inf	0	root	_	SpaceAfter=No
3.1	throw	throw	VERB	VB	_	_	_	_	_
4	!	!	PUNCT	.	_	3	punct	_	_

1	Why	why	ADV	WRB	_	0	root	_	SpaceAfter=No
2	?	?	PUNCT	.	_	1	punct	_	_

# newdoc id = second
1	Because	because	SCONJ	IN	_	0	root	_	_

"""


@pytest.fixture
def treebank(tmp_path: Path) -> list[Sentence]:
    with gzip.open(tmp_path / "en_ewt-ud-dev.conllu.gz", "wt", encoding="utf-8") as file:
        file.write(CONLLU)
    return read_treebank(tmp_path, "dev")


@pytest.fixture(scope="module")
def features() -> Features:
    word = Word("throws", "throw", "VERB", "VBZ", "Person=3", 0, "ROOT")
    return Features([Sentence("x", (word,))])


@pytest.fixture(scope="module")
def morphology() -> Morphology:
    pytest.importorskip("spacy_lookups_data", reason="the extra train-nlp is not installed")
    return Morphology()


def lexicon() -> Lexicon:
    return Lexicon(yaml.safe_load(LEXICON.read_text(encoding="utf-8")))


def test_plain_and_gzipped_treebanks_read_alike(tmp_path: Path, treebank: list[Sentence]) -> None:
    plain = tmp_path / "en_ewt-ud-dev.conllu"
    plain.write_text(CONLLU, encoding="utf-8")
    assert list(read_conllu(plain)) == treebank


def test_heads_count_from_zero_and_the_root_heads_itself(treebank: list[Sentence]) -> None:
    assert [(word.form, word.head, word.deprel) for word in treebank[0].words] == [
        ("Do", 2, "aux"), ("n't", 2, "advmod"), ("throw", 2, "ROOT"), ("!", 2, "punct"),
    ]  # fmt: skip


def test_documents_keep_texts_apart_and_spaces_as_they_were(treebank: list[Sentence]) -> None:
    docs = list(to_docs(treebank, spacy.blank("en").vocab, per_doc=10))
    assert [doc.text for doc in docs] == ["Don't throw! Why? ", "Because "]
    assert [len(list(doc.sents)) for doc in docs] == [2, 1]
    assert [doc.text for doc in to_docs(treebank, docs[0].vocab, per_doc=1)][:2] == ["Don't throw! ", "Why? "]


def test_an_absent_treebank_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"en_ewt-ud-test\.conllu"):
        read_treebank(tmp_path, "test")


def test_made_up_captions_are_trees(features: Features) -> None:
    vocab = spacy.blank("en").vocab
    for sentence in made_up_captions(300, 1, features):
        assert [word.deprel for word in sentence.words].count("ROOT") == 1
        doc = to_doc([sentence], vocab)
        (root,) = (token for token in doc if token.head is token or token.head.i == token.i)
        assert {token.i for token in root.subtree} == {token.i for token in doc}
        assert not {" ", ""} & {token.text for token in doc}


def test_made_up_captions_come_from_the_seed(features: Features) -> None:
    once = list(made_up_captions(50, 3, features))
    assert once == list(made_up_captions(50, 3, features))
    assert once != list(made_up_captions(50, 4, features))
    assert once[:20] == list(made_up_captions(20, 3, features))


def test_made_up_captions_take_features_from_the_treebank(features: Features) -> None:
    words = [word for sentence in made_up_captions(50, 0, features) for word in sentence.words]
    assert {word.feats for word in words if word.xpos == "VBZ" and word.upos == "VERB"} == {"Person=3"}


def test_no_hand_tagged_sentence_is_trained_on(features: Features) -> None:
    gold = (Path(__file__).with_name("gold_sample.jsonl")).read_text(encoding="utf-8").splitlines()
    tagged = {" ".join(json.loads(line)["words"]).lower() for line in gold}
    made_up = {" ".join(word.form for word in s.words).lower() for s in made_up_captions(2500, 0, features)}
    assert not tagged & made_up


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("throw", "throw throws threw thrown throwing"),
        ("flip", "flip flips flipped flipped flipping"),
        ("carry", "carry carries carried carried carrying"),
        ("play", "play plays played played playing"),
        ("mix", "mix mixes mixed mixed mixing"),
        ("slice", "slice slices sliced sliced slicing"),
        ("canoe", "canoe canoes canoed canoed canoeing"),
        ("lie", "lie lies lay lain lying"),
    ],
)
def test_verbs(base: str, forms: str) -> None:
    assert " ".join(lexicon().verb(base)) == forms


@pytest.mark.parametrize(
    ("noun", "plural"), [("box", "boxes"), ("body", "bodies"), ("toy", "toys"), ("man", "men"), ("knife", "knives")]
)
def test_plurals(noun: str, plural: str) -> None:
    assert lexicon().plural(noun) == plural


def test_a_perfect_pipeline_scores_one_and_a_blank_one_zero(treebank: list[Sentence]) -> None:
    assert set(evaluate(spacy.blank("en"), treebank).values()) == {0.0}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("throws", {"plural", "third person"}),
        ("glasses", {"noun", "plural", "third person"}),
        ("swam", {"past"}),
        ("throwing", {"gerund"}),
        ("wiser", {"comparative"}),
        ("quickly", {"adv"}),
        ("mice", {"plural"}),
        ("xqzt", set()),
    ],
)
def test_wordnet_says_what_a_form_can_be(morphology: Morphology, word: str, expected: set[str]) -> None:
    assert set(morphology.inflections(word)) == expected


TABLES = {
    "lexeme_cluster": {"throw": 5, "throws": 13, "kicks": 13, "jumps": 13, "bush": 6, "Bush": 9, "rare": 0},
    "lexeme_prob": {
        "throw": -9.0,
        "throws": -9.0,
        "kicks": -10.0,
        "jumps": -30.0,
        "bush": -11.0,
        "Bush": -8.0,
        "12": -5.0,
    },
    "lemma_index": {"noun": ["throw", "kick", "jump", "bush"], "verb": ["throw", "kick", "jump"], "adj": [], "adv": []},
    "lemma_exc": {"noun": {}, "verb": {}, "adj": {}},
    "lemma_rules": {"noun": [["s", ""]], "verb": [["s", ""], ["ing", ""]], "adj": []},
}


def test_words_of_one_cluster_inflection_and_capitalisation_share_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordtable, "_table", TABLES.__getitem__)
    rows = {(row.cluster, row.title): words for row, words in wordtable.word_rows().items()}
    assert rows == {(5, 3): ["throw"], (13, 3): ["kicks", "throws"], (13, 0): ["jumps"], (6, 0): ["bush"]}


def test_words_are_looked_up_without_regard_to_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordtable, "_table", TABLES.__getitem__)
    vocabs = spacy.blank("en").vocab, spacy.blank("en").vocab
    assert [wordtable.add_vectors(vocab, seed=0) for vocab in vocabs] == [4, 4]
    vectors, again = (vocab.vectors for vocab in vocabs)
    assert (vectors.data == again.data).all()
    found = vectors.find(keys=Doc(vocabs[0], words=["Throws", "kicks", "throw", "frisbee"]).to_array(vectors.attr))
    assert found[0] == found[1] != found[2]
    assert found[3] == -1


def test_the_lemmatizer_learns_what_the_rules_get_wrong(treebank: list[Sentence]) -> None:
    pytest.importorskip("spacy_lookups_data", reason="the extra train-nlp is not installed")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    assert add_lemmatizer(nlp, treebank, before="sentencizer") > 0
    doc = nlp.get_pipe("lemmatizer")(to_doc([treebank[0]], nlp.vocab))
    assert [token.lemma_ for token in doc] == ["do", "not", "throw", "!"]
