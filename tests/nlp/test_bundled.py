"""The bundled pipeline: as accurate, as small and as well described as it says. How it is trained: test_training.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from spacy.language import Language
from spacy.tokens import Doc

from tenk.nlp import BUNDLED, load_pipeline
from tenk.nlp.pipelines import MODEL
from tenk.nlp.training.conllu import read_treebank
from tenk.nlp.training.scores import evaluate, run

GOLD = Path(__file__).with_name("gold_sample.jsonl")


@pytest.fixture(scope="module")
def nlp() -> Language:
    return load_pipeline(BUNDLED, parse=True)


def analysis(doc: Doc) -> list[tuple[str, str, str, str, int]]:
    return [(token.tag_, token.pos_, token.lemma_, token.dep_, token.head.i) for token in doc]


def test_the_hand_tagged_sample(nlp: Language) -> None:
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    docs = [run(nlp, Doc(nlp.vocab, words=row["words"])) for row in rows]
    tags = [pair for row, doc in zip(rows, docs, strict=True) for pair in zip(row["upos"], doc, strict=True)]
    assert len(rows) == 100
    assert sum(upos == token.pos_ for upos, token in tags) / len(tags) >= 0.97


@pytest.mark.real_data
@pytest.mark.slow
def test_ewt(nlp: Language, real_data: Path) -> None:
    scores = evaluate(nlp, read_treebank(real_data / "ud_ewt", "test"))
    assert scores["upos"] >= 0.933
    assert scores["verb_f1"] >= 0.955
    assert scores["noun_f1"] >= 0.91
    assert scores == pytest.approx(json.loads((MODEL / "scores.json").read_text())["test"], abs=0.002)


def test_analysis_does_not_depend_on_the_batch(nlp: Language) -> None:
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    texts = [" ".join(row["words"]) for row in rows]
    alone = [analysis(nlp(text)) for text in texts]
    assert [analysis(doc) for doc in nlp.pipe(texts, batch_size=64)] == alone
    assert [analysis(doc) for doc in nlp.pipe(texts[::-1], batch_size=7)][::-1] == alone


def test_tags_do_not_depend_on_the_parser(nlp: Language) -> None:
    text = "A woman peels the potatoes, cuts them up and drops them into a pot of boiling water."
    tagger = load_pipeline(BUNDLED, parse=False)
    assert [part[:3] for part in analysis(tagger(text))] == [part[:3] for part in analysis(nlp(text))]


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("The men are throwing knives.", "the man be throw knife ."),
        ("They aren't holding their children's feet.", "they be not hold their child 's foot ."),
        ("He puts an apple on it and then catches them.", "he put a apple on it and then catch they ."),
    ],
)
def test_lemmas(nlp: Language, text: str, lemmas: str) -> None:
    assert " ".join(token.lemma_ for token in nlp(text)) == lemmas


def test_labels_are_those_of_universal_dependencies(nlp: Language) -> None:
    doc = nlp("A man is seen picking up a ball. He throws it into the net.")
    labels = {token.text: token.dep_ for token in doc}
    assert [sentence.root.text for sentence in doc.sents] == ["seen", "throws"]
    assert (labels["man"], labels["is"], labels["picking"]) == ("nsubj:pass", "aux:pass", "xcomp")
    assert (labels["up"], labels["ball"], labels["into"], labels["net"]) == ("compound:prt", "obj", "case", "obl")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "🎾🎾", "مرحبا بالعالم", "a" * 10_000])
def test_odd_texts_are_analysed(nlp: Language, text: str) -> None:
    assert nlp(text).text == text


def test_it_is_small_enough() -> None:
    assert sum(file.stat().st_size for file in MODEL.rglob("*") if file.is_file()) <= 15_000_000


def test_it_says_what_it_is_and_under_which_licence() -> None:
    meta = json.loads((MODEL / "meta.json").read_text(encoding="utf-8"))
    readme = (MODEL / "README.md").read_text(encoding="utf-8")
    scores = json.loads((MODEL / "scores.json").read_text(encoding="utf-8"))
    assert (meta["name"], meta["license"]) == (BUNDLED, "CC BY-SA 4.0")
    assert f"{BUNDLED} {meta['version']}" in readme
    assert "Princeton University" in (MODEL / "LICENSE-wordnet.txt").read_text(encoding="utf-8")
    assert "MIT" in (MODEL / "LICENSE-spacy-lookups-data.txt").read_text(encoding="utf-8")
    for what in ("CC BY-SA 4.0", "WordNet", "MIT"):
        assert what in readme
    for name in ("upos", "noun_f1", "verb_f1", "lemma", "uas", "las"):
        assert f"{scores['test'][name]:.1%}" in readme, f"{name} in README.md is not what scores.json says"
