from __future__ import annotations

from pathlib import Path

import pytest

from tenk import parts
from tenk.errors import DatasetError
from tenk.records import Augmented, Caption, Event, Measures, Video


def augmented(number: int) -> Augmented:
    text = f"Dog {number} runs.\u2028It barks."
    caption = Caption(
        video_id=f"v{number}", code="f", axis="ground_truth", text=text, words=4, model="source", events=(0,)
    )
    measures = Measures(code="f", nouns=1, verbs=2, delta_nouns=0, delta_verbs=0, word_length=3.5, grade=0.25)
    video = Video(id=f"v{number}", source_id=f"v_{number}", split="val_1", events=(Event(text=text, start=0.1, end=2),))
    return Augmented(video=video, captions=(caption,), measures=(measures,), rejections=(), replies=())


def test_a_part_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path, items = tmp_path / "parts" / "a.jsonl", [augmented(1), augmented(2)]
    assert not parts.is_complete(path)
    parts.write(path, items, count=2, complete=True)
    assert parts.is_complete(path)
    assert list(parts.read(path)) == items
    parts.write(path, items[:1], count=1, complete=False)
    assert not parts.is_complete(path)
    assert list(parts.read(path)) == items[:1]


def test_a_damaged_part_is_made_again_or_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    parts.write(path, [augmented(1), augmented(2)], count=2, complete=True)
    lines = path.read_text(encoding="utf-8").split("\n")
    path.write_text("\n".join([lines[0], lines[1], lines[2][:50]]), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"a\.jsonl:3: damaged\. Remove the file"):
        list(parts.read(path))
    path.write_text("\n".join(lines[:2]) + "\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="1 videos of 2"):
        list(parts.read(path))
    for head in ("", "{", '{"videos": 2}\n', "\x00\xff\n"):
        path.write_text(head, encoding="latin-1")
        assert not parts.is_complete(path)


def test_a_name_follows_all_that_shapes_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    videos = [augmented(1).video, augmented(2).video]
    name = parts.name({"seed": 0, "writer": "x"}, videos)
    assert parts.name({"writer": "x", "seed": 0}, videos) == name
    others = [
        parts.name({"seed": 1, "writer": "x"}, videos),
        parts.name({"seed": 0, "writer": "x"}, videos[:1]),
        parts.name({"seed": 0, "writer": "x"}, videos[::-1]),
    ]
    monkeypatch.setattr(parts, "code_version", lambda: "other code")
    others.append(parts.name({"seed": 0, "writer": "x"}, videos))
    assert len({name, *others}) == 5
