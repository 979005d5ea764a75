"""A whole run during which a share of all responses is faulty, of every kind at once: what becomes of each video.

    python tests/bench/faults/faulty.py [--videos 1000] [--share 0.3]

Two thirds of the faults are of the transport (429, 5xx, resets, half bodies, time-outs, invalid JSON, no choices), one
third is in what the reply says (refusals, cut off, wrong labels, wrong word counts). Exits 1 where an output of a video
is neither a caption nor a rejection with its reason, or is both, where the share of faulty responses was not the one
asked for, or where a request that was answered was paid for again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.faults.command import Workplace, model
from bench.faults.evidence import rows
from misbehaving import Misbehaving

TRANSPORT = {
    "429": 4, "429_ms": 1, "429_headers": 1, "429_bare": 1, "408": 1, "409": 1, "500": 4, "503": 2, "529": 1,
    "reset": 3, "half_reset": 2, "half_body": 2, "hang": 1, "slow": 1,
    "invalid_json": 2, "no_choices": 1, "error_200": 1,
}  # fmt: skip
"""Faults of attempts, and their weights."""

SPOILT = {"refusal": 1, "length": 1, "wrong_label": 2, "missing_label": 1, "word_count": 3, "empty": 1, "null": 1}
"""Flaws of replies, and theirs."""

TRANSPORT_PART = 2 / 3
"""Of the faulty responses."""

NEAR = 0.05
"""How far the share of faulty responses may be from the one asked for; below some thousand, chance has its say."""

DONE, PARTIAL = 0, 3
"""Exit codes of a run whose requests were all answered, and of one where some were not."""

WRITER = {"concurrency": 32, "timeout": 1.0, "deadline": 60.0}


@dataclass(frozen=True)
class Fate:
    """What became of a run: `videos` whole, others `set_aside` in part with reasons, `missing` outputs without one."""

    code: int
    said: str
    seconds: float
    responses: int
    faulty: int
    videos: int
    set_aside: int
    captions: int
    reasons: Counter[str]
    missing: int
    twice: int
    unjournaled: int

    @property
    def share(self) -> float:
        return self.faulty / self.responses


def weighted(weights: dict[str, int], share: float) -> dict[str, float]:
    whole = sum(weights.values())
    return {name: share * weight / whole for name, weight in weights.items()}


def measure(folder: Path, *, videos: int, share: float) -> Fate:
    of_attempts = share * TRANSPORT_PART
    faults = weighted(TRANSPORT, of_attempts)
    flaws = weighted(SPOILT, (share - of_attempts) / (1 - of_attempts))
    with Misbehaving(model(seed=3, latency=0.05, slow=1.5, faults=faults, flaws=flaws)) as server:
        place = Workplace(folder / "run", server.base_url, videos, writer=WRITER, keys={"shard_size": 64})
        start = time.monotonic()
        done = place.run()
        seconds = time.monotonic() - start
        server.wait_until_quiet()
        counts = server.observed().counts
        journaled = rows(place.journal)
    captions = _captions(place.dataset)
    rejections = _rejections(place.dataset)
    outputs = {code for _, code in captions} | {code for _, code in rejections}
    listed = [json.loads(line)["video"] for line in (place.folder / "videos.jsonl").read_text().splitlines()]
    wanted = {(video, code) for video in listed for code in outputs}
    whole = Counter(video for video, _ in captions)
    return Fate(
        code=done.code,
        said=done.err,
        seconds=seconds,
        responses=counts["requests"],
        faulty=sum(counts[name] for name in (*TRANSPORT, *SPOILT)),
        videos=sum(whole[video] == len(outputs) for video in listed),
        set_aside=len({video for video, _ in rejections}),
        captions=len(captions),
        reasons=Counter(rejections.values()),
        missing=len(wanted - captions - {key for key, reason in rejections.items() if reason}),
        twice=len(captions & rejections.keys()),
        unjournaled=counts["answered"] - len(journaled),
    )


def _captions(dataset: Path) -> set[tuple[str, str]]:
    """Video and code of every caption."""
    found: set[tuple[str, str]] = set()
    for shard in sorted((dataset / "captions").glob("*.parquet")):
        table = pq.read_table(shard, columns=["video_id", "code"])
        found |= set(zip(table["video_id"].to_pylist(), table["code"].to_pylist(), strict=True))
    return found


def _rejections(dataset: Path) -> dict[tuple[str, str], str]:
    """The reason by video and code."""
    lines = (dataset / "rejections.jsonl").read_text(encoding="utf-8").splitlines()
    each = [json.loads(line) for line in lines]
    return {(one["video_id"], one["code"]): one["reason"] for one in each}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--videos", type=int, default=1000)
    parser.add_argument("--share", type=float, default=0.3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenk-faulty-") as folder:
        fate = measure(Path(folder), videos=arguments.videos, share=arguments.share)
    if fate.code not in {DONE, PARTIAL}:
        sys.exit(f"the run ended with {fate.code}: {fate.said}")
    print(f"{fate.responses:,} responses in {fate.seconds:.0f} s, {fate.share:.1%} of them faulty")
    print(f"{arguments.videos:,} videos: {fate.videos:,} with all captions, {fate.set_aside:,} with some set aside")
    print(f"{fate.captions:,} captions, {sum(fate.reasons.values()):,} rejections: {dict(fate.reasons.most_common())}")
    print(f"outputs without caption and reason        {fate.missing:6}")
    print(f"outputs with both                         {fate.twice:6}")
    print(f"answers that are not in the journal       {fate.unjournaled:6}")
    wrong = fate.missing or fate.twice or fate.unjournaled or abs(fate.share - arguments.share) > NEAR
    sys.exit(bool(wrong or fate.videos + fate.set_aside != arguments.videos))


if __name__ == "__main__":
    main()
