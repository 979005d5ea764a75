"""`tenk prompts`: look at the templates, copy them out, try an edit on a few videos, compare two of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tenk.cli.compared import in_words, show_rows
from tenk.cli.confirm import confirm_spending
from tenk.cli.console import say, show, show_json
from tenk.cli.live import watching
from tenk.cli.options import (
    Annotations,
    BaseUrl,
    Columns,
    ConfigFlag,
    Json,
    Model,
    Outputs,
    Prompts,
    Source,
    Split,
    Writer,
    Yes,
    configured,
)
from tenk.progress import Tally

if TYPE_CHECKING:
    from tenk.config import RunConfig
    from tenk.preview import Preview
    from tenk.prompting import Template
    from tenk.records import Caption, Rejection, Video

app = typer.Typer(help="List, show, copy, try and compare prompt templates.", no_args_is_help=True)

Axis = Annotated[list[str] | None, typer.Option(help="Only this axis (may be repeated).")]


@app.command("list")
def list_(prompts: Prompts = None, json: Json = False) -> None:
    """The axes, what each asks for, and the file to edit."""
    templates = _load(prompts)
    if json:
        show_json(
            [template.model_dump(mode="json", exclude={"text", "user_line", "system_line"}) for template in templates]
        )
        return
    for template in templates:
        show(f"{template.axis}  {template.path}")
        for output in template.outputs:
            low, high = output.tolerance.low, output.tolerance.high
            register = output.register_name or "none"
            asked = f"{output.share!s:>4} of the words, {low:g} to {high:g} of that"
            show(f"  {output.code:5} {output.label:26} {asked}, register {register}")


@app.command("show")
def show_(
    video: Annotated[str, typer.Argument(help="Id of a video of the source.")],
    config: ConfigFlag = None,
    source: Source = None,
    annotations: Annotations = None,
    split: Split = None,
    columns: Columns = None,
    prompts: Prompts = None,
    axis: Axis = None,
) -> None:
    """The messages that would be sent for one video."""
    from tenk.errors import UsageError
    from tenk.preview import read_videos
    from tenk.prompting import render

    settings = configured(config, source=source, annotations=annotations, split=split, columns=columns, prompts=prompts)
    videos = {name: each for each in read_videos(settings) for name in (each.id, each.source_id)}
    if video not in videos:
        first = ", ".join(list(videos)[:3])
        raise UsageError(f"{settings.source} {settings.split} has no video {video!r}. It has, for example, {first}.")
    for template in _load(settings.prompts, axis):
        show(f"── {template.axis} ({template.path})", "bold")
        for message in render(template, videos[video]).messages:
            show(f"[{message.role}]", "dim")
            show(message.content)


@app.command()
def init(target: Annotated[Path, typer.Argument(help="Folder to copy them into.")] = Path("prompts")) -> None:
    """Copy the shipped templates out, to be edited."""
    from tenk.prompting import init as copy_out

    for path in copy_out(target):
        show(str(path))


@app.command("try")
def try_(
    count: Annotated[int, typer.Option("-n", help="Videos.", min=1)] = 5,
    config: ConfigFlag = None,
    source: Source = None,
    annotations: Annotations = None,
    split: Split = None,
    columns: Columns = None,
    writer: Writer = None,
    model: Model = None,
    base_url: BaseUrl = None,
    prompts: Prompts = None,
    outputs: Outputs = None,
    axis: Axis = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Ask for the first N videos and print what comes back. A later run does not pay for it again."""
    from tenk.preview import read_videos
    from tenk.prompting.compare import total_cost

    settings = configured(
        config, source=source, annotations=annotations, split=split, columns=columns, writer=writer, model=model,
        base_url=base_url, prompts=prompts, outputs=outputs,
    )  # fmt: skip
    templates, videos = _load(settings.prompts, axis), read_videos(settings, count)
    confirm_spending(settings, templates, videos, yes=yes)
    made = _preview(settings, templates, videos)
    if json:
        show_json(made.model_dump(mode="json"))
        return
    for video in videos:
        show(f"{video.id}  {len(video.paragraph.split())} words", "bold")
        show(f"  {'f':5} {video.paragraph}")
        for caption in (caption for caption in made.captions if caption.video_id == video.id):
            flags = f"  [{', '.join(caption.flags)}]" if caption.flags else ""
            show(f"  {caption.code:5} {caption.text}  ({caption.words} of {caption.words_asked} words){flags}")
        for rejection in (rejection for rejection in made.rejections if rejection.video_id == video.id):
            show(f"  {rejection.code:5} rejected: {rejection.reason} ({rejection.detail})", "yellow")
    say(f"{len(made.replies)} replies, {_dollars(total_cost(made.replies))}")


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(help="Folder of templates, or one template file.")],
    b: Annotated[Path, typer.Argument(help="Another one.")],
    count: Annotated[int, typer.Option("-n", help="Videos.", min=1)] = 20,
    config: ConfigFlag = None,
    source: Source = None,
    annotations: Annotations = None,
    split: Split = None,
    columns: Columns = None,
    writer: Writer = None,
    model: Model = None,
    base_url: BaseUrl = None,
    outputs: Outputs = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Two versions of the prompts on the same videos: captions side by side, word counts, new words, misses, cost."""
    from tenk.preview import read_videos
    from tenk.prompting.compare import compare_rows, total_cost

    settings = configured(
        config, source=source, annotations=annotations, split=split, columns=columns, writer=writer, model=model,
        base_url=base_url, outputs=outputs,
    )  # fmt: skip
    videos = read_videos(settings, count)
    versions = (_load(a), _load(b))
    sides: list[Preview] = []
    for templates in versions:
        confirm_spending(settings, templates, videos, yes=yes)
        sides.append(_preview(settings, templates, videos))
    codes = [output.code for templates in versions for template in templates for output in template.outputs]
    settled: list[tuple[Caption | Rejection, ...]] = [(*side.captions, *side.rejections) for side in sides]
    rows = compare_rows(videos, codes, settled[0], settled[1])
    missing = [Counter(rejection.reason for rejection in side.rejections) for side in sides]
    costs = [total_cost(side.replies) for side in sides]
    if json:
        listed = [row.model_dump(mode="json") for row in rows]
        sums = {"rejections": dict(zip("ab", missing, strict=True)), "cost": dict(zip("ab", costs, strict=True))}
        show_json({"rows": listed, **sums})
        return
    show_rows(rows, f"A {a}", f"B {b}")
    for name, side, misses, cost in zip((f"A {a}", f"B {b}"), sides, missing, costs, strict=True):
        show(f"{name}: {in_words(side.captions, misses)}, {_dollars(cost)}")


def _preview(settings: RunConfig, templates: tuple[Template, ...], videos: tuple[Video, ...]) -> Preview:
    from tenk.preview import preview

    with watching(Tally(), len(videos) * len(templates)) as report:
        return preview(settings, templates, videos, report=report)


def _dollars(cost: float | None) -> str:
    return "cost unknown" if cost is None else f"${cost:,.4f}"


def _load(folder: Path | None, axes: list[str] | None = None) -> tuple[Template, ...]:
    """The templates of a folder, or the one of a file, or those in use; of `axes` only, if any are named."""
    from tenk.errors import UsageError
    from tenk.prompting import find_folder, load_template, load_templates

    if folder is not None and folder.is_file():
        return (load_template(folder),)
    templates = load_templates(find_folder(folder, Path.cwd()))
    unknown = set(axes or ()) - {template.axis for template in templates}
    if unknown:
        known = ", ".join(template.axis for template in templates)
        raise UsageError(f"no template has the axis {', '.join(sorted(unknown))}. There are: {known}.")
    return tuple(template for template in templates if not axes or template.axis in axes)
