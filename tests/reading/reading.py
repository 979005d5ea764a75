"""Thirty videos of the sample in, every caption that the offline writer makes of them out, for a reader to judge.

    python tests/reading/reading.py           prints the share of acceptable captions, by code and in all
    python tests/reading/reading.py --draw    writes verdicts.jsonl anew; what did not change keeps its verdict

A line of verdicts.jsonl is one caption: video, code, text, acceptable (true or false; null: not read yet) and remark.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonlines

from tenk.llm.offline import OfflineWriter
from tenk.prompting import load_templates, render
from tenk.records import CODES, Draft, Request
from tenk.replies import parse
from tenk.sources import read

VERDICTS = Path(__file__).with_name("verdicts.jsonl")
PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
SEED, VIDEOS = 0, 30


async def _stream(requests: list[Request]) -> AsyncIterator[Request]:
    for request in requests:
        yield request


def captions() -> list[dict[str, Any]]:
    """Video, code and text of every caption of the thirty videos that the seed draws."""
    drawn = sorted(
        read("sample", None, "val_1").videos,
        key=lambda video: hashlib.sha256(f"{SEED}:{video.id}".encode()).hexdigest(),
    )[:VIDEOS]
    requests = [render(template, video) for video in drawn for template in load_templates(PROMPTS)]
    found: dict[str, dict[str, str]] = defaultdict(dict)

    async def write() -> None:
        async for request, draft in OfflineWriter().write(_stream(requests)):
            assert isinstance(draft, Draft)
            source = " ".join(request.source)
            parsed = parse(draft.body, draft.finish_reason, request.asked, source, keep_copies=True)
            found[request.video_id] |= {code: text.text for code, text in parsed.texts.items()}

    asyncio.run(write())
    return [
        {"video": video.id, "code": code, "text": found[video.id][code]}
        for video in drawn
        for code in CODES
        if code in found[video.id]
    ]


def verdicts() -> list[dict[str, Any]]:
    """The lines of verdicts.jsonl."""
    with jsonlines.open(VERDICTS) as lines:
        return list(lines.iter(type=dict))


def rates(lines: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Acceptable captions and captions, by code and under `all`."""
    counted: dict[str, tuple[int, int]] = {}
    for line in lines:
        for key in (line["code"], "all"):
            good, total = counted.get(key, (0, 0))
            counted[key] = (good + (line["acceptable"] is True), total + 1)
    return counted


def draw() -> None:
    known = {(line["video"], line["code"], line["text"]): line for line in (verdicts() if VERDICTS.exists() else [])}
    with jsonlines.open(VERDICTS, "w") as lines:
        for caption in captions():
            key = (caption["video"], caption["code"], caption["text"])
            lines.write(known.get(key, caption | {"acceptable": None, "remark": ""}))


if __name__ == "__main__":
    if "--draw" in sys.argv:
        draw()
    for code, (good, total) in rates(verdicts()).items():
        print(f"{code:4} {good:3} of {total:3} acceptable, {good / total:.0%}")
