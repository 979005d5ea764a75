"""The three steps of a run: plan(config) -> shards; augment_shard(shard) -> part; publish(plan) -> dataset.

Any executor may map `augment_shard` over the shards (this process, a pool of processes, Prefect, Dask): a part depends
on its shard's inputs alone, and is named by them, so that nothing is done twice and order changes nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tenk import __version__, parts
from tenk.assembly import assemble
from tenk.config import RunConfig
from tenk.conversation import Exchanges, converse
from tenk.dataset import target
from tenk.dataset.about import About, Prompt, Published, package_versions
from tenk.llm.budget import Budget
from tenk.llm.estimate import Estimate
from tenk.llm.estimate import estimate as price
from tenk.llm.journal import Journal, Session
from tenk.llm.writers import make_writer
from tenk.nlp import identify, load_pipeline
from tenk.progress import Report, Tick, ignore
from tenk.prompting import Template, find_folder, load_templates, render
from tenk.records import Augmented, Record, Rejection, Video
from tenk.sources import LICENSES, Reading, read
from tenk.stats import measure


class Shard(Record):
    """Some hundred videos and the place of the part that is made of them; `index` counts from 0."""

    index: int
    videos: tuple[Video, ...]
    part: str


class Plan(Record):
    """What a run will do: all shards of the split in order, and those of them whose part is not complete yet."""

    config: RunConfig
    reading: Reading
    templates: tuple[Template, ...]
    shards: tuple[Shard, ...]
    pending: tuple[Shard, ...]


def plan(config: RunConfig) -> Plan:
    """Reads the source and the templates and lists the shards; asks nothing and writes nothing.

    Raises UsageError for an outputs folder from which nobody could read the dataset.
    """
    target.check_folder(config.dataset_folder)
    templates = load_templates(find_folder(config.prompts, Path.cwd()))
    reading = read(config.source, config.annotations, config.split, options=config.options)
    videos = reading.videos[: config.limit]
    shaping = recipe(config, templates)
    shards = []
    for index, start in enumerate(range(0, len(videos), config.shard_size)):
        chosen = videos[start : start + config.shard_size]
        part = f"{config.parts_folder}/{parts.name(shaping, chosen)}"
        shards.append(Shard(index=index, videos=chosen, part=part))
    done = parts.complete(shard.part for shard in shards)
    pending = tuple(shard for shard in shards if shard.part not in done)
    return Plan(config=config, reading=reading, templates=templates, shards=tuple(shards), pending=pending)


def recipe(config: RunConfig, templates: Sequence[Template]) -> dict[str, object]:
    """All that shapes a part besides its videos and the code, as plain JSON values; the environment has a say in it."""
    return {
        "templates": [template.sha256 for template in templates],
        "writer": config.writer.identity(),
        "nlp": identify(config.nlp),
        "seed": config.seed,
        "reasks": config.reasks,
        "recheck": config.recheck,
    }


def estimate(config: RunConfig, templates: Sequence[Template], videos: Sequence[Video]) -> Estimate:
    """What asking `templates` for `videos` would take, less what the journal holds. Asks nothing and writes nothing."""
    requests = (render(template, video) for video in videos for template in templates)
    writer = make_writer(config.writer, pipeline=None)
    if not _has_journal(config):
        return price(requests, config.writer, writer, None, reasks=config.reasks)
    with Journal.open(config.journal_url) as journal:
        return price(requests, config.writer, writer, journal, reasks=config.reasks)


def spent(config: RunConfig) -> float:
    """US dollars that the split has cost so far, in whatever run, with what may have been charged in vain."""
    if not _has_journal(config):
        return 0.0
    with Journal.open(config.journal_url) as journal:
        spending = journal.spending(config.campaign)
    return spending.total - spending.reserved


def _has_journal(config: RunConfig) -> bool:
    return "://" in config.journal_url or Path(config.journal_url).exists()


def augment_shard(
    config: RunConfig,
    templates: Sequence[Template],
    shard: Shard,
    *,
    report: Report = ignore,
    stopped: Callable[[], bool] = lambda: False,
    run: str = "",
) -> str | None:
    """Render -> ask -> parse -> re-ask -> partial -> statistics for one shard; the place of the part it wrote.

    None where `stopped` said so before the end: what was in flight is then in the journal, and no part is written.
    """
    exchanges = asyncio.run(ask_all(config, templates, shard.videos, report=report, stopped=stopped, run=run))
    if stopped():
        return None
    drafts = [draft(config, templates, video, exchanges) for video in shard.videos]
    part = finish_shard(config.nlp, shard.part, drafts, unanswered(exchanges))
    report_shard(drafts, report)
    return part


def draft(config: RunConfig, templates: Sequence[Template], video: Video, exchanges: Exchanges) -> Augmented:
    """`video` with all that came of `exchanges` about it, measures still to come."""
    return assemble(video, templates, exchanges, seed=config.seed, keep_copies=keeps_copies(config))


def unanswered(exchanges: Exchanges) -> Counter[str]:
    """How many requests got no reply, by reason; the next run asks for them again."""
    return Counter(exchange.failure.reason for exchange in exchanges.values() if exchange.failure)


def finish_shard(nlp: str | None, part: str, drafts: Sequence[Augmented], missing: Mapping[str, int]) -> str:
    """Measures `drafts` and writes them as `part`, whose name it returns; any process may do it."""
    measures = measure(load_pipeline(nlp, parse=False), ((draft.video, draft.captions) for draft in drafts))
    lines = (draft.model_copy(update={"measures": measured}) for draft, measured in zip(drafts, measures, strict=True))
    parts.write(part, lines, unanswered=missing)
    return part


def report_shard(drafts: Sequence[Augmented], report: Report) -> None:
    """Tells what a finished shard holds, and what it does not."""
    for draft in drafts:
        for rejection in draft.rejections:
            report(Tick(kind="rejected", reason=rejection.reason, video=rejection.video_id, axis=rejection.axis))
    report(Tick(kind="videos", n=len(drafts)))
    report(Tick(kind="shard"))


def check_target(plan: Plan, *, replace: bool = False) -> None:
    """Looks, before anything is asked for, at what publishing will meet.

    Raises DatasetError for a dataset there that cannot be added to; UsageError, unless it is to `replace` it, for a
    split there of another source or writer.
    """
    config = plan.config
    if config.dataset_folder.exists():
        target.check_texts(config.dataset_folder)
        if not (replace or config.replace):
            place = _annotations(config)
            target.check_origin(
                config.dataset_folder, config.split, _about(plan), annotations=place, origin=config.origin
            )


def publish(plan: Plan) -> Published:
    """Merges the parts of all shards, in order, into the split's place in the dataset. Raises DatasetError."""
    from tenk.dataset.write import publish as write

    config = plan.config
    augmented = (line for shard in plan.shards for line in parts.read(shard.part))
    published = write(
        config.dataset_folder, config.dataset_name, config.split, augmented, _about(plan), dropped=dropped(plan.reading)
    )
    target.remember(config.origin, _annotations(config))
    return published


def dropped(reading: Reading) -> tuple[Rejection, ...]:
    """What the source left out, as rejections on the axis `source` with the code `video` or `event`.

    A video that was not read is named as its source names it.
    """
    ids = {video.source_id: video.id for video in reading.videos}
    return tuple(
        Rejection(
            video_id=ids.get(drop.source_id, drop.source_id),
            code="event" if drop.reason == "empty_event" else "video",
            axis="source",
            reason=drop.reason,
            detail=drop.detail,
        )
        for drop in reading.drops
    )


def _annotations(config: RunConfig) -> str:
    """Where they lie; a source that comes with `tenk` has them nowhere."""
    return str(config.annotations.resolve()) if config.annotations else ""


def _about(plan: Plan) -> About:
    config, reading = plan.config, plan.reading
    identity = config.writer.identity()
    return About(
        source=config.source,
        source_hash=reading.content_hash,
        source_files=reading.files,
        counts=reading.counts,
        license=config.license or LICENSES.get(config.source),
        language=config.language,
        # Not how the requests travelled: one by one or in a batch, they are the same.
        writer=identity["name"],
        model=make_writer(config.writer, pipeline=None).model,
        settings={key: value for key, value in identity.items() if key not in {"name", "model"}},
        prompts=tuple(
            Prompt(name=each.name, axis=each.axis, sha256=each.sha256, text=each.text) for each in plan.templates
        ),
        seed=config.seed,
        reasks=config.reasks,
        limit=config.limit,
        pipeline=identify(config.nlp),
        tenk=__version__,
        packages=package_versions(),
    )


def make_budget(config: RunConfig, journal: Journal, session: Session, *, leave: bool = False) -> Budget:
    """The purse of `session`, which waits for room that open batches take up only where they are waited for."""
    if config.max_cost is None or (config.writer.name == "openai-batch" and not leave):
        return Budget(session, cap=config.max_cost)
    from tenk.llm.batch.store import Store

    return Budget(session, cap=config.max_cost, in_batches=partial(Store(journal).reserved, config.campaign))


async def ask_all(
    config: RunConfig,
    templates: Sequence[Template],
    videos: Sequence[Video],
    *,
    report: Report = ignore,
    stopped: Callable[[], bool] = lambda: False,
    run: str = "",
    leave: bool = False,
) -> Exchanges:
    """The exchanges of all `videos` on all axes, with the configured writer, journal and cap on the cost.

    With `leave`, a writer that sends batches does not wait for them: what is in one is a failure for now.
    """
    with Journal.open(config.journal_url) as journal:
        async with (
            journal.session(campaign=config.campaign, cap=config.max_cost, run=run) as session,
            make_writer(config.writer, pipeline=None, journal=journal, session=session, leave=leave) as writer,
        ):
            return await converse(
                videos,
                templates,
                writer,
                journal,
                make_budget(config, journal, session, leave=leave),
                reasks=config.reasks if writer.worth_reasking else 0,
                recheck=config.recheck,
                report=report,
                stopped=stopped,
            )


def keeps_copies(config: RunConfig) -> bool:
    """Whether captions equal to their source are kept and flagged: asking the offline writer again changes nothing."""
    return config.writer.name == "offline"
