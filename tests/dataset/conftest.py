"""A small dataset's videos, and the surroundings of tests: no hub, and caches in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenk.dataset import About, Prompt
from tenk.records import CODES, Augmented, Caption, Event, Measures, Rejection, ReplyCost, Usage, Video

Make = Callable[..., list[Augmented]]


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`datasets` reads its settings once, at import: they are set where it keeps them."""
    import datasets
    import huggingface_hub.constants

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture
def about() -> About:
    return About(
        source="garden",
        source_hash="0123456789abcdef" * 4,
        source_files=("garden.json",),
        counts={"videos": 3, "events": 6},
        license="cc-by-4.0",
        writer="offline",
        model="tenk-offline",
        settings={"version": "1"},
        prompts=(Prompt(name="short", axis="summarization", sha256="f" * 64, text="Write it short.\n"),),
        seed=7,
        reasks=2,
        pipeline="en_tenk 1.0.0",
        tenk="0.1.0",
        packages={"pyarrow": "26.0.1"},
    )


def video(number: int, split: str) -> Augmented:
    """Video 0 has all captions, 1 lacks `p` and has a flagged one, 2 is bare: no times, no lists, no replies."""
    bare = number % 3 == 2
    id = f"{split}{number}"
    texts = ("A woman waters the bean plants.", "She ties them to tall poles.")
    events = tuple(
        Event(text=text, start=None if bare else 4.0 * n, end=None if bare else 4.0 * n + 3.5)
        for n, text in enumerate(texts)
    )
    codes = [code for code in CODES if not (code == "p" and number % 3)]
    captions = tuple(
        Caption(
            video_id=id,
            code=code,
            axis="summarization",
            text=" ".join(texts) if code == "f" else f"Caption {code} of {id}, naïve: “ünï” 🙂",
            words=11 if code == "f" else 6,
            words_asked=None if code in "fp" else 8,
            model="source" if code in "fp" else "tenk-offline",
            template=None if code in "fp" else "f" * 64,
            journal_key=None if code in "fp" else f"{number:064}",
            start=None if bare else 0.0,
            end=None if bare else 7.5,
            events=(0, 1),
            flags=("word_count",) if (number % 3 == 1 and code == "s") else (),
        )
        for code in codes
    )
    measures = tuple(
        Measures(
            code=code,
            nouns=4,
            verbs=2,
            delta_nouns=-1,
            delta_verbs=0,
            new_nouns=() if bare else ("caption",),
            word_length=4.25,
            grade=3.5,
        )
        for code in codes
    )
    missing = Rejection(video_id=id, code="p", axis="duration", reason="single_event", detail="It has one event.")
    return Augmented(
        video=Video(
            id=id, source_id=f"v_{id}.mp4", split=split, duration=None if bare else 8.0 + number, events=events
        ),
        captions=captions,
        measures=measures,
        rejections=(missing,) if number % 3 else (),
        replies=()
        if bare
        else (ReplyCost(key=f"{number:064}", model="tenk-offline", usage=Usage(prompt_tokens=10), cost=0.25),),
    )


@pytest.fixture
def videos() -> Make:
    """Makes the videos of a split: `videos("train")`, `videos("val_1", 5)`."""
    return lambda split, count=3: [video(number, split) for number in range(count)]
