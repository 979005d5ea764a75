"""A table of classes in, the class of a word out: verbs and nouns grouped by hand, as EPIC-KITCHENS has them.

    id,key,instances
    0,take,"['take', 'get', 'pick-up']"

Other columns are left aside. SVR takes these tables for EPIC-KITCHENS and YouCook2 (section 5).
"""

from __future__ import annotations

import csv
import io
from ast import literal_eval
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tenk.benchmark.relevance.meanings import PartOfSpeech
from tenk.benchmark.relevance.senses import lemma
from tenk.benchmark.relevance.wordnet import WordNet, open_wordnet
from tenk.errors import BenchmarkError

COLUMNS = ("id", "key", "instances")


class Classes:
    """The classes of verbs and nouns by table; `verbs` and `nouns` are `{word: class}` as `read_classes` gives them.

    A word's lemma is looked up, as in SVR's code. What no class has is in a class of its own.
    """

    def __init__(self, verbs: Mapping[str, str], nouns: Mapping[str, str], wordnet: WordNet | None = None) -> None:
        self.wordnet = wordnet or open_wordnet()
        self.tables: dict[PartOfSpeech, Mapping[str, str]] = {"v": verbs, "n": nouns}
        self._known: dict[tuple[PartOfSpeech, str], str] = {}

    def of(self, context: frozenset[str], words: Iterable[str], pos: PartOfSpeech) -> set[str]:
        """Whatever the context."""
        return {self._known.get((pos, word)) or self._look_up(word, pos) for word in words}

    def _look_up(self, word: str, pos: PartOfSpeech) -> str:
        base = lemma(self.wordnet, word, pos)
        found = self.tables[pos].get(base)
        # The name of a class must never be that of a word without one.
        self._known[pos, word] = name = f"word {base}" if found is None else f"class {found}"
        return name

    @property
    def definition(self) -> dict[str, Any]:
        """What the numbers depend on."""
        digests = {
            f"{'verbs' if pos == 'v' else 'nouns'}_sha256": sha256(repr(sorted(table.items())).encode()).hexdigest()
            for pos, table in self.tables.items()
        }
        return {"meanings": "classes", **digests, "wordnet": self.wordnet.get_version()}


def read_classes(path: str | Path) -> dict[str, str]:
    """`{word: id of its class}` of a CSV with the columns id, key and instances, a list of words.

    Raises BenchmarkError, which names the file and the line: columns that are not there, an id twice, instances that
    are no list of words, a word in two classes.
    """
    path = Path(path)
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise BenchmarkError(f"{path}: {problem}.") from None
    reader = csv.DictReader(io.StringIO(content, newline=""))
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise BenchmarkError(f"{path} has no column {missing[0]!r}; it has {', '.join(reader.fieldnames or ())}.")
    found: dict[str, str] = {}
    ids: set[str] = set()
    for row in reader:
        where, name = f"{path}, line {reader.line_num}", row["id"]
        if not name or name in ids:
            raise BenchmarkError(f"{where}: the class {name!r} {'is there twice' if name else 'has no id'}.")
        ids.add(name)
        for word in _words(row["instances"], where):
            if found.setdefault(word, name) != name:
                raise BenchmarkError(f"{where}: {word!r} is in the classes {found[word]!r} and {name!r}: choose one.")
    if not found:
        raise BenchmarkError(f"{path} holds no class.")
    return found


def _words(instances: str | None, where: str) -> list[str]:
    try:
        words = literal_eval(instances or "")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BenchmarkError(f"{where}: instances are a list such as \"['take', 'get']\", not {instances!r}.")
    return words
