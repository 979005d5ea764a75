"""From raw videos to checked ones: what is mended, left out or refused, whatever the corpus."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import SourceError
from tenk.records import Video
from tenk.sources import COUNTS, SourceOptions
from tenk.sources.assemble import assemble, content_hash
from tenk.sources.reading import Drop, Found, RawEvent, RawVideo, Reading

PATH = Path("captions.json")


def raw(name: str, *events: tuple[object, ...], duration: object = None) -> RawVideo:
    return RawVideo(name, f"v_{name}", "captions.json:7", [RawEvent(*event) for event in events], duration)


def reading(*videos: RawVideo, max_words: int | None = None) -> Reading:
    return assemble(Found(videos=videos, files=(PATH,)), "train", SourceOptions(max_words=max_words))


words = st.text(st.characters(codec="utf-8"), max_size=30)
times = st.one_of(st.integers(-5, 50), st.floats(-5, 50))
timed_events = st.lists(st.tuples(words, times, times), min_size=1, max_size=12)


@given(timed_events)
def test_events_come_out_clean_and_in_order(events: list[tuple[str, float, float]]) -> None:
    good = ("Kept.", 49, 50)
    result = reading(raw("a", *events, good))

    read = result.videos[0].events
    assert len(read) + result.counts["empty_events"] == len(events) + 1
    spans = [(event.start, event.end) for event in read]
    assert spans == sorted(spans)  # type: ignore[type-var]
    assert all(0 <= start <= end for start, end in spans)  # type: ignore[operator]
    for event in read:
        assert event.text == " ".join(event.text.split())
        assert event.text
    assert result.counts["resorted"] in (0, 1)
    assert result.counts["swapped"] == sum(start > end for _, start, end in events)
    assert result.counts["zero_length"] == sum(start == end for _, start, end in events)
    assert result.counts["below_zero"] == sum(min(start, end) < 0 for _, start, end in events)


@given(st.lists(st.tuples(times, times), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_sorting_is_stable_and_forgets_the_order_of_the_file(spans: list[tuple[float, float]], random: object) -> None:
    events = [(f"Event {number}.", start, end) for number, (start, end) in enumerate(spans)]
    sorted_once = reading(raw("a", *events)).videos[0].events
    clamped = [tuple(max(0.0, time) for time in sorted(span)) for span in spans]
    expected = sorted(range(len(spans)), key=lambda number: clamped[number])
    assert [event.text for event in sorted_once] == [f"Event {number}." for number in expected]

    random.shuffle(events)  # type: ignore[attr-defined]
    shuffled = reading(raw("a", *events)).videos[0].events
    assert sorted(map(repr, shuffled)) == sorted(map(repr, sorted_once))
    assert [(event.start, event.end) for event in shuffled] == [(event.start, event.end) for event in sorted_once]


@given(st.lists(words, min_size=1, max_size=8))
def test_without_times_the_order_is_the_files(texts: list[str]) -> None:
    result = reading(raw("a", ("First.",), *((text,) for text in texts)))
    assert result.counts["untimed"] == 1
    assert result.counts["resorted"] == 0
    kept = [" ".join(text.split()) for text in texts]
    read = [event.text for event in result.videos[0].events]
    assert read[0] == "First."
    assert [text for text in kept if text in read[1:]] == read[1:]


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", None, "\u200b", "\u202e \u202c", "\ufeff", "\x00", "\u3000", "\u200d\u2060"]
)
def test_text_that_cannot_be_seen_is_left_out(text: object) -> None:
    result = reading(raw("a", ("Seen.", 0, 1), (text, 1, 2)))
    assert [event.text for event in result.videos[0].events] == ["Seen."]
    assert result.counts["empty_events"] == 1
    assert result.drops == (
        Drop(source_id="v_a", reason="empty_event", detail="sentence 2 of 2 has no text"),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["👩🏽‍🍳", "שלום עולם", "هذا كلب", "犬が泳ぐ。", ".", "1", "\u200fمرحبا", "{{ 7 * 7 }}", "SUMMARY 4:"]
)
def test_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert reading(raw("a", (text, 0, 1))).videos[0].paragraph == text


def test_very_long_captions_are_read() -> None:
    result = reading(raw("a", ("word " * 10_000, 0, 1)))
    assert len(result.videos[0].paragraph.split()) == 10_000
    assert reading(raw("a", ("word " * 10_000, 0, 1)), raw("b", ("short",)), max_words=9_999).counts == {
        **dict.fromkeys(COUNTS, 0),
        "videos": 1,
        "events": 1,
        "untimed": 1,
        "dropped_max_words": 1,
    }


def test_a_paragraph_of_max_words_stays() -> None:
    assert reading(raw("a", ("one two",), ("three",)), max_words=3).counts["videos"] == 1


@pytest.mark.parametrize(
    ("events", "detail"),
    [((), "an empty list of sentences"), (((" ",), (None,)), "2 sentences, none with text")],
)
def test_a_video_without_a_usable_sentence_is_dropped(events: tuple[tuple[object, ...], ...], detail: str) -> None:
    result = reading(raw("a", *events), raw("b", ("Here.",)))
    assert [video.id for video in result.videos] == ["b"]
    assert result.counts["dropped_no_text"] == 1
    assert result.counts["empty_events"] == 0
    assert result.drops == (Drop(source_id="v_a", reason="no_text", detail=detail),)


def test_no_video_at_all() -> None:
    with pytest.raises(SourceError, match=r"^captions.json: no videos there. Name another file.$"):
        reading()
    with pytest.raises(SourceError, match=r"no usable video \(1 no_text\). First: video 'v_a', an empty list"):
        reading(raw("a"))


@pytest.mark.parametrize(
    ("video", "message"),
    [
        (raw("a", ("Seen.", math.nan, 1)), "the start of sentence 1 is nan, which is not a finite number"),
        (raw("a", ("Seen.", 0, math.inf)), "the end of sentence 1 is inf, which is not a finite number"),
        (raw("a", ("Seen.", "soon", 1)), "the start of sentence 1 is 'soon', which is neither"),
        (raw("a", ("Seen.", 0, 1), duration=math.nan), "the duration is nan, which is not"),
        (raw("a", ("Seen.", 0, 1), duration=-1), "the duration is -1.0. Give it in seconds, or null"),
        (raw("a", ("Seen.", 0, 1), duration=0), "the duration is 0.0."),
        (raw("a", ("Seen.", 0, 1), ("Unseen.", None, 2)), "sentence 2 has no start, others have"),
        (raw("a", ("Seen.", 0, None), ("Unseen.", 1, 2)), "sentence 1 has no end, others have"),
        (raw("a", (17, 0, 1)), "sentence 1 is int, not text"),
        (raw("a", ("ok", 0, 1), (["a"], 0, 1)), "sentence 2 is list, not text"),
        (raw("a", ("half \ud83d", 0, 1)), "sentence 1 holds half a surrogate pair"),
    ],
)
def test_what_contradicts_itself_names_file_video_and_mend(video: RawVideo, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        reading(video)
    assert str(caught.value).startswith(f"captions.json:7: video 'v_a': {message}")
    assert str(caught.value).endswith(".")


def test_ids() -> None:
    with pytest.raises(SourceError, match=r"video 'v_a': given twice, before as 'a.mp4' at other:1. Keep one"):
        reading(RawVideo("a", "a.mp4", "other:1", [RawEvent("Seen.")]), raw("a", ("Seen.",)))
    with pytest.raises(SourceError, match=r"video 'v_': its id is empty"):
        reading(raw("", ("Seen.",)))
    for name in ("a\nb", "\ud83d", "a\x1b[2J"):
        with pytest.raises(SourceError, match=r"its id holds line breaks or other invisible characters") as caught:
            reading(raw(name, ("Seen.",)))
        assert str(caught.value).isprintable()


def test_an_id_given_twice_is_an_error_even_where_the_first_was_dropped() -> None:
    with pytest.raises(SourceError, match="given twice"):
        reading(raw("a"), raw("a", ("Seen.",)))


def test_ends_beyond_the_duration_are_kept_and_counted() -> None:
    result = reading(raw("a", ("Seen.", 0, 10.01), ("Later.", 11, 12), duration=10))
    assert [(event.start, event.end) for event in result.videos[0].events] == [(0, 10.01), (11, 12)]
    assert result.counts["beyond_duration"] == 2


def test_notes_of_dropped_videos_are_not_counted() -> None:
    result = reading(raw("a", ("one two", 2, 1)), raw("b", ("one", 0, 1)), max_words=1)
    assert result.counts["swapped"] == 0


@given(st.permutations(range(5)))
def test_the_hash_forgets_the_order_of_videos(order: list[int]) -> None:
    videos = reading(*(raw(f"v{number}", (f"Event {number}.", 0, 1)) for number in range(5))).videos
    assert content_hash(videos[number] for number in order) == content_hash(videos)


@pytest.mark.parametrize(
    "change",
    [{"id": "b"}, {"source_id": "b"}, {"split": "val_1"}, {"duration": 3.5}, {"events": ()}],
    ids=lambda change: next(iter(change)),
)
def test_the_hash_is_over_every_field(change: dict[str, object]) -> None:
    video = reading(raw("a", ("Seen.", 0, 1), duration=3)).videos[0]
    assert set(Video.model_fields) == {"id", "source_id", "split", "duration", "events"}
    assert content_hash([video.model_copy(update=change)]) != content_hash([video])


def test_the_hash_is_pinned() -> None:
    """It is quoted in datasets: a change of the rule is a change of the format."""
    video = reading(raw("a", ("Seen é 🍲.", 0, 1.5), duration=3)).videos[0]
    line = rb"""["a","v_a","train",3.0,[["Seen \u00e9 \ud83c\udf72.",0.0,1.5]]]""" + b"\n"
    assert content_hash([video]) == hashlib.sha256(line).hexdigest()
