"""The run as a Prefect flow: the three functions of `tenk.pipeline` as tasks, a task a shard.

    python flows/augment.py CONFIG.yaml                   # on the processes of `tenk run`
    python flows/augment.py CONFIG.yaml --workers 4       # on four Dask workers, started here
    python flows/augment.py CONFIG.yaml --dask ADDRESS    # on the workers of a Dask cluster; see cluster.py

The same inputs and the same journal give the same bytes as `tenk run`, wherever shards are made. Tasks are not retried
by Prefect: the writer retries requests itself, and a run that is started again goes on from the journal.

Where requests got no reply, the dataset is published without what they were for, and the run ends in the state Partial,
which is of the type FAILED, so that a schedule shows it; exit codes are those of `tenk run`, 3 in this case.

Runs may overlap. Those of one outputs folder exclude each other, the second failing at once. Those of several machines
that share a journal and the place of the parts do not, and need not: requests are claimed in the journal before they
are sent, and a part is the same whoever writes it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "warning")
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
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Failed, State
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.cluster import Cluster, augmented
from tenk import parts, pipeline
from tenk.config import RunConfig, load_config
from tenk.dataset.about import Published, counted
from tenk.errors import TenkError
from tenk.logged import start_log
from tenk.nlp import spare_torch
from tenk.pipeline import Plan, Shard
from tenk.processes import deaf_to_ctrl_c
from tenk.run import locked, shard_workers
from tenk.runs import RunLog

PARTIAL = "Partial"
PARTIAL_EXIT_CODE = 3
INTERRUPTED_EXIT_CODE = 130


@task(cache_policy=NO_CACHE)
def plan(config: RunConfig) -> Plan:
    return pipeline.plan(config)


@task(cache_policy=NO_CACHE, retries=0)
def augment_shard(submit: Callable[[Shard], Future[str | None]], shard: Shard) -> str | None:
    """Waits for a process of `tenk.run`: processes of Prefect's own would each start a server."""
    return submit(shard).result()


@task(cache_policy=NO_CACHE)
def publish(planned: Plan) -> Published:
    return pipeline.publish(planned)


@flow(name="augment", task_runner=ThreadPoolTaskRunner(max_workers=os.cpu_count() or 1))
def augment(config: str, dask: str | None = None, workers: int | None = None) -> str | State[str]:
    """Makes the dataset that the configuration file `config` describes; its folder, or the state Partial.

    A scheduled run picks up new and changed videos and prompts, and asks for nothing that the journal has. `dask` is
    the address of a scheduler, `workers` how many to start here instead.
    """
    settings = load_config(Path(config), {}, os.environ)
    cluster = Cluster(address=dask, workers=workers) if dask or workers is not None else None
    if cluster:
        cluster.check(settings)
    logger = get_run_logger()
    with locked(settings):
        planned = plan(quote(settings))
        pipeline.check_target(planned)
        logger.info("%d shards, %d of them to do", len(planned.shards), len(planned.pending))
        progress = create_progress_artifact(0.0, key="tenk-progress", description="Shards done")
        with start_log(planned, warn=logger.warning, spent_before=pipeline.spent(settings)) as log:
            logger.info("run %s: `tenk watch` follows it", log.id)
            if planned.pending:
                with closing(augmented(planned, cluster, log) if cluster else in_processes(planned, log)) as made:
                    for done, _ in enumerate(made, start=1):
                        update_progress_artifact(progress, 100 * done / len(planned.pending))
            published = publish(quote(planned))
            failures = unanswered(planned)
            log.finish("partial" if failures else "done")
    create_table_artifact(published.table2_rows(), key="tenk-table2", description="As the paper's Table 2")
    create_markdown_artifact(published.markdown(), key="tenk-summary")
    if failures:
        said = (
            f"{published.folder}: published without what {failures.total():,} requests were for, which got no reply "
            f"({counted(failures)}). The next run asks for them again."
        )
        logger.warning(said)
        return Failed(name=PARTIAL, message=said)
    return str(published.folder)


def in_processes(planned: Plan, log: RunLog) -> Iterator[str | None]:
    """The places of the parts of all pending shards, as processes of `tenk.run` make them."""
    with shard_workers(planned, report=log.report, run=log.id) as submit:
        for future in as_completed([augment_shard.submit(quote(submit), quote(shard)) for shard in planned.pending]):
            yield future.result()


def unanswered(planned: Plan) -> Counter[str]:
    """Requests that got no reply by reason, as the parts tell, whoever made them."""
    places = [shard.part for shard in planned.shards]
    done = parts.complete(places)
    lacking = (parts.manifest(place) for place in places if place not in done)
    return sum((Counter(about.unanswered) for about in lacking if about), start=Counter())


@contextmanager
def prefect_server() -> Iterator[None]:
    """A temporary server for this process and all that it starts, unless PREFECT_API_URL names one."""
    if PREFECT_API_URL.value():
        yield
        return
    # Half of the time that `prefect` takes to import; workers import this module, too.
    from prefect.server.api.server import SubprocessASGIServer

    # The very one that Prefect would start by itself, but with an address that workers are told. It stops when this
    # process exits, after the last of what Prefect logs has arrived there.
    server = SubprocessASGIServer()
    with deaf_to_ctrl_c():
        server.start()
    with temporary_settings({PREFECT_API_URL: server.api_url}):
        yield


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", metavar="CONFIG.yaml", help="configuration file of the run")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster, such as tcp://10.0.0.1:8786")
    where.add_argument("--workers", metavar="N", type=int, help="Dask workers to start on this machine")
    arguments = parser.parse_args()
    spare_torch()
    try:
        if arguments.dask:
            Cluster(address=arguments.dask).check(load_config(Path(arguments.config), {}, os.environ))
        with prefect_server():
            ended = augment(arguments.config, dask=arguments.dask, workers=arguments.workers, return_state=True)
            if ended.name == PARTIAL:
                sys.stderr.write(f"{ended.message}\n")
                sys.exit(PARTIAL_EXIT_CODE)
            sys.stdout.write(f"{ended.result()}\n")
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. What was answered is in the journal; the same command goes on from there.\n")
        sys.exit(INTERRUPTED_EXIT_CODE)
    except TenkError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
