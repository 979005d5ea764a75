"""Small published datasets, of any ids and texts, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tenk.dataset import About, publish
from tenk.records import Augmented, Caption, Event, Measures, Video


def make(folder: Path, videos: Mapping[str, Mapping[str, str]], split: str = "val_1") -> Path:
    """A dataset in `folder`, called as it is, with a split of `{video: {code: text}}`."""
    publish(folder, folder.name, split, (_video(id, texts, split) for id, texts in videos.items()), ABOUT)
    return folder


def _video(id: str, texts: Mapping[str, str], split: str) -> Augmented:
    captions = tuple(
        Caption(video_id=id, code=code, axis="any", text=text, words=1, words_asked=None, model="source", events=(0,))
        for code, text in texts.items()
    )
    measures = tuple(
        Measures(code=code, nouns=1, verbs=1, delta_nouns=0, delta_verbs=0, word_length=4.0, grade=1.0)
        for code in texts
    )
    video = Video(id=id, source_id=f"source of {id}", split=split, events=(Event(text="It runs."),))
    return Augmented(video=video, captions=captions, measures=measures, rejections=(), replies=())


ABOUT = About(
    source="garden",
    source_hash="0" * 64,
    source_files=("garden.json",),
    counts={},
    license=None,
    writer="offline",
    model="tenk-offline",
    settings={},
    prompts=(),
    seed=0,
    reasks=0,
    pipeline="none",
    tenk="0",
    packages={},
)
