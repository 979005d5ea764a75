"""Which paragraph a caption finds, counted by hand, and the tables and figure of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenk.benchmark import tables
from tenk.benchmark.identify import Identified, figure, identify, table
from tenk.benchmark.identify.identify import a_caption
from tenk.errors import BenchmarkError

PARAGRAPHS = {
    "v 1": "A man rides a brown horse. He falls.",
    "v:2": "A man rides a bicycle. He waves.",
    "v\t3": "A man rides a bicycle. He waves.",
    "v4": "Two women cook <soup> & laugh.",
}
SHORT = {"v 1": "brown horse", "v:2": "bicycle", "v\t3": "soup", "v4": "nobody knows"}


def found() -> list[Identified]:
    rows = [(video, code, text[video]) for code, text in (("f", PARAGRAPHS), ("s", SHORT)) for video in PARAGRAPHS]
    videos, codes, texts = zip(*rows, strict=True)
    return identify(videos, codes, texts)


@pytest.mark.parametrize("number", [0, 1])
def test_ranks(number: int) -> None:
    one = found()[number]
    assert one.scorer == ("TF-IDF", "BM25")[number]
    # Two are the same; `bicycle` is in both; `soup` is in another one, and three have none of it; the last fits none.
    assert one.ranks.tolist() == [1, 1.5, 1.5, 1, 1, 1.5, 3, 2.5]
    assert one.tied.tolist() == [1, 2, 2, 1, 1, 2, 3, 4]
    assert one.hits[1].tolist() == [1, 0.5, 0.5, 1, 1, 0.5, 0, 0.25]
    assert one.hits[5].tolist() == [1] * 8
    cells = one.cells()
    assert list(cells) == ["R@1", "R@5", "R@10", "MedR"]
    assert cells["R@1"] == {"Full": 75.0, "f": 75.0, "s": 43.75}, "no group without all of its codes"
    assert cells["MedR"] == {"Full": 1.25, "f": 1.25, "s": 2.0}


def test_what_people_see() -> None:
    shown = table(found(), "Sample10k, train")
    assert shown.columns[:3] == ("captions", "TF-IDF R@1", "TF-IDF R@5")
    assert shown.columns[-1] == "BM25 MedR"
    assert [row[0] for row in shown.rows] == ["Full", "f", "s"]
    drawn = figure(found(), "Sample10k, train")
    assert [(one.name, one.x, one.y) for one in drawn.series] == [
        ("TF-IDF", ("f", "s"), (75.0, 43.75)),
        ("BM25", ("f", "s"), (75.0, 43.75)),
    ]
    each = a_caption(found())
    assert each.rows[2] == ("TF-IDF", "v\t3", "f", 1.5, 2, 0.5, 1.0, 1.0)
    assert len(each.rows) == 16
    assert tables.as_csv(each).splitlines()[0] == "scorer,video,code,rank,tied,hit@1,hit@5,hit@10"


def test_groups_and_their_medians() -> None:
    codes = ("f", "p", "s", "s+e", "s+i", "s+u", "m", "l", "e", "i", "u", "zz")
    names = [f"v{number}" for number in range(3)]
    text = {name: f"word{name} common thing" for name in names}
    rows = [(name, code, "common" if code in ("p", "l", "e") else text[name]) for name in names for code in codes]
    videos, used, texts = zip(*rows, strict=True)
    cells = identify(videos, used, texts)[1].cells()
    assert set(cells["R@1"]) == {"Full", "Partial", "Short", "Long", "All", *codes}
    third = 100 / 3
    assert cells["R@1"]["Long"] == pytest.approx((200 + 2 * third) / 4)
    assert cells["R@1"]["All"] == pytest.approx((third + 400 + 200 + 2 * third) / 9)
    assert (cells["MedR"]["Partial"], cells["MedR"]["Long"], cells["MedR"]["All"]) == (2.0, 1.5, 1.0)


def test_one_video() -> None:
    for one in identify(["v", "v"], ["f", "s"], ["a man runs", "..."]):
        assert one.ranks.tolist() == [1, 1]


def test_what_cannot_be_identified() -> None:
    with pytest.raises(BenchmarkError, match=r"1 of 2 videos have no full caption \('f'\) to be found by: 'w'"):
        identify(["v", "w"], ["f", "s"], ["a man runs", "he runs"])
    with pytest.raises(BenchmarkError, match=r"caption id 'v\\tf' is given more than once"):
        identify(["v", "v"], ["f", "f"], ["a man runs", "he runs"])


@pytest.mark.real_data
def test_real_paragraphs_and_their_sentences(real_data: Path) -> None:
    import json

    told = json.loads((real_data / "activitynet" / "val_1.json").read_text(encoding="utf-8"))
    videos, codes, texts = [], [], []
    for video, annotation in told.items():
        sentences = [sentence.strip() for sentence in annotation["sentences"]]
        for code, text in (("f", " ".join(sentences)), ("s", sentences[0])):
            videos.append(video)
            codes.append(code)
            texts.append(text)
    for one in identify(videos, codes, texts):
        ones = one.cells()["R@1"]
        assert ones["f"] > 99.9
        assert ones["s"] == pytest.approx({"TF-IDF": 87.0, "BM25": 95.1}[one.scorer], abs=0.1), "the first sentence"
