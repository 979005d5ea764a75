"""The judge's template and the texts of a pair in, a Request out.

The file is as those of captions are: YAML between two lines `---`, here with a system message alone, and the user
message as Jinja. It is in `prompts/judge/`, where no run takes it for an axis.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tenk import yamlfile
from tenk.errors import TemplateError
from tenk.judging.reply import LABEL
from tenk.prompting import find_folder, jinja
from tenk.prompting.folder import shipped
from tenk.prompting.template import FRONT_LINE, read_text, split_front
from tenk.records import Asked, Message, Record, Request, Tolerance
from tenk.words import clean

FILE = Path("judge") / "relevance.jinja"

VARIABLES = {"caption", "descriptions"}

TRIALS = (("A gardener waters a bed.", ("She kneels by the tulips.", "Somebody waters flowers.")), ("Snow.", ("Fog.",)))
"""Texts that a template is tried on as it is loaded."""


class Front(Record):
    """The YAML part of the file."""

    system: str | None = None


class JudgePrompt(Record):
    """A judge's template; `sha256` is that of its text."""

    path: Path
    sha256: str
    system: str | None
    user: str
    user_line: int


def find_prompt(explicit: Path | None, cwd: Path) -> Path:
    """`explicit`, else the one in the prompts folder of `cwd`, else the one that came with `tenk`."""
    if explicit is not None:
        return explicit
    own = find_folder(None, cwd) / FILE
    return own if own.is_file() else shipped() / FILE


def load_prompt(path: Path) -> JudgePrompt:
    """Tried on made-up texts: raises TemplateError, with file and line, for one that could not ask or be answered."""
    text = read_text(path)
    parts = split_front(text, path)
    front = yamlfile.load(parts.front, Front, path=path, error=TemplateError, first_line=FRONT_LINE)
    prompt = JudgePrompt(
        path=path,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        system=front.system,
        user=parts.user,
        user_line=parts.user_line,
    )
    jinja.check_names(prompt.user, VARIABLES, path=path, first_line=prompt.user_line)
    for caption, descriptions in TRIALS:
        asked = render(prompt, caption, descriptions, about="trial").messages[-1].content
        for what, needed in (("caption", caption), ("descriptions", descriptions[-1]), (f"word {LABEL}", LABEL)):
            if needed not in asked:
                raise TemplateError(f"{path}:{prompt.user_line}: the prompt does not show the {what}. Put it there.")
    return prompt


def render(prompt: JudgePrompt, caption: str, descriptions: Sequence[str], *, about: str) -> Request:
    """The request for one pair; `about` is the item's id, for accounts. Every text becomes one line."""
    values = {"caption": clean(caption), "descriptions": [clean(text) for text in descriptions]}
    user = jinja.fill(prompt.user, values, path=prompt.path, first_line=prompt.user_line)
    system = () if prompt.system is None else (Message(role="system", content=prompt.system.strip()),)
    return Request(
        video_id=about,
        axis="judge",
        template=prompt.sha256,
        source=(),
        asked=(Asked(code="judge", label=LABEL, words=1, tolerance=Tolerance(low=1, high=1)),),
        messages=(*system, Message(role="user", content=user)),
    )
