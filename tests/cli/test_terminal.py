"""What people see: live progress on a terminal, lines off it, colours where they are wanted, nothing that steers."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_helpers import Tenk, annotate, one_video, sample_videos

from tenk.cli import live
from tenk.cli.console import plain
from tenk.cli.live import going, of_cap, state, watching
from tenk.progress import Tally, Tick

SECONDS = 90
COLOUR = "\x1b[3"


def on_a_terminal(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout (a pipe) and stderr (a pseudo-terminal) of the command in `folder`."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tenk", *arguments]
    surroundings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "150", **environment}
    with subprocess.Popen(command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = bytearray()
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so of a terminal that nobody writes to any more.
                break
            if not piece:
                break
            seen += piece
        assert process.stdout is not None
        out = process.stdout.read().decode()
    os.close(ours)
    return process.returncode, out, seen.decode()


def test_progress_lives_on_a_terminal_and_stdout_stays_data(tmp_path: Path) -> None:
    annotate(tmp_path, sample_videos(3))
    run = ("run", "--source", "activitynet", "--annotations", "val_1.json", "--jobs", "1", "--json")
    code, out, err = on_a_terminal(tmp_path, *run)
    assert code == 0, err
    assert out.startswith("{")
    assert "\x1b" not in out
    assert "9 of 9" in err
    assert "\x1b[?25l" in err, "a live display hides the cursor"
    assert COLOUR in err


def test_no_color_is_heeded(tmp_path: Path) -> None:
    code, _, err = on_a_terminal(tmp_path, "run", "--source", "nope", NO_COLOR="1")
    assert (code, "there is no source" in err, COLOUR in err) == (2, True, False)
    _, _, coloured = on_a_terminal(tmp_path, "run", "--source", "nope")
    assert COLOUR in coloured


def test_off_a_terminal_there_are_lines_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.05)
    monkeypatch.setattr(live, "REDRAWN", 0.05)
    with watching(Tally(), 4) as report:
        report(Tick(kind="replayed"))
        report(Tick(kind="answered", cost=0.5))
        time.sleep(0.3)
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(line.startswith("2 of 4 requests, 1.0/s, about ") for line in lines)
    assert lines[0].endswith(" left · 1 asked · 1 replayed · $0.50")


def test_a_state_names_costs_and_reasons() -> None:
    tally = Tally()
    tally.add(Tick(kind="answered", cost=0.02))
    assert state(tally) == "1 asked · 0 replayed · $0.02"
    tally.add(Tick(kind="answered", cost=None))
    tally.add(Tick(kind="reasked", n=2))
    tally.add(Tick(kind="failed", reason="rate_limit"))
    tally.add(Tick(kind="rejected", reason="refused"))
    tally.add(Tick(kind="rejected", reason="empty", n=2))
    assert state(tally) == (
        "2 asked · 0 replayed · at least $0.02 · 2 re-asked · 1 request without a reply (rate_limit 1) · "
        "3 captions missing (empty 2, refused 1)"
    )
    assert tally.settled == 3
    tally.add(Tick(kind="retried", reason="reset"))
    tally.add(Tick(kind="throttled", seconds=5))
    assert " · at least $0.02 of $1.00 · 2 re-asked · 1 repeated (reset 1) · throttled once · " in state(
        tally, cap=of_cap(1.0, 0.0)
    )
    assert (of_cap(None, 0.0), of_cap(5.0, 1.2)) == ("", " of $5.00 ($1.20 before)")
    unpriced = Tally()
    unpriced.add(Tick(kind="answered", cost=None))
    assert state(unpriced) == "1 asked · 0 replayed · cost unknown"


def test_what_goes_on_at_a_moment() -> None:
    tally = Tally()
    assert going(tally, 0.0) == ""
    for tick in (
        Tick(kind="started", n=100),
        Tick(kind="asked", n=22),
        Tick(kind="answered", n=20),
        Tick(kind="throttled", seconds=12),
    ):
        tally.add(tick, 0.0)
    assert going(tally, 10.0) == "2.0/s, 2 in flight, waiting 2 s, about 40 s left"
    assert going(tally, 20.0) == "1.0/s, 2 in flight, about 80 s left"
    tally.add(Tick(kind="replayed", n=80), 20.0)
    assert going(tally, 20.0) == "1.0/s, 2 in flight"


def test_a_caption_cannot_steer_the_terminal(tenk: Tenk, tmp_path: Path) -> None:
    annotate(tmp_path, {"v_a": one_video("A man \x1b[2Jwalks [bold]his[/bold] dog.", "He \u202esits\u202c down.")})
    assert tenk("run", "--source", "activitynet", "--annotations", "val_1.json", "--jobs", 1).code == 0
    shown = tenk("show", "outputs/datasets/ActivityNet10k").out
    assert "A man \ufffd[2Jwalks [bold]his[/bold] dog. He \ufffdsits\ufffd down." in shown
    assert plain("tab\tand\nline") == "tab\tand\nline"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_the_encoding_of_stdout_lacks_is_no_failure(tmp_path: Path, encoding: str) -> None:
    annotate(tmp_path, {"v_a": one_video("An Åland beach 🏖 is shown to Δ.", "The woman sits down.")})
    surroundings = {**os.environ, "PYTHONIOENCODING": encoding}
    dataset = "outputs/datasets/ActivityNet10k"

    def called(*arguments: str) -> str:
        command = [sys.executable, "-m", "tenk", *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=surroundings, capture_output=True, timeout=SECONDS, check=False
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
        return done.stdout.decode(encoding)

    called("run", "--source", "activitynet", "--annotations", "val_1.json", "--jobs", "1")
    assert "? Nouns" in called("stats", dataset)
    assert " beach ? is shown to ?. The woman sits down." in called("show", dataset)
    shown = json.loads(called("show", dataset, "--json"))
    assert shown[0]["text"] == "An Åland beach 🏖 is shown to Δ. The woman sits down."


def test_a_reader_that_leaves_is_no_failure_to_explain(published: Path) -> None:
    dataset = published / "outputs" / "datasets" / "Sample10k"
    shell = f"{sys.executable} -m tenk show {dataset} -n 40 | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=SECONDS, check=True)
    assert done.stdout.startswith("clay-wheel7")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "verb",
    [
        (),
        ("run",),
        ("show",),
        ("stats",),
        ("export",),
        ("publish",),
        ("prompts",),
        ("prompts", "try"),
        ("doctor",),
        ("journal",),
        ("runs",),
        ("runs", "show"),
        ("watch",),
    ],
)
def test_help_needs_no_heavy_library(verb: tuple[str, ...]) -> None:
    heavy = ("openai", "spacy", "datasets", "pandas", "pyarrow", "sqlalchemy", "torch", "textstat", "thinc")
    script = (
        "import sys\n"
        "from tenk.cli.app import app\n"
        "try:\n    app()\nexcept SystemExit as leaving:\n    assert leaving.code == 0, leaving.code\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *verb, "--help"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert "Usage" in done.stdout
    assert done.stderr == "[]\n"
