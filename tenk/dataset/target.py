"""Where a split is to be published in; what publishing would only meet at its end, raised before anything is asked for.

A split is replaced without a word where the same writer wrote it from the same source: videos, prompts, model and
settings may change. What another writer wrote, and what came from other annotations, is only replaced on purpose. Where
the annotations lay is no business of the dataset's, so it is kept outside of it, in `origin.json`.
"""

from __future__ import annotations

import json
from glob import has_magic
from pathlib import Path

from tenk.dataset.about import About
from tenk.errors import DatasetError, UsageError
from tenk.files import replacing

CARD = "README.md"


def check_folder(folder: Path) -> None:
    """Raises UsageError for a folder from which `datasets` could not read: it takes the path for a pattern."""
    path = str(folder.resolve())
    if has_magic(path) or "::" in path:
        raise UsageError(
            f"{path}: `datasets` takes *, ?, [ and :: in a path for a pattern and would not find the dataset. Name "
            f"--outputs without them."
        )


def check_texts(folder: Path) -> None:
    """Raises DatasetError where card, provenance or rejections of the dataset in `folder` cannot be added to."""
    from tenk.dataset import frontmatter, provenance, rejections

    provenance.read(folder)
    rejections.by_split(existing(folder / rejections.FILE) or "", str(folder / rejections.FILE))
    frontmatter.extend(existing(folder / CARD), {}, "", str(folder / CARD))


def check_origin(folder: Path, split: str, about: About, *, annotations: str, origin: Path) -> None:
    """Raises UsageError where the split in `folder` is not an earlier state of what `about` tells.

    `annotations` is the path that they are read from now, the file `origin` holds the one they were read from.
    """
    from tenk.dataset import provenance

    known = provenance.read(folder)
    if known is None or split not in known.splits:
        return
    old, before = known.splits[split].about, _remembered(origin)
    other = (old.writer, old.source) != (about.writer, about.source)
    if other or (old.source_hash != about.source_hash and before != annotations):
        raise UsageError(
            f"{folder} has the split {split!r} already, made {_told(old, before)}. This run would replace it by one "
            f"made {_told(about, annotations)}. Pass --yes (or set `replace: true` in the configuration file) to "
            f"replace it, or name another --name or other --outputs."
        )


def remember(origin: Path, annotations: str) -> None:
    """Writes down in the file `origin` where the annotations of what is now published lay."""
    with replacing(origin, error=DatasetError) as file:
        file.write(json.dumps({"annotations": annotations}) + "\n")


def existing(path: Path) -> str | None:
    """The text of a file of the dataset, None where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise DatasetError(f"{path}: {problem.strerror}. Make it readable.") from None
    except UnicodeDecodeError as problem:
        raise DatasetError(f"{path}: not UTF-8 at byte {problem.start}. Save it as UTF-8.") from None


def _remembered(origin: Path) -> str | None:
    try:
        return str(json.loads(origin.read_text(encoding="utf-8"))["annotations"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _told(about: About, annotations: str | None) -> str:
    where = annotations or ", ".join(about.source_files)
    return f"from {about.source} ({where}) by the {about.writer} writer ({about.model})"
