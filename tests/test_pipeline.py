from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from tenk import parts, pipeline
from tenk.config import RunConfig
from tenk.errors import BudgetError
from tenk.llm.batch.store import Store
from tenk.llm.journal import Claim, Journal
from tenk.llm.settings import WriterSettings
from tenk.pipeline import augment_shard, dropped, estimate, make_budget, plan, publish
from tenk.progress import Tally
from tenk.records import CODES
from tenk.sources import Drop


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    return RunConfig(source="sample", outputs=tmp_path / "outputs", limit=5, shard_size=2)


def test_a_plan_lists_shards_in_order_and_writes_nothing(config: RunConfig) -> None:
    planned = plan(config)
    assert [[len(shard.videos), shard.index] for shard in planned.shards] == [[2, 0], [2, 1], [1, 2]]
    videos = tuple(video for shard in planned.shards for video in shard.videos)
    assert videos == planned.reading.videos[:5]
    assert planned.pending == planned.shards
    assert not config.outputs.exists()
    assert plan(config) == planned


@pytest.mark.parametrize("change", [{"seed": 1}, {"reasks": 1}, {"recheck": True}])
def test_what_shapes_a_part_is_in_its_name(config: RunConfig, change: dict[str, object]) -> None:
    names = {shard.part for shard in plan(config).shards}
    assert names.isdisjoint(shard.part for shard in plan(config.model_copy(update=change)).shards)


@pytest.mark.parametrize("change", [{"jobs": 1}, {"license": "mit"}, {"limit": 4}])
def test_what_does_not_shape_a_part_is_not(config: RunConfig, change: dict[str, object]) -> None:
    names = {Path(shard.part).name for shard in plan(config).shards[:2]}
    assert names == {Path(shard.part).name for shard in plan(config.model_copy(update=change)).shards[:2]}


def test_a_shard_becomes_a_part_that_depends_on_nothing_else(config: RunConfig) -> None:
    planned, tally = plan(config), Tally()
    first = planned.shards[0]
    assert augment_shard(config, planned.templates, first, report=tally.add) == first.part
    assert (tally.counts["answered"], tally.counts["videos"], tally.counts["shard"]) == (6, 2, 1)
    assert plan(config).pending == planned.shards[1:]
    made = list(parts.read(first.part))
    assert [item.video for item in made] == list(first.videos)
    for item in made:
        assert tuple(caption.code for caption in item.captions) == CODES
        assert [each.code for each in item.measures] == [caption.code for caption in item.captions]
    before = contents(config.parts_folder)
    shutil.rmtree(config.parts_folder)
    augment_shard(config, planned.templates, first)
    assert contents(config.parts_folder) == before


def contents(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_parts_in_a_store_without_folders_make_the_same_dataset(config: RunConfig, tmp_path: Path) -> None:
    elsewhere = config.model_copy(update={"parts": f"memory://{tmp_path.name}/parts", "outputs": tmp_path / "other"})
    for each in (config, elsewhere):
        planned = plan(each)
        for shard in planned.pending:
            augment_shard(each, planned.templates, shard)
        assert plan(each).pending == ()
        publish(planned)
    made = {path.name: path.read_bytes() for path in config.dataset_folder.rglob("*") if path.is_file()}
    assert made == {path.name: path.read_bytes() for path in elsewhere.dataset_folder.rglob("*") if path.is_file()}
    assert [path.name for path in Path(elsewhere.outputs / "parts").rglob("*") if path.is_file()] == ["origin.json"]


def test_an_estimate_leaves_out_what_is_journaled(config: RunConfig) -> None:
    planned = plan(config)
    videos = [video for shard in planned.shards for video in shard.videos]
    fresh = estimate(config, planned.templates, videos)
    assert (fresh.calls, fresh.replayed, config.outputs.exists()) == (15, 0, False)
    augment_shard(config, planned.templates, planned.shards[0])
    after = estimate(config, planned.templates, videos)
    assert (after.calls, after.replayed) == (9, 6)


def test_stopped_before_it_began_it_asks_nothing_and_writes_no_part(config: RunConfig) -> None:
    planned = plan(config)
    assert augment_shard(config, planned.templates, planned.shards[0], stopped=lambda: True) is None
    assert parts.manifest(planned.shards[0].part) is None
    with Journal.open(config.journal_url) as journal:
        assert list(journal.rows()) == []


def test_nothing_published_names_a_place_or_a_time(config: RunConfig, tmp_path: Path) -> None:
    planned = plan(config)
    for shard in planned.shards:
        augment_shard(config, planned.templates, shard)
    published = publish(planned)
    about = json.loads((published.folder / "provenance.json").read_text())["splits"]["val_1"]["about"]
    assert about["source_hash"] == planned.reading.content_hash
    assert {prompt["sha256"] for prompt in about["prompts"]} == {each.sha256 for each in planned.templates}
    for file in ("README.md", "provenance.json", "rejections.jsonl"):
        text = (published.folder / file).read_text()
        assert str(tmp_path) not in text
        assert str(Path(pipeline.__file__).parent) not in text


@pytest.mark.parametrize(("given", "said"), [(None, "cc0-1.0"), ("mit", "mit")])
def test_the_card_says_the_licence_of_the_source(config: RunConfig, given: str | None, said: str) -> None:
    planned = plan(config.model_copy(update={"limit": 1, "license": given}))
    augment_shard(config, planned.templates, planned.shards[0])
    card = (publish(planned).folder / "README.md").read_text()
    assert f"\nlicense: {said}\n" in card
    assert f"| `val_1` | sample | {said.replace('-', chr(92) + '-')} |" in card


def test_what_the_source_left_out_is_named_as_the_dataset_names_it(config: RunConfig) -> None:
    reading = plan(config).reading
    first = reading.videos[0]
    drops = (
        Drop(source_id=first.source_id, reason="empty_event", detail="sentence 2"),
        Drop(source_id="v_gone", reason="max_words", detail="900 words, more than 500"),
    )
    found = dropped(reading.model_copy(update={"drops": drops}))
    assert [(each.video_id, each.code, each.axis, each.reason) for each in found] == [
        (first.id, "event", "source", "empty_event"),
        ("v_gone", "video", "source", "max_words"),
    ]


@pytest.mark.parametrize(
    ("writer", "leave", "waits"),
    [("openai", False, False), ("openai-batch", True, False), ("openai-batch", False, True)],
)
async def test_only_who_waits_for_batches_waits_for_the_room_they_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: str, leave: bool, waits: bool
) -> None:
    monkeypatch.setattr(Store, "reserved", lambda self, campaign: 1.5)
    config = RunConfig(
        source="sample", outputs=str(tmp_path), max_cost=2.0, writer=WriterSettings(name=writer, model="m")
    )
    with Journal.open(config.journal_url) as journal:
        async with (
            journal.session(campaign=config.campaign, cap=2.0) as batches,
            journal.session(campaign=config.campaign, cap=2.0) as session,
        ):
            await batches.claim([Claim(key="a" * 64, worst=1.5)])
            budget = make_budget(config, journal, session, leave=leave)
            with pytest.raises(TimeoutError if waits else BudgetError):
                async with asyncio.timeout(0.5):
                    await budget.claim([Claim(key="b" * 64, worst=1.0)])
