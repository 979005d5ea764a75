"""Figures of the 10k Words paper that real annotations reproduce, and textstat's grades on real sentences."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from tenk.records import Augmented, Caption, Measures
from tenk.sources import read
from tenk.sources.options import SourceOptions
from tenk.stats import Summariser, combine, table2
from tenk.stats.readability import grade
from tenk.words import word_count, word_length


@pytest.mark.real_data
def test_the_source_column_of_table_2(real_data: Path) -> None:
    """49.74 words by whitespace on the 14,926 videos of train and val_1; the paper has 49.77."""
    summaries = []
    for split in ("train", "val_1"):
        summariser = Summariser()
        for video in read("activitynet", real_data / "activitynet", split, options=SourceOptions()).videos:
            text = video.paragraph
            caption = Caption(
                video_id=video.id, code="f", axis="ground_truth", text=text, words=word_count(text), model="source",
                events=(0,),
            )  # fmt: skip
            measures = Measures(
                code="f", nouns=0, verbs=0, delta_nouns=0, delta_verbs=0, word_length=word_length(text), grade=0.0
            )
            summariser.add(Augmented(video=video, captions=(caption,), measures=(measures,), rejections=(), replies=()))
        summaries.append(summariser.result())
    together = combine(summaries)
    assert together.videos == 14_926
    assert together.codes["f"].words == pytest.approx(49.74, abs=0.005)
    assert f"{table2(together).loc['Word Count', 'Source']:.1f}" == "49.7"


@pytest.mark.real_data
def test_grades_of_real_paragraphs_equal_textstat(real_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pkg_resources", types.ModuleType("pkg_resources"))
    textstat = pytest.importorskip("textstat.textstat").textstat
    videos = read("activitynet", real_data / "activitynet", "val_1", options=SourceOptions()).videos[:1000]
    for video in videos:
        assert grade(video.paragraph) == textstat.flesch_kincaid_grade(video.paragraph)
