"""Augmented videos in, a part and its manifest in a store out; and back.

Object stores have no rename, so nothing is ever half of something else: a part's object is named by its content, and
its manifest, one put of some hundred bytes, comes last. A complete part has the manifest `<name>.json`, one that lacks
replies `<name>.incomplete.json`, so that the second never takes the place of the first, whoever writes when. Two
workers that finish the same shard write the same bytes under the same names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from pydantic import ValidationError

from tenk.errors import DatasetError
from tenk.parts.store import Store, open_store
from tenk.records import Augmented, Record


class Manifest(Record):
    """What makes a part count: `part` is the name of the object beside it that has `bytes` bytes of this `sha256`.

    `unanswered` counts by reason the requests that got no reply; the next run asks for them.
    """

    videos: int
    unanswered: dict[str, int]
    sha256: str
    bytes: int
    part: str

    @property
    def complete(self) -> bool:
        return not self.unanswered


def write(place: str, lines: Iterable[Augmented], *, unanswered: Mapping[str, int]) -> None:
    """Writes a part, whole or not at all. Raises DatasetError where the store cannot be written."""
    folder, _, name = place.rpartition("/")
    encoded = [line.model_dump_json().encode() + b"\n" for line in lines]
    body = b"".join(encoded)
    digest = hashlib.sha256(body).hexdigest()
    about = Manifest(
        videos=len(encoded),
        unanswered=dict(sorted(unanswered.items())),
        sha256=digest,
        bytes=len(body),
        part=f"{name}-{digest[:16]}.jsonl",
    )
    store = open_store(folder)
    store.put(about.part, body)
    store.put(_manifest_of(name, complete=about.complete), about.model_dump_json().encode() + b"\n")


def read(place: str) -> Iterator[Augmented]:
    """The videos of a part, in the order of the source; nothing of a damaged one. Raises DatasetError with the mend."""
    folder, _, name = place.rpartition("/")
    store = open_store(folder)
    about = _read_manifest(store, name)
    if about is None:
        raise DatasetError(
            f"{place}.json: no such part. It was removed, or a worker wrote it where this process does not look: name "
            f"a folder or URL that all machines share with `parts:`, and run again."
        )
    body = store.get(about.part)
    if body is None or len(body) != about.bytes or hashlib.sha256(body).hexdigest() != about.sha256:
        found = "missing" if body is None else "damaged"
        raise DatasetError(
            f"{store.folder}/{about.part}: {found}. Remove {_manifest_of(name, complete=about.complete)} beside it and "
            f"run again; what was paid for is in the journal."
        )
    for line in body.splitlines():
        yield Augmented.model_validate_json(line)


def manifest(place: str) -> Manifest | None:
    """The manifest of the part at `place`, None where there is no part."""
    folder, _, name = place.rpartition("/")
    return _read_manifest(open_store(folder), name)


def is_complete(place: str) -> bool:
    """Whether the part at `place` is there and lacks no reply. One whose manifest cannot be read is made again."""
    folder, _, name = place.rpartition("/")
    store = open_store(folder)
    about = _parsed(store.get(_manifest_of(name, complete=True)))
    return about is not None and store.size(about.part) == about.bytes


def complete(places: Iterable[str]) -> frozenset[str]:
    """Those of `places`, all in one folder, whose part is complete: one listing, and the manifests all at once."""
    wanted = {place.rpartition("/")[2]: place for place in places}
    if not wanted:
        return frozenset()
    store = open_store(next(iter(wanted.values())).rpartition("/")[0])
    sizes = store.sizes()
    names = {_manifest_of(name, complete=True): name for name in wanted}
    found = store.get_many([file for file in names if file in sizes])
    abouts = {names[file]: _parsed(body) for file, body in found.items()}
    return frozenset(
        wanted[name] for name, about in abouts.items() if about and sizes.get(about.part, -1) == about.bytes
    )


def _read_manifest(store: Store, name: str) -> Manifest | None:
    for whole in (True, False):
        if about := _parsed(store.get(_manifest_of(name, complete=whole))):
            return about
    return None


def _parsed(body: bytes | None) -> Manifest | None:
    """A manifest that is damaged says nothing, as if it were not there."""
    try:
        return None if body is None else Manifest.model_validate_json(body)
    except ValidationError:
        return None


def _manifest_of(name: str, *, complete: bool) -> str:
    return f"{name}.json" if complete else f"{name}.incomplete.json"
