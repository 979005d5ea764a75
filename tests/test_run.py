from __future__ import annotations

import os
import time
from concurrent.futures import wait
from pathlib import Path

import pytest

from tenk import parts, processes, run
from tenk.config import RunConfig
from tenk.errors import BudgetError, DatasetError, JournalError, LockedError
from tenk.llm.settings import WriterSettings
from tenk.pipeline import plan
from tenk.progress import Tally, ignore
from tenk.run import augment, locked, shard_workers


def config(outputs: Path, **given: object) -> RunConfig:
    return RunConfig(source="sample", outputs=outputs, limit=3, shard_size=1, **given)


@pytest.mark.parametrize("other", [{}, {"limit": 2}, {"name": "Other"}])
def test_one_run_an_outputs_folder(tmp_path: Path, other: dict[str, object]) -> None:
    mine = config(tmp_path / "outputs")
    said = rf"outputs: another run is writing there \(process {os.getpid()} on \S+, since 20.*Wait for it"
    with locked(mine), pytest.raises(LockedError, match=said), locked(mine.model_copy(update=other)):
        pytest.fail("locked twice")
    with locked(mine), locked(config(tmp_path / "elsewhere")):
        pass


def test_a_lock_whose_holder_has_not_said_who_it_is(tmp_path: Path) -> None:
    mine = config(tmp_path)
    with locked(mine):
        (tmp_path / "parts" / "run.txt").unlink()
        with pytest.raises(LockedError, match=r"writing there\. Wait"), locked(mine):
            pytest.fail("locked twice")


def test_a_lock_ends_with_an_error(tmp_path: Path) -> None:
    mine = config(tmp_path)
    with pytest.raises(ZeroDivisionError), locked(mine):
        raise ZeroDivisionError
    with locked(mine):
        pass


def test_outputs_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(DatasetError, match=r"Not a directory\. Make it writable or name another.*--outputs"),
        locked(config(tmp_path / "file")),
    ):
        pytest.fail("locked")


def test_what_was_stopped_leaves_the_shards_that_it_did_not_begin(tmp_path: Path) -> None:
    planned, tally = plan(config(tmp_path, jobs=1)), Tally()
    augment(planned, report=tally.add, stopped=lambda: tally.counts["shard"] > 0)
    assert [parts.is_complete(shard.part) for shard in planned.shards] == [True, False, False]
    again = plan(planned.config)
    assert again.pending == planned.pending[1:]
    augment(again, report=ignore, stopped=lambda: False)
    assert plan(planned.config).pending == ()


def test_a_failing_shard_ends_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def failing(*arguments: object, **named: object) -> Path:
        begun.append(arguments)
        if len(begun) > 1:
            time.sleep(0.5)
        raise DatasetError("full")

    monkeypatch.setattr(run, "augment_shard", failing)
    with pytest.raises(DatasetError, match="full"):
        augment(plan(config(tmp_path, jobs=1)), report=ignore, stopped=lambda: False)
    assert len(begun) < 3, "the last was called off while the second went on"


def test_what_failed_in_other_shards_is_told_once_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([BudgetError("the cap."), JournalError("saved in a file."), JournalError("saved in a file.")])

    def failing(*arguments: object, **named: object) -> Path:
        raise next(told)

    monkeypatch.setattr(run, "augment_shard", failing)
    planned = plan(config(tmp_path, jobs=1))
    with pytest.raises(BudgetError) as caught, shard_workers(planned) as submit:
        futures = [submit(shard) for shard in planned.pending]
        wait(futures)
        futures[0].result()
    assert str(caught.value) == "the cap.\nsaved in a file."


def test_nothing_to_do_starts_nothing(tmp_path: Path) -> None:
    planned = plan(config(tmp_path)).model_copy(update={"pending": ()})
    with shard_workers(planned):
        pass
    augment(planned, report=lambda tick: pytest.fail(str(tick)), stopped=lambda: False)


def test_only_the_offline_writer_takes_all_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    asking = WriterSettings(name="openai", model="m")
    assert run._jobs(config(tmp_path)) == 3
    assert run._jobs(config(tmp_path, writer=asking)) == 1
    assert run._jobs(config(tmp_path, writer=asking, jobs=2)) == 2


@pytest.mark.parametrize(("count", "jobs"), [(4, 4), (None, 1)])
def test_a_system_that_does_not_tell_which_cores_are_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int | None, jobs: int
) -> None:
    monkeypatch.delattr(processes.os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(processes.os, "cpu_count", lambda: count)
    assert run._jobs(config(tmp_path)) == jobs
