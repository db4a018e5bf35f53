"""Relations: rules that turn a gold's answer into one that should earn the same, or must not; one family a file.

A module here holds module-level `Relation` objects; the registry finds them by type. `direction` says what
a grader owes: *invariant* (the same answer spelled or placed another way earns the same), *must-change*
(a different answer doesn't earn what the right one does), *monotone* (hedging or padding a wrong answer
earns no more than the wrong answer alone).
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from random import Random
from typing import Any, Literal

from lens.graders.formats import Format
from lens.graders.items import Item, Variant
from lens.graders.shapes import Shape

Direction = Literal["invariant", "must-change", "monotone"]
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


@dataclass(frozen=True)
class Case:
    """What a rule is shown: an item, its format, the shape the contract pays, and the other items of its source."""

    item: Item
    format: Format
    shape: Shape
    pool: tuple[Item, ...] = ()
    salt: str = ""
    seed: int = 0

    @property
    def answer(self) -> str:
        """The oracle's bare answer. Rules that see other kinds of answer read `item.answer`."""
        return str(self.item.answer)

    @cached_property
    def number(self) -> Decimal | None:
        """The answer as a number where it is written as one in plain digits."""
        return Decimal(self.answer) if _NUMBER.fullmatch(self.answer) else None

    @property
    def whole(self) -> int | None:
        """The answer as a whole number where it is one."""
        return int(self.answer) if self.number is not None and "." not in self.answer else None

    @property
    def latex(self) -> bool:
        return "latex" in self.format.traits

    @cached_property
    def random(self) -> Random:
        """A generator of this rule and this gold's own, so that adding a rule or a row moves no other."""
        key = f"{self.seed}/{self.salt}/{self.item.cluster}"
        return Random(int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]))

    def wrong(self, count: int = 1) -> list[str]:
        """`count` answers to other questions, different from this one as text and, where both are numbers, in value."""
        number = self.number
        others: list[str] = []
        for other in self.random.sample(self.pool, min(len(self.pool), 8 * count)):
            text = str(other.answer)
            same = (
                other.cluster == self.item.cluster
                or text == self.answer
                or text in [str(a) for a in self.format.answers(self.item.gold)]
            )
            if number is not None and _NUMBER.fullmatch(text):
                same = same or Decimal(text) == number
            if not same and text not in others:
                others.append(text)
        while len(others) < count and number is not None:
            number += 1 + len(others)
            others.append(str(number))
        return others[:count]


Make = Callable[[Case], Iterable["str | Variant"]]


@dataclass(frozen=True)
class Relation:
    """One rule.

    name       field names are built on it: `full-stop.violations`
    title      what it does to the answer, in a reader's words
    defect     class of a grader that breaks it (lens.graders.defects)
    on         traits of which an answer format needs at least one
    make       yields changed answers (text for the slot, or a Variant); nothing where it doesn't apply
    families   shape families it can write in; empty means any
    pairs      (gold, answer) written by hand, where the rule brings its own golds instead of changing the corpus'
    policy     a difference of contract: listed, never counted as a violation
    labelled   False where the rule compares two verdicts and neither is known to be right
    """

    name: str
    title: str
    direction: Direction
    defect: str
    on: frozenset[str]
    make: Make
    families: frozenset[str] = frozenset()
    pairs: tuple[tuple[Any, Any], ...] = ()
    policy: bool = False
    labelled: bool = True

    @property
    def label(self) -> bool | None:
        """What a competent reader says of a row this rule made: right, or not; None where that isn't known."""
        return self.direction == "invariant" if self.labelled else None

    def applies(self, fmt: Format, shape: Shape) -> bool:
        return bool(self.on & fmt.traits) and (not self.families or shape.family in self.families)

    def cases(
        self, fmt: Format, shape: Shape, items: Sequence[Item], *, seed: int = 0, limit: int | None = None
    ) -> Iterator[tuple[Item, Variant]]:
        """(item, variant) for every item the rule applies to, one to a few each, at most `limit` distinct golds."""
        pool = tuple(items)
        golds: set[str] = set()
        for item in self._items(pool):
            if item.cluster in golds or (limit is not None and len(golds) >= limit):
                continue
            made = list(self.make(Case(item, fmt, shape, pool, self.name, seed)))
            if made:
                golds.add(item.cluster)
            yield from ((item, Variant(one) if isinstance(one, str) else one) for one in made)

    def _items(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        if not self.pairs:
            return items
        return tuple(Item(number, gold, answer, own=True) for number, (gold, answer) in enumerate(self.pairs))


ROOM = frozenset({"box", "line", "tag", "dollars", "prose"})  # shape families with room for text around the answer


def relation(
    name: str,
    *,
    title: str,
    direction: Direction,
    defect: str,
    on: str,
    families: Iterable[str] = (),
    policy: bool = False,
) -> Callable[[Make], Relation]:
    """Make a Relation of the decorated rule; `on` is space-separated traits."""

    def build(make: Make) -> Relation:
        return Relation(name, title, direction, defect, frozenset(on.split()), make, frozenset(families), policy=policy)

    return build


def given(case: Case) -> Iterator[str]:
    """The rule of relations that bring (gold, answer) pairs: the answer as written."""
    yield case.item.answer


def pairs(
    name: str,
    *,
    title: str,
    direction: Direction,
    defect: str,
    on: str,
    pairs: Sequence[tuple[Any, Any]],
    make: Make = given,
    labelled: bool = True,
) -> Relation:
    """A relation over hand-written (gold, answer) pairs."""
    return Relation(name, title, direction, defect, frozenset(on.split()), make, pairs=tuple(pairs), labelled=labelled)


@cache
def relations() -> dict[str, Relation]:
    """Every relation by name, in alphabetical order."""
    package = importlib.import_module("lens.graders.relations")
    modules = (
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    )
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Relation)]
    names = [one.name for one in found]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two relations of one name: {', '.join(sorted(doubled))}")
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def applicable(fmt: Format, shape: Shape) -> list[Relation]:
    """The relations that can be put to a grader of this format in this shape."""
    return [one for one in relations().values() if one.applies(fmt, shape)]
