"""The golden dataset: how it is configured, and what of it is compared.

Compared are rows, not parquet files, which embed the version of pyarrow; and of the rows all but the statistics, which
follow the spaCy pipeline.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import tenk
from tenk.records import Caption

FOLDER = Path(__file__).resolve().parent / "golden"

CONFIG = """\
source: activitynet
annotations: {folder}/val_1.json
prompts: {folder}/prompts
name: Golden
outputs: outputs
writer: {{name: openai, model: golden-model, base_url: "{base_url}", temperature: 0.5, concurrency: 1}}
"""


def configuration(folder: Path, base_url: str) -> Path:
    """A configuration file in `folder`; its run writes to `folder`/outputs."""
    path = folder / "run.yaml"
    path.write_text(CONFIG.format(folder=FOLDER, base_url=base_url))
    return path


def digest(dataset: Path) -> dict[str, str]:
    """SHA-256 of the captions, and of the file of rejections."""
    rows = [{field: row[field] for field in Caption.model_fields} for row in tenk.load(dataset, split="val_1")]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return {
        "captions": hashlib.sha256(text.encode()).hexdigest(),
        "rejections": hashlib.sha256((dataset / "rejections.jsonl").read_bytes()).hexdigest(),
    }
