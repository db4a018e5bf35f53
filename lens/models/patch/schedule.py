"""Patch grids by restarting at the patched place.

A grid repeats passes that share almost everything. Here one text's pass is kept, every patched copy starts as a new
row at the block where it first differs, all rows go through a block together over the shared tokens' keys and
values, and the last block is computed at the readout token alone. Exact: the same numbers as a whole pass a patch
(`lens.models.patch.naive`), to rounding.

Positions are matched from the end: the readout token with the readout token, and back as far as both texts go
beyond the tokens they share. Nothing is cut or moved. Shared tokens hold the same values on both sides of a causal
network, so a patch there changes nothing; those places are zero by structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from lens.models.patch.sites import Site
from lens.models.trunk import KeyValue, Trace, Trunk

Mode = Literal["noising", "denoising", "zero", "mean", "resample"]
MODES: tuple[Mode, ...] = ("noising", "denoising", "zero", "mean", "resample")
ROW_TOKENS = 2048  # tokens of patched copies held at once on a CPU; more fall out of its cache and run slower
LEAST_ROWS = 16
GPU_SHARE = 0.5  # of the free memory


@dataclass(frozen=True)
class Source:
    """Where the values put in come from: at a site, the last rows of what it holds, [≤ T, …]."""

    embed: Tensor
    attn: Sequence[Tensor]
    mlp: Sequence[Tensor]
    z: Sequence[Tensor]
    stream: Sequence[Tensor]

    @classmethod
    def of(cls, trace: Trace) -> Source:
        """Another text's own values."""
        return cls(trace.h[0], trace.attn, trace.mlp, trace.z, trace.h)

    @classmethod
    def constant(cls, base: Trace, value: Callable[[str, int, Tensor], Tensor]) -> Source:
        """The same value at every position of `base` after the shared tokens: `value(kind, layer, like)`, [T, …]."""

        def each(kind: str, tensors: Sequence[Tensor]) -> list[Tensor]:
            return [value(kind, layer, like) for layer, like in enumerate(tensors)]

        return cls(
            value("embed", -1, base.h[0]),
            each("attn", base.attn),
            each("mlp", base.mlp),
            each("z", base.z),
            each("stream", base.h),
        )


@dataclass(frozen=True)
class Base:
    """The text that is patched, with the keys and values of the tokens before it."""

    trace: Trace
    past: Sequence[KeyValue]

    @property
    def count(self) -> int:
        return len(self.trace.h[0])


def streams(trunk: Trunk, base: Base, source: Source, sites: Sequence[Site], *, rows: int | None = None) -> Tensor:
    """The stream after the last block at `base`'s readout token, with each site replaced by what `source` holds there:
    [sites, d], in the order of `sites`. Any head on this trunk reads its own reward from it.

    `rows` patched copies at most are held at once (default: by memory); a GPU that runs out is given half as many.
    """
    return copied(trunk, base, source, [(site,) for site in sites], rows=rows)


@torch.no_grad()
def copied(
    trunk: Trunk, base: Base, source: Source, copies: Sequence[tuple[Site, ...]], *, rows: int | None = None
) -> Tensor:
    """The same streams where each copy has all of its sites replaced, at least one: [copies, d]."""
    order = sorted(range(len(copies)), key=lambda i: (min(map(_enters, copies[i])), i))
    found = base.trace.h[-1].new_empty((len(copies), trunk.width))
    rows = rows or room(trunk, base)
    todo = [order[first : first + rows] for first in range(0, len(order), rows)][::-1]
    while todo:
        some = todo.pop()
        try:
            found[some] = _Run(trunk, base, source).go([copies[i] for i in some])
        except torch.OutOfMemoryError:
            if len(some) == 1:
                raise
            torch.cuda.empty_cache()
            todo += [some[len(some) // 2 :], some[: len(some) // 2]]
    return found


def patched(trunk: Trunk, base: Base, source: Source, sites: Sequence[Site], *, rows: int | None = None) -> list[float]:
    """The reward of `base` with each site replaced by what `source` holds there, ru, in the order of `sites`."""
    found: list[float] = trunk.readout.reward(streams(trunk, base, source, sites, rows=rows)).tolist()
    return found


def room(trunk: Trunk, base: Base) -> int:
    """How many copies fit: on a CPU as many tokens as a batch holds, on a GPU by its free memory."""
    if trunk.device.type != "cuda":
        return max(LEAST_ROWS, ROW_TOKENS // base.count)
    free, _total = torch.cuda.mem_get_info(trunk.device)
    size = base.trace.h[0].element_size()
    keys = base.trace.start + base.count
    wide = 12 * trunk.width + 6 * trunk.heads * trunk.head_dim  # streams, a block's inside, heads
    scores = 2 * trunk.heads * base.count * keys if base.count > 1 else 0
    each = size * (base.count * wide + 4 * trunk.kv_heads * trunk.head_dim * keys + scores)
    return max(1, int(free * GPU_SHARE / each))


def _enters(site: Site) -> tuple[int, int]:
    """The block a copy starts in, and whether it starts before attention (0), between (1) or after the MLP (2)."""
    match site.kind:
        case "embed":
            return 0, 0
        case "stream":
            return site.layer, 0
        case "attn" | "head":
            return site.layer, 1
        case _:
            return site.layer, 2


@dataclass
class _Run:
    """Copies of one base on their way through the blocks. `live` are the copies' numbers, in the order of rows."""

    trunk: Trunk
    base: Base
    source: Source

    def go(self, copies: Sequence[tuple[Site, ...]]) -> Tensor:
        """The last stream at the readout token of every copy, each with its sites replaced: [copies, d]."""
        trunk, trace, count = self.trunk, self.base.trace, self.base.count
        start = trace.start
        rotary = trunk.positions(start, start + count)
        at: dict[tuple[int, int], list[int]] = {}
        for number, sites in enumerate(copies):
            at.setdefault(min(map(_enters, sites)), []).append(number)
        joint = max((len(sites) for sites in copies), default=0) > 1
        live: list[int] = []
        x = trace.h[0].new_empty((0, count, trunk.width))
        for layer in range(trunk.layers + 1):
            new = at.get((layer, 0), [])
            x, live = self._join(x, live, trace.h[layer], new)
            for row, number in enumerate(live):
                for site in copies[number]:
                    if site.kind in ("embed", "stream") and _enters(site) == (layer, 0):
                        self._put_stream(x[row], site)
            if layer == trunk.layers:
                break
            last = layer == trunk.layers - 1
            begun = at.get((layer, 1), [])
            x, live = self._attention(layer, x, live, begun, copies, rotary, last=last, joint=joint)
            ended = at.get((layer, 2), [])
            x, live = self._mlp(layer, x, live, ended, copies, last=last, joint=joint)
        found = torch.empty_like(x[:, -1])
        found[live] = x[:, -1]
        return found

    def _attention(
        self,
        layer: int,
        x: Tensor,
        live: list[int],
        begun: list[int],
        copies: Sequence[tuple[Site, ...]],
        rotary: tuple[Tensor, Tensor],
        *,
        last: bool,
        joint: bool,
    ) -> tuple[Tensor, list[int]]:
        """The stream after attention `layer` of every live copy and of those that start here."""
        trunk, trace = self.trunk, self.base.trace
        mid = x[:, -1:] if last else x
        if live:
            past = self.base.past[layer] if self.base.past else None
            z, _ = trunk.attend(layer, x, rotary, past, last=last)
            if joint:
                self._put_heads(layer, z, live, copies)
            attn = trunk.project(layer, z)
            if joint:
                self._put(attn, self.source.attn[layer], live, copies, Site("attn", layer))
            mid = mid + attn
        if not begun:
            return mid, live
        clean = trace.h[layer][-1:] if last else trace.h[layer]
        whole = [number for number in begun if any(site.kind == "attn" for site in copies[number])]
        sliced = [number for number in begun if number not in set(whole)]
        added = []
        if whole:
            attn = _tail(trace.attn[layer], last).repeat(len(whole), 1, 1)
            self._put(attn, self.source.attn[layer], whole, copies, Site("attn", layer))
            added.append(clean + attn)
        if sliced:
            z = _tail(trace.z[layer], last).repeat(len(sliced), 1, 1, 1)
            self._put_heads(layer, z, sliced, copies)
            added.append(clean + trunk.project(layer, z))
        return torch.cat([mid, *added]), [*live, *whole, *sliced]

    def _mlp(
        self,
        layer: int,
        mid: Tensor,
        live: list[int],
        ended: list[int],
        copies: Sequence[tuple[Site, ...]],
        *,
        last: bool,
        joint: bool,
    ) -> tuple[Tensor, list[int]]:
        """The stream after MLP `layer`, likewise."""
        trace = self.base.trace
        x = mid
        if live:
            mlp = self.trunk.feed(layer, mid)
            if joint:
                self._put(mlp, self.source.mlp[layer], live, copies, Site("mlp", layer))
            x = mid + mlp
        if not ended:
            return x, live
        mlp = _tail(trace.mlp[layer], last).repeat(len(ended), 1, 1)
        self._put(mlp, self.source.mlp[layer], ended, copies, Site("mlp", layer))
        return torch.cat([x, _tail(trace.mid[layer], last) + mlp]), [*live, *ended]

    def _join(self, x: Tensor, live: list[int], clean: Tensor, new: list[int]) -> tuple[Tensor, list[int]]:
        if not new:
            return x, live
        clean = clean[-x.shape[1] :]
        return torch.cat([x, clean.repeat(len(new), 1, 1)]), [*live, *new]

    def _put(
        self, into: Tensor, value: Tensor, live: Iterable[int], copies: Sequence[tuple[Site, ...]], site: Site
    ) -> None:
        """Write `value`'s last rows over those of the copies that replace `site`, in place."""
        rows = [row for row, number in enumerate(live) if site in copies[number]]
        if rows:
            count = min(into.shape[1], len(value))
            into[rows, -count:] = value[-count:]

    def _put_heads(self, layer: int, z: Tensor, live: Iterable[int], copies: Sequence[tuple[Site, ...]]) -> None:
        value = self.source.z[layer]
        count = min(z.shape[1], len(value))
        places = [
            (row, site.number)
            for row, number in enumerate(live)
            for site in copies[number]
            if site.kind == "head" and site.layer == layer
        ]
        if places:
            rows, heads = (list(one) for one in zip(*places, strict=True))
            z[rows, -count:, heads] = value[-count:, heads].transpose(0, 1)

    def _put_stream(self, row: Tensor, site: Site) -> None:
        """Write an embedding (every aligned position) or one position of the stream, in place."""
        if site.kind == "embed":
            count = min(len(row), len(self.source.embed))
            row[-count:] = self.source.embed[-count:]
            return
        value = self.source.stream[site.layer]
        if site.number < min(len(row), len(value)):
            row[-1 - site.number] = value[-1 - site.number]


def _tail(tensor: Tensor, last: bool) -> Tensor:
    return tensor[-1:] if last else tensor
