"""Makes the golden journal and what comes of it anew: python tests/golden/make.py (from the project's root).

Only where requests are meant to change: a change that was not meant to is what the golden test is there to find.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden_dataset import FOLDER, configuration, digest  # noqa: E402
from openai_server import Model, Server  # noqa: E402

from tenk.config import load_config  # noqa: E402
from tenk.llm.journal import Journal  # noqa: E402
from tenk.llm.journal.lines import export_lines  # noqa: E402
from tenk.pipeline import plan, publish  # noqa: E402
from tenk.progress import ignore  # noqa: E402
from tenk.run import augment  # noqa: E402

FLAWS = {"word_count": 0.25, "missing_label": 0.15, "markdown": 0.15, "refusal": 0.1, "length": 0.1, "preamble": 0.1}


def main() -> None:
    os.environ["OPENAI_API_KEY"] = "unused"
    with Server() as server, tempfile.TemporaryDirectory() as folder:
        server.model = Model(seed=2, flaws=FLAWS)
        expected = {"base_url": server.base_url}
        config = load_config(configuration(Path(folder), server.base_url), {}, {})
        planned = plan(config)
        augment(planned, report=ignore, stopped=lambda: False, run="golden")
        publish(planned)
        with Journal.open(config.journal_url) as journal:
            export_lines(journal, FOLDER / "journal.jsonl")
        expected |= digest(config.dataset_folder)
        (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
