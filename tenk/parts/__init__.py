"""Augmented videos in, a part out that can be read back: in a local folder or in any store that fsspec knows.

A *part* holds the videos of a shard as JSON lines, an object named by its content. A *manifest*, written after it in
one put, makes it count; one that is complete is never replaced by one that is not. A place is a folder or URL and the
shard's name in it (`outputs/parts/Sample10k/val_1/0f3a...`). Parts are a cache: all that was paid for is in the
journal, so any of them, and all that no plan names any more, may be removed while no run is going on.

    naming.py   what shapes a part -> its name
    part.py     videos <-> a part and its manifest
    store.py    names and bytes <-> objects of a folder or URL
"""

from tenk.parts.naming import code_version, name
from tenk.parts.part import Manifest, complete, is_complete, manifest, read, write

__all__ = ["Manifest", "code_version", "complete", "is_complete", "manifest", "name", "read", "write"]
