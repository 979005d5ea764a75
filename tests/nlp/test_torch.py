"""torch is left out of processes that are tenk's own, and of no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tenk.nlp.pipelines import SPARED

COMMAND = """
import sys
from tenk.cli.app import main
sys.argv = ["tenk", "run", "--source", "sample", "--limit", "1", "--jobs", "1", "--writer", "offline"]
try:
    main()
except SystemExit as leaving:
    assert not leaving.code
assert "spacy" in sys.modules
print("torch" in sys.modules, file=sys.stderr)
import torch
"""
LIBRARY = """
import sys
from tenk.nlp import load_pipeline
load_pipeline(parse=False)
print("torch" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(("program", "there"), [(COMMAND, "False"), (LIBRARY, "True")], ids=["command", "library"])
def test_who_loads_torch(tmp_path: Path, program: str, there: str) -> None:
    pytest.importorskip("torch", reason="the extra `finetune` is not installed")
    environment = {name: value for name, value in os.environ.items() if name != SPARED}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr.split()[-1]) == (0, there), done.stderr
