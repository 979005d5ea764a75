"""The most anonymous memory that a whole evaluation takes: of a mapped matrix, and of embeddings.

    python tests/bench/benchmark_memory.py [--texts 49170] [--videos 4917] [--width 512]

Each runs in a process of its own, which looks at RssAnon in /proc/self/status every five milliseconds: all that the
process holds but pages of files, imports and compiled code among it. Linux only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

BOUND = 300
"""Megabytes (10^6 bytes), of a matrix."""


def anonymous() -> int:
    """Bytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("/proc/self/status has no RssAnon: this needs Linux 4.5 or newer.")


def evaluate(path: str) -> None:
    """In the process that is measured: R@K, ranks and MAP, both ways."""
    from tenk.benchmark import metrics, qrels, standing
    from tenk.benchmark.reading.scores import read

    peak, done = [anonymous()], threading.Event()

    def watch() -> None:
        while not done.is_set():
            peak[0] = max(peak[0], anonymous())
            time.sleep(0.005)

    imported = peak[0]
    watcher = threading.Thread(target=watch)
    watcher.start()
    folder = Path(path).parent
    scores = read(path, query_ids=folder / "queries.txt", item_ids=folder / "items.txt")
    texts, videos = scores.table.shape
    every = np.arange(texts)
    own = qrels.from_positions(scores.queries, scores.items, every, every * videos // texts, np.ones(texts))
    shown = []
    for found in standing.first_both(scores, own):
        shown += [np.nanmean(metrics.hit_rate(found, k)) for k in (1, 5, 10)] + [
            np.nanmedian(metrics.first_rank(found))
        ]
    shown += [np.nanmean(metrics.average_precision(found)) for found in standing.both(scores, own)]
    done.set()
    watcher.join()
    print(f"{peak[0] / 1e6:.0f} MB anonymous at most, {imported / 1e6:.0f} MB of it after the imports")
    print("  " + " ".join(f"{value:.6g}" for value in shown))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=49_170)
    parser.add_argument("--videos", type=int, default=4_917)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--evaluate", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.evaluate:
        evaluate(given.evaluate)
        return
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, count in (("queries.txt", given.texts), ("items.txt", given.videos)):
            (folder / file).write_text("\n".join(map(str, range(count))), encoding="utf-8")
        matrix = np.lib.format.open_memmap(folder / "s.npy", "w+", np.float32, (given.texts, given.videos))
        for first in range(0, given.texts, 4096):
            rows = matrix[first : first + 4096]
            rows[:] = rng.standard_normal(rows.shape, dtype=np.float32)
        matrix.flush()
        np.savez(
            folder / "e.npz",
            queries=rng.standard_normal((given.texts, given.width), dtype=np.float32),
            items=rng.standard_normal((given.videos, given.width), dtype=np.float32),
        )
        for what, file in (("mapped matrix", "s.npy"), ("embeddings", "e.npz")):
            done = subprocess.run(
                [sys.executable, __file__, "--evaluate", str(folder / file)],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise SystemExit(done.stderr)
            print(f"{what}: {done.stdout}", end="")
    print(f"Of a mapped matrix it should be under {BOUND} MB.")


if __name__ == "__main__":
    main()
