"""Untrusted text in, what a table or picture can hold of it out: names of models, captions and ids are only text."""

from __future__ import annotations

import unicodedata

SHOWN = 60
"""Letters of a value that a message shows at most."""

_FORBIDDEN = {"Cc", "Cs"}
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def brief(value: object) -> str:
    """`repr(value)`, cut to SHOWN letters: a message is to be read, and what a file holds may be the whole file."""
    if isinstance(value, str | bytes):
        value = value[: SHOWN + 1]
    shown = repr(value)
    return shown if len(shown) <= SHOWN + 2 else f"{shown[:SHOWN]}..."


def line(text: str) -> str:
    """On one line: white space of any kind as one blank, and as U+FFFD what may not be shown.

    That is control characters, which XML forbids and terminals obey, halves of characters, and those that turn the
    direction of what follows.
    """
    return "".join("\N{REPLACEMENT CHARACTER}" if _odd(letter) else letter for letter in " ".join(text.split()))


def writable(text: str) -> str:
    """For a file in UTF-8: halves of characters, which names of files may hold, as `\\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode()


def breadth(text: str) -> int:
    """Columns that it takes up where letters are of one width: those of East Asia two, accents of their own none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _odd(letter: str) -> bool:
    # Characters that this Python's Unicode does not know yet may be shown; those that never will be one, not.
    never = ord(letter) & 0xFFFE == 0xFFFE or "\ufdd0" <= letter <= "\ufdef"
    return never or letter in _TURNING or unicodedata.category(letter) in _FORBIDDEN
