"""The hook against a naive version in double precision, and against the ways hosts use it."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from tenk.finetune.contrast import SymmetricInfoNCE
from tenk.finetune.hook import TenKHook

B, D = 8, 5


def features(seed: int = 0, rows: int = B) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    video, full, tenk = torch.randn(3, rows, D, generator=generator, dtype=torch.float64)
    return video, full, tenk


def naive_info_nce(a: Tensor, b: Tensor, scale: float, ids: list[str]) -> float:
    """Symmetric InfoNCE written out pair by pair, other rows of a row's own video left out."""

    def cosine(x: Tensor, y: Tensor) -> float:
        return float(x @ y / math.sqrt(float(x @ x)) / math.sqrt(float(y @ y)))

    def one_way(x: Tensor, y: Tensor) -> float:
        total = 0.0
        for i in range(len(x)):
            kept = [j for j in range(len(y)) if j == i or ids[j] != ids[i]]
            exps = {j: math.exp(scale * cosine(x[i], y[j])) for j in kept}
            total -= math.log(exps[i] / sum(exps.values()))
        return total / len(x)

    return (one_way(a, b) + one_way(b, a)) / 2


@pytest.mark.parametrize("ids", [list("abcdefgh"), list("aabcdeef")], ids=["distinct", "several captions of a video"])
def test_equals_the_naive_version(ids: list[str]) -> None:
    hook = TenKHook(D, eta=0.5, alpha_t2t=0.3, alpha_proj=0.7).double()
    video, full, tenk = features()
    losses = {name: loss.detach() for name, loss in hook(video, full, tenk, ids=ids).items()}
    mixed = torch.stack([tenk[i] if losses["mask"][i] else full[i] for i in range(B)])
    projected = tenk @ hook.projection.weight.T + hook.projection.bias
    scale = math.exp(float(hook.default_contrast.logit_scale.detach()))
    itc = naive_info_nce(mixed, video, scale, ids)
    t2t = naive_info_nce(projected.detach(), full, scale, ids)
    proj = naive_info_nce(projected.detach(), video, scale, ids)
    assert float(losses["itc"]) == pytest.approx(itc, rel=1e-6)
    assert float(losses["t2t"]) == pytest.approx(t2t, rel=1e-6)
    assert float(losses["proj"]) == pytest.approx(proj, rel=1e-6)
    assert float(losses["loss"]) == pytest.approx(itc + 0.3 * t2t + 0.7 * proj, rel=1e-6)


def test_gradients_are_right() -> None:
    hook = TenKHook(D).double().eval()
    inputs = tuple(each.requires_grad_() for each in features(rows=4))
    assert torch.autograd.gradcheck(lambda *args: hook(*args, ids=list("abca"))["loss"], inputs)
    hook(*inputs)["loss"].backward()
    for name, parameter in hook.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize(("eta", "batch"), [(0.75, 8), (0.5, 6), (0.0, 4), (1.0, 4), (0.25, 100)])
def test_the_share_of_10k_captions_is_exact_where_it_is_whole(eta: float, batch: int) -> None:
    hook = TenKHook(D, eta=eta)
    assert all(int(hook.mix(batch).sum()) == eta * batch for hook.step in torch.arange(50))


def test_the_share_is_right_on_average_where_it_is_not_whole() -> None:
    hook = TenKHook(D, eta=0.75)
    counts = [int(hook.mix(2).sum()) for hook.step in torch.arange(2000)]
    assert set(counts) == {1, 2}
    assert sum(counts) / 4000 == pytest.approx(0.75, abs=0.02)


def test_mixing_is_seeded_moves_on_and_resumes() -> None:
    def masks(hook: TenKHook, steps: int) -> list[list[bool]]:
        return [hook(*(each.float() for each in features()))["mask"].tolist() for _ in range(steps)]

    whole = masks(TenKHook(D), 6)
    assert whole == masks(TenKHook(D), 6)
    assert whole != masks(TenKHook(D, seed=1), 6)
    assert len({tuple(mask) for mask in whole}) > 1
    first = TenKHook(D)
    masks(first, 3)
    second = TenKHook(D)
    second.load_state_dict(first.state_dict())
    assert masks(second, 3) == whole[3:]


def test_evaluation_does_not_move_the_step() -> None:
    hook = TenKHook(D).eval()
    hook(*(each.float() for each in features()))
    assert int(hook.step) == 0


def test_the_hosts_own_contrast_is_used_for_every_term() -> None:
    calls: list[tuple[int, ...]] = []

    def contrast(text: Tensor, video: Tensor) -> Tensor:
        calls.append(tuple(text.shape))
        return (text - video).square().mean()

    video, full, tenk = features()
    hook = TenKHook(D).double()
    losses = {name: loss.detach() for name, loss in hook(video, full, tenk, contrast=contrast).items()}
    assert calls == [(B, D)] * 3
    expected = (hook.project(tenk).detach() - full).square().mean()
    assert float(losses["t2t"]) == pytest.approx(float(expected))


@pytest.mark.parametrize("ids", [list("abcdefgh"), list("aabbccdd"), None])
@pytest.mark.filterwarnings("ignore:Rows of a batch share a video")
def test_a_contrast_without_a_mask_sees_all_rows_whatever_the_ids(ids: list[str] | None) -> None:
    """One that gathers from all ranks would wait for ever if their batches differed in shape."""
    seen: list[tuple[Tensor, Tensor]] = []

    def contrast(text: Tensor, video: Tensor) -> Tensor:
        seen.append((text, video))
        return (text * video).sum()

    video, full, tenk = features()
    hook = TenKHook(D).double()
    mask = hook(video, full, tenk, contrast=contrast, ids=ids)["mask"]
    mixed = torch.where(mask[:, None], tenk, full)
    assert [tuple(text.shape) for text, _ in seen] == [(B, D)] * 3
    assert torch.equal(seen[0][0], mixed)
    assert all(torch.equal(given, rows) for (_, given), rows in zip(seen, (video, full, video), strict=True))


def test_negatives_of_the_same_video_are_warned_of() -> None:
    def contrast(text: Tensor, video: Tensor) -> Tensor:
        return (text * video).sum()

    hook = TenKHook(D).double()
    with pytest.warns(UserWarning, match="share a video, and the contrast takes no `mask`"):
        hook(*features(), contrast=contrast, ids=list("aabbccdd"))


@pytest.mark.parametrize("ids", [[7, 8, 7], torch.tensor([7, 8, 7]), ["v", "w", "v"], [7, 8, 9]])
def test_a_contrast_that_takes_a_mask_is_given_it_in_every_step(ids: list[int] | list[str] | Tensor) -> None:
    seen: list[Tensor | None] = []

    def contrast(text: Tensor, video: Tensor, mask: Tensor | None = None) -> Tensor:
        seen.append(mask)
        return (text * video).sum()

    TenKHook(D).double()(*features(rows=3), contrast=contrast, ids=ids)
    again = ids[0] == ids[2]
    assert seen[0] is not None
    assert seen[0].tolist() == [[False, False, again], [False, False, False], [again, False, False]]


def test_zero_alphas_cost_nothing() -> None:
    hook = TenKHook(D, alpha_t2t=0, alpha_proj=0)
    assert [name for name, _ in hook.named_parameters()] == ["default_contrast.logit_scale"]
    losses = hook(*(each.float() for each in features()))
    assert set(losses) == {"loss", "itc", "mask"}
    calls: list[int] = []

    def contrast(text: Tensor, video: Tensor) -> Tensor:
        calls.append(len(text))
        return (text * video).sum()

    TenKHook(D, alpha_t2t=0, alpha_proj=0.1)(*(each.float() for each in features()), contrast=contrast)
    assert len(calls) == 2, "itc and proj"


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_under_autocast_and_in_half_precision(dtype: torch.dtype) -> None:
    hook = TenKHook(D)
    video, full, tenk = (each.float() for each in features())
    wide = hook.eval()(video, full, tenk)["loss"].detach()
    with torch.autocast("cpu", dtype=dtype):
        loss = hook(video, full, tenk)["loss"].detach()
    assert loss.dtype == torch.float32
    assert float(loss) == pytest.approx(float(wide), rel=0.05)
    half = hook(video.to(dtype), full.to(dtype), tenk.to(dtype))["loss"].detach()
    assert float(half) == pytest.approx(float(wide), rel=0.05)


def test_the_temperature_is_clamped_and_can_come_back() -> None:
    contrast = SymmetricInfoNCE()
    with torch.no_grad():
        contrast.logit_scale.fill_(9.0)
    a = torch.eye(4)
    loss = contrast(a, a.roll(1, 0))
    assert float(contrast.logit_scale.detach()) == pytest.approx(math.log(100))
    loss.backward()
    assert float(contrast.logit_scale.grad) > 0, "wrong pairs pull the scale down, also at the bound"


def test_a_mask_never_hides_the_positive() -> None:
    a = torch.eye(3)
    mask = torch.ones(3, 3, dtype=torch.bool)
    assert float(SymmetricInfoNCE()(a, a, mask).detach()) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("kwargs", "message"), [({"eta": 1.5}, "eta"), ({"alpha_t2t": -1}, "alphas"), ({"alpha_proj": math.nan}, "alphas")]
)
def test_bad_settings(kwargs: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TenKHook(D, **kwargs)


def test_bad_shapes_name_what_is_wrong() -> None:
    video, full, tenk = (each.float() for each in features())
    with pytest.raises(ValueError, match=r"tenk features are \(7, 5\)"):
        TenKHook(D)(video, full, tenk[:7])
    with pytest.raises(ValueError, match="3 ids for a batch of 8"):
        TenKHook(D)(video, full, tenk, ids=["a", "b", "c"])


class Toy(nn.Module):
    """A dual encoder over bags of words: the smallest host there is."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.text, self.video = nn.Linear(words, 16), nn.Linear(words, 16)


def test_a_toy_dual_encoder_trains_in_a_plain_loop() -> None:
    """A smoke test, no more: the loss of a host that learns through the hook falls."""
    torch.manual_seed(0)
    full = torch.rand(32, 40)
    tenk = full * (torch.rand(32, 40) > 0.5)
    model, hook = Toy(40), TenKHook(16)
    optimizer = torch.optim.Adam([*model.parameters(), *hook.parameters()], lr=1e-2)
    history = []
    for _ in range(60):
        text = model.text(torch.cat([full, tenk]))
        losses = hook(model.video(full), *text.chunk(2), ids=list(range(32)))
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        history.append(float(losses["loss"].detach()))
    assert sum(history[-5:]) < 0.5 * sum(history[:5])
