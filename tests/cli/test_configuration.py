"""A configuration file and flags together make the run; what the file names lies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, journaled, sample_videos


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder beside the working one, with annotations of two videos and a configuration file without a source."""
    folder = tmp_path / "project"
    annotate(folder, sample_videos(2))
    (folder / "run.yaml").write_text("seed: 3\noutputs: out\njournal: kept/journal.sqlite\nwriter: {name: openai}\n")
    (folder / "kept").mkdir()
    return folder


def test_flags_complete_the_file_and_its_paths_are_beside_it(tenk: Tenk, tmp_path: Path, project: Path) -> None:
    given = ("--source", "activitynet", "--annotations", "project", "--writer", "offline", "--jobs", 1)
    done = tenk("run", "project/run.yaml", *given)
    assert done.code == 0, done.err
    assert [path.name for path in tmp_path.iterdir()] == ["project"]
    assert (project / "out" / "datasets" / "ActivityNet10k").is_dir()
    (project / "kept" / "journal.sqlite").rename(project / "journal.sqlite")
    assert len(journaled(project)) == 6


def test_the_journal_of_a_file_is_found_whatever_else_it_leaves_open(tenk: Tenk, project: Path) -> None:
    done = tenk("journal", "stats", "--config", "project/run.yaml")
    assert (done.code, "project/kept/journal.sqlite: no journal there" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "run.yaml:1: the key 'source' is missing. Add it, or name a source with --source."),
        (("--source", "sample"), "run.yaml:4: writer: the openai writer needs a model"),
        (("--source", "sample", "--writer", "openai"), "tenk: writer: the openai writer needs a model"),
        (("--source", "queryd", "--writer", "offline"), "tenk: source 'queryd' needs annotations"),
    ],
)
def test_what_is_still_missing_is_named(tenk: Tenk, project: Path, flags: tuple[str, ...], said: str) -> None:
    done = tenk("run", "project/run.yaml", *flags)
    assert (done.code, done.out) == (2, "")
    assert said in " ".join(done.err.split())
    assert not (project / "out").exists()
