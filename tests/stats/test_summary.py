"""Sums over captions, and the tables made of them."""

from __future__ import annotations

import math

from tenk.records import Augmented, Caption, Event, Measures, Rejection, Video
from tenk.stats import Summariser, Summary, combine, table2
from tenk.stats.summary import CANDIDATES
from tenk.stats.tables import COLUMNS, everything, markdown, text


def augmented(id: str, codes: dict[str, int], **measures: object) -> Augmented:
    captions = tuple(
        Caption(video_id=id, code=code, axis="x", text="word " * words, words=words, model="m", events=(0,),
                flags=("word_count",) if words > 90 else ())
        for code, words in codes.items()
    )  # fmt: skip
    values = {"nouns": 3, "verbs": 2, "delta_nouns": -2, "delta_verbs": 1, "word_length": 4.5, "grade": 6.0}
    return Augmented(
        video=Video(id=id, source_id=id, split="val", events=(Event(text="word"),)),
        captions=captions,
        measures=tuple(Measures.model_validate({"code": code} | values | measures) for code in codes),
        rejections=(Rejection(video_id=id, code="p", axis="duration", reason="single_event", detail="one event"),),
        replies=(),
    )


def summary(*videos: Augmented) -> Summary:
    summariser = Summariser()
    for video in videos:
        summariser.add(video)
    return summariser.result()


def test_means_are_over_the_captions_of_a_code() -> None:
    result = summary(augmented("a", {"f": 10, "s": 2}), augmented("b", {"f": 20, "s": 100}, delta_nouns=-4))
    assert result.videos == 2
    assert result.captions == 4
    assert result.codes["f"].words == 15
    assert result.codes["s"].longest == 100
    assert result.codes["s"].delta_nouns == -3
    assert result.flags == {"word_count": 1}
    assert result.rejections == {"single_event": 2}


def test_codes_come_in_the_order_of_the_scheme_and_others_after() -> None:
    assert list(summary(augmented("a", {"tr": 1, "s+u": 1, "f": 1, "m": 1})).codes) == ["f", "m", "s+u", "tr"]


def test_candidates_are_ranked_by_captions_then_name_and_bounded() -> None:
    videos = [augmented(str(n), {"s": 1}, new_nouns=("cat", "ant", f"noun{n:03}")) for n in range(CANDIDATES + 9)]
    ranked = summary(*videos).new_nouns
    assert ranked[:3] == (("ant", len(videos)), ("cat", len(videos)), ("noun000", 1))
    assert len(ranked) == CANDIDATES


def test_table_2_has_the_papers_rows_and_columns() -> None:
    table = table2(summary(augmented("a", {"f": 50, "s": 7, "s+u": 8, "p": 9})))
    assert list(table.columns) == list(COLUMNS.values())
    assert list(table.index) == ["Δ Nouns", "Δ Verbs", "Word Count", "Word Length"]
    assert table.loc["Word Count", "Source"] == 50
    assert math.isnan(table.loc["Δ Nouns", "Source"])
    assert table.loc["Δ Nouns", "S and U"] == -2
    assert table["Medium"].isna().all()


def test_an_axis_of_ones_own_gets_a_column() -> None:
    assert list(table2(summary(augmented("a", {"f": 5, "tr": 7}))).columns)[-1] == "tr"


def test_everything_has_a_row_a_code() -> None:
    assert list(everything(summary(augmented("a", {"f": 5, "p": 7}))).index) == ["f", "p"]


def test_rendering_leaves_missing_cells_empty() -> None:
    table = table2(summary(augmented("a", {"f": 1050, "s": 7})))
    lines = text(table).splitlines()
    assert lines[0].split("  ")[0] == "Metric"
    assert len({len(line) for line in lines[3:4]}) == 1
    assert lines[3].split() == ["Word", "Count", "1050.00", "7.00"]
    rows = markdown(table).splitlines()
    assert rows[1].startswith("| --- | ---: |")
    assert rows[2].startswith("| Δ Nouns |  | -2.00 |  |")
    assert {row.count("|") for row in rows} == {12}


def test_combined_splits_equal_one_summary_over_all() -> None:
    a = augmented("a", {"f": 10, "s": 2}, new_nouns=("cat",))
    b = augmented("b", {"f": 20, "m": 99}, grade=8.0)
    c = augmented("c", {"f": 33}, delta_verbs=5)
    together, parts = summary(a, b, c), combine([summary(a), summary(b, c)])
    assert parts.model_copy(update={"codes": {}}) == together.model_copy(update={"codes": {}})
    for code, one in together.codes.items():
        for field, value in one.model_dump().items():
            other = getattr(parts.codes[code], field)
            assert math.isclose(value, other, abs_tol=1e-5) if isinstance(value, float) else value == other
