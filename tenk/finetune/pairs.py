"""A published dataset in, (id, paragraph, one of its 10k captions) by video and epoch out: what a loop trains on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from os import PathLike

import torch
from torch import Tensor
from torch.utils.data import Dataset

from tenk.dataset.load import load
from tenk.errors import DatasetError

POOLS = {
    "summarization": ("s", "m", "l"),
    "simplification": ("e", "i", "u"),
    "joint": ("s+e", "s+i", "s+u"),
    "partial": ("p",),
}
"""Captions by type, as 10k Words, Table 12 mixes them; its pool of nine is all but `partial`."""

NINE = ("summarization", "simplification", "joint")


class TenKPairs(Dataset[tuple[str, str, str]]):
    """The videos of a published dataset, each as (id, full paragraph, one caption of the pool).

    Which caption a video gets depends on (seed, epoch, id) alone: not on order, batch size or workers. Call `set_epoch`
    before every epoch; workers that persist see it too. Videos that have no caption of the pool are left out and listed
    in `left_out`.

    Args:
        path: folder or hub repository of the dataset.
        split: its split, such as `train`.
        pool: types of POOLS, or codes of captions; a string is one of them. A caption named twice counts once.

    Raises:
        DatasetError: there is no such dataset or split, or it has no caption of a name in the pool.
    """

    def __init__(
        self, path: str | PathLike[str], split: str, *, pool: str | Iterable[str] = NINE, seed: int = 0
    ) -> None:
        names = [pool] if isinstance(pool, str) else list(pool)
        codes = list(dict.fromkeys(code for name in names for code in POOLS.get(name, (name,))))
        known: dict[str, None] = {}
        self.seed = seed
        self.left_out: list[str] = []
        self._videos: list[tuple[str, str, list[str]]] = []
        for row in load(path, "videos", split=split):
            texts = {caption["code"]: caption["text"] for caption in row["captions"]}
            known |= dict.fromkeys(texts)
            chosen = [texts[code] for code in codes if code in texts]
            if chosen:
                self._videos.append((row["id"], texts["f"], chosen))
            else:
                self.left_out.append(row["id"])
        unknown = [name for name in names if known.keys().isdisjoint(POOLS.get(name, (name,)))]
        if unknown or not names:
            missing = ", ".join(map(repr, unknown)) or "an empty pool"
            raise DatasetError(
                f"{path}: no video of split {split!r} has a caption of {missing}. "
                f"Name types ({', '.join(POOLS)}) or codes that the dataset has ({', '.join(known)})."
            )
        self._epoch: Tensor = torch.zeros((), dtype=torch.int64).share_memory_()  # type: ignore[no-untyped-call]

    def set_epoch(self, epoch: int) -> None:
        """Which draw of captions the next pass gives."""
        self._epoch.fill_(epoch)

    def __len__(self) -> int:
        return len(self._videos)

    def __getitem__(self, index: int) -> tuple[str, str, str]:
        id_, full, texts = self._videos[index]
        digest = hashlib.sha256(f"{self.seed}:{int(self._epoch)}:{id_}".encode()).digest()
        return id_, full, texts[int.from_bytes(digest[:8], "big") % len(texts)]
