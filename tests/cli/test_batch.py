"""`tenk batch`, and `tenk run` by the Batch API: over real HTTP, step by step, killed and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, contents, journaled, sample_videos
from misbehaving.batching import Batching
from openai_server import Model, Server

from tenk.llm.batch.writer import BatchWriter

KEY = "sk-planted-4f1c0a7e9b2d"
FLAWS = {"word_count": 0.2, "missing_label": 0.1}
CONFIG = """\
source: activitynet
annotations: val_1.json
writer:
  name: {writer}
  model: test-model
  batch_poll: 0.02
  batch_grace: 0.2
  prices: {{input: 1.0, output: 4.0}}
"""


@pytest.fixture
def server(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setitem(BatchWriter.__init__.__kwdefaults__, "quiet", 0.1)
    behave(openai_server)
    return openai_server


def behave(server: Server, **batching: object) -> None:
    server.model = Model(seed=5, key=KEY, flaws=FLAWS, batching=Batching.model_validate(batching))


def configure(folder: Path, writer: str = "openai-batch", videos: int = 6) -> Path:
    annotate(folder, sample_videos(videos))
    path = folder / f"{writer}.yaml"
    path.write_text(CONFIG.format(writer=writer))
    return path


def sizes(server: Server) -> list[int]:
    return [len(batch.lines) for batch in server.batches.batches.values()]


def test_step_by_step(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server, looks=2)
    config = configure(tmp_path)
    first = tenk("batch", "submit", config, "--yes", "--json")
    assert first.code == 0, first.err
    assert sum(first.json["sent"].values()) == first.json["in_batch"] == 18
    assert sizes(server) == [18]
    assert tenk("batch", "submit", config, "--yes", "--json").json["sent"] == {}, "it is in a batch already"
    (sent,) = server.batches.batches.values()
    assert (tmp_path / "outputs" / "runs" / sent.metadata["run"] / "events.jsonl").exists(), "what is spent has a run"

    shown = tenk("batch", "status")
    assert (
        "submitted, made 0 min ago, 18 requests (in_progress: 0 done, 0 failed), batch_0 at the provider" in shown.out
    )
    (told,) = tenk("batch", "status", "--json").json
    assert (told["state"], told["status"], told["requests"], told["model"]) == (
        "submitted",
        "completed",
        18,
        "test-model",
    )
    assert told["worst"] > 0
    assert journaled(tmp_path / "outputs") == set()

    collected = tenk("batch", "collect")
    assert collected.code == 0, collected.err
    assert "(completed: answered 18)" in collected.out
    assert len(journaled(tmp_path / "outputs")) == 18
    assert tenk("batch", "collect").out == "no batches\n"

    again = tenk("batch", "submit", config, "--yes", "--json")
    assert 0 < sum(again.json["sent"].values()) < 18, "the re-asks"
    assert "1 batches are open still" in tenk("batch", "collect").err
    assert tenk("batch", "collect").code == 0

    run = tenk("run", config, "--yes", "--json")
    assert run.code == 0, run.err
    _holds_no_key(tmp_path, server, run.out + run.err + shown.out + collected.out)


def test_what_is_in_a_batch_is_not_asked_one_by_one(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    assert tenk("batch", "submit", configure(tmp_path, videos=2), "--yes").code == 0
    alone = tenk("run", configure(tmp_path, "openai", videos=3), "--yes")
    assert (alone.code, "would pay for it twice" in alone.err) == (1, True), alone.err
    assert tenk("batch", "collect").code == 0
    assert tenk("run", configure(tmp_path, "openai", videos=3), "--yes").code == 0
    assert all(charge.times == 1 for charge in server.batches.ledger.charges.values())


def test_run_does_all_of_it(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server, looks=3, ends=["expired", "cancelled"], twice=0.2, strange=2, broken=0.05)
    config = configure(tmp_path)
    done = tenk("run", config, "--yes", "--json")
    assert done.code == 0, done.err
    assert done.json["asked"] == len(journaled(tmp_path / "outputs")) > 18
    dataset = tmp_path / "outputs" / "datasets" / "ActivityNet10k"
    batched = contents(dataset)
    before = len(server.batches.batches)
    assert tenk("run", config, "--yes", "--json").json["asked"] == 0
    assert (contents(dataset), len(server.batches.batches)) == (batched, before)

    # What batches brought is not asked one by one.
    alone = tenk("run", configure(tmp_path, "openai"), "--yes", "--json")
    assert (alone.code, alone.json["asked"], server.counts["requests"]) == (0, 0, 0), alone.err


def test_cancel_and_collect_what_was_done(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server, looks=100)
    config = configure(tmp_path)
    assert tenk("batch", "submit", config, "--yes").code == 0
    cancelled = tenk("batch", "cancel")
    assert cancelled.code == 0
    assert "cancelling" in cancelled.out
    assert "cancelled: answered 9, failed 9" in tenk("batch", "collect").out
    assert len(journaled(tmp_path / "outputs")) == 9
    refused = tenk("batch", "cancel", "tenk-unknown")
    assert (refused.code, "there is no such batch" in refused.err) == (2, True)


def test_a_batch_of_which_nobody_knows(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server, creations=["lost"])
    config = configure(tmp_path)
    stopped = tenk("batch", "submit", config, "--yes")
    assert stopped.code == 1
    assert "sending it again pays twice" in stopped.err
    shown = tenk("batch", "status")
    assert "intent" in shown.out
    assert "does not list it" in shown.err
    name = shown.out.split(":")[0]
    undecided = tenk("batch", "cancel", name)
    assert (undecided.code, "does not list it" in undecided.err) == (3, True), "there is nothing to cancel"
    assert tenk("batch", "cancel", "--never-sent").code == 2, "not without a name"
    assert tenk("batch", "cancel", name, "--never-sent", "--abandon").code == 2
    declared = tenk("batch", "cancel", name, "--never-sent", "--json")
    assert [each["state"] for each in declared.json] == ["abandoned"]
    assert tenk("batch", "submit", config, "--yes").code == 0
    assert sizes(server) == [18]
    sent = json.loads(tenk("batch", "status", "--json").out)[-1]["batch"]
    assert "Cancel it instead" in tenk("batch", "cancel", sent, "--never-sent").err
    assert tenk("batch", "cancel", sent, "--abandon", "--json").json[0]["state"] == "abandoned"


def test_a_cap_is_never_passed(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server)
    config = configure(tmp_path)
    (tmp_path / "whole").mkdir()
    assert tenk("run", config, "--yes", "--outputs", tmp_path / "whole").code == 0
    whole = server.batches.ledger.total.cost
    server.reset()
    behave(server)
    stopped = tenk("run", config, "--yes", "--max-cost", whole / 2)
    assert stopped.code == 4, stopped.err
    assert "is reached" in stopped.err
    assert 0 < server.batches.ledger.total.cost <= whole / 2
    assert tenk("run", config, "--yes", "--max-cost", 10 * whole).code == 0
    assert server.batches.ledger.total.cost == pytest.approx(whole)


def test_submitting_under_a_cap_ends_where_batches_hold_all_of_it(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    behave(server)
    config = configure(tmp_path)
    (tmp_path / "whole").mkdir()
    assert tenk("batch", "submit", config, "--yes", "--outputs", tmp_path / "whole").code == 0
    (whole,) = tenk("batch", "status", "--json", "--outputs", tmp_path / "whole").json
    server.reset()
    behave(server)
    cap = whole["worst"] / 2
    stopped = tenk("batch", "submit", config, "--yes", "--json", "--max-cost", cap)
    assert (stopped.code, "`tenk batch collect`), then submit again" in stopped.err) == (4, True), stopped.err
    assert 0 < sum(stopped.json["sent"].values()) < 18
    assert 0 < tenk("batch", "status", "--json").json[0]["worst"] <= cap
    # Collecting leaves what the replies did not cost.
    assert tenk("batch", "collect").code == 0
    assert sum(tenk("batch", "submit", config, "--yes", "--json", "--max-cost", cap).json["sent"].values()) > 0


def test_the_price_of_batches_is_estimated(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path)
    text = config.read_text().replace(
        "  prices: {input: 1.0, output: 4.0}\n", "  base_url: https://api.openai.com/v1\n"
    )
    dollars = {}
    for writer in ("openai", "openai-batch"):
        config.write_text(text.replace("openai-batch", writer).replace("test-model", "gpt-4.1-mini"))
        dollars[writer] = tenk("run", config, "--dry-run", "--json").json["expected"]
    assert dollars["openai-batch"] == pytest.approx(dollars["openai"] / 2)


def _holds_no_key(folder: Path, server: Server, said: str) -> None:
    assert KEY not in said
    for file in folder.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    assert not any(KEY.encode() in content for content in server.batches.files.values())
