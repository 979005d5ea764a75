"""Two batches of features in, one contrastive loss out: the default for hosts that bring none of their own."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class SymmetricInfoNCE(nn.Module):
    """Cross-entropy over cosine similarities in both directions, halved, with a learned temperature.

    As in CLIP and CLIP4Clip: `logit_scale` starts at ln(1 / temperature) and is kept at most ln(max_scale) by clamping
    the parameter itself, so that its gradient stays alive at the bound (clamping its use would leave it stuck there).
    """

    def __init__(self, temperature: float = 0.07, max_scale: float = 100.0) -> None:
        super().__init__()
        self.max_log_scale = math.log(max_scale)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / temperature)))

    def forward(self, a: Tensor, b: Tensor, mask: Tensor | None = None) -> Tensor:
        """The loss of `a` (B, d) against `b` (B, d), where row i of one belongs to row i of the other; a scalar.

        `mask` (B, B) is True at pairs that are neither positive nor negative, such as two captions of one video; its
        diagonal is ignored. Computed in float32 at least, also under autocast.
        """
        with torch.no_grad():
            self.logit_scale.clamp_(max=self.max_log_scale)
        with torch.autocast(a.device.type, enabled=False):
            wide = torch.promote_types(torch.promote_types(a.dtype, b.dtype), torch.float32)
            a, b = F.normalize(a.to(wide), dim=-1), F.normalize(b.to(wide), dim=-1)
            logits = self.logit_scale.to(wide).exp() * a @ b.T
            if mask is not None:
                diagonal = torch.eye(len(a), dtype=torch.bool, device=a.device)
                logits = logits.masked_fill(mask & ~diagonal, -math.inf)
            target = torch.arange(len(a), device=a.device)
            return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
