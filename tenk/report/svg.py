"""Matplotlib's SVG in, one that stands alone or in a page out; untrusted text in, text that XML can hold out."""

from __future__ import annotations

import re
import unicodedata
from xml.sax.saxutils import escape

_GROUP = re.compile(r'<g id="[^"]*">')
_OPENING = re.compile(r"<svg\b[^>]*>")
_REPLACED = {"Cc": "\N{REPLACEMENT CHARACTER}", "Cs": "\N{REPLACEMENT CHARACTER}", "Cn": "\N{REPLACEMENT CHARACTER}"}


def finished(svg: str, title: str, description: str) -> str:
    """From `<svg` on, so that it can be put into HTML as it is, with names that screen readers read out.

    The ids of groups go: nothing refers to them, and they would be the same in every figure of a page.
    """
    body = _GROUP.sub("<g>", svg[svg.index("<svg") :])
    opening = _OPENING.match(body)
    assert opening
    head = f"\n <title>{escape(title)}</title>\n <desc>{escape(description)}</desc>"
    return f'{opening[0][:-1]} role="img">{head}{body[opening.end() :]}'


def line(text: str) -> str:
    """On one line: white space of any kind as one blank; what XML forbids as U+FFFD."""
    return "".join(_REPLACED.get(unicodedata.category(each), each) for each in " ".join(text.split()))


def clipped(text: str, most: int) -> str:
    """A line of at most `most` characters."""
    text = line(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
