"""Answer formats: what an answer is made of, one a file, each with one `FORMAT`; the registry finds it there.

A format says in which shapes its answers may be carried, which rules can be applied to them (its `traits`
meet the `on` of a relation or an exploit), and where its embedded golds lie. Rules, not formats, know
how an answer is spelled differently.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lens.graders.shapes import SHAPES, Shape


def plain_text(text: str) -> str:
    """The text with white space, enclosing dollars and a last full stop taken off: what anybody would ignore."""
    return " ".join(text.split()).strip("$ ").removesuffix(".")


def only(gold: Any) -> tuple[Any, ...]:
    """A gold that is its own one answer."""
    return (gold,)


@dataclass(frozen=True)
class Format:
    """An answer format.

    traits     words that relations and exploits ask for: "number", "latex", "words", ...
    shapes     names of the shapes its answers may be carried in, the likeliest first
    corpus     stem of the embedded golds, `data/corpora/<corpus>.jsonl`
    seeds      a few of the simplest golds, from which violations are shown in their smallest form
    answers    the bare answers a gold allows, the oracle's first
    normalise  what "the normaliser acts on one side only" is judged with
    reads      takes the gold out of a published gold field ("... #### 18" -> "18"); ValueError where it can't
    tokens     what fuzzed answers are made of
    crosses    whether the answer to another gold is wrong here; a format with one gold for all has no crossed rows
    dresses    what may enclose a gold before the grader takes it, besides nothing
    """

    name: str
    title: str
    traits: frozenset[str]
    shapes: tuple[str, ...]
    corpus: str
    seeds: tuple[Any, ...]
    tokens: tuple[str, ...]
    answers: Callable[[Any], Sequence[Any]] = only
    normalise: Callable[[str], str] = plain_text
    reads: Callable[[Any], Any] = lambda gold: gold
    dresses: tuple[str, ...] = ()
    crosses: bool = True

    @property
    def candidates(self) -> tuple[Shape, ...]:
        """The shapes to try, golds as they are before golds enclosed in something."""
        return tuple(replace(SHAPES[name], dress=dress) for dress in ("", *self.dresses) for name in self.shapes)


@cache
def formats() -> dict[str, Format]:
    """Every answer format by name."""
    package = importlib.import_module("lens.graders.formats")
    modules = (
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    )
    return {module.FORMAT.name: module.FORMAT for module in sorted(modules, key=lambda module: module.FORMAT.name)}


def guess(golds: Sequence[Any]) -> str:
    """The format of golds nobody declared one for: lists are `qa`, whole numbers `integer`, the rest `latex` where
    any of it looks like mathematics and `qa` where none does.

    >>> guess(["12", "-7"]), guess([["Oslo"]]), guess(["\\\\frac{1}{2}", "Oslo"])
    ('integer', 'qa', 'latex')
    """
    texts = [gold for gold in golds if isinstance(gold, (str, int, float))]
    if len(texts) < len(golds) or not texts:
        return "qa"
    if all(re.search(r"(?:^|####)\s*-?\d[\d,]*\s*$", str(text)) for text in texts):
        return "integer"
    return "latex" if any(re.search(r"[\\^=]|^-?[\d.]+$|\d/\d", str(text).strip()) for text in texts) else "qa"
