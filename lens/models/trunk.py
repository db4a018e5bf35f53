"""A class-A network in pieces: causal, pre-norm, RMSNorm, one linear head on one token.

Notation (shared with every instrument that reads a trunk), R rows, T positions, H heads of width k, d the stream:
    h[l]     stream before block l at every position, [R, T, d]; h[L] after the last block
    mid[l]   h[l] + what attention l added
    attn[l]  what attention l adds to the stream (after a post-norm, where there is one); mlp[l] likewise
    z[l]     heads' values before the output projection, [R, T, H, k]
    reward   r = w·h/σ(h) + b at the readout token, w = w_r ⊙ γ, σ(h) = √(mean h² + ε)

The weights are the library's own modules, called in its order; the attention between them is computed here, so that
one block can run on a few positions over another pass's keys and values. Where blocks stand on several devices, each
computes on its own and its keys stay there; all else comes back to the trunk's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

Rotary = tuple[Tensor, Tensor]  # cosines and sines, each [1, 1, T, k]
KeyValue = tuple[Tensor, Tensor]  # each [R, Hkv, T, k]


@dataclass(frozen=True)
class Readout:
    """The head, folded with the final norm: `w` = w_r ⊙ γ [d] and `b` in fp32, `eps` the norm's, `gamma` γ alone."""

    w: Tensor
    b: float
    eps: float
    gamma: Tensor | None = None

    def sigma(self, h: Tensor) -> Tensor:
        """√(mean h² + ε) over the last dimension, fp32: [..., d] -> [...]."""
        return torch.sqrt(h.float().pow(2).mean(-1) + self.eps)

    def reward(self, h: Tensor) -> Tensor:
        """w·h/σ(h) + b, fp32: [..., d] -> [...]."""
        return (h.float() @ self.w) / self.sigma(h) + self.b


@dataclass(frozen=True)
class Block:
    """One block of the network as the library built it; `None` where the architecture has no such part."""

    attn_norm: nn.Module
    q: nn.Module
    k: nn.Module
    v: nn.Module
    o: nn.Module
    mlp_norm: nn.Module
    mlp: nn.Module
    scaling: float
    q_norm: nn.Module | None = None
    k_norm: nn.Module | None = None
    attn_post: nn.Module | None = None
    mlp_post: nn.Module | None = None
    softcap: float | None = None
    window: int | None = None
    device: torch.device | None = None  # where it computes; the trunk's where none is named


@dataclass(frozen=True)
class Trace:
    """One text's pass: lists over layers, each [T, …] (`h` has L + 1). `start` is the position of the first row."""

    start: int
    h: list[Tensor]
    mid: list[Tensor]
    attn: list[Tensor]
    mlp: list[Tensor]
    z: list[Tensor]
    keys: list[KeyValue] = field(repr=False)
    reward: float

    @property
    def last(self) -> Tensor:
        """The stream at the readout token after every block, [L + 1, d]."""
        return torch.stack([h[-1] for h in self.h])


@dataclass(frozen=True)
class PairTrace:
    """Both sides of a pair after the tokens they share; `shared` holds those tokens' keys and values by layer."""

    shared: list[KeyValue]
    chosen: Trace
    rejected: Trace

    @property
    def prefix(self) -> int:
        return self.chosen.start

    @property
    def margin(self) -> float:
        return self.chosen.reward - self.rejected.reward


@dataclass(frozen=True)
class Trunk:
    """The network's pieces; see this module's text for shapes."""

    blocks: tuple[Block, ...]
    embed: Callable[[Tensor], Tensor]  # token ids [R, T] -> [R, T, d], scaled as the architecture scales it
    rotary: Callable[[Tensor], Rotary]  # positions [T] -> cosines, sines
    readout: Readout
    heads: int
    kv_heads: int
    head_dim: int
    width: int
    device: torch.device

    @property
    def layers(self) -> int:
        return len(self.blocks)

    def positions(self, start: int, stop: int) -> Rotary:
        """Rotary factors of positions start..stop-1."""
        return self.rotary(torch.arange(start, stop, device=self.device))

    def attend(
        self, layer: int, h: Tensor, rotary: Rotary, past: KeyValue | None, *, last: bool = False
    ) -> tuple[Tensor, KeyValue]:
        """Heads' values z of attention `layer` on the stream `h` [R, T, d] over `past` keys of one row; the new keys.

        With `last`, queries of the last position alone: z is [R, 1, H, k].
        """
        block = self.blocks[layer]
        x = block.attn_norm(h.to(device=block.device))
        rows, count = h.shape[:2]
        k = block.k(x).view(rows, count, self.kv_heads, self.head_dim)
        v = block.v(x).view(rows, count, self.kv_heads, self.head_dim).transpose(1, 2)
        x = x[:, -1:] if last else x
        q = block.q(x).view(rows, x.shape[1], self.heads, self.head_dim)
        q = (block.q_norm(q) if block.q_norm else q).transpose(1, 2)
        k = (block.k_norm(k) if block.k_norm else k).transpose(1, 2)
        cos, sin = (one.to(device=block.device) for one in rotary)
        k = _rotate(k, cos, sin)
        q = _rotate(q, cos[..., -1:, :], sin[..., -1:, :]) if last else _rotate(q, cos, sin)
        keys, values = k, v
        if past is not None:
            keys = torch.cat([past[0].expand(rows, -1, -1, -1), k], dim=2)
            values = torch.cat([past[1].expand(rows, -1, -1, -1), v], dim=2)
        z = _attention(q, keys, values, block)
        return z.transpose(1, 2).to(self.device), (k, v)

    def project(self, layer: int, z: Tensor) -> Tensor:
        """What attention `layer` adds to the stream, given its heads' values: [R, T, H, k] -> [R, T, d]."""
        block = self.blocks[layer]
        out = block.o(z.reshape(*z.shape[:2], self.heads * self.head_dim).to(device=block.device))
        return _through(block.attn_post, out).to(self.device)

    def feed(self, layer: int, mid: Tensor) -> Tensor:
        """What MLP `layer` adds to the stream: [R, T, d] -> [R, T, d]."""
        block = self.blocks[layer]
        out = block.mlp(block.mlp_norm(mid.to(device=block.device)))
        return _through(block.mlp_post, out).to(self.device)

    @torch.no_grad()
    def trace(self, ids: tuple[int, ...], start: int = 0, past: list[KeyValue] | None = None) -> Trace:
        """One pass over `ids`, which stand at positions start.. after the tokens of `past`."""
        h = self.embed(torch.tensor([ids], device=self.device))
        rotary = self.positions(start, start + len(ids))
        kept: tuple[list[Tensor], ...] = ([h], [], [], [], [])
        keys = []
        for layer in range(self.layers):
            z, pair = self.attend(layer, h, rotary, past[layer] if past else None)
            attn = self.project(layer, z)
            mid = h + attn
            mlp = self.feed(layer, mid)
            h = mid + mlp
            for into, tensor in zip(kept, (h, mid, attn, mlp, z), strict=True):
                into.append(tensor)
            keys.append(pair)
        hs, mids, attns, mlps, zs = ([tensor[0] for tensor in tensors] for tensors in kept)
        return Trace(start, hs, mids, attns, mlps, zs, keys, float(self.readout.reward(h[0, -1])))

    def pair(self, chosen: tuple[int, ...], rejected: tuple[int, ...]) -> PairTrace:
        """Both texts (ids up to and with their readout tokens), the tokens they begin with alike run once."""
        shared = common(chosen, rejected)
        past = self.trace(chosen[:shared]).keys if shared else None
        sides = [self.trace(ids[shared:], shared, past) for ids in (chosen, rejected)]
        return PairTrace(past or [], *sides)


def common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many first tokens two texts share, at least one left over on either side."""
    most = min(len(one), len(other)) - 1
    return next((i for i in range(most) if one[i] != other[i]), most)


def _through(norm: nn.Module | None, x: Tensor) -> Tensor:
    out: Tensor = x if norm is None else norm(x)
    return out


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], dim=-1) * sin


def _attention(q: Tensor, k: Tensor, v: Tensor, block: Block) -> Tensor:
    """Causal attention of the last `q.shape[2]` positions over all keys; grouped heads share theirs."""
    queries, keys = q.shape[2], k.shape[2]
    mask = None
    if queries > 1 or (block.window and keys > block.window):
        distance = torch.arange(keys - queries, keys, device=q.device)[:, None] - torch.arange(keys, device=q.device)
        mask = distance >= 0
        if block.window:
            mask &= distance < block.window
    if block.softcap is None:
        return nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, scale=block.scaling, enable_gqa=q.shape[1] != k.shape[1]
        )
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, dim=1), v.repeat_interleave(groups, dim=1)
    scores = torch.tanh(q @ k.transpose(2, 3) * block.scaling / block.softcap) * block.softcap
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ v
