"""Everything but the writer on a real split, against a bare `nlp.pipe` over the same texts in the same process.

    python tests/bench/pipeline_speed.py --annotations ../shared/data/activitynet [--split val_1] [--limit N]

The journal is filled first by the offline writer, in processes of its own and not timed. Then, in this process: read,
render, replay, parse, validate, measure and publish, timed whole; and the texts of the published captions through the
same spaCy components. Printed: both times, their ratio, and this process's peak memory.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path

from tenk.config import RunConfig
from tenk.nlp import load_pipeline
from tenk.pipeline import augment_shard, plan, publish
from tenk.progress import ignore
from tenk.run import augment


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotations", type=Path, required=True)
    parser.add_argument("--source", default="activitynet")
    parser.add_argument("--split", default="val_1")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = RunConfig(
            source=arguments.source,
            annotations=arguments.annotations,
            split=arguments.split,
            limit=arguments.limit,
            outputs=Path(folder),
        )
        start = time.perf_counter()
        augment(plan(config), report=ignore, stopped=lambda: False)
        print(f"journal filled by the offline writer, all cores  {time.perf_counter() - start:8.1f} s", flush=True)
        shutil.rmtree(config.parts_folder)
        nlp = load_pipeline(config.nlp, parse=False)
        list(nlp.pipe(["A dog runs."] * 100))

        start = time.perf_counter()
        planned = plan(config)
        for shard in planned.pending:
            augment_shard(config, planned.templates, shard)
        published = publish(planned)
        whole = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

        texts = _texts(published.folder, arguments.split)
        start = time.perf_counter()
        tokens = sum(len(doc) for doc in nlp.pipe(texts, batch_size=256))
        bare = time.perf_counter() - start
    videos = sum(len(shard.videos) for shard in planned.shards)
    print(
        f"everything but the writer, one process           {whole:8.1f} s  {videos:,} videos, {len(texts):,} captions"
    )
    print(f"bare nlp.pipe over the same texts                {bare:8.1f} s  {tokens / bare:,.0f} tokens/s")
    print(f"speed, as a share of the bare nlp.pipe's         {bare / whole:8.2f}")
    print(f"peak memory                                      {peak:8.0f} MiB")


def _texts(folder: Path, split: str) -> list[str]:
    import pyarrow.parquet as pq

    shards = sorted((folder / "captions").glob(f"{split}-*.parquet"))
    return [text for shard in shards for text in pq.read_table(shard, columns=["text"])["text"].to_pylist()]


if __name__ == "__main__":
    main()
