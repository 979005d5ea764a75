"""A video's id as its corpus writes it in, the one id that all stages use out."""

from __future__ import annotations

_EXTENSIONS = (".mp4", ".mkv", ".webm", ".avi", ".mov", ".m4v", ".flv", ".mpg", ".mpeg", ".wmv", ".3gp")


def normalise(source_id: str, prefix: str = "") -> str:
    """The id without outer whitespace, without one video file extension (any case) and without one leading `prefix`.

    `v_abc.mp4` and `v_abc` are both `abc` under the prefix `v_`. The prefix belongs to the corpus (`v_` ActivityNet,
    `video-` QuerYD): elsewhere a YouTube id may itself begin with `v_`, so nothing else is cut. May return "".
    """
    name = source_id.strip()
    extension = next((known for known in _EXTENSIONS if name.lower().endswith(known)), "")
    return name[: len(name) - len(extension)].removeprefix(prefix)
