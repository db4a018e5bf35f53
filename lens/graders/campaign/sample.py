"""A seeded sample of mutants, stratified by operator and function; never a prefix.

Strata too small for two of their mutants to be drawn are pooled: first over the functions of an operator, then over
operators. Within a stratum the draw is simple, and strata get their share of the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

_STEPS = (1, 1.5, 2, 3, 5, 7)


@dataclass(frozen=True)
class Stratum:
    """Mutants by their place in the plan: all of the stratum, and those drawn."""

    members: tuple[int, ...]
    drawn: tuple[int, ...]


@dataclass(frozen=True)
class Sample:
    strata: tuple[Stratum, ...]

    @property
    def drawn(self) -> list[int]:
        """The sampled mutants, in plan order."""
        return sorted(number for stratum in self.strata for number in stratum.drawn)

    @property
    def size(self) -> int:
        return sum(len(stratum.drawn) for stratum in self.strata)

    @property
    def population(self) -> int:
        return sum(len(stratum.members) for stratum in self.strata)

    @property
    def census(self) -> bool:
        return self.size == self.population


def round_down(size: float) -> int:
    """The largest of 10, 15, 20, 30, 50, 70, 100, ... not above `size`: a sample size that a slightly slower machine
    agrees on."""
    steps = [int(step * 10**power) for power in range(1, 7) for step in _STEPS]
    return max((step for step in steps if step <= size), default=0)


def draw(mutants: Sequence[dict[str, Any]], size: int, seed: int) -> Sample:
    """`size` of the plan's mutants, or all where there are no more."""
    everyone = tuple(range(len(mutants)))
    if size >= len(mutants):
        return Sample((Stratum(everyone, everyone),))
    if size <= 0:
        return Sample((Stratum(everyone, ()),))
    strata = _strata(mutants, size)
    shares = _shares([len(members) for members in strata], size)
    random = Random(f"mutants/{seed}")
    return Sample(
        tuple(
            Stratum(tuple(members), tuple(random.sample(members, share)))
            for members, share in zip(strata, shares, strict=True)
        )
    )


def _strata(mutants: Sequence[dict[str, Any]], size: int) -> list[list[int]]:
    enough = 2 * len(mutants) / size  # a stratum's size for two of it to be drawn
    by_place: dict[tuple[str, int], list[int]] = {}
    for number, mutant in enumerate(mutants):
        by_place.setdefault((mutant["operator"], mutant["unit"]), []).append(number)
    kept, rest = _split(by_place, enough)
    by_operator: dict[str, list[int]] = {}
    for (operator, _unit), members in rest.items():
        by_operator.setdefault(operator, []).extend(members)
    pooled, left = _split(by_operator, enough)
    others = [number for members in left.values() for number in members]
    return [*kept.values(), *pooled.values(), *([others] if others else [])]


def _split(groups: dict[Any, list[int]], enough: float) -> tuple[dict[Any, list[int]], dict[Any, list[int]]]:
    large = {key: members for key, members in sorted(groups.items()) if len(members) >= enough}
    return large, {key: members for key, members in sorted(groups.items()) if key not in large}


def _shares(sizes: Sequence[int], size: int) -> list[int]:
    """`size` split in proportion to `sizes`, largest remainders first."""
    exact = [size * one / sum(sizes) for one in sizes]
    shares = [int(one) for one in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))
    for i in by_remainder[: size - sum(shares)]:
        shares[i] += 1
    return shares
