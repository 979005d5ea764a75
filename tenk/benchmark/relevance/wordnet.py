"""A folder in, WordNet out: found where Debian and NLTK's downloader put it, read by NLTK's reader.

NLTK's own `nltk.corpus.wordnet` reads only what is on `nltk.data.path`, wants a file `lexnames` and, from 3.10, an
`index.sense`, neither of which Debian's wordnet-base has. This reader takes a folder or an archive wherever it is, has
`lexnames` of its own, and changes nothing about NLTK for others in the process.
"""

from __future__ import annotations

import io
import os
import weakref
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile

import nltk.data
from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetError
from nltk.data import PathPointer

from tenk.errors import BenchmarkError

VARIABLE = "TENK_WORDNET"
DEBIAN = Path("/usr/share/wordnet")
"""Where Debian's and Ubuntu's package wordnet-base puts it."""

_KINDS = ("adj", "adv", "noun", "verb")
_WANTED = tuple(name for kind in _KINDS for name in (f"data.{kind}", f"index.{kind}", f"{kind}.exc"))
_MEND = (
    f"Install it (`apt-get install wordnet-base`, or `python -m nltk.downloader wordnet`), or name its folder in "
    f"{VARIABLE}."
)

_LEXICOGRAPHERS = {
    "noun": "Tops act animal artifact attribute body cognition communication event feeling food group location motive "
    "object person phenomenon plant possession process quantity relation shape state substance time",
    "verb": "body change cognition communication competition consumption contact creation emotion motion perception "
    "possession social stative weather",
}


def lexnames() -> str:
    """The file `lexnames`: number, name and part of speech of the 45 lexicographer files (lexnames(5WN))."""
    names = ["adj.all", "adj.pert", "adv.all"]
    names += [f"{kind}.{name}" for kind, some in _LEXICOGRAPHERS.items() for name in some.split()]
    names.append("adj.ppl")
    of = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
    return "".join(f"{number:02}\t{name}\t{of[name.split('.')[0]]}\n" for number, name in enumerate(names))


class WordNet(WordNetCorpusReader):  # type: ignore[misc]
    """NLTK's reader of the WordNet in `place`, a folder, or an archive with one inside it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._inside = ""
        if place.is_file():
            with ZipFile(place) as archive:
                whole = next(name for name in archive.namelist() if PurePosixPath(name).name == "data.noun")
            self._inside = whole.removesuffix("data.noun")
        # The reader keeps the files of definitions open.
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)
        # A reader of other languages that is None would be warned about; there are none.
        super().__init__(_Elsewhere(), ())

    def __repr__(self) -> str:
        return f"WordNet({str(self.place)!r})"

    def open(self, file: str) -> IO[str]:
        """A file of WordNet as text, in which a number of bytes can be sought."""
        if file == "lexnames":
            return io.StringIO(lexnames())
        stream: IO[bytes]
        if self.place.is_file():
            with ZipFile(self.place) as archive:
                stream = io.BytesIO(archive.read(self._inside + file))
        else:
            stream = (self.place / file).open("rb")
        return self._opened.enter_context(io.TextIOWrapper(stream, encoding="utf-8"))

    def forget(self) -> None:
        """Lets go of the synsets that were read, which NLTK's reader keeps for ever: some 2 KB each."""
        self._synset_offset_cache.clear()

    def map_wn(self, version: str = "wordnet") -> None:
        """No mapping to the WordNet of another version: it is there for other languages."""


class _Elsewhere(PathPointer):  # type: ignore[misc]
    """The place of a reader that opens its files by itself."""

    def open(self, encoding: str | None = None) -> IO[bytes]:
        raise BenchmarkError("WordNet's files are opened by their names.")

    def file_size(self) -> int:
        return 0

    def join(self, fileid: str) -> PathPointer:
        return self


def find(path: str | Path | None = None) -> Path:
    """Where WordNet is: `path`, else what TENK_WORDNET names, else Debian's folder, else NLTK's data.

    Raises BenchmarkError where there is none, with the mend.
    """
    named = path or os.environ.get(VARIABLE)
    if named:
        if _is_there(place := Path(named)):
            return place
        raise BenchmarkError(f"{place} holds no WordNet (data.noun, index.noun, noun.exc and so on). {_MEND}")
    for place in _places():
        if _is_there(place):
            return place
    raise BenchmarkError(f"WordNet is not on this machine. {_MEND}")


def open_wordnet(path: str | Path | None = None) -> WordNet:
    """WordNet at `path`, or wherever `find` finds it. It takes two seconds and 100 MB: open it once.

    Raises BenchmarkError where there is none, or where it cannot be read.
    """
    place = find(path)
    try:
        return WordNet(place)
    except (OSError, ValueError, KeyError, WordNetError, BadZipFile) as problem:
        raise BenchmarkError(f"{place}: WordNet cannot be read ({problem}). {_MEND}") from problem


def _places() -> Iterator[Path]:
    yield DEBIAN
    for folder in nltk.data.path:
        yield Path(folder) / "corpora" / "wordnet"
        yield Path(folder) / "corpora" / "wordnet.zip"


def _is_there(place: Path) -> bool:
    try:
        if place.is_dir():
            return all((place / name).is_file() for name in _WANTED)
        if not place.is_file():
            return False
        with ZipFile(place) as archive:
            return set(_WANTED) <= {PurePosixPath(name).name for name in archive.namelist()}
    except (OSError, BadZipFile):
        return False
