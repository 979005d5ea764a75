"""`tenk show | stats | export | publish`: what can be done with a dataset that is there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from tenk.cli.console import picture, say, show_columns, show_json
from tenk.cli.console import show as line
from tenk.cli.options import Dataset, Json
from tenk.errors import UsageError

SplitFlag = Annotated[str | None, typer.Option("--split", help="Split of the dataset; by default its first.")]


def show(
    dataset: Dataset,
    video: Annotated[list[str] | None, typer.Argument(help="Ids of videos; by default the first ones.")] = None,
    count: Annotated[int, typer.Option("--videos", "-n", help="How many of the first videos.", min=1)] = 1,
    split: SplitFlag = None,
    svg: Annotated[Path | None, typer.Option(help="Write what is shown as a picture, too.")] = None,
    json: Json = False,
) -> None:
    """Print videos with all their captions."""
    from tenk.dataset.load import describe, rows

    captions = rows(dataset, "captions", describe(dataset, split).split)
    chosen = _chosen(captions, set(video or ()), count)
    if json:
        show_json([caption for each in chosen for caption in each])
        return
    with picture(svg, title=f"tenk show {dataset.name}"):
        for number, each in enumerate(chosen):
            if number:
                line("")
            _show_video(each)


def stats(dataset: Dataset, split: SplitFlag = None, json: Json = False) -> None:
    """Print the paper's Table 2 for a split, and a table of everything that is measured."""
    from tenk.dataset.load import describe
    from tenk.stats.tables import everything, table2, text

    found = describe(dataset, split).summary
    if json:
        show_json(found.model_dump(mode="json"))
        return
    line(text(table2(found)))
    line("")
    line(text(everything(found)))
    for kind, words in (("nouns", found.new_nouns), ("verbs", found.new_verbs)):
        listed = ", ".join(f"{word} {n}" for word, n in words[:20]) or "none"
        line(f"\nNew {kind} (hallucination candidates), commonest first: {listed}")


def export(
    dataset: Dataset,
    to: Annotated[str, typer.Option(help="cosa, internvideo, clip4clip, frozen or jsonl.")],
    out: Annotated[Path, typer.Option(help="Folder to write into; it is made where there is none.")],
    split: Annotated[str | None, typer.Option("--split", help="Split of the dataset; by default all of them.")] = None,
    code: Annotated[list[str] | None, typer.Option(help="Only these captions (may be repeated).")] = None,
) -> None:
    """Write a dataset, or one split of it, in the annotation format that a retrieval repository reads."""
    from tenk.dataset.exports import export as write

    exported = write(dataset, to, out, split=split, codes=code)
    for path in exported.files:
        line(str(path))
    missing = "".join(f", {code} missing for {count:,} videos" for code, count in exported.missing.items())
    say(f"{exported.videos:,} videos, {sum(exported.captions.values()):,} captions{missing}")


def publish(
    dataset: Dataset,
    push_to_hub: Annotated[str, typer.Option(help="Repository on the Hugging Face hub, as owner/name.")],
    private: Annotated[bool, typer.Option("--private", help="Make the repository private, if it is made.")] = False,
    message: Annotated[str | None, typer.Option(help="Commit message.")] = None,
) -> None:
    """Push a dataset to the Hugging Face hub; a card that was edited there is extended, not replaced."""
    from tenk.dataset.hub import push

    say(f"Pushing {dataset} to {push_to_hub}")
    line(push(dataset, push_to_hub, private=private, message=message).url)


def _chosen(rows: Iterable[dict[str, Any]], ids: set[str], count: int) -> list[list[dict[str, Any]]]:
    """The captions of the videos asked for, a list a video; rows of one video stand together."""
    found: list[list[dict[str, Any]]] = []
    for id_, captions in groupby(rows, key=lambda row: row["video_id"]):
        if id_ in ids or (not ids and len(found) < count):
            found.append(list(captions))
        elif not ids:
            break
    missing = ids - {captions[0]["video_id"] for captions in found}
    if missing:
        raise UsageError(
            f"The split has no video {', '.join(sorted(missing))}. `tenk show` without ids shows the first."
        )
    return found


def _show_video(captions: list[dict[str, Any]]) -> None:
    full = captions[0]
    events = len(full["events"])
    line(f"{full['video_id']}  {events} event{'' if events == 1 else 's'}, {full['words']} words", "bold")
    for caption in captions:
        asked = f" of {caption['words_asked']}" if caption["words_asked"] else ""
        flags = "".join(f", {flag}" for flag in caption["flags"])
        show_columns(caption["code"], caption["text"], f"{caption['words']}{asked}{flags}")
