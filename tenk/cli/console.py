"""Text in, lines on a terminal or a pipe out: data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

err = Console(stderr=True, highlight=False, soft_wrap=True)
out = Console(highlight=False, soft_wrap=True)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    """Untrusted text with control characters made visible, so that a caption cannot steer a terminal."""
    return _CONTROL.sub("�", text)


def say(text: str, style: str = "") -> None:
    """A line for people, on stderr."""
    err.print(Text(plain(text), style=style))


def show(text: str, style: str = "") -> None:
    """A line of data, on stdout."""
    out.print(Text(plain(text), style=style))


def show_json(value: Any) -> None:
    """One JSON value, on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
