"""A name in, whether it can name a split out: `datasets` must take it, or nobody can read what is published."""

from __future__ import annotations

import re

EVERY_VIDEO = "all_videos"
"""A split of all that a corpus has: the obvious `all` is what `datasets` calls all splits together, in any case."""


def complaint(name: str) -> tuple[str, str] | None:
    """Why `datasets` refuses a split of this name, and a name like it that it takes; None where it takes it."""
    if name.lower() == "all":
        return "`datasets` keeps that name for all splits together", EVERY_VIDEO
    if not re.fullmatch(r"\w+(\.\w+)*", name):
        return "use letters, digits and '_'", re.sub(r"\W+", "_", name).strip("_") or "train"
    return None
