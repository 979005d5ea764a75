"""The main job with a language model: over real HTTP, from a server that fails and writes badly."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, contents, journaled, rejections, sample_videos
from openai_server import Model, Server

import tenk as library

KEY = "sk-planted-4f1c0a7e9b2d"
FAULTS = {"429": 0.06, "500": 0.05, "reset": 0.04, "half_body": 0.02}
FLAWS = {
    "word_count": 0.1, "missing_label": 0.08, "markdown": 0.1, "refusal": 0.05, "length": 0.05, "empty": 0.04,
    "preamble": 0.05, "copy": 0.04, "null": 0.02,
}  # fmt: skip
CONFIG = """\
{source}
writer:
  name: openai
  model: test-model
  first_wait: 0.01
  longest_wait: 0.05
"""


@pytest.fixture
def server(openai_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    openai_server.model = Model(seed=5, key=KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return openai_server


def configure(folder: Path, videos: int | None) -> Path:
    """A configuration for the first `videos` of the sample, None for the sample itself."""
    source = "source: sample"
    if videos is not None:
        annotate(folder, sample_videos(videos))
        source = "source: activitynet\nannotations: val_1.json"
    path = folder / "run.yaml"
    path.write_text(CONFIG.format(source=source))
    return path


def test_the_sample_from_a_model_that_writes_badly(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    server.model = Model(seed=5, key=KEY, faults=FAULTS, flaws=FLAWS)
    config = configure(tmp_path, None)
    done = tenk("run", config, "--yes", "--json")
    assert done.code == 0, done.err
    dataset = tmp_path / "outputs" / "datasets" / "Sample10k"
    captions, missing = list(library.load(dataset, split="val_1")), rejections(dataset)
    assert len(captions) + len(missing) == 440, "every output of every video is a caption or a rejection"
    assert len({(row["video_id"], row["code"]) for row in captions}) == len(captions)
    assert sum(server.counts[fault] for fault in FAULTS) > 10
    assert server.counts["answered"] == done.json["asked"] == len(journaled(tmp_path / "outputs")) > 120
    assert {row["attempt"] for row in captions} == {0, 1, 2}, "what failed its checks was asked for again"
    assert done.json["cost"] is None, "the price of this model is not known"
    assert "cost unknown" in done.err
    assert "$0.00" not in done.err + done.out
    _leaves_no_key(tmp_path, done.out + done.err)

    before, bytes_before = server.counts["requests"], contents(dataset)
    again = tenk("run", config, "--json")
    assert (again.code, again.json["asked"], server.counts["requests"]) == (0, 0, before)
    assert contents(dataset) == bytes_before


def _leaves_no_key(folder: Path, said: str) -> None:
    assert KEY not in said
    for file in folder.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


def test_a_wrong_key_ends_with_5(tenk: Tenk, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "sk-planted-wrong-77aa"
    monkeypatch.setenv("OPENAI_API_KEY", wrong)
    done = tenk("run", configure(tmp_path, 2), "--yes")
    assert (done.code, done.out) == (5, "")
    assert "OPENAI_API_KEY" in done.err
    assert not (tmp_path / "outputs" / "datasets").exists()
    assert wrong not in done.err
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and wrong.encode() in file.read_bytes()]


def test_no_key_ends_with_5(tenk: Tenk, tmp_path: Path) -> None:
    done = tenk("run", configure(tmp_path, 2), "--yes")
    assert (done.code, "OPENAI_API_KEY is not set" in done.err) == (5, True)


def test_nothing_is_spent_without_a_yes(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path, 2)
    done = tenk("run", config)
    assert (done.code, done.out, server.counts["requests"]) == (2, "", 0)
    assert "Pass --yes" in done.err
    assert tenk("prompts", "try", "--config", config).code == 2
    assert server.counts["requests"] == 0


def test_requests_without_a_reply_end_with_3_and_are_asked_again(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path, 2)
    server.script.extend(["bad_request", "bad_request"])
    done = tenk("run", config, "--yes")
    assert done.code == 3
    assert "2 requests got no reply: the same command asks for them again" in done.err
    dataset = tmp_path / "outputs" / "datasets" / "ActivityNet10k"
    assert len(rejections(dataset)) == 6
    answered = server.counts["answered"]
    again = tenk("run", config, "--yes", "--json")
    assert (again.code, again.json["asked"], rejections(dataset)) == (0, 2, [])
    assert server.counts["answered"] == answered + 2


def test_what_the_provider_declines_is_a_rejection_and_is_not_asked_again(
    tenk: Tenk, server: Server, tmp_path: Path
) -> None:
    server.model = Model(seed=5, key=KEY, declines={"content_filter": 0.2, "context_length": 0.1})
    config = configure(tmp_path, None)
    done = tenk("run", config, "--yes", "--json")
    assert done.code == 0, done.err
    dataset = tmp_path / "outputs" / "datasets" / "Sample10k"
    declined = {reason: server.counts[reason] for reason in ("content_filter", "context_length")}
    assert sum(declined.values()) > 25, "more than are taken for a server that is out of order"
    missing = rejections(dataset)
    assert {each["reason"] for each in missing} == {*declined}
    for reason, count in declined.items():
        assert f"{reason} {3 * count}" in done.err
        assert done.json["summary"]["rejections"][reason] == 3 * count
    assert (server.counts["requests"], done.json["asked"], done.json["failed"]) == (120, 120, {})

    before, bytes_before = server.counts["requests"], contents(dataset)
    again = tenk("run", config, "--yes", "--json")
    assert (again.code, again.json["asked"], server.counts["requests"]) == (0, 0, before)
    fresh = tenk("run", config, "--yes", "--json", "--jobs", 1, "--seed", 1)
    assert (fresh.code, fresh.json["replayed"], server.counts["requests"]) == (0, 120, before)
    tenk("run", config, "--yes")
    assert contents(dataset) == bytes_before


def test_a_recheck_asks_again_for_what_was_declined(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path, 2)
    server.script.append("content_filter")
    assert tenk("run", config, "--yes").code == 0
    dataset = tmp_path / "outputs" / "datasets" / "ActivityNet10k"
    assert len(rejections(dataset)) == 3
    config.write_text(config.read_text() + "recheck: true\n")
    again = tenk("run", config, "--yes", "--json")
    assert (again.code, again.json["asked"], rejections(dataset)) == (0, 1, [])


def test_a_dry_run_says_calls_tokens_and_three_costs(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path, 2)
    unpriced = tenk("run", config, "--dry-run")
    assert (unpriced.code, unpriced.out.startswith("6 calls, about ")) == (0, True)
    assert unpriced.out.endswith(": cost unknown\n")
    config.write_text(config.read_text() + "  prices: {input: 100, output: 400}\n")
    priced = tenk("run", config, "--dry-run", "--json").json
    assert priced["calls"] == 6
    assert 0 < priced["low"] < priced["expected"] < priced["high"]
    assert "thinking" not in tenk("run", config, "--dry-run").out
    config.write_text(config.read_text() + "  reasoning: true\n")
    assert tenk("run", config, "--dry-run").out.endswith(", each without the model's thinking, which costs more\n")
    assert tenk("run", config, "--yes").code == 0
    after = tenk("run", config, "--dry-run")
    assert after.out.startswith("0 calls")
    assert server.counts["requests"] == 6


def test_structured_output_gives_the_same_captions(tenk: Tenk, server: Server, tmp_path: Path) -> None:
    config = configure(tmp_path, 2)
    config.write_text(config.read_text() + "  structured: true\n")
    assert tenk("run", config, "--yes").code == 0
    assert len(library.load(tmp_path / "outputs" / "datasets" / "ActivityNet10k", split="val_1")) == 22
    assert all("response_format" in body for body in server.bodies)
