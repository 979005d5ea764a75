"""Prompts in, answered by Curator out: run by a Python that has Curator, not by ours. Speaks as `side` does.

    python -I tests/bench/engine/curator_side.py PROMPTS.jsonl BASE_URL CONCURRENCY

Its fastest settings: its own client (aiohttp, no `openai`), limits that are never reached, no cache of an earlier run.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FOLDER = tempfile.TemporaryDirectory(prefix="tenk-bench-")
os.environ |= {"OPENAI_API_KEY": "none", "TELEMETRY_ENABLED": "false", "CURATOR_CACHE_DIR": FOLDER.name}
import litellm
from bespokelabs import curator
from datasets import Dataset

# Curator counts tokens with a vocabulary that it would download; a package that it depends on holds the same file.
os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers")

UNLIMITED = 1_000_000_000


class Asking(curator.LLM):
    """Sends the messages of a row as they are."""

    def prompt(self, row: dict[str, Any]) -> list[dict[str, str]]:
        return row["messages"]

    def parse(self, row: dict[str, Any], response: str) -> dict[str, str]:
        return {"response": response}


def main() -> None:
    prompts, url, concurrency = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    rows = [{"messages": json.loads(line)} for line in prompts.read_text(encoding="utf-8").splitlines()]
    asking = Asking(
        model_name="gpt-4o-mini",
        backend="openai",
        backend_params={
            "base_url": url,
            "max_concurrent_requests": concurrency,
            "max_requests_per_minute": UNLIMITED,
            "max_tokens_per_minute": UNLIMITED,
        },
        generation_params={"max_tokens": 512},
    )
    dataset = Dataset.from_list(rows)
    print("ready", flush=True)
    sys.stdin.readline()
    start, cpu = time.time(), time.process_time()
    answered = asking(dataset)
    end = time.time()
    count = len(getattr(answered, "dataset", answered))
    assert count == len(rows), f"{count} of {len(rows)} were answered"
    print(json.dumps({"start": start, "end": end, "cpu": time.process_time() - cpu, "memory": 0.0}), flush=True)


if __name__ == "__main__":
    main()
