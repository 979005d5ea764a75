"""Features of videos, paragraphs and 10k captions in, the losses of 10k Words (section 4.1, Eq. 1) out."""

from __future__ import annotations

import hashlib
import inspect
import math
import warnings
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tenk.finetune.contrast import SymmetricInfoNCE

Ids = Sequence[str] | Sequence[int] | Tensor
"""The video of each row of a batch; a tensor of whole numbers is what PyTorch's default collation makes of such ids."""


class TenKHook(nn.Module):
    """Mixes captions by `eta` and adds the projection losses: L = L_itc + alpha_t2t L_t2t + alpha_proj L_proj.

    The host keeps its loop, encoder, contrastive function, temperature and gather. The hook's parameters (the
    projection, and the temperature of the default contrast) belong into the host's optimizer. With both alphas 0 there
    is no projection and nothing is computed for it.

    Args:
        dim: width d of the features.
        eta: share of the batch whose primary caption is the 10k caption, in [0, 1]. Where eta * B is not whole, the
            next or the previous whole number is drawn so that the share is right on average.
        alpha_t2t: weight of projected 10k text against paragraph text.
        alpha_proj: weight of projected 10k text against video.
        seed: with the number of the step, decides which rows are mixed; the step is in the state dict.

    Source: 10k Words, Eq. 1 and section 4.1; the defaults are the paper's.
    """

    step: Tensor

    def __init__(
        self, dim: int, eta: float = 0.75, alpha_t2t: float = 0.1, alpha_proj: float = 0.1, *, seed: int = 0
    ) -> None:
        super().__init__()
        if not 0 <= eta <= 1:
            raise ValueError(f"eta is a share of the batch, between 0 and 1, not {eta}")
        if not (0 <= alpha_t2t < math.inf and 0 <= alpha_proj < math.inf):
            raise ValueError(f"alphas are finite and not negative, not {alpha_t2t} and {alpha_proj}")
        self.dim, self.eta, self.seed = dim, eta, seed
        self.alpha_t2t, self.alpha_proj = alpha_t2t, alpha_proj
        self.projection = nn.Linear(dim, dim) if alpha_t2t or alpha_proj else None
        self.default_contrast = SymmetricInfoNCE()
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))

    def forward(
        self,
        video: Tensor,
        full: Tensor,
        tenk: Tensor,
        *,
        contrast: Callable[..., Tensor] | None = None,
        ids: Ids | None = None,
    ) -> dict[str, Tensor]:
        """The losses of a batch whose row i is one video, its paragraph and one of its 10k captions.

        Args:
            video, full, tenk: features, each (B, d).
            contrast: the host's `contrast(text, video) -> scalar`; by default a symmetric InfoNCE. It is always given
                all B rows, so that one that gathers from all ranks finds the same shape on each. One that takes a
                `mask` keyword is also given, in every step that has `ids`, the (B, B) mask of other rows of the same
                video. For one that does not, such rows are negatives of each other, as they are in the loops of
                CLIP4Clip and open_clip themselves; a UserWarning says so. `TenKPairs` gives each video once an epoch.
            ids: the video of each row; without them every row counts as a video of its own.

        Returns:
            `loss`, the weighted sum; its terms `itc`, and `t2t` and `proj` where their alpha is not 0; and `mask` (B,),
            True where the primary caption was the 10k caption.
        """
        self._check(video, full, tenk, ids)
        mask = self.mix(len(video)).to(video.device)
        mixed = torch.where(mask[:, None], tenk, full)
        compare = self._comparer(contrast or self.default_contrast, ids, video.device)
        losses = {"itc": compare(mixed, video)}
        loss = losses["itc"]
        if self.projection is not None:
            projected = self.project(tenk)
            if self.alpha_t2t:
                losses["t2t"] = compare(projected, full)
                loss = loss + self.alpha_t2t * losses["t2t"]
            if self.alpha_proj:
                losses["proj"] = compare(projected, video)
                loss = loss + self.alpha_proj * losses["proj"]
        if self.training:
            self.step += 1
        return {"loss": loss, **losses, "mask": mask}

    def mix(self, batch: int) -> Tensor:
        """Which rows of this step's batch take the 10k caption: bool (batch,), on the CPU."""
        digest = hashlib.sha256(f"{self.seed}:{int(self.step)}".encode()).digest()
        generator = torch.Generator().manual_seed(int.from_bytes(digest[:8], "big") >> 1)
        wanted = self.eta * batch
        count = math.floor(wanted + torch.rand((), generator=generator, dtype=torch.float64).item())
        order = torch.randperm(batch, generator=generator)
        return torch.zeros(batch, dtype=torch.bool).index_fill_(0, order[:count], True)

    def project(self, tenk: Tensor) -> Tensor:
        """f_10k: the 10k features (B, d) through the projection, of length 1, in the type they came in."""
        if self.projection is None:
            raise ValueError("there is no projection where both alphas are 0")
        projected = self.projection(tenk.to(self.projection.weight.dtype))
        wide = torch.promote_types(projected.dtype, torch.float32)
        return F.normalize(projected.to(wide), dim=-1).to(tenk.dtype)

    def _check(self, video: Tensor, full: Tensor, tenk: Tensor, ids: Ids | None) -> None:
        for name, features in (("video", video), ("full", full), ("tenk", tenk)):
            if features.shape != (len(video), self.dim):
                raise ValueError(
                    f"{name} features are {tuple(features.shape)}; expected ({len(video)}, {self.dim}), a row a video"
                )
        if ids is not None and len(ids) != len(video):
            raise ValueError(f"{len(ids)} ids for a batch of {len(video)}: give the video of every row")

    def _comparer(
        self, contrast: Callable[..., Tensor], ids: Ids | None, device: torch.device
    ) -> Callable[[Tensor, Tensor], Tensor]:
        """`contrast` of two batches with, if it can, the other rows of a row's own video kept out of its negatives."""
        if ids is None:
            return contrast
        keys = ids.tolist() if isinstance(ids, Tensor) else ids
        rows: dict[str | int, int] = {}
        group = torch.tensor([rows.setdefault(key, len(rows)) for key in keys], device=device)
        if _takes_mask(contrast):
            same = group[:, None] == group[None, :]
            return lambda a, b: contrast(a, b, mask=same & ~torch.eye(len(keys), dtype=torch.bool, device=device))
        if len(rows) < len(keys):
            warnings.warn(
                "Rows of a batch share a video, and the contrast takes no `mask`: they count as negatives of each "
                "other. Give every batch a video once, or pass a contrast that takes a `mask`.",
                stacklevel=3,
            )
        return contrast


def _takes_mask(contrast: Callable[..., Tensor]) -> bool:
    call = contrast.forward if isinstance(contrast, nn.Module) else contrast
    return "mask" in inspect.signature(call).parameters
