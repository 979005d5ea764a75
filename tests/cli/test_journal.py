"""`tenk journal`: what it tells, checks and removes, and that it asks before it does."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from cli_helpers import Tenk
from journal_helpers import entry, execute, key, wanted

from tenk.llm.batch.records import Batch, Detail, Wanted
from tenk.llm.batch.store import Store
from tenk.llm.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with two replies and some spending, where the command looks for it."""
    path = tmp_path / "outputs" / "journal.sqlite"

    async def run() -> None:
        with Journal.open(path) as opened:
            async with opened.session(campaign="Sample10k/val_1", cap=None, run="r") as session:
                await session.claim(wanted(1, 2, 3, worst=0.5))
                await session.put(entry(1))
                await session.put(entry(2))
                await session.charge(key(3), "timeout")

    asyncio.run(run())
    return path


def test_stats(tenk: Tenk, journal: Path) -> None:
    told = tenk("journal", "stats")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0] == "fake-1: 2 replies (0 re-asks), 20 tokens in and 6 out, $0.50"
    assert lines[1] == "spent for Sample10k/val_1: $1.00: answered $0.50 (2), timeout $0.50 (1)"
    assert lines[2].startswith("replies from 20")
    assert lines[3].endswith(" MiB on disk")
    found = tenk("journal", "stats", "--json").json
    assert (found["models"][0]["replies"], len(found["spent"]), found["claims"]) == (2, 2, [])


def test_stats_of_who_is_at_work(tenk: Tenk, journal: Path) -> None:
    async def run() -> str:
        with Journal.open(journal) as opened:
            async with opened.session(campaign="c", cap=None) as session:
                await session.claim(wanted(4, 5))
                return tenk("journal", "stats").out

    assert "at work for c: 2 requests, $2.00 at the most (process " in asyncio.run(run())


def test_verify(tenk: Tenk, journal: Path) -> None:
    assert tenk("journal", "verify") == (0, "all is well\n", "")
    execute(journal, f"UPDATE tenk_replies SET payload = '{{}}' WHERE key = '{key(1)}'")
    told = tenk("journal", "verify")
    assert (told.code, told.out.count("\n")) == (1, 1)
    assert told.out.startswith(f"reply {key(1)}: the key is not the hash of its request")
    assert "restore an export of before" in told.err


def test_prune_asks_first(tenk: Tenk, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tenk("journal", "prune", "--model", "fake-1")
    assert (asked.code, asked.out) == (2, "")
    assert "2 replies, which cost $0.50, are to be removed for good." in asked.err
    assert "Pass --yes" in asked.err
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    assert tenk("journal", "prune", "--model", "fake-1").code == 130
    assert tenk("journal", "stats").out.startswith("fake-1: 2 replies")
    done = tenk("journal", "prune", "--model", "fake-1", "--yes")
    assert (done.code, done.out) == (0, "2 replies removed\n")
    assert tenk("journal", "stats").out.startswith("no replies\nspent for Sample10k/val_1: $1.00")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "--older-than DAYS, --model NAME"),
        (("--model", "nobody"), 0, "0 replies"),
        (("--older-than", "30"), 0, "0 replies"),
        (("--older-than", "-1"), 2, "--older-than"),
        (("--model", "fake-1", "--outputs", "nowhere"), 2, "no journal there"),
    ],
)
def test_prune_what(tenk: Tenk, journal: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    told = tenk("journal", "prune", *arguments)
    assert (told.code, told.out, said in told.err) == (code, "", True)


def test_spending_moves_along(tenk: Tenk, journal: Path, tmp_path: Path) -> None:
    assert tenk("journal", "export", "all.jsonl").err == "2 replies\n"
    assert json.loads((tmp_path / "all.jsonl").read_text().splitlines()[-1])["reason"] == "timeout"
    for _ in range(2):
        tenk("journal", "import", "all.jsonl", "--journal", "other.sqlite")
    assert "spent for Sample10k/val_1: $1.00: " in tenk("journal", "stats", "--journal", "other.sqlite").out


def test_no_export_while_batches_are_open(tenk: Tenk, journal: Path, tmp_path: Path) -> None:
    with Journal.open(journal) as opened:
        batch = Batch(batch="b", campaign="c", run="r", place="p", created=opened.now(), detail=Detail())
        Store(opened).intend(batch, [Wanted(key=key(4), payload="{}", round=0, worst=1.0)])
    refused = tenk("journal", "export", "all.jsonl")
    assert (refused.code, refused.out) == (1, "")
    assert "1 batches are open" in refused.err
    assert not (tmp_path / "all.jsonl").exists()
    assert tenk("journal", "export", "all.jsonl", "--leave-batches").err == "2 replies\n"
