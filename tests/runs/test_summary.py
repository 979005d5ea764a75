from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_helpers import TICKS, finished_run

from tenk.progress import Tick
from tenk.runs import Summary, find_run, summarize
from tenk.runs.costs import Costs


@pytest.fixture
def summary(tmp_path: Path) -> Summary:
    finished_run(tmp_path)
    return summarize(find_run(tmp_path, None))


def test_what_happened_is_counted(summary: Summary) -> None:
    assert (summary.state, summary.begun, summary.last) == ("partial", "2026-11-21T16:15:01Z", "2026-11-21T16:15:21Z")
    assert summary.seconds == 20
    assert (summary.attempts, summary.answered, summary.replayed, summary.reasked) == (6, 3, 1, 1)
    assert summary.failures == {"context_length": 1}
    assert summary.retries == {"429": 1, "timeout": 1}
    assert summary.rejections == {"word_count": 1}
    assert (summary.throttled, summary.waited, summary.videos_done) == (1, 4, 2)
    assert (summary.cost, summary.unpriced, summary.damaged, summary.unlogged) == (0.875, 1, 0, 0)


def test_costs_by_axis_cause_and_video(summary: Summary) -> None:
    assert [(each.axis, each.n, each.cost, each.unpriced) for each in summary.by_axis] == [
        ("simplification", 2, 0.125, 1),
        ("summarization", 2, 0.75, 0),
    ]
    assert [(each.kind, each.round, each.reason, each.n, each.cost) for each in summary.by_cause] == [
        ("ask", 0, "", 2, 0.375),
        ("reask", 1, "", 1, 0.0),
        ("attempt", 0, "timeout", 1, 0.5),
    ]
    assert [(each.video, each.n, each.cost, each.unpriced) for each in summary.by_video] == [("a", 4, 0.875, 1)]


ticks = st.builds(
    Tick,
    kind=st.sampled_from(["answered", "spent", "replayed", "failed", "asked"]),
    cost=st.one_of(st.none(), st.integers(0, 1000).map(lambda cents: cents / 100)),
    video=st.sampled_from("abc"),
    axis=st.sampled_from("xy"),
    round=st.integers(0, 2),
    reason=st.sampled_from(["timeout", "reset"]),
)


@settings(deadline=None)
@given(st.lists(ticks))
def test_each_of_the_three_comes_to_the_same_sum(happened: list[Tick]) -> None:
    costs = Costs()
    for tick in happened:
        costs.add(tick)
    paid = [tick for tick in happened if tick.kind in {"answered", "spent"}]
    for table in (costs.by_axis(), costs.by_cause(), costs.by_video()):
        assert sum(each.n for each in table) == len(paid)
        assert sum(each.unpriced for each in table) == sum(tick.cost is None for tick in paid)
        assert sum(each.cost for each in table) == pytest.approx(sum(tick.cost or 0.0 for tick in paid))


def test_the_dearest_video_is_first_and_equals_stand_by_id() -> None:
    costs = Costs()
    for video, cost in (("b", 0.5), ("c", 0.75), ("a", 0.5)):
        costs.add(Tick(kind="answered", video=video, cost=cost))
    assert [each.video for each in costs.by_video()] == ["c", "a", "b"]


def test_a_log_with_nothing_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "20261121T161500-aaaa"
    folder.mkdir()
    (folder / "events.jsonl").write_bytes(b"")
    summary = summarize(find_run(tmp_path, None))
    assert (summary.begun, summary.last, summary.seconds, summary.cost, summary.about) == (None, None, 0.0, 0.0, None)


def test_what_was_written_is_enough(tmp_path: Path) -> None:
    folder = finished_run(tmp_path / "here", TICKS)
    moved = tmp_path / "there" / folder.name
    moved.parent.mkdir()
    folder.rename(moved)
    assert summarize(find_run(moved.parent, None)).answered == 3
