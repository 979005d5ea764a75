"""Judgements: what files may hold, majorities, what is left to judge."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pooling_helpers import ODD, judged

from tenk.benchmark.pooling.judgements import LABELS, Judgement, Label, by_pair, of_benchmark, pooled, read_judgements
from tenk.benchmark.pooling.lines import write_lines
from tenk.benchmark.pooling.pairs import Pair
from tenk.benchmark.pooling.verdicts import Todo, majority, refuted, repaired, todo, verdicts
from tenk.errors import BenchmarkError

LINE = '{"query": "q", "item": "i", "annotator": "ann", "label": "relevant"}'


def test_files_give_back_what_was_written(tmp_path: Path) -> None:
    given = [judged(query, item, "ann: é\t", "irrelevant", 2) for query in ODD for item in ODD]
    given.append(judged("q", "i", "judge", "unsure", kind="llm", model="m-1", time="2026-11-21T09:30:00Z"))
    write_lines(tmp_path / "some.jsonl", given[:5])
    write_lines(tmp_path / "others.jsonl", given[5:])
    assert list(read_judgements([tmp_path / "some.jsonl", tmp_path / "others.jsonl"])) == given


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LINE.replace("relevant", "maybe"), "line 1: label: Input should be 'relevant', 'irrelevant' or 'unsure'"),
        (LINE.replace('"relevant"', "1"), "line 1: label: Input should be"),
        (LINE.replace('"ann"', '""'), "line 1: annotator: String should have at least 1"),
        (LINE.replace('"annotator": "ann", ', ""), "line 1: the key 'annotator' is missing"),
        (LINE.replace("}", ', "round": 4}'), "line 1: round: Input should be 1, 2 or 3"),
        (LINE.replace("}", ', "kind": "robot"}'), "line 1: kind: Input should be 'human' or 'llm'"),
        (LINE.replace("}", ', "kind": "llm"}'), "line 1: a judgement of kind llm names its model"),
        (LINE.replace("}", ', "model": "m"}'), "line 1: a judgement of kind llm names its model"),
        (LINE.replace("}", ', "time": "noon"}'), "line 1: time: 'noon' is no time as in ISO 8601"),
        (LINE.replace("}", ', "confidence": 1}'), "line 1: unknown key 'confidence'"),
        (f"{LINE}\n{LINE}", r"line 2: 'ann' judged item 'i' for query 'q' already \(.*line 1\)"),
        (LINE + "\n" + LINE.replace("}", ', "round": 2}'), "line 2: 'ann' judged item 'i' for query 'q' already"),
    ],
)
def test_faults_of_files_name_the_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "judgements.jsonl").write_text(text, "utf-8")
    with pytest.raises(BenchmarkError, match=says):
        read_judgements([tmp_path / "judgements.jsonl"])


def test_what_was_not_pooled_is_refused(tmp_path: Path) -> None:
    (tmp_path / "judgements.jsonl").write_text(LINE, "utf-8")
    paths = [tmp_path / "judgements.jsonl"]
    assert len(read_judgements(paths, pooled({("q", "i")}))) == 1
    with pytest.raises(BenchmarkError, match="line 1: item 'i' was not pooled for query 'q'"):
        read_judgements(paths, pooled({("q", "j"), ("i", "q")}))
    known = of_benchmark({"q"}, {"i"})
    assert len(read_judgements(paths, known)) == 1
    with pytest.raises(BenchmarkError, match="line 1: there is no query 'q' among the 1"):
        read_judgements(paths, of_benchmark({"x"}, {"i"}))
    with pytest.raises(BenchmarkError, match="line 1: there is no item 'i' among the 1"):
        read_judgements(paths, of_benchmark({"q"}, {"x"}))


def test_an_annotator_is_of_one_kind(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "both.jsonl",
        [judged("q", "a", "x", "relevant"), judged("q", "b", "x", "relevant", kind="llm", model="m")],
    )
    with pytest.raises(BenchmarkError, match=r"line 2: 'x' is llm here and human in .*line 1"):
        read_judgements([tmp_path / "both.jsonl"])


def test_an_annotator_is_held_to_one_label_across_files(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(LINE, "utf-8")
    with pytest.raises(BenchmarkError, match=r"b\.jsonl, line 1: 'ann' judged .*a\.jsonl, line 1"):
        read_judgements([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=7))
def test_a_label_holds_with_more_than_half(labels: list[Label]) -> None:
    over = [label for label, votes in Counter(labels).items() if votes > len(labels) / 2]
    assert majority(labels) == (over[0] if over else "disagreement")
    assert majority(labels[::-1]) == majority(labels)


def test_verdicts_do_not_depend_on_the_order_of_judgements() -> None:
    given: list[Judgement] = []
    rng = Random(3)
    for query in ODD:
        for annotator in ("a", "b", "c")[: rng.randint(1, 3)]:
            given.append(judged(query, "i", annotator, rng.choice(LABELS), rng.randint(1, 3)))
    wanted = verdicts(given)
    assert {key: len(own) for key, own in by_pair(given).items()} == {k: len(v.votes) for k, v in wanted.items()}
    rng.shuffle(given)
    assert (verdicts(given), list(verdicts(given))) == (wanted, list(wanted))


def test_repaired_labels_only_add() -> None:
    found = verdicts(
        [
            judged("q", "a", "x", "relevant"),
            judged("q", "b", "x", "irrelevant"),
            judged("q", "c", "x", "relevant"),
            judged("q", "c", "y", "irrelevant", 2),
            judged("r", "b", "x", "unsure"),
            judged("q", "o", "x", "irrelevant"),
        ]
    )
    assert found["q", "c"].outcome == "disagreement"
    assert repaired({"q": ["o"], "r": []}, found) == {"q": {"o", "a"}, "r": frozenset()}
    assert refuted({"q": ["o"]}, found) == [("q", "o")]


def test_what_is_left_to_judge() -> None:
    pairs = [Pair(query="q", item=item, planned=2 if item in "bcdef" else 1) for item in "abcdefg"]
    given = [
        judged("q", "a", "x", "relevant"),
        judged("q", "b", "x", "relevant"),
        judged("q", "c", "x", "relevant"),
        judged("q", "c", "y", "relevant", 2),
        judged("q", "d", "x", "relevant"),
        judged("q", "d", "y", "irrelevant", 2),
        judged("q", "e", "x", "relevant"),
        judged("q", "e", "y", "unsure", 2),
        judged("q", "e", "z", "irrelevant", 3),
        judged("q", "f", "y", "relevant", 2),
    ]
    assert list(todo(pairs, given)) == [
        Todo(query="q", item="b", round=2, annotators=("x",)),
        Todo(query="q", item="d", round=3, annotators=("x", "y")),
        Todo(query="q", item="f", round=1, annotators=("y",)),
        Todo(query="q", item="g", round=1),
    ]
    assert [(each.item, each.round) for each in todo(pairs[:2], [])] == [("a", 1), ("b", 1), ("b", 2)]
