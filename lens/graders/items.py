"""What rows are made from: items (a gold and what the oracle would answer) and the sources they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lens.canonical import digest
from lens.graders.corpus import Row
from lens.graders.shapes import Shape
from lens.reading import Input


@dataclass(frozen=True)
class Item:
    """One gold and the oracle's bare answer to it.

    `own` marks text written by this project, which may be shown; other people's rows are named by
    number and digest. `question` is shown to no grader; `columns` are passed to it.
    """

    number: int
    gold: Any
    answer: Any
    question: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    own: bool = False

    @cached_property
    def cluster(self) -> str:
        """Names the gold: items with the same gold are one drawn unit."""
        return hashlib.sha256(repr((self.gold, sorted(self.columns))).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Rollout:
    """One real response. `body` is its text without the marked answer, `answer` the text that was marked;
    where `answer` is None the response is `body` as it stands."""

    number: int
    gold: Any
    body: str
    answer: str | None
    label: bool | None
    cluster: str
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """Where golds, or labelled responses, were read from."""

    name: str
    title: str
    digest: str
    locator: str
    licence: str
    items: tuple[Item, ...] = ()
    rollouts: tuple[Rollout, ...] = ()
    own: bool = False

    def as_input(self) -> Input:
        return Input("golds", self.name, self.digest, self.locator, len(self.items) or len(self.rollouts), self.licence)


@dataclass(frozen=True)
class Keep:
    """Stands for "the item's own gold" in a Variant."""


KEEP = Keep()


@dataclass(frozen=True)
class Variant:
    """One changed question. `answer` is the text in the slot; `response` the whole text where the rule writes
    more than the slot; `gold` and `columns` replace the item's where given. `base` is what a metamorphic rule
    compares it with, the oracle's own answer where left out."""

    answer: Any
    response: Any = None
    gold: Any = KEEP
    columns: Mapping[str, Any] | None = None
    base: Variant | None = None
    whole: bool = False  # `response` stands even when it is None

    def row(self, item: Item, shape: Shape, number: int, relation: str, label: bool | None) -> Row:
        """The row a grader is asked, rendered in `shape`."""
        written = self.whole or self.response is not None
        return Row(
            number=number,
            response=self.response if written else shape.render(self.answer),
            gold=shape.dressed(item.gold if isinstance(self.gold, Keep) else self.gold),
            label=label,
            answer=self.answer if isinstance(self.answer, str) and shape.family != "whole" else None,
            cluster=item.cluster,
            relation=relation,
            columns=dict(item.columns if self.columns is None else self.columns),
        )


def digest_of(rows: tuple[Row, ...]) -> str:
    """SHA-256 over what a grader is asked in `rows`, in order."""
    return digest([[row.response, row.gold, row.columns] for row in rows])
