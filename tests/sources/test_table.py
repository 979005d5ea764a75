"""Tables by column map: layouts, splits, and errors that name the map's line or the row's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenk.errors import ConfigError, SourceError, TenkError, UsageError
from tenk.sources import Reading, SourceOptions, read
from tenk.sources.columns import Columns, follow

FLAT = "id,text,start,end,length,part\na,A cat naps.,0,5,9,one\nb,Rain.,1,2,4,two\na,It wakes.,5,9,9,one\n"


def table(path: Path, columns: str | Columns, split: str = "train") -> Reading:
    option: Columns | Path
    if isinstance(columns, str):
        option = path.parent / "columns.yaml"
        option.write_text(columns, encoding="utf-8")
    else:
        option = columns
    return read("table", path, split, options=SourceOptions(columns=option))


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_rows_of_one_id_are_events_of_one_video(tmp_path: Path) -> None:
    path = write(tmp_path / "events.csv", FLAT)
    reading = table(path, "id: id\ntext: text\nstart: start\nend: end\nduration: length\n")
    assert [(video.id, video.duration, video.paragraph) for video in reading.videos] == [
        ("a", 9.0, "A cat naps. It wakes."),
        ("b", 4.0, "Rain."),
    ]


def test_a_column_says_the_split(tmp_path: Path) -> None:
    path = write(tmp_path / "events.csv", FLAT)
    reading = table(path, "id: id\ntext: text\nsplit: part\nsplits: {train: one}\n")
    assert [video.id for video in reading.videos] == ["a"]
    assert reading.counts["other_splits"] == 1
    assert table(path, "id: id\ntext: text\nsplit: part\n", "two").videos[0].id == "b"
    with pytest.raises(UsageError, match=r"No row has the split 'train' in column 'part'. There: one, two\."):
        table(path, "id: id\ntext: text\nsplit: part\n")


def test_a_list_of_ids_says_the_split(tmp_path: Path) -> None:
    write(tmp_path / "captions.json", {"x_a.avi": ["One.", "Two."], "x_b.avi": ["Three."]})
    write(tmp_path / "train_ids.txt", "a\nx_gone\n")
    columns = 'file: captions.json\nids: "{split}_ids.txt"\nid: $key\ntext: $value\nprefix: x_\n'
    (tmp_path / "map.yaml").write_text(columns)
    reading = read("table", tmp_path, "train", options=SourceOptions(columns=tmp_path / "map.yaml"))
    assert [(video.id, video.source_id) for video in reading.videos] == [("a", "x_a.avi")]
    assert reading.counts["other_splits"] == 1
    assert [(drop.source_id, drop.reason) for drop in reading.drops] == [("x_gone", "no_captions")]
    assert reading.files == ("captions.json", "train_ids.txt")


def test_numbers_are_ids_too(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [{"id": 17, "text": "Rain."}])
    assert table(path, Columns(id="id", text="text")).videos[0].id == "17"


def test_events_may_be_plain_sentences(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", {"id": "a", "said": ["One.", "Two."]})
    assert table(path, Columns(id="id", events="said", text="$value")).videos[0].paragraph == "One. Two."


def test_parallel_starts_without_ends(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", {"id": "a", "said": ["Two.", "One."], "at": [7, 3]})
    reading = table(path, Columns(id="id", text="said", start="at"))
    assert [(event.text, event.start, event.end) for event in reading.videos[0].events] == [
        ("One.", 3.0, None),
        ("Two.", 7.0, None),
    ]


def test_quoted_cells_and_blank_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.tsv", 'id\ttext\n\na\t"A ""big"" cat,\nasleep."\n')
    assert table(path, Columns(id="id", text="text")).videos[0].paragraph == 'A "big" cat, asleep.'


def test_an_empty_cell_is_no_time(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", "id,text,start,length\na,Rain.,,\n")
    video = table(path, Columns(id="id", text="text", start="start", duration="length")).videos[0]
    assert (video.events[0].start, video.duration) == (None, None)


def test_a_folder_needs_a_file_in_the_map_and_a_file_does_not(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", "id,text\na,Rain.\n")
    plain = SourceOptions(columns=Columns(id="id", text="text"))
    with pytest.raises(SourceError, match=r"a folder, and the column map names no `file` in it.*There: rows.csv\."):
        read("table", tmp_path, "train", options=plain)
    named = SourceOptions(columns=Columns(id="id", text="text", file="{split}.csv"))
    assert read("table", path, "train", options=named).counts["videos"] == 1
    with pytest.raises(SourceError, match=r"looked for: train.csv"):
        read("table", tmp_path, "train", options=named)


def test_no_column_map(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.csv", "id,text\na,Rain.\n")
    with pytest.raises(UsageError, match=r"needs a column map.*id: video_id, text: caption"):
        read("table", path, "train")
    (tmp_path / "latin.yaml").write_bytes(b"id: \xe9\n")
    with pytest.raises(ConfigError, match=r"latin.yaml: not UTF-8 at byte 4. Save it as UTF-8."):
        read("table", path, "train", options=SourceOptions(columns=tmp_path / "latin.yaml"))
    with pytest.raises(ConfigError, match=r"nowhere.yaml: No such file or directory"):
        read("table", path, "train", options=SourceOptions(columns=tmp_path / "nowhere.yaml"))


NESTED = {"database": {"a": {"subset": "train", "parts": [{"segment": [0, 5], "sentence": "Rain."}]}}}


@pytest.mark.parametrize(
    ("columns", "line", "message"),
    [
        ("id: $key\ntext: sentence\nvideo: database\n", 3, "unknown key 'video'"),
        ("id: $key\n", 1, "the key 'text' is missing"),
        ("id: $key\nid: $key\ntext: sentence\n", 2, "the key 'id' is given twice"),
        ("id: $key\ntext: [sentence]\n", 2, "text: Input should be a valid string"),
        ("id: $key\ntext: 'sentence\n", 3, "found unexpected end of stream"),
        ("id: $key\ntext: 2024-13-45\n", 2, "'2024-13-45' is no timestamp"),
        ("id: $key\ntext: &a [*a]\n", 2, "*a holds itself"),
        ("- id\n", 1, "expected a mapping"),
        ("id: $key\ntext: s\nspan: a\nstart: b\n", 3, "span: give either span, or start and end"),
        ("id: $key\ntext: s\nsplits: {a: b}\n", 3, "splits: it needs `split`"),
        ("# YouCook2\nid: $key\ntext: s\nvideos: data\n", 4, "videos: leads nowhere in"),
        ("id: $key\nvideos: database.a.subset\ntext: s\n", 2, "videos: "),
        ("id: $key\nvideos: database.a.parts\ntext: s\n", 1, "id: $key at"),
        ("videos: database\n\nid: name\ntext: s\n", 3, "id: 'name' leads nowhere at"),
        ("videos: database\nid: $key\nevents: events\ntext: s\n", 3, "events: 'events' leads nowhere at"),
        ("videos: database\nid: $key\nevents: parts\ntext: text\n", 4, "text: 'text' leads nowhere at"),
        (
            "videos: database\nid: $key\nevents: parts\ntext: sentence\nstart: segment.2\n",
            5,
            "start: 'segment.2' leads nowhere at",
        ),
        ("videos: database\nid: $key\nevents: parts\ntext: sentence\nduration: d\n", 5, "duration: 'd' leads nowhere"),
        ("videos: database\nid: $key\nsplit: part\nevents: parts\ntext: sentence\n", 3, "split: 'part' leads nowhere"),
    ],
)
def test_errors_of_the_map_name_its_line(tmp_path: Path, columns: str, line: int, message: str) -> None:
    path = write(tmp_path / "data.json", NESTED)
    with pytest.raises(ConfigError) as caught:
        table(path, columns)
    assert str(caught.value).startswith(f"{tmp_path}/columns.yaml:{line}: {message}")


def test_errors_of_the_map_show_what_is_there(tmp_path: Path) -> None:
    path = write(tmp_path / "data.json", NESTED)
    with pytest.raises(
        ConfigError, match=r"video 'a': event 1: no 'text' in \{segment, sentence\}\. Mend the column map, or the data"
    ):
        table(path, Columns(videos="database", id="$key", events="parts", text="text"))


@pytest.mark.parametrize(
    ("name", "content", "columns", "message"),
    [
        ("rows.csv", "id,text\na,Rain.,x\n", {}, "rows.csv:2: 3 cells under 2 columns. Mend"),
        ("rows.csv", "id,text,id\na,Rain.,b\n", {}, "rows.csv:1: the column 'id' is there twice"),
        ("rows.csv", 'id,text\na,"Rain\n', {}, "rows.csv:2: unexpected end of data. Mend the line's quoting"),
        ("rows.csv", 'id,text\na,"Rain"s\n', {}, "rows.csv:2: ',' expected after '\"'. Mend the line's quoting"),
        ("rows.csv", "id,text\n", {}, "rows.csv: no videos there"),
        ("rows.csv", "", {}, "rows.csv: no videos there"),
        ("rows.txt", "id,text\n", {}, "rows.txt: a table ends in .jsonl, .json, .csv, .tsv, not in '.txt'"),
        (
            "rows.csv",
            "id,text,s\na,Rain.,nan\n",
            {"start": "s"},
            "rows.csv:2: video 'a': the start of sentence 1 is 'nan'",
        ),
        (
            "rows.csv",
            "id,text,s\na,Rain.,1\na,Sun.,\n",
            {"start": "s"},
            "rows.csv:2: video 'a': sentence 2 has no start",
        ),
        (
            "rows.csv",
            "id,text,d\na,A.,1\na,B.,2\n",
            {"duration": "d"},
            "rows.csv:2: video 'a': its duration is '1', and '2'",
        ),
        (
            "rows.json",
            [{"id": "a", "text": ["A.", "B."]}, {"id": "a", "text": "C."}],
            {},
            "rows.json: entry 2: video 'a': g",
        ),
        ("rows.json", [{"id": 1.5, "text": "A."}], {}, "rows.json: entry 1: the id is float, not text"),
        ("rows.json", [{"id": "a", "text": 3}], {}, "rows.json: entry 1: video 'a': sentence 1 is int, not text"),
        (
            "rows.json",
            [{"id": "a", "text": ["A."], "s": []}],
            {"start": "s"},
            "rows.json: entry 1: video 'a': 0 starts for 1",
        ),
        (
            "rows.json",
            [{"id": "a", "text": ["A."], "s": 1}],
            {"end": "s"},
            "rows.json: entry 1: video 'a': no list of ends",
        ),
        (
            "rows.json",
            [{"id": "a", "text": ["A."], "s": [[1]]}],
            {"span": "s"},
            "rows.json: entry 1: video 'a': s 1: not a",
        ),
        (
            "rows.json",
            [{"id": "a", "text": "A.", "s": 1}],
            {"span": "s"},
            "rows.json: entry 1: video 'a': s: not a pair",
        ),
        (
            "rows.json",
            [{"id": "a", "text": "A.", "e": {}}],
            {"events": "e"},
            "rows.json: entry 1: video 'a': its events are d",
        ),
    ],
)
def test_errors_of_the_data_name_its_place(
    tmp_path: Path, name: str, content: object, columns: dict[str, str], message: str
) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(SourceError) as caught:
        table(path, Columns(id="id", text="text", **columns))  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize(
    ("steps", "row", "expected"),
    [
        ("a", {"a": 1}, 1),
        ("a.b.1", {"a": {"b": [1, 2]}}, 2),
        ("a.b", {"a.b": 1, "a": {"b": 2}}, 1),
        ("a.0", {"a": {"0": 1}}, 1),
        ("$value", [1], [1]),
        ("a", {"a": None}, None),
    ],
)
def test_follow(steps: str, row: object, expected: object) -> None:
    assert follow(steps, row) == expected


@pytest.mark.parametrize(
    ("steps", "row"), [("b", {"a": 1}), ("a.b", {"a": 1}), ("a.2", {"a": [1]}), ("a.-1", {"a": [1]})]
)
def test_follow_nowhere(steps: str, row: object) -> None:
    with pytest.raises(LookupError, match="no '"):
        follow(steps, row)


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
rows_like = st.lists(
    st.fixed_dictionaries({"id": values, "text": values}, optional={"start": values, "events": values}), max_size=3
)


@given(rows_like | values, st.sampled_from([None, "events"]), st.sampled_from([None, "start"]))
def test_any_json_is_read_or_explained(
    tmp_path_factory: pytest.TempPathFactory, data: object, events: str | None, start: str | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.json"
    path.write_text(json.dumps(data))
    try:
        reading = table(path, Columns(id="id", text="text", events=events, start=start))
    except TenkError:
        return
    assert reading.counts["videos"] == len(reading.videos) > 0
