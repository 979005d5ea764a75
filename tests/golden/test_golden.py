"""A committed journal replays, with nothing to ask, to the dataset that it gave when it was made.

What changes a request (a template's rendering, a setting, the feedback of a re-ask) fails here with requests that
nobody answers; what changes how replies are read fails with other rows. `make.py` makes both anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import contents, rejections
from golden_dataset import FOLDER, configuration, digest

import tenk
from tenk.config import RunConfig, load_config
from tenk.llm.journal import Journal
from tenk.llm.journal.lines import export_lines, import_lines
from tenk.pipeline import plan, publish
from tenk.progress import Tally
from tenk.run import augment

EXPECTED = json.loads((FOLDER / "expected.json").read_text())


def replay(folder: Path) -> tuple[RunConfig, Tally]:
    """A run in the new `folder` over the committed journal."""
    folder.mkdir()
    config = load_config(configuration(folder, EXPECTED["base_url"]), {}, {})
    with Journal.open(config.journal_url) as journal:
        import_lines(journal, FOLDER / "journal.jsonl")
    planned, tally = plan(config), Tally()
    augment(planned, report=tally.add, stopped=lambda: False)
    publish(planned)
    return config, tally


def test_the_journal_gives_the_dataset_that_it_gave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config, tally = replay(tmp_path / "first")
    assert (tally.counts["answered"], tally.counts["failed"], tally.counts["replayed"]) == (0, 0, 3 * 2)
    assert digest(config.dataset_folder) == {key: EXPECTED[key] for key in ("captions", "rejections")}
    again, _ = replay(tmp_path / "second")
    assert contents(again.dataset_folder) == contents(config.dataset_folder)
    with Journal.open(config.journal_url) as journal:
        export_lines(journal, tmp_path / "exported.jsonl")
    assert (tmp_path / "exported.jsonl").read_bytes() == (FOLDER / "journal.jsonl").read_bytes()


def test_the_journal_is_worth_replaying(tmp_path: Path) -> None:
    config, tally = replay(tmp_path / "run")
    rows = list(tenk.load(config.dataset_folder, split="val_1"))
    assert {row["attempt"] for row in rows} == {0, 1, 2}
    assert any(not row["word_count_ok"] for row in rows)
    assert len(rows) + len(rejections(config.dataset_folder)) == 3 * 5
    assert tally.rejections["single_event"] == 1
