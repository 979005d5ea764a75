"""Shards that overlap in one event loop, over real HTTP; statistics in another process."""

from __future__ import annotations

from pathlib import Path

import pytest
from openai_server import Model, Server

from tenk import engine
from tenk.config import RunConfig
from tenk.engine import Engine
from tenk.errors import BudgetError, CredentialsError, TenkError
from tenk.llm.settings import Prices, WriterSettings
from tenk.pipeline import Plan, augment_shard, plan
from tenk.progress import Tally, Tick, ignore

KEY = "sk-planted-77aa88bb99cc"


@pytest.fixture
def server(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return openai_server


def planned(folder: Path, *, limit: int = 12, shard_size: int = 3, max_cost: float | None = None) -> Plan:
    writer = WriterSettings(
        name="openai", model="test-model", concurrency=6, first_wait=0.01, prices=Prices(input=1.0, output=4.0)
    )
    outputs = folder / "outputs"
    return plan(
        RunConfig(
            source="sample", outputs=outputs, limit=limit, shard_size=shard_size, writer=writer, max_cost=max_cost
        )
    )


def made(plan: Plan) -> dict[str, bytes]:
    folder = Path(plan.config.parts_folder)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def run(plan: Plan, tally: Tally) -> list[str | None]:
    with Engine(
        plan.config, plan.templates, shards=len(plan.pending), report=tally.add, stopped=lambda: False
    ) as opened:
        return [future.result() for future in [opened.submit(shard) for shard in plan.pending]]


def test_parts_are_those_of_one_shard_after_the_other(server: Server, tmp_path: Path) -> None:
    server.model = Model(latency=0.02, flaws={"word_count": 0.2, "missing_label": 0.1})
    one, other = planned(tmp_path / "a"), planned(tmp_path / "b")
    for shard in one.pending:
        augment_shard(one.config, one.templates, shard)
    asked = server.counts["requests"]
    tally = Tally()
    assert run(other, tally) == [shard.part for shard in other.pending]
    assert made(one) == made(other)
    assert server.counts["requests"] == 2 * asked
    assert (tally.counts["videos"], tally.counts["shard"]) == (12, 4)
    assert tally.counts["answered"] == asked > 36
    assert plan(other.config).pending == ()


def test_the_next_shard_is_asked_for_while_one_waits(server: Server, tmp_path: Path) -> None:
    """Shards of one video with three requests each leave half of six slots empty, unless they overlap."""
    server.model = Model(latency=0.05)
    run(planned(tmp_path, limit=6, shard_size=1), Tally())
    assert server.most_in_flight == 6


def test_an_error_ends_the_others_after_what_was_in_flight(server: Server, tmp_path: Path) -> None:
    server.model = Model(latency=0.02)
    server.script.extend([None] * 10 + ["401"])
    tally = Tally()
    with pytest.raises(CredentialsError):
        run(planned(tmp_path), tally)
    assert tally.counts["answered"] == server.counts["answered"] < 36


def test_a_run_that_is_told_to_stop_makes_no_part_of_what_is_not_asked(server: Server, tmp_path: Path) -> None:
    plan, tally = planned(tmp_path), Tally()
    with Engine(
        plan.config, plan.templates, shards=4, report=tally.add, stopped=lambda: tally.counts["answered"] >= 5
    ) as opened:
        assert None in [future.result() for future in [opened.submit(shard) for shard in plan.pending]]
    assert tally.counts["answered"] == server.counts["answered"]


def test_a_journal_that_cannot_be_opened_says_so(server: Server, tmp_path: Path) -> None:
    one = planned(tmp_path)
    (tmp_path / "outputs").write_text("in the way")
    with pytest.raises(TenkError, match="outputs"):
        run(one, Tally())


def test_a_writer_that_cannot_begin_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(CredentialsError, match="OPENAI_API_KEY is not set"):
        run(planned(tmp_path), Tally())


def test_a_cap_ends_the_run_below_it_and_a_higher_one_goes_on(server: Server, tmp_path: Path) -> None:
    whole = planned(tmp_path / "whole")
    cost = Tally()
    run(whole, cost)
    cap = cost.cost / 2
    tally = Tally()
    with pytest.raises(BudgetError, match="The cap of"):
        run(planned(tmp_path / "capped", max_cost=cap), tally)
    assert 0.7 * cap < tally.cost <= cap, "36 requests in all: one more could cost the rest"
    again = planned(tmp_path / "capped", max_cost=10 * cap)
    run(again, tally)
    assert tally.cost == pytest.approx(cost.cost)
    assert made(again) == made(whole)


def test_ticks_say_which_video_and_axis_they_are_about(server: Server, tmp_path: Path) -> None:
    ticks: list[Tick] = []
    one = planned(tmp_path, limit=2)
    with Engine(one.config, one.templates, shards=1, report=ticks.append, stopped=lambda: False) as opened:
        opened.submit(one.pending[0]).result()
    about = {(tick.video, tick.axis) for tick in ticks if tick.kind == "answered"}
    videos = {video.id for video in one.pending[0].videos}
    assert about == {(video, template.axis) for video in videos for template in one.templates}
    assert about == {(tick.video, tick.axis) for tick in ticks if tick.kind == "asked"}


@pytest.mark.parametrize(("writer", "concurrency", "expected"), [("openai", 32, 2), ("openai", 2000, 7)])
def test_as_many_shards_are_open_as_keep_the_endpoint_busy(writer: str, concurrency: int, expected: int) -> None:
    settings = WriterSettings(name="openai", model="m", concurrency=concurrency)
    assert engine._open_at_once(RunConfig(source="sample", writer=settings), axes=3) == expected


def test_nothing_submitted_is_nothing_done(server: Server, tmp_path: Path) -> None:
    one = planned(tmp_path)
    with Engine(one.config, one.templates, shards=0, report=ignore, stopped=lambda: False):
        pass
    assert server.counts["requests"] == 0
