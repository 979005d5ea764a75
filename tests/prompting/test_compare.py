"""Two templates side by side: aligned by ids, with the words that a text adds."""

from __future__ import annotations

from tenk.prompting import Cell, Rejected, compare_rows, new_words, total_cost
from tenk.records import Caption, Event, Rejection, Reply, Video


def caption(video_id: str, code: str, text: str) -> Caption:
    words = len(text.split())
    return Caption(
        video_id=video_id, code=code, axis="a", text=text, words=words, words_asked=3, model="m", events=(0,)
    )


def test_rows_are_aligned_by_video_and_code_whatever_the_order() -> None:
    videos = [Video(id=name, source_id=name, split="x", events=(Event(text="A cat sits."),)) for name in ("v2", "v1")]
    a = [caption("v1", "s", "The cat sits."), caption("v1", "m", "A cat."), caption("v2", "s", "Cat!")]
    b = [caption("v2", "s", "A dog."), caption("v1", "l", "A cat sits."), caption("v1", "s", "It sits, happily.")]
    rows = compare_rows(videos, ["s", "m", "s", "l"], a, b)
    assert [(row.video_id, row.code, row.a is None, row.b is None) for row in rows] == [
        ("v2", "s", False, False),
        ("v1", "s", False, False),
        ("v1", "m", False, True),
        ("v1", "l", True, False),
    ]
    first = rows[1].b
    assert isinstance(first, Cell)
    assert (first.words, first.words_asked, first.new_words) == (3, 3, ("it", "happily"))


def test_a_rejection_takes_the_place_of_its_caption() -> None:
    videos = [Video(id="v1", source_id="v1", split="x", events=(Event(text="A cat sits."),))]
    refused = Rejection(video_id="v1", code="s", axis="a", reason="refused", detail="SUMMARY 1 was refused.")
    rows = compare_rows(videos, ["s", "m", "l"], [caption("v1", "m", "A cat."), refused], [caption("v1", "l", "Cats.")])
    assert [row.code for row in rows] == ["s", "m", "l"], "as the templates ask for them"
    assert (rows[0].a, rows[0].b) == (Rejected(reason="refused", detail="SUMMARY 1 was refused."), None)


def test_new_words_know_neither_case_nor_punctuation() -> None:
    assert new_words("The man's DOG, a dog; barks — loudly (twice)!", "A Dog barks at the Man's cat.") == (
        "loudly",
        "twice",
    )
    assert new_words("Кот спит.", "кот") == ("спит",)


def test_a_cost_that_is_unknown_in_part_is_unknown() -> None:
    replies = [
        Reply(key=str(n), body="", finish_reason="stop", model="m", cost=cost)
        for n, cost in enumerate([0.5, 0.25, None])
    ]
    assert total_cost(replies[:2]) == 0.75
    assert total_cost(replies) is None
    assert total_cost([]) == 0
