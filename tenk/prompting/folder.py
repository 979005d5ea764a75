"""A folder of template files in, checked Templates out; and where that folder is."""

from __future__ import annotations

import shutil
from pathlib import Path

import tenk
from tenk.errors import TemplateError, UsageError
from tenk.prompting.render import trial
from tenk.prompting.template import Template, fault, read_template

PATTERN = "*.jinja"


def find_folder(explicit: Path | None, cwd: Path) -> Path:
    """The folder of templates to use: `explicit`, else `cwd`/prompts if it holds a template, else the shipped ones."""
    if explicit is not None:
        if not explicit.is_dir():
            raise UsageError(f"{explicit}: no such folder of prompt templates. 'tenk prompts init' makes one.")
        return explicit
    own = cwd / "prompts"
    return own if any(own.glob(PATTERN)) else shipped()


def shipped() -> Path:
    """The templates that came with `tenk`: in the package, or beside it in a checkout (an editable install)."""
    package = Path(tenk.__file__).parent
    inside, beside = package / "prompts", package.parent / "prompts"
    return inside if inside.is_dir() else beside


def load_templates(folder: Path) -> tuple[Template, ...]:
    """All `*.jinja` of `folder`, sorted by axis. Raises TemplateError for the first one with a fault."""
    paths = sorted(path for path in folder.glob(PATTERN) if not path.name.startswith("."))
    if not paths:
        raise TemplateError(f"{folder}: holds no template ({PATTERN}). 'tenk prompts init' copies the shipped ones.")
    templates = [load_template(path) for path in paths]
    axes: dict[str, Template] = {}
    codes: dict[str, Template] = {}
    for template in templates:
        if axes.setdefault(template.axis, template) is not template:
            other = axes[template.axis].path.name
            raise fault(template.path, ["axis"], f"{other} has the axis {template.axis!r} too. Rename one of them.")
        for index, output in enumerate(template.outputs):
            if codes.setdefault(output.code, template) is not template:
                message = f"{codes[output.code].path.name} has the code {output.code!r} too. Rename one of them."
                raise fault(template.path, ["outputs", index, "code"], message)
    return tuple(axes[axis] for axis in sorted(axes))


def load_template(path: Path) -> Template:
    """The template in the file `path`, tried on made-up videos."""
    template = read_template(path)
    trial(template)
    return template


def init(target: Path) -> tuple[Path, ...]:
    """Copies the shipped templates into `target` for editing; the paths written. Replaces nothing."""
    sources = sorted(shipped().glob(PATTERN))
    copies = [target / source.name for source in sources]
    for copy in copies:
        if copy.exists():
            raise UsageError(f"{copy}: is there already. Move it away first, or name another folder.")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for source, copy in zip(sources, copies, strict=True):
            shutil.copyfile(source, copy)
    except OSError as problem:
        raise UsageError(f"{target}: cannot be written ({problem.strerror}). Name a folder that can.") from None
    return tuple(copies)
