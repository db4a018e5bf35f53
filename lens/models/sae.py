"""A TopK sparse autoencoder (Gao et al. 2024, arXiv:2406.04093): each stream as a few features of a dictionary.

    a = the k largest of relu(E (h − c) + e), the others 0      ĥ = a F + c      h: [n, d], F: [m, d], rows of length 1

Files are safetensors with `encoder` [m, d], `bias` [m], `decoder` [m, d], `centre` [d], and k in their metadata.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from lens.errors import UsageError

PARTS = ("encoder", "bias", "decoder", "centre")


@dataclass(frozen=True)
class Dictionary:
    """`encoder` E, `bias` e, `decoder` F, `centre` c; `k` features at once."""

    encoder: Tensor
    bias: Tensor
    decoder: Tensor
    centre: Tensor
    k: int

    @property
    def features(self) -> int:
        return len(self.decoder)

    def codes(self, h: Tensor) -> Tensor:
        """Feature activations of streams: [..., d] -> [..., m], at most k of them above 0."""
        full = torch.relu((h - self.centre) @ self.encoder.T + self.bias)
        most = full.topk(self.k, dim=-1)
        return torch.zeros_like(full).scatter(-1, most.indices, most.values)

    def decoded(self, codes: Tensor) -> Tensor:
        """[..., m] -> [..., d]."""
        return codes @ self.decoder + self.centre

    def save(self, path: Path) -> None:
        from safetensors.torch import save_file

        save_file({name: getattr(self, name).contiguous() for name in PARTS}, path, {"k": str(self.k)})


def load(path: Path, width: int) -> Dictionary:
    """Raises UsageError for a file that isn't there, is no dictionary, or is one of streams of another width."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), "pt") as file:
            k = int((file.metadata() or {}).get("k", "0"))
            parts = {name: file.get_tensor(name).float() for name in PARTS}
    except FileNotFoundError:
        raise UsageError(f"there is no dictionary {path.name}", remedy="name a safetensors file") from None
    except (SafetensorError, ValueError) as error:
        raise UsageError(
            f"{path.name} is no dictionary: {error}",
            remedy=f"a safetensors file with {', '.join(PARTS)}, and k in its metadata",
        ) from None
    if parts["decoder"].shape[1] != width or not 0 < k <= len(parts["decoder"]):
        raise UsageError(
            f"{path.name} has features of width {parts['decoder'].shape[1]} and k {k}, the stream is {width} wide",
            remedy="name a dictionary trained on this model's stream",
        )
    return Dictionary(**parts, k=k)


def fresh(rows: Tensor, features: int, k: int, *, seed: int) -> Dictionary:
    """An untrained one: random unit features, tied, about the mean of `rows` [n, d]."""
    drawn = torch.randn((features, rows.shape[1]), generator=torch.Generator().manual_seed(seed))
    decoder = drawn / drawn.norm(dim=1, keepdim=True)
    return Dictionary(decoder.clone(), torch.zeros(features), decoder, rows.mean(0), k)


def train(rows: Tensor, features: int, k: int, *, seed: int, steps: int = 800, batch: int = 256) -> Dictionary:
    """Trained on `rows` [n, d] by Adam on the squared error; features that stop firing begin anew as what is missed."""
    generator = torch.Generator().manual_seed(seed)
    scale = (rows - rows.mean(0)).pow(2).sum(1).mean().sqrt()
    start = fresh(rows / scale, features, k, seed=seed)
    parts = [part.clone().requires_grad_(True) for part in (start.encoder, start.bias, start.decoder, start.centre)]
    optimizer = torch.optim.Adam(parts, lr=2e-3)
    fired = torch.zeros(features)
    for step in range(steps):
        some = rows[torch.randint(len(rows), (min(batch, len(rows)),), generator=generator)] / scale
        held = Dictionary(parts[0], parts[1], parts[2], parts[3], k)
        codes = held.codes(some)
        loss = (held.decoded(codes) - some).pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        fired += (codes > 0).sum(0)
        with torch.no_grad():
            parts[2] /= parts[2].norm(dim=1, keepdim=True).clamp_min(1e-8)
            if step % 200 == 199 and step < 0.7 * steps:
                _revive(held, parts, optimizer, fired, some)
                fired.zero_()
    encoder, bias, decoder, centre = (part.detach() for part in parts)
    return Dictionary(encoder, bias * scale, decoder, centre * scale, k)


def _revive(held: Dictionary, parts: list[Tensor], optimizer: torch.optim.Adam, fired: Tensor, some: Tensor) -> None:
    """Point features that never fired at the rows that are told worst, in place."""
    dead = torch.nonzero(fired == 0).ravel()
    if not len(dead):
        return
    missed = some - held.decoded(held.codes(some))
    worst = missed[missed.norm(dim=1).argsort(descending=True)[: len(dead)]]
    dead = dead[: len(worst)]
    rows = worst / worst.norm(dim=1, keepdim=True).clamp_min(1e-8)
    parts[0][dead], parts[2][dead], parts[1][dead] = rows, rows, 0.0
    for part in parts[:3]:
        state = optimizer.state[part]
        state["exp_avg"][dead] = 0.0
        state["exp_avg_sq"][dead] = 0.0
