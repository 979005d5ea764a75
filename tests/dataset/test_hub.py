"""Pushing to a hub that is not there: a repository in memory behind the methods of HfApi, and a server that refuses."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import pytest
import yaml
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

from tenk.dataset import About, publish
from tenk.dataset.hub import push
from tenk.errors import CredentialsError, DatasetError, UsageError
from tenk.records import Augmented

Make = Callable[..., list[Augmented]]


class Hub:
    """One repository on disk. Calls are checked against the signatures of the real HfApi."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commits = 0
        self.created: list[dict[str, Any]] = []

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if not callable(value) or name.startswith("_"):
            return value
        signature = inspect.signature(getattr(HfApi, name))

        def checked(*args: Any, **kwargs: Any) -> Any:
            signature.bind(self, *args, **kwargs)
            return value(*args, **kwargs)

        return checked

    def create_repo(self, repo_id: str, **kwargs: Any) -> str:
        self.created.append(kwargs)
        self.folder.mkdir(exist_ok=True)
        return f"https://hub/datasets/{repo_id}"

    def repo_info(self, repo_id: str, **kwargs: Any) -> Any:
        return SimpleNamespace(sha=f"commit{self.commits}")

    def list_repo_files(self, repo_id: str, **kwargs: Any) -> list[str]:
        return [path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()]

    def hf_hub_download(self, repo_id: str, filename: str, **kwargs: Any) -> str:
        return str(self.folder / filename)

    def create_commit(self, repo_id: str, operations: Any, **kwargs: Any) -> Any:
        assert kwargs["parent_commit"] == f"commit{self.commits}"
        for operation in operations:
            path = self.folder / operation.path_in_repo
            if isinstance(operation, CommitOperationDelete):
                path.unlink()
            else:
                assert isinstance(operation, CommitOperationAdd)
                path.parent.mkdir(parents=True, exist_ok=True)
                with operation.as_file() as content:
                    path.write_bytes(content.read())
        self.commits += 1
        return SimpleNamespace(oid=f"commit{self.commits}")


@pytest.fixture
def hub(tmp_path: Path) -> Any:
    return Hub(tmp_path / "hub")


@pytest.fixture
def folder(tmp_path: Path, videos: Make, about: About) -> Path:
    publish(tmp_path / "Garden10k", "Garden10k", "val_1", videos("val_1"), about)
    return tmp_path / "Garden10k"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_repository_holds_what_the_folder_does(folder: Path, hub: Any) -> None:
    (folder / ".cache").write_text("not for others")
    pushed = push(folder, "me/Garden10k", private=True, api=hub)
    assert hub.created == [{"repo_type": "dataset", "private": True, "exist_ok": True}]
    assert (pushed.url, pushed.commit) == ("https://hub/datasets/me/Garden10k", "commit1")
    assert contents(hub.folder) == {name: text for name, text in contents(folder).items() if name != ".cache"}
    assert set(pushed.written) == set(contents(hub.folder))


def test_a_card_edited_on_the_hub_is_extended(folder: Path, hub: Any, videos: Make, about: About) -> None:
    push(folder, "me/Garden10k", api=hub)
    card = hub.folder / "README.md"
    card.write_text(card.read_text().replace("license: cc-by-4.0", "license: mit") + "\n## Contact\n\nThe gardener.\n")
    publish(folder, "Garden10k", "val_1", videos("val_1", 1), about)
    push(folder, "me/Garden10k", api=hub)
    text = card.read_text()
    assert text.endswith("\n## Contact\n\nThe gardener.\n")
    assert yaml.safe_load(text.split("---\n")[1])["license"] == "mit"
    assert "11 descriptions of 1 long videos" in text


def test_splits_that_are_only_on_the_hub_stay(
    tmp_path: Path, folder: Path, hub: Any, videos: Make, about: About
) -> None:
    push(folder, "me/Garden10k", api=hub)
    publish(tmp_path / "other/Garden10k", "Garden10k", "train", videos("train"), about)
    push(tmp_path / "other/Garden10k", "me/Garden10k", api=hub)
    publish(folder, "Garden10k", "train", videos("train"), about)
    assert contents(hub.folder) == contents(folder)
    assert {name: part.num_rows for name, part in datasets.load_dataset(str(hub.folder), "videos").items()} == {
        "train": 3,
        "val_1": 3,
    }


def test_files_of_an_earlier_publication_are_removed(
    folder: Path, hub: Any, videos: Make, about: About, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("tenk.dataset.shards.GROUP", 10)
        patch.setattr("tenk.dataset.shards.SHARD", 20)
        publish(folder, "Garden10k", "val_1", videos("val_1"), about)
    push(folder, "me/Garden10k", api=hub)
    publish(folder, "Garden10k", "val_1", videos("val_1"), about)
    removed = push(folder, "me/Garden10k", api=hub).removed
    assert removed == ("captions/val_1-00000-of-00002.parquet", "captions/val_1-00001-of-00002.parquet")
    assert contents(hub.folder) == contents(folder)


def test_a_folder_without_a_dataset(tmp_path: Path, hub: Any) -> None:
    with pytest.raises(DatasetError, match="no dataset of tenk's"):
        push(tmp_path, "me/Garden10k", api=hub)
    assert hub.created == []


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], HfApi]]:
    """The real HfApi against a server on loopback that answers everything with one status."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    servers = []

    def start(status: int) -> HfApi:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return HfApi(endpoint=f"http://127.0.0.1:{server.server_port}", token="hf_secret")

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("status", "error"), [(401, CredentialsError), (403, CredentialsError), (400, DatasetError)])
def test_what_the_hub_refuses(
    folder: Path, refusing: Callable[[int], HfApi], status: int, error: type[Exception]
) -> None:
    with pytest.raises(error, match=str(status)) as caught:
        push(folder, "me/Garden10k", api=refusing(status))
    assert "hf_secret" not in str(caught.value)


def test_no_hub(folder: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be reached"):
        push(folder, "me/Garden10k", api=HfApi(endpoint="http://127.0.0.1:9", token="hf_secret"))


def test_a_bad_name(folder: Path, hub: Any) -> None:
    with pytest.raises(UsageError, match="owner/name"):
        push(folder, "me//x", api=HfApi(endpoint="http://127.0.0.1:9", token="hf_secret"))
