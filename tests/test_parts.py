from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.registry import known_implementations

from tenk import parts
from tenk.errors import DatasetError, UsageError
from tenk.files import write_bytes
from tenk.parts import naming
from tenk.parts.store import Files, Objects, Store, open_store
from tenk.records import Augmented, Caption, Event, Measures, Video

LACKING = {"bad_request": 2}


def augmented(number: int) -> Augmented:
    text = f"Dog {number} runs.\u2028It barks."
    caption = Caption(
        video_id=f"v{number}", code="f", axis="ground_truth", text=text, words=4, model="source", events=(0,)
    )
    measures = Measures(code="f", nouns=1, verbs=2, delta_nouns=0, delta_verbs=0, word_length=3.5, grade=0.25)
    video = Video(id=f"v{number}", source_id=f"v_{number}", split="val_1", events=(Event(text=text, start=0.1, end=2),))
    return Augmented(video=video, captions=(caption,), measures=(measures,), rejections=(), replies=())


@pytest.fixture(params=["path", "file", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder that is not there yet, as a path, as a URL of a path, and in a store without folders."""
    return {
        "path": f"{tmp_path}/parts/val_1",
        "file": f"file://{tmp_path}/parts/val_1",
        "memory": f"memory://{tmp_path.name}/parts/val_1",
    }[request.param]


def test_a_part_comes_back_as_it_was_written(folder: str) -> None:
    place, items = f"{folder}/a", [augmented(1), augmented(2)]
    assert not parts.is_complete(place)
    assert parts.manifest(place) is None
    assert parts.complete([place]) == frozenset()
    parts.write(place, items, unanswered={})
    assert parts.is_complete(place)
    assert parts.complete([place, f"{folder}/b"]) == {place}
    assert list(parts.read(place)) == items
    made = parts.manifest(place)
    assert made is not None
    assert (made.videos, made.complete) == (2, True)


def test_what_lacks_replies_never_takes_the_place_of_what_does_not(folder: str) -> None:
    place, items = f"{folder}/a", [augmented(1), augmented(2)]
    parts.write(place, items[:1], unanswered=LACKING)
    assert not parts.is_complete(place)
    assert parts.complete([place]) == frozenset()
    assert list(parts.read(place)) == items[:1]
    found = parts.manifest(place)
    assert found is not None
    assert found.unanswered == LACKING
    parts.write(place, items, unanswered={})
    parts.write(place, items[:1], unanswered=LACKING)
    assert parts.is_complete(place)
    assert list(parts.read(place)) == items


def test_two_that_write_the_same_part_write_the_same_objects(folder: str) -> None:
    place, items = f"{folder}/a", [augmented(1)]
    parts.write(place, items, unanswered={})
    store = open_store(folder)
    before = store.get_many(sorted(store.sizes()))
    assert len(before) == 2
    parts.write(place, iter(items), unanswered={})
    assert store.get_many(sorted(store.sizes())) == before


def test_a_part_without_a_manifest_is_not_there(folder: str) -> None:
    place = f"{folder}/a"
    parts.write(place, [augmented(1)], unanswered={})
    _remove(folder, "a.json")
    assert not parts.is_complete(place)
    assert parts.complete([place]) == frozenset()
    with pytest.raises(DatasetError, match=r"a\.json: no such part.*`parts:`"):
        list(parts.read(place))


@pytest.mark.parametrize("damage", [lambda body: body[:50], lambda body: body[:-2] + b"?\n", lambda body: body + b"\n"])
def test_a_damaged_part_is_said_and_gives_nothing(folder: str, damage: Callable[[bytes], bytes]) -> None:
    place = f"{folder}/a"
    parts.write(place, [augmented(1), augmented(2)], unanswered={})
    store, about = open_store(folder), parts.manifest(place)
    assert about is not None
    body = store.get(about.part)
    assert body is not None
    store.put(about.part, damage(body))
    assert parts.is_complete(place) is (len(damage(body)) == len(body)), "the length is looked at, the hash on reading"
    assert (place in parts.complete([place])) is parts.is_complete(place)
    with pytest.raises(DatasetError, match=rf"{about.part}: damaged\. Remove a\.json beside it"):
        next(parts.read(place))
    parts.write(place, [augmented(1), augmented(2)], unanswered={})
    assert len(list(parts.read(place))) == 2
    _remove(folder, about.part)
    assert not parts.is_complete(place)
    with pytest.raises(DatasetError, match="missing"):
        next(parts.read(place))


@pytest.mark.parametrize("manifest", [b"", b"{", b'{"videos": 2}\n', b"\x00\xff\n"])
def test_a_manifest_that_cannot_be_read_is_none(folder: str, manifest: bytes) -> None:
    place = f"{folder}/a"
    parts.write(place, [augmented(1)], unanswered={})
    open_store(folder).put("a.json", manifest)
    assert not parts.is_complete(place)
    assert parts.complete([place]) == frozenset()
    assert parts.manifest(place) is None


def _remove(folder: str, name: str) -> None:
    if folder.startswith("memory://"):
        fsspec.filesystem("memory").rm_file(f"{folder}/{name}")
    else:
        (Path(folder.removeprefix("file://")) / name).unlink()


def test_objects_of_a_store(folder: str) -> None:
    store: Store = open_store(folder)
    assert isinstance(store, Objects if folder.startswith("memory") else Files)
    assert (store.get("a"), store.size("a"), store.sizes(), store.get_many(["a"])) == (None, None, {}, {})
    store.put("a", b"one")
    store.put("a", b"second")
    store.put("b", b"")
    assert (store.get("a"), store.size("a"), store.sizes()) == (b"second", 6, {"a": 6, "b": 0})
    assert store.get_many(["a", "b", "c"]) == {"a": b"second", "b": b""}
    assert store.get_many([]) == {}


def test_objects_that_other_runs_write_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path))
    store.put("a", b"one")
    (tmp_path / "a.json.0123456789ab.tmp").write_bytes(b"half")
    listed = [*os.listdir(tmp_path), "b.json.0123456789ab.tmp", "removed"]
    monkeypatch.setattr(os, "listdir", lambda _: listed)
    monkeypatch.setattr(Path, "iterdir", lambda self: (self / name for name in listed))
    assert store.sizes() == {"a": 3}


def test_a_store_whose_package_is_missing_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        known_implementations,
        "nowhere",
        {"class": "no_such_package.FileSystem", "err": "Please install no-such-package to access nowhere"},
    )
    with pytest.raises(UsageError, match=r"nowhere://b: Please install no-such-package.*on every machine.*`parts:`"):
        open_store("nowhere://b")
    with pytest.raises(UsageError, match=r"gopher://b.*Name a folder, or a URL such as s3://bucket/folder"):
        open_store("gopher://b")


def test_memory_is_refused_where_others_cannot_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    with pytest.raises(UsageError, match="no other one sees"):
        open_store("memory://b")


def test_what_a_store_says_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*given: object, **options: object) -> None:
        raise RuntimeError("no such bucket")

    store = open_store("memory://b")
    monkeypatch.setattr(MemoryFileSystem, "pipe_file", refuse)
    with pytest.raises(DatasetError, match=r"memory://b/a: RuntimeError: no such bucket\. Look at the URL"):
        store.put("a", b"")
    write_bytes(tmp_path / "file", b"", error=DatasetError)
    with pytest.raises(DatasetError, match=r"file/a: .*"):
        open_store(f"{tmp_path}/file").put("a", b"")
    with pytest.raises(DatasetError, match="Make it readable"):
        open_store(f"{tmp_path.parent}").get(tmp_path.name)


def test_a_name_follows_all_that_shapes_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    videos = [augmented(1).video, augmented(2).video]
    name = parts.name({"seed": 0, "writer": "x"}, videos)
    assert parts.name({"writer": "x", "seed": 0}, videos) == name
    others = [
        parts.name({"seed": 1, "writer": "x"}, videos),
        parts.name({"seed": 0, "writer": "x"}, videos[:1]),
        parts.name({"seed": 0, "writer": "x"}, videos[::-1]),
    ]
    monkeypatch.setattr(naming, "code_version", lambda: "other code")
    others.append(parts.name({"seed": 0, "writer": "x"}, videos))
    assert len({name, *others}) == 5


def test_folders_are_made_where_a_store_has_them_but_no_bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def put(self: MemoryFileSystem, path: str, body: bytes) -> None:
        if not self.isdir(path.rpartition("/")[0]):
            raise FileNotFoundError(path)
        self.open(path, "wb").write(body)

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", put)
    store = open_store(f"memory://{tmp_path.name}-bucket/parts/val_1")
    with pytest.raises(DatasetError, match="FileNotFoundError"):
        store.put("a", b"")
    fsspec.filesystem("memory").mkdir(f"/{tmp_path.name}-bucket")
    store.put("a", b"")
    assert store.sizes() == {"a": 0}
