"""What a patch does to a pair's margin, in five modes, ru. A positive effect is margin lost, or in denoising won.

noising     the chosen text takes the rejected text's value: r(chosen) − r(patched)
denoising   the rejected text takes the chosen text's: r(patched) − r(rejected)
zero, mean, resample
            both texts take 0, the mean over reference texts, or another text's value: m − m(patched)
In every mode, and at every grid, values are put in after the tokens the two texts share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lens.models.patch.schedule import Base, Mode, Source, copied, streams
from lens.models.patch.sites import Site
from lens.models.trunk import PairTrace, Readout, Trace, Trunk


@dataclass(frozen=True)
class Means:
    """The mean of every site over positions of reference texts: embed [d], attn and mlp [d], z [H, k], stream [d]."""

    embed: Tensor
    attn: list[Tensor]
    mlp: list[Tensor]
    z: list[Tensor]
    stream: list[Tensor]

    @classmethod
    def over(cls, trunk: Trunk, texts: Sequence[tuple[tuple[int, ...], int]]) -> Means:
        """Over the tokens of each text (ids, where its reply begins) from its reply on; one text is held at a time."""
        total, count = None, 0
        for ids, reply in texts:
            at = slice(min(reply, len(ids) - 1), None)
            trace = trunk.trace(ids)
            rows = [trace.h[0], *trace.attn, *trace.mlp, *trace.z, *trace.h]
            sums = [row[at].float().sum(dim=0) for row in rows]
            total = sums if total is None else [one + more for one, more in zip(total, sums, strict=True)]
            count += len(ids) - int(at.start)
        if total is None:
            raise ValueError("no reference text")
        embed, *rest = [(one / count).to(trace.h[0].dtype) for one in total]
        layers = trunk.layers
        return cls(embed, rest[:layers], rest[layers : 2 * layers], rest[2 * layers : 3 * layers], rest[3 * layers :])


@dataclass(frozen=True)
class Given:
    """What ablations put in: the reference means, and another text's pass."""

    means: Means | None = None
    other: Trace | None = None

    def source(self, mode: Mode, base: Trace) -> Source:
        if mode == "resample":
            if self.other is None:
                raise ValueError("resampling needs another text")
            return Source.of(self.other)
        if mode == "zero":
            return Source.constant(base, lambda _kind, _layer, like: torch.zeros_like(like))
        if self.means is None:
            raise ValueError("mean ablation needs reference texts")
        means = self.means

        def value(kind: str, layer: int, like: Tensor) -> Tensor:
            found: Tensor = means.embed if kind == "embed" else getattr(means, kind)[layer]
            return found.expand_as(like)

        return Source.constant(base, value)


def effects(
    trunk: Trunk,
    pair: PairTrace,
    mode: Mode,
    sites: Sequence[Site],
    given: Given | None = None,
    *,
    readouts: Sequence[Readout] | None = None,
    joint: bool = False,
) -> Tensor:
    """The effect of every site, or with `joint` of all of them at once: [readouts, sites] (sites 1 with `joint`), fp32.

    Another head reads the same patched streams, so more `readouts` on one trunk cost nothing.
    """
    heads = readouts or [trunk.readout]
    chosen, rejected = (Base(side, pair.shared) for side in (pair.chosen, pair.rejected))

    def lost(base: Base, source: Source) -> Tensor:
        """r(base) − r(patched base), for every head and site."""
        last = copied(trunk, base, source, [tuple(sites)]) if joint else streams(trunk, base, source, sites)
        clean = base.trace.h[-1][-1]
        return torch.stack([head.reward(clean) - head.reward(last) for head in heads])

    if mode == "noising":
        return lost(chosen, Source.of(pair.rejected))
    if mode == "denoising":
        return -lost(rejected, Source.of(pair.chosen))
    given = given or Given()
    return lost(chosen, given.source(mode, pair.chosen)) - lost(rejected, given.source(mode, pair.rejected))


def last_mlp(trunk: Trunk, pair: PairTrace) -> float:
    """Noising the last MLP in closed form: it only swaps what is added at the readout token. ru."""
    chosen, rejected = pair.chosen, pair.rejected
    stream = chosen.mid[-1][-1] + rejected.mlp[-1][-1]
    return float(trunk.readout.reward(chosen.h[-1][-1]) - trunk.readout.reward(stream))


def aligned(pair: PairTrace) -> int:
    """Positions after the shared tokens that both texts have, counted back from the readout."""
    return min(len(pair.chosen.h[0]), len(pair.rejected.h[0]))
