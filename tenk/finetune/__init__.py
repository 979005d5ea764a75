"""A published 10k-words dataset and a host's own training loop in, mixed captions and projection losses out (PyTorch).

hook = TenKHook(dim, eta=0.75, alpha_t2t=0.1, alpha_proj=0.1)
text = model.encode_text(full + tenk)                  # one forward for both
losses = hook(video, *text.chunk(2), contrast=my_loss, ids=ids)
losses["loss"].backward()
"""

from __future__ import annotations

from tenk.finetune.contrast import SymmetricInfoNCE
from tenk.finetune.hook import TenKHook
from tenk.finetune.pairs import POOLS, TenKPairs

__all__ = ["POOLS", "SymmetricInfoNCE", "TenKHook", "TenKPairs"]
