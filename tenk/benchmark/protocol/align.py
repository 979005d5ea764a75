"""A model's ids and a dataset's captions in, the model's name for each caption out; whatever does not fit is named."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tenk.benchmark.hints import hint
from tenk.benchmark.ids import Ids, listed
from tenk.benchmark.protocol.captions import Captions
from tenk.benchmark.protocol.groups import in_order
from tenk.benchmark.runs import Run
from tenk.errors import BenchmarkError


def query_names(found: Ids, captions: Captions, whole: Captions, name: str) -> tuple[str, ...]:
    """What the model `name`, whose queries are `found`, calls each of `captions`.

    That is the caption's id, or, where all captions have one code, the id of its video if `found` are such. `found` may
    hold other captions of the `whole` split. Raises BenchmarkError, which lists what is missing and what is unknown.
    """
    known = set(whole.ids)
    if len(set(captions.codes)) == 1 and not any(each in known for each in found.names):
        _must_be(found, captions.videos, set(whole.pool), name, _IDS, whole)
        return captions.videos
    missing = [each for each in captions.ids if each not in found]
    _must_be(found, captions.ids, known, name, _codes(captions, set(missing)) or _IDS, whole)
    return captions.ids


def check_items(found: Ids, captions: Captions, name: str) -> None:
    """That a model's items are the videos of the split. Raises BenchmarkError, as `query_names` does."""
    pool = set(captions.pool)
    _must_be(found, captions.pool, pool, name, "Each caption must be ranked against all videos of the split.", captions)


def check_ranked(run: Run, captions: Captions) -> None:
    """That ranked lists have none but videos of the split. Raises BenchmarkError, which lists the others."""
    pool = set(captions.pool)
    extra = list(dict.fromkeys(item for own in run.rankings.values() for item in own.items if item not in pool))
    if extra:
        mend = hint(extra, captions.pool, captions.sources) or "Leave them out of the lists."
        raise BenchmarkError(f"{run.name}: it ranks {len(extra):,} items that are no videos: {listed(extra)}. {mend}")


def check_turned(queries: Ids, items: Ids, captions: Captions, name: str) -> None:
    """That captions and videos do not stand in each other's place. Raises BenchmarkError."""
    ids, pool = set(captions.ids), set(captions.pool)
    if any(each in ids and each not in pool for each in items.names) and any(each in pool for each in queries.names):
        raise BenchmarkError(
            f"{name}: it looks transposed: rows (queries) are captions, columns (items) videos. Save it the other way "
            "round."
        )


_IDS = "A caption's id is VIDEO<tab>CODE; `tenk evaluate DATASET --write-ids FOLDER` writes all that are to be scored."


def _codes(captions: Captions, missing: set[str]) -> str:
    """What to do where all captions of some codes are there, and of others none."""
    lacking = {code for code, each in zip(captions.codes, captions.ids, strict=True) if each in missing}
    there = in_order(set(captions.codes) - lacking)
    return f"To measure some captions only, name their codes: --codes {','.join(there)}" if there and missing else ""


def _must_be(found: Ids, wanted: Sequence[str], known: Collection[str], name: str, mend: str, whole: Captions) -> None:
    missing = [each for each in wanted if each not in found]
    extra = [each for each in found.names if each not in known]
    if missing or extra:
        told = [f"{len(missing):,} of {len(wanted):,} are missing: {listed(missing)}"] if missing else []
        told += [f"{len(extra):,} are not in the dataset: {listed(extra)}"] if extra else []
        mend = _recognised(found, extra, whole) or mend
        raise BenchmarkError(f"{name}: its {found.what} ids are not those of the dataset; {'; '.join(told)}. {mend}")


def _recognised(found: Ids, extra: Sequence[str], whole: Captions) -> str:
    videos = set(whole.pool)
    if found.what == "item":
        return hint(extra, videos, whole.sources)
    if extra and all(each in videos for each in extra):
        return "They are ids of videos: write VIDEO<tab>CODE, or measure the captions of one code, such as --codes f."
    return hint(extra, [*whole.ids, *whole.pool], whole.sources)
