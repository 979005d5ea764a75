"""A published folder in, a dataset repository on the Hugging Face hub out, in one commit.

What is there already stays: splits that the folder does not have, and what people wrote into the card on the hub. Once
a card is on the hub, that is the one to edit: text around the generated part of the folder's card is only taken for a
new repository. The token is the one that `hf auth login` or HF_TOKEN gives; it is never read here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tenk.dataset.load import CONFIGS
from tenk.dataset.provenance import Provenance
from tenk.dataset.target import CARD
from tenk.dataset.write import GENERATED
from tenk.errors import CredentialsError, DatasetError, UsageError
from tenk.records import Record

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

Read = Callable[[str], str | None]
"""The text of a file of the repository by its path, None where it has no such file."""


class Pushed(Record):
    """What went to the hub: files written in `commit`, and files removed that an earlier publication left."""

    url: str
    commit: str
    written: tuple[str, ...]
    removed: tuple[str, ...]


def push(
    folder: Path, repo_id: str, *, private: bool = False, message: str | None = None, api: HfApi | None = None
) -> Pushed:
    """Puts the dataset in `folder` into the repository `owner/name`, which is made where it does not exist.

    Nobody sees half of it: all files come in one commit, refused if somebody else commits in the meantime. `private` is
    for a new repository; `message` is that of the commit, else the dataset and its splits. Raises
    CredentialsError where the hub refuses the token, UsageError for a name that it cannot take, DatasetError for the
    rest.
    """
    from httpx2 import HTTPError
    from huggingface_hub import HfApi, errors

    from tenk.dataset import provenance

    local = provenance.read(folder)
    if local is None:
        raise DatasetError(f"{folder}: no dataset of tenk's. Name the folder that holds its provenance.json.")
    hub = api or HfApi()
    try:
        return _push(folder, local, repo_id, private, message, hub)
    except errors.HFValidationError:
        raise UsageError(f"{repo_id!r} cannot name a repository. Give it as owner/name.") from None
    except errors.HfHubHTTPError as problem:
        status = problem.response.status_code
        if status in (401, 403):
            raise CredentialsError(
                f"{repo_id}: the hub refused the token ({status}). Log in with `hf auth login`, or set HF_TOKEN to a "
                f"token that may write there."
            ) from None
        raise DatasetError(f"{repo_id}: the hub answered {status}. Try again; nothing was changed.") from None
    except errors.LocalTokenNotFoundError:
        raise CredentialsError(f"{repo_id}: no token. Log in with `hf auth login`, or set HF_TOKEN.") from None
    except (HTTPError, OSError) as problem:
        raise DatasetError(
            f"{repo_id}: the hub cannot be reached ({type(problem).__name__}). Nothing was changed; try again."
        ) from None


def _push(folder: Path, local: Provenance, repo_id: str, private: bool, message: str | None, hub: HfApi) -> Pushed:
    url = hub.create_repo(repo_id, repo_type="dataset", private=private, exist_ok=True)
    head = hub.repo_info(repo_id, repo_type="dataset").sha
    present = set(hub.list_repo_files(repo_id, repo_type="dataset", revision=head))

    def read(path: str) -> str | None:
        if path not in present:
            return None
        return Path(hub.hf_hub_download(repo_id, path, repo_type="dataset", revision=head)).read_text("utf-8")

    texts = _merged_texts(folder, local, repo_id, read)
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    uploads = {name: path for name, path in files.items() if name not in GENERATED and not name.startswith(".")}
    ours = tuple(f"{config}/{split}-" for config in CONFIGS for split in local.splits)
    stale = sorted(name for name in present if name.startswith(ours) and name not in uploads)
    commit = hub.create_commit(
        repo_id,
        _operations(uploads, texts, stale),
        commit_message=message or f"{local.name}: {', '.join(local.splits)}",
        repo_type="dataset",
        parent_commit=head,
    )
    written = tuple(sorted([*uploads, *texts]))
    return Pushed(url=str(url), commit=commit.oid, written=written, removed=tuple(stale))


def _operations(
    uploads: dict[str, Path], texts: dict[str, str], stale: list[str]
) -> list[CommitOperationAdd | CommitOperationDelete]:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    return [
        *(CommitOperationAdd(path_in_repo=name, path_or_fileobj=path) for name, path in uploads.items()),
        *(CommitOperationAdd(path_in_repo=name, path_or_fileobj=text.encode()) for name, text in texts.items()),
        *(CommitOperationDelete(path_in_repo=name) for name in stale),
    ]


def _merged_texts(folder: Path, local: Provenance, repo_id: str, read: Read) -> dict[str, str]:
    """Card, provenance and rejections of the splits on the hub and in the folder; the folder's win."""
    from tenk.dataset import card, frontmatter, provenance, rejections

    known = read(provenance.FILE)
    merged = local
    if known is not None:
        remote = provenance.parse(known, f"{repo_id}/{provenance.FILE}")
        merged = remote.model_copy(update={"name": local.name})
        for name, split in local.splits.items():
            merged = merged.with_split(name, split)
    theirs = rejections.by_split(read(rejections.FILE) or "", f"{repo_id}/{rejections.FILE}")
    mine = rejections.by_split((folder / rejections.FILE).read_text("utf-8"), str(folder / rejections.FILE))
    kept = {split: lines for split, lines in theirs.items() if split not in local.splits}
    on_hub = read(CARD)
    base, place = (
        ((folder / CARD).read_text("utf-8"), str(folder / CARD)) if on_hub is None else (on_hub, f"{repo_id}/{CARD}")
    )
    return {
        CARD: frontmatter.extend(base, card.metadata(merged), card.body(merged), place),
        provenance.FILE: merged.to_json(),
        rejections.FILE: rejections.joined(kept | mine),
    }
