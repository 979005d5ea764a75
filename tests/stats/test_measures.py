"""Measures against a paragraph, with a pipeline made of a word list so that every tag is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from tenk.records import Caption, Event, Video
from tenk.stats import measure
from tenk.stats.measures import BATCH

TAGS = {
    "man": ("NOUN", "man"), "men": ("NOUN", "man"), "dog": ("NOUN", "dog"), "dogs": ("NOUN", "dog"),
    "run": ("NOUN", "run"), "runs": ("VERB", "run"), "ran": ("VERB", "run"), "throws": ("VERB", "throw"),
    "ball": ("NOUN", "ball"), "cat": ("NOUN", "cat"), "is": ("AUX", "be"), "Oslo": ("PROPN", "Oslo"),
    ".": ("PUNCT", "."), "jumps": ("VERB", "jump"),
}  # fmt: skip


@Language.component("word_list")
def word_list(doc: Doc) -> Doc:
    for token in doc:
        token.pos_, token.lemma_ = TAGS.get(token.text, TAGS.get(token.lower_, ("X", token.lower_)))
    return doc


@pytest.fixture(scope="module")
def nlp() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("word_list")
    return nlp


def video(text: str, id: str = "v1") -> Video:
    return Video(id=id, source_id=id, split="val", events=(Event(text=text),))


def caption(text: str, code: str = "s", id: str = "v1") -> Caption:
    return Caption(video_id=id, code=code, axis="x", text=text, words=len(text.split()), model="m", events=(0,))


def test_nouns_and_verbs_are_unique_lemmas_against_the_paragraph(nlp: Language) -> None:
    source = "The man throws the ball. The dogs run."
    [[full, short]] = measure(nlp, [(video(source), [caption(source, "f"), caption("A dog and dogs and a Cat runs.")])])
    assert (full.nouns, full.verbs, full.delta_nouns, full.delta_verbs) == (4, 1, 0, 0)
    assert (short.nouns, short.verbs, short.delta_nouns, short.delta_verbs) == (2, 1, -2, 0)
    assert full.new_nouns == full.new_verbs == ()


def test_a_word_is_new_only_if_neither_form_nor_lemma_is_in_the_paragraph_under_any_tag(nlp: Language) -> None:
    [[new]] = measure(nlp, [(video("The man ran to the dog run."), [caption("Men runs, jumps at dogs and a ball.")])])
    assert new.new_nouns == ("ball",)
    assert new.new_verbs == ("jump",)


def test_proper_nouns_and_auxiliaries_are_neither_nouns_nor_verbs(nlp: Language) -> None:
    [[measures]] = measure(nlp, [(video("The man."), [caption("Oslo is Oslo.")])])
    assert (measures.nouns, measures.verbs) == (0, 0)
    assert measures.new_words == 2  # Oslo, be


def test_punctuation_is_no_new_word_and_lengths_count_it(nlp: Language) -> None:
    [[measures]] = measure(nlp, [(video("The man runs"), [caption("The man runs .")])])
    assert measures.new_words == 0
    assert measures.word_length == 2.75


def test_an_empty_caption_has_measures(nlp: Language) -> None:
    [[measures]] = measure(nlp, [(video("The man runs."), [caption("")])])
    assert (measures.nouns, measures.delta_nouns, measures.word_length, measures.grade) == (0, -1, 0.0, 0.0)


def test_a_pipeline_without_lemmas_falls_back_to_forms() -> None:
    nlp = spacy.blank("en")

    @Language.component("nouns_only")
    def nouns_only(doc: Doc) -> Doc:
        for token in doc:
            token.pos_ = "NOUN"
        return doc

    nlp.add_pipe("nouns_only")
    [[measures]] = measure(nlp, [(video("Dog"), [caption("dog DOG cat")])])
    assert (measures.nouns, measures.new_nouns) == (2, ("cat",))


def test_order_is_kept_over_batches_and_videos_without_captions(nlp: Language) -> None:
    nouns = ["man", "dog", "ball", "cat"]

    def items() -> Iterator[tuple[Video, list[Caption]]]:
        for index in range(BATCH):
            texts = [f"{' '.join(nouns[: n + 1])} {index}" for n in range(index % 5)]
            yield video(f"man {index}", str(index)), [caption(text, id=str(index)) for text in [*texts, *texts[:1]]]

    measured = list(measure(nlp, items()))
    assert [len(row) for row in measured] == [index % 5 + (index % 5 > 0) for index in range(BATCH)]
    for row in measured:
        assert [m.nouns for m in row][: len(row) - 1] == list(range(1, len(row)))
        assert [m.nouns for m in row][-1:] == [1] * bool(row)


def test_each_distinct_text_is_read_once_and_few_are_held() -> None:
    seen: list[str] = []
    asked = 0

    nlp = spacy.blank("en")

    @Language.component("count")
    def count(doc: Doc) -> Doc:
        seen.append(doc.text)
        return doc

    nlp.add_pipe("count")

    def items() -> Iterator[tuple[Video, list[Caption]]]:
        nonlocal asked
        for index in range(4 * BATCH):
            asked += 1
            yield video(f"man {index}"), [caption(f"man {index}", "f"), caption(f"man {index}", "l")]

    results = measure(nlp, items())
    next(results)
    assert asked <= 2 * BATCH
    list(results)
    assert len(seen) == len(set(seen)) == 4 * BATCH
