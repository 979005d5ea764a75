"""One template file in, a validated Template out; every fault is a TemplateError with the file and the line.

A file is YAML between two lines `---` (axis, outputs, system message) and then the user message as Jinja. The system
message may use the same variables. What each key means is told in the shipped `summarization.jinja`.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, StringConstraints

from tenk import yamlfile
from tenk.errors import TemplateError
from tenk.records import Record, Tolerance

FENCE = "---"
TAKEN_AXES = {"ground_truth": "the source's own paragraph", "duration": "the partial captions"}
TAKEN_CODES = {"f": "the full paragraph", "p": "the partial captions"}

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Code = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(\+[a-z0-9_]+)*$")]
Label = Annotated[str, StringConstraints(pattern=r"^[^\W_]([^\n]*[^\W_])?$", max_length=60)]
Share = Annotated[
    Fraction, BeforeValidator(lambda value: str(value) if isinstance(value, float) else value), Field(gt=0, le=1)
]
"""`1/7`, `0.5` or `1`; a decimal is taken as it is written."""


class Output(Record):
    """One caption that a template asks for; `share` is of the paragraph's words."""

    code: Code
    label: Label
    share: Share
    register_name: Literal["plain", "primary", "secondary", "university"] | None = Field(default=None, alias="register")
    tolerance: Tolerance = Tolerance(low=0.6, high=1.4)


class FrontMatter(Record):
    """The YAML part of a template file."""

    axis: Name
    outputs: tuple[Output, ...] = Field(min_length=1)
    system: str | None = None


class Template(Record):
    """One axis: what is asked for, and the messages' Jinja sources with the lines of the file at which they start.

    `text` is the whole file with LF line ends and without a byte order mark, `sha256` that of its bytes.
    """

    name: str
    path: Path
    sha256: str
    text: str
    axis: str
    outputs: tuple[Output, ...]
    system: str | None
    system_line: int
    user: str
    user_line: int


class Parts(NamedTuple):
    """The YAML and the user message of a file, and the line at which the latter starts."""

    front: str
    user: str
    user_line: int


FRONT_LINE = 2
"""The line of a file at which its YAML starts."""


def read_template(path: Path) -> Template:
    """The template in the file `path`, its Jinja not yet tried."""
    text = read_text(path)
    parts = split_front(text, path)
    front = yamlfile.load(parts.front, FrontMatter, path=path, error=TemplateError, first_line=FRONT_LINE)
    template = Template(
        name=path.stem,
        path=path,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        text=text,
        axis=front.axis,
        outputs=front.outputs,
        system=front.system,
        system_line=yamlfile.line_of(parts.front, ["system"], first_line=FRONT_LINE),
        user=parts.user,
        user_line=parts.user_line,
    )
    _check_names(template)
    return template


def fault(path: Path, loc: list[Any], message: str) -> TemplateError:
    """The error to raise for the value at `loc` of the front matter of `path`, which is readable."""
    line = yamlfile.line_of(split_front(read_text(path), path).front, loc, first_line=FRONT_LINE)
    return TemplateError(f"{path}:{line}: {message}")


def folded(label: str) -> str:
    """The letters and digits of a label in lower case: labels that differ only in the rest are the same to a reader."""
    return re.sub(r"[\W_]+", "", label.casefold())


def read_text(path: Path) -> str:
    """A template file with LF line ends and without a byte order mark. Raises TemplateError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise TemplateError(f"{path}: cannot be read ({problem.strerror}). Check its permissions.") from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise TemplateError(f"{path}:{line}: not UTF-8. Save the file as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split_front(text: str, path: Path) -> Parts:
    """What stands between the two lines FENCE, and what comes after. Raises TemplateError where they are not there."""
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        raise TemplateError(f"{path}:1: a template starts with a line '{FENCE}' and its keys (axis, outputs, system).")
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == FENCE:
            return Parts("\n".join(lines[1:number]), "\n".join(lines[number + 1 :]), number + 2)
    raise TemplateError(f"{path}:{len(lines)}: a second line '{FENCE}' is missing: it ends the keys.")


def _check_names(template: Template) -> None:
    """Codes and labels must tell the outputs apart, also in a reply that keys them by either."""
    if template.axis in TAKEN_AXES:
        raise fault(template.path, ["axis"], f"{template.axis!r} is {TAKEN_AXES[template.axis]}. Choose another name.")
    seen: dict[str, int] = {}
    for index, output in enumerate(template.outputs):
        for key, value in (("code", output.code), ("label", output.label)):
            loc = ["outputs", index, key]
            if key == "code" and value in TAKEN_CODES:
                raise fault(template.path, loc, f"the code {value!r} is {TAKEN_CODES[value]}. Choose another one.")
            if seen.setdefault(folded(value), index) != index:
                first = template.outputs[seen[folded(value)]].code
                raise fault(template.path, loc, f"the {key} {value!r} is that of the output {first!r} too. Change one.")
