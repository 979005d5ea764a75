"""An SQLite journal on a file system that machines share is refused; what one kernel has for itself is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenk.errors import JournalError
from tenk.llm.journal import Journal, place
from tenk.llm.journal.check import check
from tenk.llm.journal.place import refuse_network

ROOT = "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw"


def table(tmp_path: Path, *mounts: tuple[str, str, str]) -> Path:
    """A table of mounts with a local root and `mounts`: point, type, options of the file system."""
    lines = [f"{28 + n} 27 0:{n} / {point} rw - {kind} host:/x {more}" for n, (point, kind, more) in enumerate(mounts)]
    path = tmp_path / "mountinfo"
    path.write_text("\n".join([ROOT, *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("mounts", "file", "refused"),
    [
        ([("/data", "nfs4", "rw,vers=4.2")], "/data/run/journal.sqlite", "nfs4"),
        ([("/data", "nfs4", "rw")], "/database/journal.sqlite", None),
        ([("/data", "nfs4", "rw"), ("/data/local", "xfs", "rw")], "/data/local/journal.sqlite", None),
        ([("/data", "xfs", "rw"), ("/data", "cifs", "rw")], "/data/journal.sqlite", "cifs"),
        ([("/data", "cifs", "rw"), ("/data", "xfs", "rw")], "/data/journal.sqlite", None),
        ([("/my\\040data", "fuse.sshfs", "rw")], "/my data/journal.sqlite", "fuse.sshfs"),
        ([("/data", "9p", "rw,trans=tcp,port=564")], "/data/journal.sqlite", "9p"),
        ([("/data", "9p", "rw,trans=fd,rfdno=4")], "/data/journal.sqlite", None),
        ([("/", "overlay", "rw,lowerdir=/l")], "/journal.sqlite", None),
        ([("/", "virtiofs", "rw")], "/journal.sqlite", None),
        ([("/", "lustre", "rw")], "/anywhere/journal.sqlite", "lustre"),
        ([], "/journal.sqlite", None),
    ],
)
def test_which_file_systems(tmp_path: Path, mounts: list[tuple[str, str, str]], file: str, refused: str | None) -> None:
    if refused is None:
        refuse_network(Path(file), table(tmp_path, *mounts))
    else:
        with pytest.raises(JournalError, match=rf"{refused}\).*Name a file on a local disk, or .*TENK_JOURNAL_URL"):
            refuse_network(Path(file), table(tmp_path, *mounts))


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "here").symlink_to(tmp_path / "share")
    with pytest.raises(JournalError, match="nfs"):
        refuse_network(tmp_path / "here" / "j.sqlite", table(tmp_path, (f"{tmp_path}/share", "nfs", "rw")))


def test_without_a_table_nothing_is_said(tmp_path: Path) -> None:
    refuse_network(tmp_path / "j.sqlite", tmp_path / "absent")
    (tmp_path / "odd").write_text("\nnothing of the kind\n1 2 - \n - nfs\n")
    refuse_network(tmp_path / "j.sqlite", tmp_path / "odd")


def test_nothing_is_made_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "MOUNTS", table(tmp_path, (f"{tmp_path}/share", "nfs", "rw")))
    for opened in (Journal.open, lambda path: check(str(path))):
        with pytest.raises(JournalError, match="network file system"):
            opened(tmp_path / "share" / "run" / "j.sqlite")
    assert not (tmp_path / "share").exists()
