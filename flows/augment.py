"""The run as a Prefect flow: the three functions of `tenk.pipeline` as tasks, a task a shard.

    python flows/augment.py CONFIG.yaml

The same inputs and the same journal give the same bytes as `tenk run`. Tasks are not retried by Prefect: the writer
retries requests itself, and a run that is started again goes on from the journal.

Where requests got no reply, the dataset is published without what they were for, and the run ends in the state Partial,
which is of the type FAILED, so that a schedule shows it; the exit code is 3 then, as that of `tenk run`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
# The temporary server logs harmless SQLite lock errors with tracebacks.
os.environ.setdefault("PREFECT_SERVER_LOGGING_LEVEL", "CRITICAL")

from prefect import flow, get_run_logger, task
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.cache_policies import NO_CACHE
from prefect.futures import as_completed
from prefect.states import Failed, State
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from tenk import pipeline
from tenk.config import RunConfig, load_config
from tenk.dataset.about import Published, counted
from tenk.pipeline import Plan, Shard
from tenk.progress import Tally
from tenk.run import locked, shard_workers

PARTIAL = "Partial"
PARTIAL_EXIT_CODE = 3


@task(cache_policy=NO_CACHE)
def plan(config: RunConfig) -> Plan:
    return pipeline.plan(config)


@task(cache_policy=NO_CACHE, retries=0)
def augment_shard(submit: Callable[[Shard], Future[Path | None]], shard: Shard) -> Path | None:
    """Waits for a process of `tenk.run`: processes of Prefect's own would each start a server."""
    return submit(shard).result()


@task(cache_policy=NO_CACHE)
def publish(planned: Plan) -> Published:
    return pipeline.publish(planned)


@flow(name="augment", task_runner=ThreadPoolTaskRunner(max_workers=os.cpu_count() or 1))
def augment(config: str) -> str | State[str]:
    """Makes the dataset that the configuration file `config` describes; its folder, or the state Partial.

    A scheduled run picks up new and changed videos and prompts, and asks for nothing that the journal has.
    """
    settings = load_config(Path(config), {}, os.environ)
    logger = get_run_logger()
    with locked(settings):
        planned = plan(quote(settings))
        pipeline.check_target(planned)
        logger.info("%d shards, %d of them to do", len(planned.shards), len(planned.pending))
        progress = create_progress_artifact(0.0, key="tenk-progress", description="Shards done")
        tally = Tally()
        with shard_workers(planned, report=tally.add) as submit:
            futures = [augment_shard.submit(quote(submit), quote(shard)) for shard in planned.pending]
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                update_progress_artifact(progress, 100 * done / len(futures))
        published = publish(quote(planned))
    create_table_artifact(published.table2_rows(), key="tenk-table2", description="As the paper's Table 2")
    create_markdown_artifact(published.markdown(), key="tenk-summary")
    if tally.failures:
        said = (
            f"{published.folder}: published without what {tally.failures.total():,} requests were for, which got no "
            f"reply ({counted(tally.failures)}). The next run asks for them again."
        )
        logger.warning(said)
        return Failed(name=PARTIAL, message=said)
    return str(published.folder)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python flows/augment.py CONFIG.yaml")
    ended = augment(sys.argv[1], return_state=True)
    if ended.name == PARTIAL:
        sys.stderr.write(f"{ended.message}\n")
        sys.exit(PARTIAL_EXIT_CODE)
    sys.stdout.write(f"{ended.result()}\n")


if __name__ == "__main__":
    main()
