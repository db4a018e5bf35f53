"""Preference pairs, with their axis and lineage."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from lens.models.model import Prompt
from lens.reading import Input


@dataclass(frozen=True)
class Pair:
    """`chosen` is preferred to `rejected` as replies to `prompt`.

    `axis` names what the two differ in, where the pair is a matched counterfactual: the chosen reply has it. `lineage`
    names the item it was made from: pairs of one lineage are no independent draws. `key` is the source's own name of
    the pair, `part` the part of the set it is from.
    """

    number: int
    prompt: Prompt
    chosen: str
    rejected: str
    axis: str = ""
    lineage: str = ""
    key: str = ""
    part: str = ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what is scored: equal content is one pair, however often it stands in the file."""
        return _sha([self.prompt, self.chosen, self.rejected])

    @cached_property
    def cluster(self) -> str:
        """The unit that was drawn: the lineage where one is named, else the prompt."""
        return self.lineage or _sha(self.prompt)


@dataclass(frozen=True)
class Pairs(Sequence[Pair]):
    """Pairs of one source, in its order. `left_out` says which of its rows are no pairs, and why."""

    name: str
    pairs: tuple[Pair, ...]
    digest: str
    locator: str = ""
    licence: str = ""
    left_out: tuple[str, ...] = ()

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self.pairs[index]

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def unique(self) -> tuple[Pair, ...]:
        """The first pair of every content, in the order of the file: copies further down move nothing."""
        found: dict[str, Pair] = {}
        for pair in self.pairs:
            found.setdefault(pair.digest, pair)
        return tuple(found.values())

    @cached_property
    def axes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pair.axis for pair in self.pairs if pair.axis))

    def on(self, axis: str) -> tuple[Pair, ...]:
        """The unique pairs of an axis."""
        return tuple(pair for pair in self.unique if pair.axis == axis)

    def as_input(self) -> Input:
        return Input("pairs", self.name, self.digest, self.locator, len(self.pairs), self.licence)


def _sha(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()
