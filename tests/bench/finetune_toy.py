"""A smoke test, no more: a toy dual encoder learns through the hook, in a plain loop, and its loss falls.

    python tests/bench/finetune_toy.py DATASET --split val_1

The "videos" are bags of words of the segments' captions, so this says nothing of retrieval quality: only that a
published dataset, `TenKPairs` and `TenKHook` go together.
"""

from __future__ import annotations

import argparse
import time
import zlib
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

import tenk
from tenk.finetune import TenKHook, TenKPairs

WORDS, DIM = 4096, 64


def bag(text: str) -> Tensor:
    """Hashed word counts (WORDS,), of length 1."""
    counts = torch.zeros(WORDS)
    for word in text.lower().split():
        counts[zlib.crc32(word.strip(".,;:!?\"'").encode()) % WORDS] += 1
    return nn.functional.normalize(counts, dim=0)


def train(path: Path, split: str, epochs: int = 20) -> list[float]:
    """The mean loss of each epoch."""
    torch.manual_seed(0)
    rows = tenk.load(path, "videos", split=split)
    segments = {row["id"]: " ".join(event["text"] for event in row["events"]) for row in rows}
    pairs = TenKPairs(path, split)
    encode_text, encode_video = nn.Linear(WORDS, DIM), nn.Linear(WORDS, DIM)
    hook = TenKHook(DIM, eta=0.75, alpha_t2t=0.1, alpha_proj=0.1)
    parameters = [*encode_text.parameters(), *encode_video.parameters(), *hook.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=3e-3)
    history = []
    for epoch in range(epochs):
        pairs.set_epoch(epoch)
        generator = torch.Generator().manual_seed(epoch)
        total = 0.0
        loader = DataLoader(pairs, batch_size=32, shuffle=True, generator=generator)
        for ids, full, tenk_captions in loader:
            video = encode_video(torch.stack([bag(segments[id_]) for id_ in ids]))
            text = encode_text(torch.stack([bag(caption) for caption in (*full, *tenk_captions)]))
            losses = hook(video, *text.chunk(2), ids=ids)
            optimizer.zero_grad()
            losses["loss"].backward()
            optimizer.step()
            total += float(losses["loss"].detach()) * len(ids)
        history.append(total / len(pairs))
    return history


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val_1")
    arguments = parser.parse_args()
    start = time.perf_counter()
    history = train(arguments.dataset, arguments.split)
    seconds = time.perf_counter() - start
    print(f"mean loss of the first epoch {history[0]:.3f}, of the last {history[-1]:.3f}; {seconds:.1f} s")


if __name__ == "__main__":
    main()
