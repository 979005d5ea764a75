"""The outputs' codes and labels in, whatever in a reply names one of them out.

All patterns run in linear time: what they repeat is bounded, or cannot match what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from tenk.prompting import folded
from tenk.records import Asked

_TOKEN = re.compile(r"[^\W_]+")
_BETWEEN = r"(?:[^\w.,;!?\n]|_){0,4}"
"""What may stand between the words of a label: `SUMMARY-1`, `summary_1`, `Version (primary school`."""


class Naming:
    """Recognises the outputs of a prompt; they are numbered in the order given.

    `full` matches a whole label, `short` one without the words that all labels begin with ("primary school" of "VERSION
    primary school"; None where nothing with letters is left). The number is in the name of the group that matched.
    """

    def __init__(self, names: tuple[tuple[str, str], ...]) -> None:
        self.labels = [label for _, label in names]
        tokens = [_TOKEN.findall(label) for label in self.labels]
        columns = zip(*([token.casefold() for token in words] for words in tokens), strict=False)
        common = len(list(takewhile(lambda column: len(set(column)) == 1, columns)))
        shorts = [words[common:] for words in tokens]
        distinct = len(names) > 1 and common > 0 and all(any(c.isalpha() for c in "".join(s)) for s in shorts)
        self.full = _pattern(tokens)
        self.short = _pattern(shorts) if distinct else None
        self._by_fold: dict[str, int] = {}
        for index, (code, label) in enumerate(names):
            self._by_fold[folded(code)] = self._by_fold[folded(label)] = index
        if distinct:
            for index, words in enumerate(shorts):
                self._by_fold.setdefault(folded("".join(words)), index)

    def index(self, name: str) -> int | None:
        """The output that `name` (a JSON key, say) is a code or label of, whatever its case and punctuation."""
        return self._by_fold.get(folded(name)) if len(name) <= 200 else None

    def leaked(self, text: str, source: str) -> str | None:
        """A label that stands inside `text` as a label and that `source` does not have, or None."""
        for match in self.full.finditer(text):
            label = self.labels[group_number(match)]
            as_label = match[0] == label and not label.islower()
            if as_label or text[match.end() : match.end() + 8].lstrip("*_`\"'”’)] ").startswith(":"):
                natural = folded(source)
                leaks = (self.labels[group_number(found)] for found in self.full.finditer(text))
                return next((leak for leak in leaks if folded(leak) not in natural), None)
        return None


@lru_cache(maxsize=256)
def _naming(names: tuple[tuple[str, str], ...]) -> Naming:
    return Naming(names)


def naming(outputs: Sequence[Asked]) -> Naming:
    """The Naming of `outputs`, made once for each set of names."""
    return _naming(tuple((output.code, output.label) for output in outputs))


def group_number(match: re.Match[str]) -> int:
    """The output that a match of `Naming.full` or `Naming.short` stands for."""
    return int((match.lastgroup or "").removeprefix("n"))


def _pattern(tokens: list[list[str]]) -> re.Pattern[str]:
    longest_first = sorted(range(len(tokens)), key=lambda index: -len("".join(tokens[index])))
    parts = (f"(?P<n{index}>{_BETWEEN.join(map(re.escape, tokens[index]))})" for index in longest_first)
    return re.compile(f"(?<![^\\W_])(?:{'|'.join(parts)})(?![^\\W_])", re.IGNORECASE)
