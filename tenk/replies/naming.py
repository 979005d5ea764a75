"""The outputs' codes and labels in, whatever in a reply names one of them out.

All patterns run in linear time: what they repeat is bounded, or cannot match what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import takewhile

from tenk.prompting import folded
from tenk.records import Asked

_LEAD = re.compile(r"[\W_]*")
_TOKEN = re.compile(r"[^\W_]+")
_BETWEEN = r"(?:[^\w.,;!?\n]|_){0,4}"
"""What may stand between the words of a label: `SUMMARY-1`, `summary_1`, `Version (primary school`."""

_FILLER = (
    r"(?:(?:no\.? ?|number )?(?:\d{1,2}|[a-d]|i{1,3})\.?(?: ?(?:of|/) ?\d{1,2})?|(?:(?:suitable|aimed|written)[ _])?"
    r"(?:for|at|in)(?:[ _](?:an?|the))?)"
)
"""What models put into a label, after its common words: `Version 1 (primary school)`, `Version for primary school`."""

_SUFFIX = rf"(?:{_BETWEEN}(?:reading|school|levels?|version|edition|students?|readers?|pupils?|children|audience|text))"
"""What they add: `Primary school level`, `University version`."""

SUFFIX = re.compile(rf"(?:{_SUFFIX}{{1,3}}|[ \t]?(?:/|of)[ \t]?\d{{1,2}})(?![^\W_])", re.IGNORECASE)
_WHOLE = re.compile(rf"{_SUFFIX}{{0,3}}[\W_]*", re.IGNORECASE)
_QUOTES = "\"'“‘«"


class Naming:
    """Recognises the outputs of a prompt; they are numbered in the order given.

    `full` matches a whole label, `loose` one with a number or the like inside it or without its last words ("Version 1:
    primary"), `short` one without the words that all labels begin with ("primary school"); `other` matches those words
    with others than a label's after them ("VERSION high school"). They are None where the labels do not allow for it.
    The number of the output is in the name of the group that matched.
    """

    def __init__(self, names: tuple[tuple[str, str], ...]) -> None:
        self.labels = [label for _, label in names]
        tokens = [_TOKEN.findall(label) for label in self.labels]
        columns = zip(*([token.casefold() for token in words] for words in tokens), strict=False)
        common = len(list(takewhile(lambda column: len(set(column)) == 1, columns)))
        shorts = [words[common:] for words in tokens]
        distinct = len(names) > 1 and common > 0 and all(any(c.isalpha() for c in "".join(s)) for s in shorts)
        first = _BETWEEN.join(map(re.escape, tokens[0][:common]))
        self.full = _pattern(tokens)
        self.loose = _pattern(shorts, f"{first}{_BETWEEN}(?:{_FILLER}{_BETWEEN})?", cut=True) if distinct else None
        self.short = _pattern(shorts, "(?:(?:for|the)[ _])?", cut=True) if distinct else None
        self.other = _other(first) if len(names) > 1 and common else None
        self._by_fold: dict[str, int] = {}
        for index, (code, label) in enumerate(names):
            self._by_fold[folded(code)] = self._by_fold[folded(label)] = index

    def index(self, name: str) -> int | None:
        """The output that `name` (a JSON key, say) is a code or label of, whatever its case and punctuation."""
        if len(name) > 200:
            return None
        known = self._by_fold.get(folded(name))
        if known is not None:
            return known
        for pattern in (self.loose, self.short):
            match = pattern.match(name, lead_end(name)) if pattern else None
            if match and _WHOLE.fullmatch(name, match.end()):
                return group_number(match)
        return None

    def leaked(self, text: str, source: str, missing: Collection[int]) -> str | None:
        """A label that stands inside `text` as a label and that `source` does not have; or None.

        One in quotes counts only if its output is among the `missing` ones, which have no text of their own.
        """
        for match in self.full.finditer(text):
            label = self.labels[group_number(match)]
            as_label = match[0] == label and not label.islower()
            marked = text[match.end() : match.end() + 8].lstrip("*_`\"'”’)] ").startswith(":")
            quoted = match.start() > 0 and text[match.start() - 1] in _QUOTES and group_number(match) not in missing
            if (as_label or marked) and not quoted and folded(label) not in folded(source):
                return label
        return None


@lru_cache(maxsize=256)
def _naming(names: tuple[tuple[str, str], ...]) -> Naming:
    return Naming(names)


def naming(outputs: Sequence[Asked]) -> Naming:
    """The Naming of `outputs`, made once for each set of names."""
    return _naming(tuple((output.code, output.label) for output in outputs))


def lead_end(line: str) -> int:
    """Where the punctuation at the start of `line` ends."""
    lead = _LEAD.match(line)
    return lead.end() if lead else 0


def group_number(match: re.Match[str]) -> int:
    """The output that a match of `Naming.full` or `Naming.short` stands for."""
    return int((match.lastgroup or "").removeprefix("n"))


def _pattern(tokens: list[list[str]], before: str = "", *, cut: bool = False) -> re.Pattern[str]:
    """One of `tokens`, after `before`; with `cut`, their first words alone will do where these are distinct."""
    cut = cut and len({words[0].casefold() for words in tokens}) == len(tokens)
    longest_first = sorted(range(len(tokens)), key=lambda index: -len("".join(tokens[index])))
    parts = (f"(?P<n{index}>{_words(tokens[index], cut=cut)})" for index in longest_first)
    return re.compile(f"(?<![^\\W_]){before}(?:{'|'.join(parts)})(?![^\\W_])", re.IGNORECASE)


def _words(tokens: list[str], *, cut: bool) -> str:
    first, *rest = map(re.escape, tokens)
    if not cut or not rest:
        return _BETWEEN.join([first, *rest])
    return f"{first}(?:{_BETWEEN}{_BETWEEN.join(rest)})?"


def _other(first: str) -> re.Pattern[str]:
    return re.compile(
        rf"{first}[ \t_#–—-]{{1,4}}(?:\d{{1,3}}|(?:[^\W\d_]+[ \t-]){{0,2}}[^\W\d_]+)(?![^\W_])", re.IGNORECASE
    )
