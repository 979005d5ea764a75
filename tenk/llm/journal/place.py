"""A file in, why SQLite cannot be trusted with it there out.

The write-ahead log is shared through memory that all users of the file map: they must run under one kernel. A file
system that several machines mount lets a second one write without seeing it, and loses what was paid for; some of them
do not keep SQLite's locks even on one machine. What a container or virtual machine has of its own host (overlay,
virtiofs, 9p over anything but a network) is used by one kernel, and fine. Elsewhere than on Linux nothing is said.
"""

from __future__ import annotations

import re
from pathlib import Path

from tenk.errors import JournalError

MOUNTS = Path("/proc/self/mountinfo")

NETWORK = {
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.ceph",
    "fuse.gcsfuse",
    "fuse.glusterfs",
    "fuse.goofys",
    "fuse.juicefs",
    "fuse.mount-s3",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "orangefs",
    "pvfs2",
    "smb3",
    "smbfs",
    "wekafs",
}
"""File systems, as Linux calls them, that several machines mount at a time."""

_NETWORKED_9P = re.compile(r"(^|,)trans=(tcp|rdma)(,|$)")


def refuse_network(file: Path, mounts: Path | None = None) -> None:
    """Raises JournalError where `file`, which need not exist, lies on a file system that machines share.

    `mounts` is the table of mounts, as in proc_pid_mountinfo(5).
    """
    try:
        table = (mounts or MOUNTS).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    kind = _file_system(file.resolve(), table)
    if kind is not None:
        raise JournalError(
            f"{file}: on a network file system ({kind}), where SQLite cannot keep a journal that several machines may "
            "open. Name a file on a local disk, or a PostgreSQL database by TENK_JOURNAL_URL."
        )


def _file_system(file: Path, table: str) -> str | None:
    """The kind of the network file system that `file` is on; None for any other one."""
    longest, found = -1, None
    for line in table.splitlines():
        # ID, parent, device, root, mount point, options, optional fields, then a dash: type, source, more options.
        before, dash, after = line.partition(" - ")
        fields, (kind, *rest) = before.split(" "), after.split(" ")
        if not dash or len(fields) < 5:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4]))
        # A later mount at the same point lies over the earlier one.
        if file.is_relative_to(point) and len(point.parts) >= longest:
            longest = len(point.parts)
            network = kind in NETWORK or (kind == "9p" and bool(rest) and bool(_NETWORKED_9P.search(rest[-1])))
            found = kind if network else None
    return found
