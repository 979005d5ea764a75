"""Matplotlib's SVG in, one that stands alone or in a page out."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from tenk.benchmark.plain import line

_GROUP = re.compile(r'<g id="[^"]*">')
_OPENING = re.compile(r"<svg\b[^>]*>")


def finished(svg: str, title: str, description: str) -> str:
    """From `<svg` on, so that it can be put into HTML as it is, with names that screen readers read out.

    The ids of groups go: nothing refers to them, and they would be the same in every figure of a page.
    """
    body = _GROUP.sub("<g>", svg[svg.index("<svg") :])
    opening = _OPENING.match(body)
    assert opening
    head = f"\n <title>{escape(title)}</title>\n <desc>{escape(description)}</desc>"
    return f'{opening[0][:-1]} role="img">{head}{body[opening.end() :]}'


def clipped(text: str, most: int) -> str:
    """A line of at most `most` characters, without its middle: names often differ at their ends."""
    text = line(text)
    tail = most // 3
    return text if len(text) <= most else f"{text[: most - tail - 1].rstrip()}…{text[-tail:].lstrip()}"
